// compare: diff, and inspect.
#include "call/method.hpp"
#include "call/relaxations.hpp"
#include "call/spelling.hpp"
#include "call/type_docs.hpp"
#include "convert/wire_bytes.hpp"
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
  static const signature_of<diff_call> made("diff", {diff_list, true}, diff_table);
  return made;
}
const signature_of<diff_call>& difference_rows_signature() {
  static const signature_of<diff_call> made("_difference_rows", {diff_list, true}, diff_table);
  return made;
}

PyObject* bytes_or_none(byte_view bytes, ttype wire) {
  if (wire == ttype::stop) return new_reference(Py_None);
  return PyBytes_FromStringAndSize(bytes.text().data(), static_cast<Py_ssize_t>(bytes.size()));
}

PyObject* row_of(const difference& each) {
  static constexpr const char* kinds[] = {"added", "removed", "changed"};
  const object path(shown_text(each.path));
  const object left(bytes_or_none(each.left, each.left_wire)),
      right(bytes_or_none(each.right, each.right_wire));
  if (!path || !left || !right) return nullptr;
  return Py_BuildValue("sOOO", kinds[static_cast<int>(each.kind)], path.get(), left.get(), right.get());
}

/// The differences as a list: kind, path and the wire bytes of both sides of each. Null with a Python error
/// set.
PyObject* rows_of(type of, const diff_call& call, PyObject* const* given) {
  bytes_like lefts, rights;
  if (!lefts.take(given[0]) || !rights.take(given[1])) return nullptr;
  const auto found = [&] {
    const unlocked free(lefts.bytes().size() + rights.bytes().size());
    return visit_protocol(call.protocol, [&](auto from) {
      return visit_protocol(call.right(), [&](auto to) {
        const limits bounds{.depth = call.compare.limits.depth};
        return try_differences(view<decltype(from)>(lefts.bytes(), of, bounds),
                               view<decltype(to)>(rights.bytes(), of, bounds), call.compare);
      });
    });
  }();
  if (!found) return raise_error(found.error());
  object rows(PyList_New(0));
  for (const difference& each : *found) {
    const object row(row_of(each));
    if (!rows || !row || PyList_Append(rows.get(), row.get()) != 0) return nullptr;
  }
  return rows.release();
}

PyObject* difference_rows_method(PyObject* self, const arguments& given) {
  positional_values found;
  diff_call call;
  if (!difference_rows_signature().read(given, found, call)) return nullptr;
  return rows_of(type_of(self).of, call, found);
}

PyObject* no_differences() {
  static shared_object cached;
  PyObject* const of = imported(cached, "thriftlens._schema.results", "Differences");
  return of == nullptr ? nullptr : PyObject_CallObject(of, nullptr);
}

/// The differences as Type._named makes them of rows.
PyObject* diff_method(PyObject* self, const arguments& given) {
  positional_values found;
  diff_call call;
  if (!diff_signature().read(given, found, call)) return nullptr;
  object rows(rows_of(type_of(self).of, call, found));
  if (!rows) return nullptr;
  if (PyList_GET_SIZE(rows.get()) == 0) return no_differences();
  const auto word = [](protocol_id id) { return words_of<protocol_id>[static_cast<std::size_t>(id)]; };
  const object named(attribute_of<"_named">(self));
  return named ? PyObject_CallFunction(named.get(), "OssI", rows.get(), word(call.protocol),
                                       word(call.right()), call.compare.limits.depth)
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
  static const signature_of<inspect_call> made("inspect", {list, true}, options);
  return made;
}
PyObject* inspect_function(PyObject*, const arguments& given) {
  positional_values found;
  inspect_call call;
  wire_bytes data;
  if (!inspect_signature().read(given, found, call)) return nullptr;
  if (!data.take(found[0], call.protocol, call.inspect.of, call.inspect.limits.depth)) return nullptr;
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
  static const signature_of<identify_call> made("identify", {list, true}, options);
  return made;
}
/// The types of a sequence of thriftlens.Type. False with a Python error set.
bool take_types(PyObject* given, std::vector<type>& to) {
  const object all(fixed_sequence(given, "types must be a sequence of thriftlens.Type"));
  if (!all) return false;
  to.resize(static_cast<std::size_t>(PySequence_Fast_GET_SIZE(all.get())));
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (!take_type(to[i], "types", PySequence_Fast_GET_ITEM(all.get(), static_cast<Py_ssize_t>(i))))
      return false;
  }
  return true;
}
/// (number of the type in the sequence, score, known, unknown, contradictions, missing, path, why).
PyObject* row_of(const candidate& of, std::size_t number) {
  return Py_BuildValue("(ndIIIINN)", static_cast<Py_ssize_t>(number), of.score, of.known, of.unknown,
                       of.contradictions, of.missing, shown_text(of.path), shown_text(of.reason));
}
PyObject* identify_function(PyObject*, const arguments& given) {
  positional_values found;
  identify_call call;
  bytes_like data;
  std::vector<type> types;
  if (!identify_signature().read(given, found, call) || !data.take(found[0]) || !take_types(found[1], types))
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
  for (const candidate& each : *ranked) {
    object row(row_of(each, each.number));
    if (!row || PyList_Append(rows.get(), row.get()) != 0) return nullptr;
  }
  return rows.release();
}

// ---- infer

struct infer_call {
  infer_options infer = {};
  protocol_id protocol = protocol_id::binary;
  std::string name = "Record";
};
bool take_name(std::string& to, const char* name, PyObject* given) {
  std::string_view text;
  if (!PyUnicode_Check(given)) {
    PyErr_Format(PyExc_TypeError, "%s must be a str, not %.200s", name, Py_TYPE(given)->tp_name);
    return false;
  }
  if (!utf8_of(given, text, errc::value_type, family::encode)) return false;
  to = text;
  return true;
}
const signature_of<infer_call>& infer_signature() {
  static constexpr positional list[] = {{"samples"}};
  static constexpr auto options = table(protocol_option<&infer_call::protocol>(),
                                        converted<&take_name, &infer_call::name>("name", "'Record'"),
                                        depth_option<&infer_call::infer, &infer_options::limits>());
  static const signature_of<infer_call> made("infer", {list, true}, options);
  return made;
}
PyObject* infer_function(PyObject*, const arguments& given) {
  positional_values found;
  infer_call call;
  if (!infer_signature().read(given, found, call)) return nullptr;
  const object samples(PyObject_GetIter(found[0]));
  if (!samples) return nullptr;
  inference draft(call.infer);
  while (const object each{PyIter_Next(samples.get())}) {
    bytes_like data;
    if (!data.take(each.get())) return nullptr;
    const result<void> done =
        visit_protocol(call.protocol, [&](auto tag) { return draft.try_add<decltype(tag)>(data.bytes()); });
    if (!done) return raise(done.error(), family::decode);
  }
  if (PyErr_Occurred() != nullptr) return nullptr;
  return shown_text(draft.idl(call.name));
}

}  // namespace

std::span<const method> compare_methods() {
  static const method all[] = {
      {diff_signature(), relaxed_method<diff_method, diff_signature>(), diff_doc},
      {difference_rows_signature(), relaxed_method<difference_rows_method, difference_rows_signature>(),
       "The differences as rows: kind, path and the wire bytes of both sides."}};
  return all;
}
std::span<const method> compare_functions() {
  static const method all[] = {
      {inspect_signature(), relaxed_method<inspect_function, inspect_signature>(), inspect_doc},
      {identify_signature(), fast_method<identify_function>(), identify_doc},
      {infer_signature(), fast_method<infer_function>(), infer_doc}};
  return all;
}

}  // namespace thriftlens::python
