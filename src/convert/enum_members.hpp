// enum_members: Python classes of a schema's enums, created on first use.
#pragma once

#include "convert/value.hpp"
#include "support/imported.hpp"

namespace thriftlens::python {

/// Creates the members of an enum, by its index in the schema, in keys. False with a Python error set.
[[nodiscard]] inline bool make_members(schema_keys& keys, std::uint32_t which) {
  static shared_object cached;
  PyObject* const make = imported(cached, "thriftlens._schema.enums", "members_of");
  const detail::image::enum_node& node = keys.image().enums[which];
  const object pairs(PyTuple_New(static_cast<Py_ssize_t>(node.members.size)));
  if (make == nullptr || !pairs) return false;
  for (std::uint32_t i = 0; i < node.members.size; ++i) {
    const std::uint32_t at = node.members.begin + i;
    PyObject* const pair =
        Py_BuildValue("(Oi)", keys.members()[at], static_cast<int>(keys.image().enum_members[at].value));
    if (pair == nullptr) return false;
    PyTuple_SET_ITEM(pairs.get(), static_cast<Py_ssize_t>(i), pair);
  }
  const object name(shown_text(keys.image().view(node.name)));
  const object member_objects(name ? PyObject_CallFunctionObjArgs(make, name.get(), pairs.get(), nullptr)
                                   : nullptr);
  if (!member_objects || PyTuple_GET_SIZE(member_objects.get()) != static_cast<Py_ssize_t>(node.members.size))
    return false;
  for (std::uint32_t i = 0; i < node.members.size; ++i)
    keys.keep_member_object(node.members.begin + i, object::share(PyTuple_GET_ITEM(member_objects.get(), i)));
  return true;
}

}  // namespace thriftlens::python
