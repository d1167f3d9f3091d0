// decode_scalar: decodes booleans, numbers, text, bytes, UUIDs and enums.
#pragma once

#include "convert/decode_state.hpp"
#include "convert/enum_members.hpp"
#include "convert/text.hpp"
#include "support/imported.hpp"

namespace thriftlens::python {

PyObject* decode_bool(decoding auto& state) {
  bool decoded = false;
  if (!state.in.read_bool(decoded)) return nullptr;
  return new_reference(decoded ? Py_True : Py_False);
}
template <class Int>
THRIFTLENS_INLINE PyObject* decode_integer(decoding auto& state, auto read) {
  Int decoded = 0;
  return (state.in.*read)(decoded) ? PyLong_FromLong(decoded) : nullptr;
}
PyObject* decode_i64(decoding auto& state) {
  std::int64_t decoded = 0;
  return state.in.read_i64(decoded) ? PyLong_FromLongLong(decoded) : nullptr;
}
PyObject* decode_double(decoding auto& state) {
  double decoded = 0;
  return state.in.read_double(decoded) ? PyFloat_FromDouble(decoded) : nullptr;
}
THRIFTLENS_INLINE PyObject* decode_text(decoding auto& state) {
  const std::uint8_t* start = state.in.at();
  byte_view utf8;
  if (!state.in.read_bytes(utf8)) return nullptr;
  PyObject* str = text_of(utf8);
  return str != nullptr ? str : decode_broken_text(state, utf8, start);
}
THRIFTLENS_COLD PyObject* decode_broken_text(decoding auto& state, byte_view utf8,
                                             const std::uint8_t* start) {
  if (PyErr_Occurred() != nullptr) return nullptr;
  state.resume_collector();  // the error handler may be the caller's
  if (state.options.leniency.invalid_utf8 == on_invalid_utf8::error)
    return state.stop(errc::invalid_utf8, start);
  const bool replaces = state.options.leniency.invalid_utf8 == on_invalid_utf8::replace;
  return PyUnicode_DecodeUTF8(utf8.text().data(), static_cast<Py_ssize_t>(utf8.size()),
                              replaces ? "replace" : "surrogateescape");
}
PyObject* decode_bytes(decoding auto& state) {
  byte_view bytes_read;
  if (!state.in.read_bytes(bytes_read)) return nullptr;
  return PyBytes_FromStringAndSize(bytes_read.text().data(), static_cast<Py_ssize_t>(bytes_read.size()));
}
PyObject* decode_uuid(decoding auto& state) {
  uuid_bytes uuid{};
  if (!state.in.read_uuid(uuid)) return nullptr;
  state.resume_collector();  // Python code runs here, and when uuids are hashed and compared
  PyObject* of = imported<"uuid", "UUID">();
  object raw(PyBytes_FromStringAndSize(reinterpret_cast<const char*>(uuid.data()),
                                       static_cast<Py_ssize_t>(uuid.size())));
  if (of == nullptr || !raw) return nullptr;
  return PyObject_CallFunctionObjArgs(of, Py_None, raw.get(), nullptr);  // UUID(hex, bytes)
}
PyObject* decode_enum(decoding auto& state, const type_node& type) {
  std::int32_t value_read = 0;
  if (!state.in.read_i32(value_read)) return nullptr;
  if (state.options.enums != enum_values::number) [[unlikely]]
    return decode_named_enum(state, type.first, value_read);
  return PyLong_FromLong(value_read);
}
PyObject* decode_named_enum(decoding auto& state, std::uint32_t which, std::int32_t number) {
  const std::uint32_t member = state.schema.find_member(state.schema.enums[which], number);
  if (member == image::none) return PyLong_FromLong(number);
  if (state.options.enums == enum_values::name) return new_reference(state.keys.members()[member]);
  if (PyObject* cached = state.keys.member_object(member)) return new_reference(cached);
  state.resume_collector();  // creating the class runs Python code
  if (!make_members(state.keys, which)) return nullptr;
  return new_reference(state.keys.member_object(member));
}

}  // namespace thriftlens::python
