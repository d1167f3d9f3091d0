// decode_instance: decodes structs to objects of the caller's classes.
#pragma once

#include "convert/model_values.hpp"

#include <cstring>

namespace thriftlens::python {

/// The fields of a struct, decoded to the slots of a new instance.
class slot_fields {
 public:
  slot_fields(PyObject* self, const model_node& model, const field_node* first) noexcept
      : self_(self), model_(model), first_(first) {}

  THRIFTLENS_INLINE PyObject* decode(decoding auto& state, const field_node& field) const {
    return value_of(state, of(field).value, field.type)(state);
  }
  THRIFTLENS_INLINE int store(decoding auto&, const field_node& field, object item) {
    PyObject*& slot = at(of(field));
    PyObject* const previous = std::exchange(slot, item.release());
    if (previous == nullptr) [[likely]] {
      ++count_;
      return 1;
    }
    Py_DECREF(previous);
    return 0;
  }
  [[nodiscard]] bool contains(decoding auto&, const field_node& field) const {
    return at(of(field)) != nullptr;
  }
  [[nodiscard]] std::size_t max_count() const noexcept { return count_; }
  bool keep_unknown(decoding auto& state, field_header field, const std::uint8_t*) const {
    return state.in.skip(field.type);
  }
  [[nodiscard]] PyObject* self() const noexcept { return self_; }
  [[nodiscard]] PyObject*& at(const model_field& field) const noexcept {
    return *reinterpret_cast<PyObject**>(reinterpret_cast<char*>(self_) + field.slot);
  }

 private:
  [[nodiscard]] const model_field& of(const field_node& field) const noexcept {
    return *model_.by_position[static_cast<std::size_t>(&field - first_)];
  }

  PyObject* self_;
  const model_node& model_;
  const field_node* first_;
  std::size_t count_ = 0;
};
/// Calls the hook of a new instance, if its class has one.
THRIFTLENS_INLINE PyObject* finish_instance(decoding auto& state, const model_node& model, object self) {
  if (!model.hook) return self.release();
  const std::uint8_t* const here = state.in.at() - 1;
  state.resume_collector();
  const object ignored(PyObject_CallMethodNoArgs(self.get(), model.hook.get()));
  return ignored ? self.release() : state.stop_with_cause(here);
}
/// Decodes the fields of a struct. False also if a required field or the memory of an instance is missing.
THRIFTLENS_INLINE bool decode_all_fields(decoding auto& state, const model_node& model,
                                         const struct_node& node, auto& fields) {
  const struct_mark outer = state.in.begin_struct();
  std::uint32_t required = 0;
  if (!decode_fields(state, node, fields, required)) [[unlikely]]
    return false;
  state.in.end_struct(outer);
  if (required != node.required_count && !state.options.omits_missing()) [[unlikely]] {
    reject_missing(state, node, fields);
    return false;
  }
  return state.charge(model.memory);
}
/// A new instance with empty slots. The garbage collector does not track it.
[[nodiscard]] inline PyObject* new_untracked(PyTypeObject* of) {
  if (PyType_IS_GC(of) == 0) return of->tp_alloc(of, 0);
  PyObject* const self = PyObject_GC_New(PyObject, of);
  if (self != nullptr)
    std::memset(reinterpret_cast<char*>(self) + sizeof(PyObject), 0,
                static_cast<std::size_t>(of->tp_basicsize) - sizeof(PyObject));
  return self;
}
/// Fills the slots of absent fields, and has the instance tracked if its class wants that.
THRIFTLENS_INLINE bool fill_slots(decoding auto& state, const model_node& model, const struct_node& node,
                                  const slot_fields& fields) {
  absent_values<std::remove_cvref_t<decltype(state)>> absent(state, model, node);
  bool is_tracked = !model.is_untracked_class;
  for (const model_field& field : model.fields) {
    PyObject*& slot = fields.at(field);
    if (slot == nullptr && (slot = absent.value(field).release()) == nullptr) [[unlikely]]
      return false;
    is_tracked |= PyObject_IS_GC(slot) != 0;
  }
  if (is_tracked && PyObject_IS_GC(fields.self()) != 0) PyObject_GC_Track(fields.self());
  return true;
}
/// A class of which every field of the struct has a slot.
PyObject* decode_slots(decoding auto& state, const model_node& model) {
  const struct_node& node = state.schema.structs[state.types[model.type].first];
  auto* const of = reinterpret_cast<PyTypeObject*>(model.target.get());
  object self(new_untracked(of));
  if (!self) return nullptr;
  slot_fields fields(self.get(), model, state.fields + node.fields.begin);
  if (!decode_all_fields(state, model, node, fields)) [[unlikely]]
    return nullptr;
  return fill_slots(state, model, node, fields) ? finish_instance(state, model, std::move(self)) : nullptr;
}
PyObject* new_model_instance(decoding auto& state, const model_node& model, auto& values) {
  auto* const of = reinterpret_cast<PyTypeObject*>(model.target.get());
  object self(model.empty_tuple ? of->tp_new(of, model.empty_tuple.get(), nullptr) : of->tp_alloc(of, 0));
  if (!self) return nullptr;
  for (const model_field& field : model.fields) {
    object item = values.value(field);
    if (!item) [[unlikely]]
      return nullptr;
    if (field.slot != 0)
      *reinterpret_cast<PyObject**>(reinterpret_cast<char*>(self.get()) + field.slot) = item.release();
    else if (PyObject_GenericSetAttr(self.get(), field.name.get(), item.get()) != 0)
      return nullptr;
  }
  return finish_instance(state, model, std::move(self));
}
PyObject* new_model_tuple(const model_node& model, auto& values) {
  auto* const of = reinterpret_cast<PyTypeObject*>(model.target.get());
  object self(of->tp_alloc(of, static_cast<Py_ssize_t>(model.fields.size())));
  if (!self) return nullptr;
  Py_ssize_t at = 0;
  for (const model_field& field : model.fields) {
    object item = values.value(field);
    if (!item) return nullptr;
    PyTuple_SET_ITEM(self.get(), at++, item.release());
  }
  return self.release();
}
PyObject* new_model_dict(const model_node& model, auto& values) {
  object dict(PyDict_New());
  for (const model_field& field : model.fields) {
    const object item = values.value(field);
    if (values.has_failed() || !dict) return nullptr;
    if (item && PyDict_SetItem(dict.get(), field.name.get(), item.get()) != 0) return nullptr;
  }
  return dict.release();
}
PyObject* call_model(decoding auto& state, const model_node& model, auto& values) {
  const object named(new_model_dict(model, values));
  const object none(named ? PyTuple_New(0) : nullptr);
  if (!none) return nullptr;
  const std::uint8_t* const here = state.in.at() - 1;
  state.resume_collector();
  PyObject* const result = PyObject_Call(model.target.get(), none.get(), named.get());
  return result != nullptr ? result : state.stop_with_cause(here);
}
/// The value of the only field of a union.
PyObject* take_alternative(decoding auto& state, const model_node& model, auto& values) {
  for (const model_field& field : model.fields) {
    object item = values.value(field);
    if (item) return item.release();
  }
  state.detail = "no member of the union is set";
  return state.stop(errc::unfit_value, state.in.at() - 1);
}
PyObject* decode_model_struct(decoding auto& state, const model_node& model) {
  using state_type = std::remove_cvref_t<decltype(state)>;
  const struct_node& node = state.schema.structs[state.types[model.type].first];
  model_fields<state_type> fields(state, model, node);
  if (!decode_all_fields(state, model, node, fields)) [[unlikely]]
    return nullptr;
  field_values<state_type> values(state, model, node, fields);
  switch (model.form) {
    case model_form::instance:
      return new_model_instance(state, model, values);
    case model_form::items:
      return new_model_tuple(model, values);
    case model_form::entries:
      return new_model_dict(model, values);
    case model_form::alternative:
      return take_alternative(state, model, values);
    default:
      return call_model(state, model, values);
  }
}

}  // namespace thriftlens::python
