// decode_model: decodes values to objects of the caller's classes, by a model.
#pragma once

#include "convert/decode_instance.hpp"

namespace thriftlens::python {

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
