// compare: diff, inspect, identify and infer.
#include "call/method.hpp"
#include "call/relaxations.hpp"
#include "call/spelling.hpp"
#include "convert/wire_bytes.hpp"
#include "docs/compare_docs.hpp"
#include "schema/type_object.hpp"
#include "support/attribute.hpp"
#include "support/bytes_like.hpp"
#include "support/imported.hpp"
#include "support/unlocked.hpp"

#include <thriftlens/compare/compare.hpp>
#include <thriftlens/compare/identify.hpp>
#include <thriftlens/compare/infer.hpp>
#include <thriftlens/compare/inspect.hpp>

namespace thriftlens::python {

namespace {

// ---- diff

struct diff_call {
  compare_options compare = {};
  protocol_id protocol = protocol_id::binary;
  std::optional<protocol_id> right_protocol = std::nullopt;

  [[nodiscard]] protocol_id right() const noexcept { return right_protocol.value_or(protocol); }
};
constexpr auto diff_table =
    table(choice<&diff_call::compare, &compare_options::order>("order"),
          number<&diff_call::compare, &compare_options::max_differences>("most", 1, 0xffffffffu),
          protocol_option<&diff_call::protocol>(), choice<&diff_call::right_protocol>("right_protocol"),
          depth_option<&diff_call::compare, &compare_options::limits>(),
          output_size_option<&diff_call::compare, &compare_options::limits>());
constexpr positional diff_list[] = {{"left"}, {"right"}};

const signature_of<diff_call>& diff_signature() {
  static const signature_of<diff_call> signature("diff", {diff_list, true}, diff_table);
  return signature;
}
const signature_of<diff_call>& difference_rows_signature() {
  static const signature_of<diff_call> signature("_difference_rows", {diff_list, true}, diff_table);
  return signature;
}

PyObject* bytes_or_none(byte_view bytes, ttype wire) {
  if (wire == ttype::stop) return new_reference(Py_None);
  return PyBytes_FromStringAndSize(bytes.text().data(), static_cast<Py_ssize_t>(bytes.size()));
}

PyObject* row_of(const difference& entry) {
  static constexpr const char* kinds[] = {"added", "removed", "changed"};
  const object path(shown_text(entry.path));
  const object lhs(bytes_or_none(entry.left, entry.left_wire)),
      rhs(bytes_or_none(entry.right, entry.right_wire));
  if (!path || !lhs || !rhs) return nullptr;
  return Py_BuildValue("sOOO", kinds[static_cast<int>(entry.kind)], path.get(), lhs.get(), rhs.get());
}

/// The differences as a list of (kind, path, left bytes, right bytes). Null with a Python error set.
PyObject* rows_of(type of, const diff_call& call, PyObject* const* positionals) {
  bytes_like lhs, rhs;
  if (!lhs.take(positionals[0]) || !rhs.take(positionals[1])) return nullptr;
  const auto differences = [&] {
    const unlocked free(lhs.bytes().size() + rhs.bytes().size());
    return visit_protocol(call.protocol, [&](auto from) {
      return visit_protocol(call.right(), [&](auto to) {
        const limits bounds{.depth = call.compare.limits.depth};
        return try_differences(view<decltype(from)>(lhs.bytes(), of, bounds),
                               view<decltype(to)>(rhs.bytes(), of, bounds), call.compare);
      });
    });
  }();
  if (!differences) return raise_error(differences.error());
  object rows(PyList_New(0));
  for (const difference& entry : *differences) {
    if (!append_new(rows, row_of(entry))) return nullptr;
  }
  return rows.release();
}

PyObject* difference_rows_method(PyObject* self, const arguments& args) {
  positional_values positionals;
  diff_call call;
  if (!difference_rows_signature().read(args, positionals, call)) return nullptr;
  return rows_of(type_of(self).of, call, positionals);
}

PyObject* no_differences() {
  static shared_object cached;
  PyObject* const of = imported(cached, "thriftlens._schema.results", "Differences");
  return of == nullptr ? nullptr : PyObject_CallObject(of, nullptr);
}

/// The differences as Type._named converts them.
PyObject* diff_method(PyObject* self, const arguments& args) {
  positional_values positionals;
  diff_call call;
  if (!diff_signature().read(args, positionals, call)) return nullptr;
  object rows(rows_of(type_of(self).of, call, positionals));
  if (!rows) return nullptr;
  if (PyList_GET_SIZE(rows.get()) == 0) return no_differences();
  const auto name = [](protocol_id id) { return spellings<protocol_id>[static_cast<std::size_t>(id)]; };
  const object named(attribute_of<"_named">(self));
  return named ? PyObject_CallFunction(named.get(), "OssI", rows.get(), name(call.protocol),
                                       name(call.right()), call.compare.limits.depth)
               : nullptr;
}

// ---- inspect

struct inspect_call {
  inspect_options inspect = {};
  wire_form protocol = wire_form::binary;
};

const signature_of<inspect_call>& inspect_signature() {
  static constexpr positional list[] = {{"data"}};
  static constexpr auto options =
      table(converted<&take_type, &inspect_call::inspect, &inspect_options::of>("type", "None"),
            protocol_option<&inspect_call::protocol>(),
            number<&inspect_call::inspect, &inspect_options::text_size>("text_size", 0, 0xffffffffu),
            number<&inspect_call::inspect, &inspect_options::elements>("elements", 0, 0xffffffffu),
            depth_option<&inspect_call::inspect, &inspect_options::limits>(),
            output_size_option<&inspect_call::inspect, &inspect_options::limits>());
  static const signature_of<inspect_call> signature("inspect", {list, true}, options);
  return signature;
}
PyObject* inspect_function(PyObject*, const arguments& args) {
  positional_values positionals;
  inspect_call call;
  wire_bytes data;
  if (!inspect_signature().read(args, positionals, call)) return nullptr;
  if (!data.take(positionals[0], call.protocol, call.inspect.of, call.inspect.limits.depth)) return nullptr;
  const std::string text = visit_protocol(protocol_of(call.protocol), [&](auto tag) {
    const unlocked free(data.bytes().size());
    return inspect<decltype(tag)>(data.bytes(), call.inspect);
  });
  return shown_text(text);
}

// ---- identify

struct identify_call {
  identify_options identify = {};
  protocol_id protocol = protocol_id::binary;
};
const signature_of<identify_call>& identify_signature() {
  static constexpr positional list[] = {{"data"}, {"types"}};
  static constexpr auto options =
      table(protocol_option<&identify_call::protocol>(),
            number<&identify_call::identify, &identify_options::explained>("explained", 0, 0xffffffffu),
            depth_option<&identify_call::identify, &identify_options::limits>());
  static const signature_of<identify_call> signature("identify", {list, true}, options);
  return signature;
}
/// The types of a sequence of thriftlens.Type. False with a Python error set.
bool take_types(PyObject* value, std::vector<type>& to) {
  const object sequence(fixed_sequence(value, "types must be a sequence of thriftlens.Type"));
  if (!sequence) return false;
  to.resize(static_cast<std::size_t>(PySequence_Fast_GET_SIZE(sequence.get())));
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (!take_type(to[i], "types", PySequence_Fast_GET_ITEM(sequence.get(), static_cast<Py_ssize_t>(i))))
      return false;
  }
  return true;
}
/// (number of the type in the sequence, score, known, unknown, contradictions, missing, path, reason).
PyObject* row_of(const candidate& of, std::size_t number) {
  return Py_BuildValue("(ndIIIINN)", static_cast<Py_ssize_t>(number), of.score, of.known, of.unknown,
                       of.contradictions, of.missing, shown_text(of.path), shown_text(of.reason));
}
PyObject* identify_function(PyObject*, const arguments& args) {
  positional_values positionals;
  identify_call call;
  bytes_like data;
  std::vector<type> types;
  if (!identify_signature().read(args, positionals, call) || !data.take(positionals[0]) ||
      !take_types(positionals[1], types))
    return nullptr;
  const result<std::vector<candidate>> ranked = [&] {
    const unlocked free(least_unlocked);
    return visit_protocol(call.protocol, [&](auto tag) {
      return try_identify<decltype(tag)>(data.bytes(), types, call.identify);
    });
  }();
  if (!ranked) return raise(ranked.error(), family::decode);
  object rows(PyList_New(0));
  if (!rows) return nullptr;
  for (const candidate& entry : *ranked) {
    if (!append_new(rows, row_of(entry, entry.number))) return nullptr;
  }
  return rows.release();
}

// ---- infer

struct infer_call {
  infer_options infer = {};
  protocol_id protocol = protocol_id::binary;
  std::string name = "Record";
};
bool take_name(std::string& to, const char* name, PyObject* value) {
  std::string_view text;
  if (!PyUnicode_Check(value)) {
    PyErr_Format(PyExc_TypeError, "%s must be a str, not %.200s", name, Py_TYPE(value)->tp_name);
    return false;
  }
  if (!utf8_of(value, text, errc::value_type, family::encode)) return false;
  to = text;
  return true;
}
const signature_of<infer_call>& infer_signature() {
  static constexpr positional list[] = {{"samples"}};
  static constexpr auto options = table(protocol_option<&infer_call::protocol>(),
                                        converted<&take_name, &infer_call::name>("name", "'Record'"),
                                        depth_option<&infer_call::infer, &infer_options::limits>());
  static const signature_of<infer_call> signature("infer", {list, true}, options);
  return signature;
}
PyObject* infer_function(PyObject*, const arguments& args) {
  positional_values positionals;
  infer_call call;
  if (!infer_signature().read(args, positionals, call)) return nullptr;
  const object samples(PyObject_GetIter(positionals[0]));
  if (!samples) return nullptr;
  inference draft(call.infer);
  while (const object sample{PyIter_Next(samples.get())}) {
    bytes_like data;
    if (!data.take(sample.get())) return nullptr;
    const result<void> status =
        visit_protocol(call.protocol, [&](auto tag) { return draft.try_add<decltype(tag)>(data.bytes()); });
    if (!status) return raise(status.error(), family::decode);
  }
  if (PyErr_Occurred() != nullptr) return nullptr;
  return shown_text(draft.idl(call.name));
}

}  // namespace

std::span<const method> compare_methods() {
  static const method methods[] = {
      {diff_signature(), relaxed_method<diff_method, diff_signature>(), diff_doc},
      {difference_rows_signature(), relaxed_method<difference_rows_method, difference_rows_signature>(),
       "The differences as rows of kind, path, left bytes and right bytes."}};
  return methods;
}
std::span<const method> compare_functions() {
  static const method methods[] = {
      {inspect_signature(), relaxed_method<inspect_function, inspect_signature>(), inspect_doc},
      {identify_signature(), fast_method<identify_function>(), identify_doc},
      {infer_signature(), fast_method<infer_function>(), infer_doc}};
  return methods;
}

}  // namespace thriftlens::python
