// model_values: the values of fields and elements that become objects of a model.
#pragma once

#include "convert/decode_scalar.hpp"
#include "convert/decode_struct.hpp"
#include "convert/model.hpp"

#include <algorithm>
#include <memory>

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

/// The values of the fields of a struct.
template <class State>
class model_fields {
 public:
  model_fields(State& state, const model_node& model, const struct_node& node)
      : state_(state), model_(model), node_(node), values_(inline_) {
    if (size() > std::size(inline_)) values_ = (many_ = std::make_unique<PyObject*[]>(size())).get();
    std::fill_n(values_, size(), nullptr);
  }
  model_fields(const model_fields&) = delete;
  model_fields& operator=(const model_fields&) = delete;
  ~model_fields() {
    for (std::size_t i = 0; i < size(); ++i) Py_XDECREF(values_[i]);
  }

  THRIFTLENS_INLINE PyObject* decode(State& state, const field_node& field) const {
    const model_field* const target = model_.by_position[position_of(field)];
    if (target == nullptr) return state.in.skip(field.wire) ? new_none() : nullptr;
    return value_of(state, target->value, field.type)(state);
  }
  THRIFTLENS_INLINE int store(State&, const field_node& field, object item) {
    PyObject*& slot = values_[position_of(field)];
    PyObject* const previous = std::exchange(slot, item.release());
    count_ += previous == nullptr ? 1 : 0;
    Py_XDECREF(previous);
    return previous == nullptr ? 1 : 0;
  }
  [[nodiscard]] bool contains(State&, const field_node& field) const {
    return values_[position_of(field)] != nullptr;
  }
  [[nodiscard]] std::size_t max_count() const noexcept { return count_; }
  bool keep_unknown(State& state, field_header field, const std::uint8_t*) const {
    return state.in.skip(field.type);
  }
  /// The value at a position, or null.
  [[nodiscard]] object take(std::uint32_t position) const {
    return object(std::exchange(values_[position], nullptr));
  }

 private:
  [[nodiscard]] std::size_t size() const noexcept { return model_.by_position.size(); }
  [[nodiscard]] std::uint32_t position_of(const field_node& field) const noexcept {
    return static_cast<std::uint32_t>(&field - state_.fields) - node_.fields.begin;
  }

  State& state_;
  const model_node& model_;
  const struct_node& node_;
  PyObject* inline_[16];
  std::unique_ptr<PyObject*[]> many_;
  PyObject** values_;
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

}  // namespace thriftlens::python
