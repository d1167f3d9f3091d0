// wire_bytes: conversion of Apache's JSON protocol.
#include "convert/wire_bytes.hpp"

#include "schema/type_object.hpp"
#include "support/argument.hpp"
#include "support/unlocked.hpp"

#include <thriftlens/json/tjson.hpp>
#include <thriftlens/protocol/select.hpp>

namespace thriftlens::python {

result<void> append_tjson(protocol_id from, byte_view bytes, type of, const limits& bounds, buffer& out) {
  return visit_protocol(from, [&](auto tag) {
    return try_append_converted<decltype(tag), tjson>(bytes, out, {.limits = bounds, .of = of});
  });
}
result<void> append_of_tjson(byte_view text, protocol_id to, type of, const limits& bounds, buffer& out) {
  return visit_protocol(to, [&](auto tag) {
    return try_append_converted<tjson, decltype(tag)>(text.text(), out, {.limits = bounds, .of = of});
  });
}

bool wire_bytes::take(PyObject* argument, wire_form form, type of, std::uint32_t depth) {
  if (!argument_.take(argument)) return false;
  bytes_ = argument_.bytes();
  if (form != wire_form::tjson) return true;
  const result<void> status = without_gil(bytes_.size(), [&] {
    return append_of_tjson(bytes_, protocol_id::binary, of, {.depth = depth}, converted_);
  });
  if (!status) return raise_error(status.error()), false;
  bytes_ = converted_;
  return true;
}

bool take_type(type& to, const char*, PyObject* value) {
  if (value == Py_None) return true;
  if (!is_type(value)) return raise_wrong_type("expected a thriftlens.Type", value);
  to = type_of(value).of;
  return true;
}

PyObject* in_form(PyObject* binary_value, wire_form form, type of, const limits& bounds) {
  if (binary_value == nullptr || form != wire_form::tjson) return binary_value;
  const object owner(binary_value);
  const byte_view bytes = bytes_in(binary_value);
  return bytes_of(bytes.size(), [&](buffer& out) {
    return append_tjson(protocol_id::binary, bytes, of, {.depth = bounds.depth}, out);
  });
}

}  // namespace thriftlens::python
