// decode_model: decodes values to objects of the caller's classes, by a model.
#pragma once

#include "convert/decode_scalar.hpp"
#include "convert/decode_struct.hpp"
#include "convert/model.hpp"

#include <cstring>

namespace thriftlens::python {

PyObject* decode_model(decoding auto& state, const model_node& model);

/// Decodes a value by a model, or without one.
struct model_value {
  const model_node* model;
  plain_value plain;

  THRIFTLENS_INLINE PyObject* operator()(decoding auto& state) const {
    return model != nullptr ? decode_model(state, *model) : plain(state);
  }
};
/// Decodes map keys and set elements by a model.
struct model_key {
  static constexpr bool is_model = true;
  const model_node* model;

  THRIFTLENS_INLINE object operator()(decoding auto& state) const {
    return object(decode_model(state, *model));
  }
};
[[nodiscard]] inline model_value value_of(decoding auto& state, const model_node* model, std::uint32_t type) {
  return {model, {state.types[type].kind, type}};
}

/// The values of the fields of a struct, on the stack of the state.
template <class State>
class model_fields {
 public:
  model_fields(State& state, const model_node& model, const struct_node& node)
      : state_(state), model_(model), node_(node), base_(state.values.size()) {
    state.values.resize(base_ + node.fields.size, nullptr);
  }
  model_fields(const model_fields&) = delete;
  model_fields& operator=(const model_fields&) = delete;
  ~model_fields() {
    for (std::size_t i = base_; i < base_ + node_.fields.size; ++i) Py_XDECREF(state_.values[i]);
    state_.values.resize(base_);
  }

  THRIFTLENS_INLINE PyObject* decode(State& state, const field_node& field) const {
    const model_field* const target = model_.by_position[position_of(field)];
    if (target == nullptr) return state.in.skip(field.wire) ? new_none() : nullptr;
    return value_of(state, target->value, field.type)(state);
  }
  THRIFTLENS_INLINE int store(State& state, const field_node& field, object item) {
    PyObject*& slot = state.values[base_ + position_of(field)];
    PyObject* const previous = std::exchange(slot, item.release());
    count_ += previous == nullptr ? 1 : 0;
    Py_XDECREF(previous);
    return previous == nullptr ? 1 : 0;
  }
  [[nodiscard]] bool contains(State& state, const field_node& field) const {
    return state.values[base_ + position_of(field)] != nullptr;
  }
  [[nodiscard]] std::size_t max_count() const noexcept { return count_; }
  bool keep_unknown(State& state, field_header field, const std::uint8_t*) const {
    return state.in.skip(field.type);
  }
  /// The value at a position, or null.
  [[nodiscard]] object take(std::uint32_t position) const {
    return object(std::exchange(state_.values[base_ + position], nullptr));
  }

 private:
  [[nodiscard]] std::uint32_t position_of(const field_node& field) const noexcept {
    return static_cast<std::uint32_t>(&field - state_.fields) - node_.fields.begin;
  }

  State& state_;
  const model_node& model_;
  const struct_node& node_;
  const std::size_t base_;
  std::size_t count_ = 0;
};

/// The values that absent fields become.
template <class State>
class absent_values {
 public:
  absent_values(State& state, const model_node& model, const struct_node& node)
      : state_(state), model_(model), node_(node) {}

  /// Null with a fault or a Python error set, or without one if the field is left out.
  THRIFTLENS_NOINLINE object value(const model_field& field) {
    using absence = model_field::absence;
    const bool writes = state_.options.writes_defaults() && field.has_idl_default;
    object item;
    if (field.when_absent == absence::idl_default || writes)
      item = idl_default(field);
    else if (field.when_absent == absence::value)
      item = object::share(field.fallback.get());
    else if (field.when_absent == absence::factory)
      item = call_factory(field);
    else if (field.when_absent == absence::omitted)
      return item;
    else
      reject(field);
    failed_ |= !item;
    return item;
  }
  [[nodiscard]] bool has_failed() const noexcept { return failed_; }

 private:
  object idl_default(const model_field& field) {
    const std::uint32_t index = node_.fields.begin + field.position;
    if (state_.defaults_left == 0) return object(state_.stop(errc::depth_limit, state_.in.at() - 1));
    return decode_default(state_, index, value_of(state_, field.value, state_.fields[index].type));
  }
  object call_factory(const model_field& field) {
    if (field.fallback.get() == reinterpret_cast<PyObject*>(&PyList_Type)) return object(PyList_New(0));
    if (field.fallback.get() == reinterpret_cast<PyObject*>(&PyDict_Type)) return object(PyDict_New());
    state_.resume_collector();
    object item(PyObject_CallNoArgs(field.fallback.get()));
    return item ? std::move(item) : object(state_.stop_with_cause(state_.in.at() - 1));
  }
  THRIFTLENS_COLD void reject(const model_field& field) {
    const auto* const of = reinterpret_cast<PyTypeObject*>(model_.target.get());
    const char* const name = PyUnicode_AsUTF8(field.name.get());
    if (name == nullptr) PyErr_Clear();
    state_.detail = "a field is absent, and " + std::string(of->tp_name) + '.' +
                    (name == nullptr ? "?" : name) + " has no default";
    state_.stop(errc::missing_required, state_.in.at() - 1,
                state_.fields[node_.fields.begin + field.position].id);
  }

  State& state_;
  const model_node& model_;
  const struct_node& node_;
  bool failed_ = false;
};
/// The values of the fields of a class.
template <class State>
class field_values : public absent_values<State> {
 public:
  field_values(State& state, const model_node& model, const struct_node& node, model_fields<State>& fields)
      : absent_values<State>(state, model, node), fields_(fields) {}

  /// As of absent_values.
  THRIFTLENS_INLINE object value(const model_field& field) {
    object present = fields_.take(field.position);
    return present ? std::move(present) : absent_values<State>::value(field);
  }

 private:
  model_fields<State>& fields_;
};

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
/// Whether all required fields are present, and the memory of an instance is left.
THRIFTLENS_INLINE bool accept_struct(decoding auto& state, const model_node& model, const struct_node& node,
                                     const auto& fields, std::uint32_t required) {
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
/// A class of which every field of the struct has a slot.
PyObject* decode_slots(decoding auto& state, const model_node& model) {
  const struct_node& node = state.schema.structs[state.types[model.type].first];
  auto* const of = reinterpret_cast<PyTypeObject*>(model.target.get());
  object self(new_untracked(of));
  if (!self) return nullptr;
  slot_fields fields(self.get(), model, state.fields + node.fields.begin);
  const struct_mark outer = state.in.begin_struct();
  std::uint32_t required = 0;
  if (!decode_fields(state, node, fields, required)) [[unlikely]]
    return nullptr;
  state.in.end_struct(outer);
  if (!accept_struct(state, model, node, fields, required)) [[unlikely]]
    return nullptr;
  absent_values<std::remove_cvref_t<decltype(state)>> absent(state, model, node);
  bool is_tracked = !model.is_untracked_class;
  for (const model_field& field : model.fields) {
    PyObject*& slot = fields.at(field);
    if (slot == nullptr && (slot = absent.value(field).release()) == nullptr) [[unlikely]]
      return nullptr;
    is_tracked |= PyObject_IS_GC(slot) != 0;
  }
  if (is_tracked && PyType_IS_GC(of) != 0) PyObject_GC_Track(self.get());
  return finish_instance(state, model, std::move(self));
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
  const struct_mark outer = state.in.begin_struct();
  std::uint32_t required = 0;
  if (!decode_fields(state, node, fields, required)) [[unlikely]]
    return nullptr;
  state.in.end_struct(outer);
  if (!accept_struct(state, model, node, fields, required)) [[unlikely]]
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

inline constexpr std::size_t converted_size = 128;  // a datetime or Decimal

PyObject* convert_value(decoding auto& state, const model_node& model) {
  const std::uint8_t* const here = state.in.at();
  const object item(value_of(state, model.value, model.type)(state));
  if (!item || !state.charge(converted_size)) return nullptr;
  state.resume_collector();
  PyObject* const converted = PyObject_CallOneArg(model.target.get(), item.get());
  return converted != nullptr ? converted : state.stop_with_cause(here);
}
PyObject* decode_member(decoding auto& state, const model_node& model) {
  const std::uint8_t* const here = state.in.at();
  std::int32_t number = 0;
  if (!state.in.read_i32(number)) return nullptr;
  const image::enum_node& node = state.schema.enums[state.types[model.type].first];
  const std::uint32_t member = state.schema.find_member(node, number);
  if (member != image::none) {
    const bool is_name = model.form == model_form::enum_name;
    return new_reference(is_name ? state.keys.members()[member]
                                 : model.members[member - node.members.begin].get());
  }
  return model.accepts_numbers ? PyLong_FromLong(number) : state.stop(errc::unknown_enum_value, here);
}
PyObject* decode_model_tuple(decoding auto& state, const model_node& model) {
  const type_node& type = state.types[model.type];
  const object list(decode_list_of(state, type, value_of(state, model.value, type.first)));
  return list ? PyList_AsTuple(list.get()) : nullptr;
}
PyObject* decode_model_set(decoding auto& state, const model_node& model) {
  const type_node& type = state.types[model.type];
  object items(model.form == model_form::set ? PySet_New(nullptr) : PyFrozenSet_New(nullptr));
  if (model.value != nullptr) return decode_set_of(state, type, std::move(items), model_key{model.value});
  return decode_set_of(state, type, std::move(items), plain_key{state.types[type.first].kind, type.first});
}
PyObject* decode_model_map(decoding auto& state, const model_node& model) {
  const type_node& type = state.types[model.type];
  const model_value read = value_of(state, model.value, type.second);
  if (model.key != nullptr) return decode_map_of(state, type, model_key{model.key}, read);
  return decode_map_of(state, type, plain_key{state.types[type.first].kind, type.first}, read);
}

PyObject* decode_model(decoding auto& state, const model_node& model) {
  const type_node& type = state.types[model.type];
  switch (model.form) {
    case model_form::converted:
      return convert_value(state, model);
    case model_form::enum_name:
    case model_form::enum_member:
      return decode_member(state, model);
    case model_form::list:
      return decode_list_of(state, type, value_of(state, model.value, type.first));
    case model_form::tuple:
      return decode_model_tuple(state, model);
    case model_form::set:
    case model_form::frozenset:
      return decode_model_set(state, model);
    case model_form::map:
      return decode_model_map(state, model);
    default:
      return model.has_all_slots ? decode_slots(state, model) : decode_model_struct(state, model);
  }
}

}  // namespace thriftlens::python
