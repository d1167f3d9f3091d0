// enum_members: Python classes of a schema's enums, created on first use.
#pragma once

#include "convert/value.hpp"
#include "support/imported.hpp"

namespace thriftlens::python {

/// Creates the members of an enum, by its index in the schema, in keys. False with a Python error set.
[[nodiscard]] inline bool make_members(schema_keys& keys, std::uint32_t which) {
  PyObject* const make = imported<"thriftlens._schema.enums", "members_of">();
  const detail::image::enum_node& node = keys.image().enums[which];
  const auto pair_of = [&](std::uint32_t at) {
    return new_tuple(new_reference(keys.members()[at]), keys.image().enum_members[at].value);
  };
  const object pairs(new_list(node.members.indices(), pair_of));
  if (make == nullptr || !pairs) return false;
  const object members(new_of(make, keys.image().view(node.name), PyList_AsTuple(pairs.get())));
  if (!members || PyTuple_GET_SIZE(members.get()) != static_cast<Py_ssize_t>(node.members.size)) return false;
  for (std::uint32_t i = 0; i < node.members.size; ++i)
    keys.keep_member_object(node.members.begin + i, object::share(PyTuple_GET_ITEM(members.get(), i)));
  return true;
}

}  // namespace thriftlens::python
