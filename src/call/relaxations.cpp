// relaxations: table of errors and the options that avoid them.
#include "call/relaxations.hpp"

#include "support/argument.hpp"
#include "support/imported.hpp"
#include "support/to_python.hpp"

#include <thriftlens/core/errc.hpp>

#include <cstring>
#include <optional>
#include <string_view>

namespace thriftlens::python {

namespace {

/// An option and value that accept the input that caused an error; a null value means a larger number.
struct relaxation {
  errc code;
  const char* option;
  const char* value;
  bool if_named = false;  ///< only for errors that name the option
};
constexpr relaxation relaxations[] = {
    {errc::type_mismatch, "mismatch", "drop"},
    {errc::unknown_field, "unknown", "drop"},
    {errc::unknown_field, "unknown", "keep"},
    {errc::unknown_key, "unknown", "drop"},
    {errc::duplicate_field, "duplicates", "last"},
    {errc::duplicate_key, "duplicates", "last"},
    {errc::duplicate_key, "keys", "any"},
    {errc::missing_required, "missing_required", "omit"},
    {errc::missing_required, "missing", "zero"},
    {errc::invalid_utf8, "invalid_utf8", "replace"},
    {errc::invalid_utf8, "invalid_utf8", "keep"},
    {errc::nonfinite, "nonfinite", "string"},
    {errc::unknown_enum_value, "enum_numbers", "any"},
    {errc::foreign_struct, "foreign", "any"},
    {errc::broken_rule, "rules", "ignore"},
    {errc::depth_limit, "depth", nullptr},
    {errc::output_limit, "output_size", nullptr},
    {errc::size_limit, "record_size", nullptr},
    {errc::json_type, "quoted_numbers", "accept", true},
    {errc::unknown_enum_name, "quoted_numbers", "accept", true},
    {errc::json_type, "nonfinite", "string", true},
    {errc::bad_base64, "base64", "lenient", true},
    {errc::json_syntax, "invalid_utf8", "replace", true},
    {errc::bad_rule, "unmatched", "ignore", true},
    {errc::no_such_field, "unmatched", "ignore", true},
};

std::string_view text_of_attribute(PyObject* from, const char* name, object& holder) {
  holder = object(PyObject_GetAttrString(from, name));
  const char* const text = holder && PyUnicode_Check(holder.get()) ? PyUnicode_AsUTF8(holder.get()) : nullptr;
  return text == nullptr ? std::string_view() : text;
}
const option* find_option(const signature& of, const char* name) {
  for (const option& row : of.options())
    if (std::strcmp(row.name, name) == 0) return &row;
  return nullptr;
}
/// The number of the value, if the option accepts it.
std::optional<std::uint64_t> number_of(const option& of, const char* value) {
  if (value == nullptr)
    return of.kind == option::form::number ? std::optional(of.range.highest) : std::nullopt;
  for (std::uint64_t i = 0; i < of.choices.names.size(); ++i)
    if (std::strcmp(of.choices.names[i], value) == 0) return i;
  return std::nullopt;
}
PyObject* shown_value(const option& of, const char* value) {
  if (value != nullptr) return PyUnicode_FromString(value);
  const bool has_small_limit = of.range.highest < 1u << 16;
  return has_small_limit ? PyLong_FromUnsignedLongLong(of.range.highest) : new_reference(Py_None);
}

/// An option of an operation that avoids an error.
struct match {
  const option* row = nullptr;  ///< null: no option does
  const char* value = nullptr;
  std::uint64_t number = 0;
};
match find_relaxation(PyObject* error, const signature& of) {
  object code_holder, named_holder;
  const std::string_view code = text_of_attribute(error, "code", code_holder);
  const std::string_view named = text_of_attribute(error, "option_name", named_holder);
  for (const relaxation& candidate : relaxations) {
    if (to_string(candidate.code) != code || (candidate.if_named && named.empty())) continue;
    if (!named.empty() && named != candidate.option) continue;
    const option* const row = find_option(of, candidate.option);
    if (row == nullptr) continue;
    if (const auto number = number_of(*row, candidate.value)) return {row, candidate.value, *number};
  }
  return {};
}
/// `is_set(option, value, number)`: whether the operation was called with that value.
template <class IsSet>
void name_relaxation(PyObject* error, const signature& of, IsSet&& is_set) {
  const match relaxed = find_relaxation(error, of);
  if (relaxed.row != nullptr && !is_set(*relaxed.row, relaxed.value, relaxed.number)) {
    const object pair(new_tuple(relaxed.row->name, shown_value(*relaxed.row, relaxed.value)));
    if (pair) PyObject_SetAttrString(error, "option", pair.get());
  }
  PyErr_Clear();
}
bool is_unnamed_error(PyObject* error) {
  PyObject* const of = imported<"thriftlens._errors", "Error">();
  if (of == nullptr || PyObject_IsInstance(error, of) != 1) return false;
  const object known(PyObject_GetAttrString(error, "option"));
  return known.get() == Py_None;
}
bool is_passed(const arguments& args, const option& of, const char* value) {
  for (Py_ssize_t i = 0; i < args.by_name(); ++i) {
    if (PyUnicode_CompareWithASCIIString(args.name(i), of.name) != 0) continue;
    PyObject* const held = args.named(i);
    if (value != nullptr) return PyUnicode_Check(held) && PyUnicode_CompareWithASCIIString(held, value) == 0;
    return PyLong_Check(held) && PyLong_AsUnsignedLongLong(held) == of.range.highest;
  }
  return false;
}

}  // namespace

void name_option(PyObject* error, const signature& of, const void* call) {
  if (!is_unnamed_error(error)) return;
  name_relaxation(error, of, [call](const option& row, const char*, std::uint64_t number) {
    return row.member.get(call) == number;
  });
}

void name_option(const signature& of, const void* call) {
  with_raised([&](PyObject* error) { name_option(error, of, call); });
}
void name_option(const signature& of, const arguments& args) {
  with_raised([&](PyObject* error) {
    if (!is_unnamed_error(error)) return;
    name_relaxation(error, of, [&args](const option& row, const char* value, std::uint64_t) {
      return is_passed(args, row, value);
    });
  });
}

}  // namespace thriftlens::python
