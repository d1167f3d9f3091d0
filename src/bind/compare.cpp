// compare: diff, inspect, identify and infer.
#include "call/common_options.hpp"
#include "call/relaxations.hpp"
#include "convert/wire_bytes.hpp"
#include "docs/compare_docs.hpp"
#include "schema/type_object.hpp"
#include "support/argument.hpp"
#include "support/bytes_like.hpp"
#include "support/imported.hpp"
#include "support/named_tuple.hpp"
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
          number<&diff_call::compare, &compare_options::max_differences>("max_differences", 1, 0xffffffffu),
          protocol_option<&diff_call::protocol>(), choice<&diff_call::right_protocol>("right_protocol"),
          depth_option<&diff_call::compare, &compare_options::limits>(),
          output_size_option<&diff_call::compare, &compare_options::limits>());

constexpr auto diff_signature = named_signature<"diff", diff_table, "left", "right">;
constexpr auto difference_rows_signature = named_signature<"_difference_rows", diff_table, "left", "right">;

PyObject* bytes_or_none(byte_view bytes, ttype wire) {
  return wire == ttype::stop ? new_none() : to_python(bytes);
}
PyObject* row_of(const difference& entry) {
  static constexpr const char* kinds[] = {"added", "removed", "changed"};
  return new_tuple(kinds[static_cast<int>(entry.kind)], entry.path,
                   bytes_or_none(entry.left, entry.left_wire), bytes_or_none(entry.right, entry.right_wire));
}

/// The differences of two values, whose protocols may differ.
result<std::vector<difference>> try_differences_of(type of, const diff_call& call, byte_view lhs,
                                                   byte_view rhs) {
  const limits bounds{.depth = call.compare.limits.depth};
  return visit_protocol(call.protocol, [&](auto from) {
    return visit_protocol(call.right(), [&](auto to) {
      return try_differences(view<decltype(from)>(lhs, of, bounds), view<decltype(to)>(rhs, of, bounds),
                             call.compare);
    });
  });
}

/// The differences as a list of (kind, path, left bytes, right bytes). Null with a Python error set.
PyObject* difference_rows_method(PyObject* self, PyObject** positionals, const diff_call& call) {
  bytes_like lhs, rhs;
  if (!lhs.take(positionals[0]) || !rhs.take(positionals[1])) return nullptr;
  const auto differences = without_gil(lhs.bytes().size() + rhs.bytes().size(), [&] {
    return try_differences_of(type_of(self).of, call, lhs.bytes(), rhs.bytes());
  });
  return differences ? new_list(*differences, [](const difference& entry) { return row_of(entry); })
                     : raise_error(differences.error());
}

PyObject* no_differences() {
  PyObject* const of = imported<"thriftlens._schema.results", "Differences">();
  return of == nullptr ? nullptr : PyObject_CallObject(of, nullptr);
}

/// The differences as Type._named converts them.
PyObject* diff_method(PyObject* self, PyObject** positionals, const diff_call& call) {
  object rows(difference_rows_method(self, positionals, call));
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

constexpr auto inspect_table =
    table(converted<&take_type, &inspect_call::inspect, &inspect_options::of>("type", "None"),
          protocol_option<&inspect_call::protocol>(),
          number<&inspect_call::inspect, &inspect_options::text_size>("text_size", 0, 0xffffffffu),
          number<&inspect_call::inspect, &inspect_options::elements>("elements", 0, 0xffffffffu),
          depth_option<&inspect_call::inspect, &inspect_options::limits>(),
          output_size_option<&inspect_call::inspect, &inspect_options::limits>());
constexpr auto inspect_signature = named_signature<"inspect", inspect_table, "data">;
PyObject* inspect_function(PyObject*, PyObject** positionals, const inspect_call& call) {
  wire_bytes data;
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
constexpr auto identify_table =
    table(protocol_option<&identify_call::protocol>(),
          number<&identify_call::identify, &identify_options::explained>("explained", 0, 0xffffffffu),
          depth_option<&identify_call::identify, &identify_options::limits>());
constexpr auto identify_signature = named_signature<"identify", identify_table, "data", "types">;
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
named_tuple candidate_class("thriftlens._core.CandidateRow",
                            "A type that bytes may be of; `number` is its index in the sequence of types.",
                            {"number", "score", "known", "unknown", "contradictions", "missing", "path",
                             "reason"});
PyObject* row_of(const candidate& of) {
  return candidate_class.make(of.number, of.score, of.known, of.unknown, of.contradictions, of.missing,
                              of.path, of.reason);
}
PyObject* identify_function(PyObject*, PyObject** positionals, const identify_call& call) {
  bytes_like data;
  std::vector<type> types;
  if (!data.take(positionals[0]) || !take_types(positionals[1], types)) return nullptr;
  const result<std::vector<candidate>> ranked = without_gil(least_unlocked, [&] {
    return visit_protocol(call.protocol, [&](auto tag) {
      return try_identify<decltype(tag)>(data.bytes(), types, call.identify);
    });
  });
  return ranked ? new_list(*ranked, [](const candidate& entry) { return row_of(entry); })
                : raise(ranked.error(), family::decode);
}

// ---- infer

struct infer_call {
  infer_options infer = {};
  protocol_id protocol = protocol_id::binary;
  std::string name = "Record";
};
bool take_name(std::string& to, const char* name, PyObject* value) {
  std::string_view text;
  if (!PyUnicode_Check(value)) return raise_wrong_type(name, "a str", value);
  if (!utf8_of(value, text, errc::value_type, family::encode)) return false;
  to = text;
  return true;
}
constexpr auto infer_table = table(protocol_option<&infer_call::protocol>(),
                                   converted<&take_name, &infer_call::name>("name", "'Record'"),
                                   depth_option<&infer_call::infer, &infer_options::limits>());
constexpr auto infer_signature = named_signature<"infer", infer_table, "samples">;
/// False with a Python error set.
bool add_sample(inference& draft, protocol_id protocol, PyObject* sample) {
  bytes_like data;
  if (!data.take(sample)) return false;
  const result<void> status =
      visit_protocol(protocol, [&](auto tag) { return draft.try_add<decltype(tag)>(data.bytes()); });
  if (!status) raise(status.error(), family::decode);
  return static_cast<bool>(status);
}
PyObject* infer_function(PyObject*, PyObject** positionals, const infer_call& call) {
  const object samples(PyObject_GetIter(positionals[0]));
  if (!samples) return nullptr;
  inference draft(call.infer);
  while (const object sample{PyIter_Next(samples.get())}) {
    if (!add_sample(draft, call.protocol, sample.get())) return nullptr;
  }
  if (PyErr_Occurred() != nullptr) return nullptr;
  return shown_text(draft.idl(call.name));
}

}  // namespace

std::span<const method> compare_methods() {
  static const method methods[] = {relaxed_method<diff_signature, diff_method>(diff_doc),
                                   relaxed_method<difference_rows_signature, difference_rows_method>(
                                       "The differences as rows of kind, path, left bytes and right bytes.")};
  return methods;
}
std::span<const method> compare_functions() {
  static const method methods[] = {relaxed_method<inspect_signature, inspect_function>(inspect_doc),
                                   method_of<identify_signature, identify_function>(identify_doc),
                                   method_of<infer_signature, infer_function>(infer_doc)};
  return methods;
}

}  // namespace thriftlens::python
