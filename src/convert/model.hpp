// model: how values become objects of the caller's classes, compiled once per class and type by
// thriftlens._schema.models.
#pragma once

#include "support/object.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace thriftlens::python {

/// What a value becomes.
enum class model_form : std::uint8_t {
  converted,    ///< target(value)
  enum_name,    ///< the name of an enum's member
  enum_member,  ///< a member of a Python enum
  list,
  tuple,
  set,
  frozenset,
  map,
  instance,    ///< an instance of a class, with the fields in slots or in its dict
  items,       ///< a named tuple
  entries,     ///< a dict
  call,        ///< target(**fields)
  alternative  ///< the value of the only field of a union
};

struct model_node;

/// An attribute, item or key and its source field.
struct model_field {
  /// What an absent field becomes.
  enum class absence : std::uint8_t { error, value, factory, idl_default, omitted };

  std::uint32_t position = 0;         ///< of the field in its struct; after them: without a field
  const model_node* value = nullptr;  ///< null: as without a model
  object name;
  Py_ssize_t slot = 0;  ///< the offset in instances; 0: set as an attribute
  absence when_absent = absence::error;
  bool has_idl_default = false;
  object fallback;  ///< the value, or the factory
};

struct model_node {
  model_form form = model_form::converted;
  std::uint32_t type = 0;             ///< index of the type in the schema
  object target;                      ///< the class, or a callable
  object hook;                        ///< name of a method to call on a new instance, or null
  const model_node* key = nullptr;    ///< of a map; null as below
  const model_node* value = nullptr;  ///< of elements, or the input of target; null: as without a model
  std::size_t memory = 0;             ///< of an instance, estimated
  object empty_tuple;                 ///< arguments of tp_new, for instances with a dict
  bool has_all_slots = false;         ///< an instance with a slot for every field of the struct
  bool is_untracked_class = false;    ///< msgspec tracks an instance when a container is assigned to it
  bool accepts_numbers = false;       ///< numbers that are not members of the enum
  std::vector<model_field> fields;    ///< in the order of the class
  std::vector<const model_field*> by_position;  ///< by the field's position; null: the field is skipped
  std::vector<object> members;                  ///< by the position of the enum's member
};

/// The class thriftlens._core.Model, created by the first call. Borrowed; null with a Python error set.
[[nodiscard]] PyTypeObject* model_class();
/// The root of an instance. Null with TypeError set for other objects.
[[nodiscard]] const model_node* model_root(PyObject* model);

/// The Model of a class, or another annotation, for a thriftlens.Type; `by_alias`: its attributes have the
/// JSON names of the fields. Null with a Python error set.
[[nodiscard]] object model_for(PyObject* type, PyObject* annotation, bool by_alias);

}  // namespace thriftlens::python
