// encode: encodes Python objects to wire bytes.
#include "call/relaxations.hpp"
#include "convert/codec_object.hpp"
#include "convert/encode_container.hpp"
#include "convert/encode_scalar.hpp"
#include "convert/encode_struct.hpp"
#include "support/scratch_buffer.hpp"

namespace thriftlens::python {

// Bytes, containers and structs are not inlined: the frame for numbers and text stays small.
bool encode_value(protocol auto format, encode_state& state, const type_node& type, PyObject* from) {
  switch (type.kind) {
    case type_kind::bool_:
      return encode_bool(format, state, type, from);
    case type_kind::i8:
      return encode_integer<std::int8_t>(state, type, from, &decltype(format)::put_i8);
    case type_kind::i16:
      return encode_integer<std::int16_t>(state, type, from, &decltype(format)::put_i16);
    case type_kind::i32:
      return encode_integer<std::int32_t>(state, type, from, &decltype(format)::put_i32);
    case type_kind::i64:
      return encode_integer<std::int64_t>(state, type, from, &decltype(format)::put_i64);
    case type_kind::double_:
      return encode_double(format, state, type, from);
    case type_kind::string:
      return encode_text(format, state, type, from);
    case type_kind::binary:
      return encode_bytes(format, state, type, from);
    case type_kind::uuid:
      return encode_uuid(format, state, type, from);
    case type_kind::enum_:
      return encode_enum(format, state, type, from);
    case type_kind::list:
    case type_kind::set:
      return encode_list(format, state, type, from);
    case type_kind::map:
      return encode_map(format, state, type, from);
    case type_kind::struct_:
    case type_kind::union_:
    case type_kind::exception_:
      return encode_struct(format, state, type, from);
    case type_kind::void_:
      break;
  }
  return from == Py_None || state.mismatch(type, from);
}

encoded try_append_encoded(schema_keys& keys, type of, PyObject* value, buffer& out,
                           const encode_options& options, error& reason) {
  if (!keys.prepare()) return encoded::raised;
  const std::size_t start = out.size();
  encode_state state(keys, out, options);
  const bool is_encoded = visit_protocol(
      options.protocol, [&](auto format) { return encode_value(format, state, of.node(), value); });
  if (is_encoded) return encoded::ok;
  out.truncate(start);
  if (PyErr_Occurred() != nullptr) return encoded::raised;
  reason = state.reason();
  return encoded::refused;
}

bool append_encoded(schema_keys& keys, type of, PyObject* value, buffer& out, const encode_options& options) {
  error reason;
  const encoded status = try_append_encoded(keys, of, value, out, options, reason);
  if (status == encoded::refused) {
    raise(reason, family::encode);
    name_option(encoder_signature(), &options);
  }
  return status == encoded::ok;
}

PyObject* encode(schema_keys& keys, type of, PyObject* value, const encode_options& options) {
  scratch_buffer memory;
  buffer& out = memory.get();
  if (!append_encoded(keys, of, value, out, options)) return nullptr;
  return PyBytes_FromStringAndSize(reinterpret_cast<const char*>(out.data()),
                                   static_cast<Py_ssize_t>(out.size()));
}

}  // namespace thriftlens::python
