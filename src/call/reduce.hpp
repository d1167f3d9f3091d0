// reduce: pickles objects as the call of a Type's method that creates them.
#pragma once

#include "caches/schema_keys.hpp"
#include "call/options.hpp"
#include "support/imported.hpp"
#include "support/to_python.hpp"

#include <span>

namespace thriftlens::python {

/// The options that differ from the defaults, as keywords. Null with a Python error set.
inline object changed_options(std::span<const option> options, const void* call, const void* defaults) {
  object keywords(PyDict_New());
  for (const option& row : options) {
    if (!keywords || row.kind == option::form::object) continue;
    const std::uint64_t number = row.member.get(call);
    if (number == row.member.get(defaults) || number == option::absent) continue;
    const object value(row.kind == option::form::choice ? to_python(row.choices.names[number])
                                                        : to_python(number));
    if (!value || PyDict_SetItemString(keywords.get(), row.name, value.get()) != 0) return {};
  }
  return keywords;
}
/// What __reduce__ returns: `type.method(*arguments, **keywords)`. Null with a Python error set, also if an
/// argument is null.
inline PyObject* reduced(const schema_keys& keys, std::uint32_t type, const char* method, object arguments,
                         object keywords) {
  PyObject* const restore = imported<"thriftlens._schema.pickles", "restore">();
  PyObject* const find = imported<"thriftlens._schema.pickles", "type_in">();
  if (restore == nullptr || find == nullptr || keys.table.get() == nullptr) return nullptr;
  object of(new_of(find, new_reference(keys.table.get()), type));
  object row(new_tuple(std::move(of), method, std::move(arguments), std::move(keywords)));
  return row ? new_tuple(new_reference(restore), std::move(row)) : nullptr;
}

}  // namespace thriftlens::python
