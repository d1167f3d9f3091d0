// encode_scalar: encodes numbers, text, bytes, uuids and enums.
#pragma once

#include "convert/encode_state.hpp"
#include "convert/surrogates.hpp"
#include "support/attribute.hpp"
#include "support/bytes_like.hpp"
#include "support/imported.hpp"

#include <thriftlens/schema/suggest.hpp>

#include <cstring>

namespace thriftlens::python {

/// PyObject_IsInstance, and -1 if `of` is null.
inline int is_instance(PyObject* value, PyObject* of) {
  return of == nullptr ? -1 : PyObject_IsInstance(value, of);
}

[[nodiscard]] inline bool is_numpy_bool(PyObject* from) {
  const std::string_view name = Py_TYPE(from)->tp_name;
  return name == "numpy.bool" || name == "numpy.bool_";
}
THRIFTLENS_COLD inline bool read_numpy_bool(encode_state& state, const type_node& type, PyObject* from,
                                            bool& parsed) {
  const int truth = is_numpy_bool(from) ? PyObject_IsTrue(from) : -1;
  parsed = truth == 1;
  return truth >= 0 || state.mismatch(type, from);
}
THRIFTLENS_INLINE bool read_bool(encode_state& state, const type_node& type, PyObject* from, bool& parsed) {
  parsed = from == Py_True;
  return parsed || from == Py_False || read_numpy_bool(state, type, from, parsed);
}
bool encode_bool(protocol auto format, encode_state& state, const type_node& type, PyObject* from) {
  bool parsed = false;
  if (!read_bool(state, type, from, parsed)) return false;
  state.put([&](std::uint8_t* to) { return format.put_bool(to, parsed); });
  return true;
}
/// A field with its header.
THRIFTLENS_INLINE bool encode_bool_field(protocol auto format, encode_state& state, const type_node& type,
                                         PyObject* from, std::int16_t id, std::int16_t& last_id) {
  bool parsed = false;
  if (!read_bool(state, type, from, parsed)) return false;
  state.put([&](std::uint8_t* to) { return format.put_bool_field(to, id, parsed, last_id); });
  return true;
}

// Subclasses of int and objects with __index__, such as NumPy integers. A bool is neither a number nor an
// enum.
THRIFTLENS_NOINLINE inline bool read_index(encode_state& state, const type_node& type, PyObject* from,
                                           std::int64_t& parsed) {
  if (PyBool_Check(from)) return state.mismatch(type, from);
  object index(PyNumber_Index(from));
  if (!index) return state.mismatch_unless_raised(type, from);
  int overflow = 0;
  parsed = PyLong_AsLongLongAndOverflow(index.get(), &overflow);
  return overflow == 0 || state.out_of_range(type, from);
}
THRIFTLENS_INLINE bool read_integer(encode_state& state, const type_node& type, PyObject* from,
                                    std::int64_t& parsed) {
  if (!PyLong_CheckExact(from)) [[unlikely]]
    return read_index(state, type, from, parsed);
  int overflow = 0;
  parsed = PyLong_AsLongLongAndOverflow(from, &overflow);
  return overflow == 0 || state.out_of_range(type, from);
}
template <class Int>
THRIFTLENS_INLINE bool encode_integer(encode_state& state, const type_node& type, PyObject* from,
                                      std::uint8_t* (*store)(std::uint8_t*, Int) noexcept) {
  std::int64_t parsed = 0;
  if (!read_integer(state, type, from, parsed)) return false;
  if (parsed != static_cast<Int>(parsed)) [[unlikely]]
    return state.out_of_range(type, from);
  state.put([&](std::uint8_t* to) { return store(to, static_cast<Int>(parsed)); });
  return true;
}
bool encode_double(protocol auto format, encode_state& state, const type_node& type, PyObject* from) {
  double parsed = 0;
  if (PyFloat_CheckExact(from)) {
    parsed = PyFloat_AS_DOUBLE(from);
  } else {
    if (PyBool_Check(from) || is_numpy_bool(from)) return state.mismatch(type, from);
    parsed = PyFloat_AsDouble(from);
    if (parsed == -1.0 && PyErr_Occurred() != nullptr) {
      if (PyErr_ExceptionMatches(PyExc_OverflowError)) return state.out_of_range(type, from);
      return state.mismatch_unless_raised(type, from);
    }
  }
  state.put([&](std::uint8_t* to) { return format.put_double(to, parsed); });
  return true;
}

/// A size and that many bytes.
THRIFTLENS_INLINE bool put_bytes(protocol auto format, encode_state& state, const void* data,
                                 std::size_t size) {
  if (size > 0x7fffffffu) [[unlikely]]
    return state.fail(errc::size_limit);
  std::uint8_t* to =
      format.put_size(state.out.prepare(format.max_length_prefix + size), static_cast<std::uint32_t>(size));
  if (size != 0) std::memcpy(to, data, size);
  state.out.commit(to + size);
  return true;
}
THRIFTLENS_NOINLINE bool encode_wide_text(protocol auto format, encode_state& state, PyObject* from) {
  std::string_view utf8;
  std::string text;
  if (!utf8_of(from, utf8)) {
    if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) return false;
    PyErr_Clear();
    if (!bytes_of_surrogates(from, state.options.invalid_utf8, text))
      return PyErr_Occurred() == nullptr && state.fail(errc::invalid_utf8, unpaired_surrogate);
    utf8 = text;
  }
  return put_bytes(format, state, utf8.data(), utf8.size());
}
THRIFTLENS_INLINE bool encode_text(protocol auto format, encode_state& state, const type_node& type,
                                   PyObject* from) {
  if (!PyUnicode_Check(from)) [[unlikely]]
    return state.mismatch(type, from);
  if (PyUnicode_IS_COMPACT_ASCII(from)) [[likely]]
    return put_bytes(format, state, PyUnicode_DATA(from),
                     static_cast<std::size_t>(PyUnicode_GET_LENGTH(from)));
  return encode_wide_text(format, state, from);
}
THRIFTLENS_NOINLINE bool encode_bytes(protocol auto format, encode_state& state, const type_node& type,
                                      PyObject* from) {
  bytes_like source;
  if (PyUnicode_Check(from) || !PyObject_CheckBuffer(from)) return state.mismatch(type, from);
  if (!source.take(from)) {
    PyErr_Clear();
    return state.fail(errc::value_type,
                      "bytes must be contiguous; this " + state.name_of(from) + " has gaps");
  }
  return put_bytes(format, state, source.bytes().data(), source.bytes().size());
}
bool encode_uuid(protocol auto format, encode_state& state, const type_node& type, PyObject* from) {
  const int known = is_instance(from, imported<"uuid", "UUID">());
  if (known < 0) return false;
  object raw = known == 1 ? object(attribute_of<"bytes">(from)) : object();
  if (!raw || !PyBytes_Check(raw.get()) || PyBytes_GET_SIZE(raw.get()) != 16)
    return state.mismatch(type, from);
  uuid_bytes id;
  std::memcpy(id.data(), PyBytes_AS_STRING(raw.get()), id.size());
  state.put([&](std::uint8_t* to) { return format.put_uuid(to, id); });
  return true;
}

/// The number of a member.
inline bool read_member(encode_state& state, const type_node& type, PyObject* name, std::int64_t& parsed) {
  std::string_view label;
  if (!utf8_of(name, label)) return state.mismatch(type, name);
  const image::enum_node& node = state.schema.enums[type.first];
  const std::uint32_t at = state.schema.find_member(node, label);
  if (at == image::none)
    return state.fail(errc::unknown_enum_name, detail::no_such_member_text(state.described(type), label));
  parsed = state.schema.enum_members[at].value;
  return true;
}
/// The number of a member of any Enum class, or of an object with __index__.
inline bool read_enum_object(encode_state& state, const type_node& type, PyObject* from,
                             std::int64_t& parsed) {
  const int known = is_instance(from, imported<"enum", "Enum">());
  if (known < 0) return false;
  if (known == 0) return read_integer(state, type, from, parsed);
  const object inner(attribute_of<"value">(from));
  return inner && read_integer(state, type, inner.get(), parsed);
}
/// The number, a member of any Enum class, or the name of a member.
bool encode_enum(protocol auto format, encode_state& state, const type_node& type, PyObject* from) {
  std::int64_t parsed = 0;
  const bool is_read = PyLong_Check(from)      ? read_integer(state, type, from, parsed)
                       : PyUnicode_Check(from) ? read_member(state, type, from, parsed)
                                               : read_enum_object(state, type, from, parsed);
  if (!is_read) return false;
  if (parsed != static_cast<std::int32_t>(parsed)) return state.out_of_range(type, from);
  state.put([&](std::uint8_t* to) { return format.put_i32(to, static_cast<std::int32_t>(parsed)); });
  return true;
}

}  // namespace thriftlens::python
