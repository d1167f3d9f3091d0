// decode: decodes wire bytes to Python objects.
#include "call/relaxations.hpp"
#include "convert/codec_object.hpp"
#include "convert/decode_model.hpp"
#include "convert/freeze.hpp"
#include "support/argument.hpp"

#include <thriftlens/protocol/select.hpp>
#include <thriftlens/view/explain.hpp>

namespace thriftlens::python {

PyObject* decode_value(decoding auto& state, type_kind kind, std::uint32_t index) {
  using reader = typename state_protocol<decltype(state)>::reader;
  const type_node& type = state.types[index];
  switch (kind) {
    case type_kind::bool_:
      return decode_bool(state);
    case type_kind::i8:
      return decode_integer<std::int8_t>(state, &reader::read_i8);
    case type_kind::i16:
      return decode_integer<std::int16_t>(state, &reader::read_i16);
    case type_kind::i32:
      return decode_integer<std::int32_t>(state, &reader::read_i32);
    case type_kind::i64:
      return decode_i64(state);
    case type_kind::double_:
      return decode_double(state);
    case type_kind::string:
      return decode_text(state);
    case type_kind::binary:
      return decode_bytes(state);
    case type_kind::uuid:
      return decode_uuid(state);
    case type_kind::enum_:
      return decode_enum(state, type);
    case type_kind::list:
      return decode_list(state, type);
    case type_kind::set:
      return decode_set(state, type);
    case type_kind::map:
      return decode_map(state, type);
    case type_kind::struct_:
    case type_kind::union_:
    case type_kind::exception_:
      return decode_struct(state, state.schema.structs[type.first]);
    case type_kind::void_:
      break;
  }
  return new_reference(Py_None);
}

namespace {

/// Sets the cause of the Python error.
void set_cause(object cause) {
  with_raised([&](PyObject* exception) { PyException_SetCause(exception, cause.release()); });
}
/// The text of an exception of Python code that refused a value.
std::string text_of_cause(PyObject* cause) {
  PyObject* const describe = imported<"thriftlens._text", "text_of_exception">();
  const object text(describe == nullptr ? nullptr : PyObject_CallOneArg(describe, cause));
  std::string_view utf8;
  if (!text || !utf8_of(text.get(), utf8)) PyErr_Clear();
  return std::string(utf8);
}
/// Raises the error of a fault. Always null.
PyObject* raise_fault(decoding auto& state, const error& reason, const decode_options& options) {
  if (state.cause) state.detail = text_of_cause(state.cause.get());
  if (state.detail.empty()) return raise(reason, family::decode, options);
  raise(error(reason.code(), state.detail, reason.offset(), std::string(reason.path())), family::decode);
  if (state.cause) set_cause(std::move(state.cause));
  return nullptr;
}
/// `taken`: null, or receives the memory of the objects; then other threads can run.
template <protocol Protocol>
PyObject* decode_as(schema_keys& keys, type of, byte_view data, const decode_options& options,
                    const model_node* model, std::size_t* taken = nullptr) {
  decode_state<Protocol> state(keys, data, options, taken != nullptr);
  const std::size_t limit = state.memory_left();
  object result(value_of(state, model, of.index())(state));
  if (taken != nullptr) *taken = limit - state.memory_left();
  if (result && state.finish()) return result.release();
  if (PyErr_Occurred() != nullptr) return nullptr;
  PyThreadState* const thread = taken != nullptr ? PyEval_SaveThread() : nullptr;
  const error reason = detail::explain<Protocol>(data, of, state.first_fault(), options.bounds);
  if (thread != nullptr) PyEval_RestoreThread(thread);
  return raise_fault(state, data.empty() ? reason.with_hint(empty_input) : reason, options);
}

}  // namespace

template <protocol Protocol>
PyObject* decode_view(schema_keys& keys, const view<Protocol>& of, const decode_options& options) {
  if (of.code() != errc::ok) return raise(of.error(), family_of(of.code()), options);
  if (!keys.prepare()) return nullptr;
  decode_state<Protocol> state(keys, of.whole(), options);
  state.in.seek(of.location().at);
  object result(decode_value(state, of.type().kind(), of.type().index()));
  const bool is_complete = result && (!of.is_root() || state.finish());  // the root is all of its bytes
  if (is_complete) return result.release();
  if (PyErr_Occurred() != nullptr) return nullptr;
  return raise(detail::explain<Protocol>(of.whole(), of.root_type(), state.first_fault(), options.bounds),
               family::decode, options);
}
template PyObject* decode_view(schema_keys&, const view<binary>&, const decode_options&);
template PyObject* decode_view(schema_keys&, const view<compact>&, const decode_options&);

template <protocol Protocol>
PyObject* decode_key(schema_keys& keys, const view<Protocol>& of, const decode_options& options) {
  return freeze(object(decode_view(keys, of, options)));
}
template PyObject* decode_key(schema_keys&, const view<binary>&, const decode_options&);
template PyObject* decode_key(schema_keys&, const view<compact>&, const decode_options&);

PyObject* raise(const error& reason, family kind, const decode_options& options) {
  raise(reason, kind);
  name_option(decoder_signature(), &options);
  return nullptr;
}

PyObject* decode(schema_keys& keys, type of, byte_view data, const decode_options& options,
                 const model_node* model) {
  if (!keys.prepare()) return nullptr;
  return visit_protocol(options.protocol,
                        [&](auto tag) { return decode_as<decltype(tag)>(keys, of, data, options, model); });
}
PyObject* decode_yielding_gil(schema_keys& keys, type of, byte_view data, const decode_options& options,
                              const model_node* model, std::size_t& taken) {
  if (!keys.prepare()) return nullptr;
  return visit_protocol(options.protocol, [&](auto tag) {
    return decode_as<decltype(tag)>(keys, of, data, options, model, &taken);
  });
}

}  // namespace thriftlens::python
