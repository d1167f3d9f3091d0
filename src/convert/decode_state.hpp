// decode_state: the input, schema, options, limits and fault of a decoding.
#pragma once

#include "convert/collector.hpp"
#include "convert/object_sizes.hpp"
#include "convert/value.hpp"

#include <concepts>
#include <string>
#include <type_traits>

namespace thriftlens::python {

namespace image = detail::image;
using image::field_node;
using image::struct_node;
using image::type_node;

/// Shared by the functions that decode values. They return a new reference, or null (false) with
/// a Python error or a fault set.
template <protocol Protocol>
class decode_state {
 public:
  using protocol_type = Protocol;

  decode_state(schema_keys& schema_objects, byte_view data, const decode_options& decoder_options,
               bool yields_gil = false)
      : in(data, decoder_options.bounds),
        keys(schema_objects),
        schema(keys.image()),
        fields(schema.fields.data()),
        types(schema.types.data()),
        names(keys.fields(decoder_options.names)),
        options(decoder_options),
        list_elements_left(data.size()),
        spare_left(spare_constant + spare_times * data.size()),
        memory_left_(options.bounds.max_objects(data.size())),
        turn_left_(yields_gil ? turn : static_cast<std::size_t>(-1)),
        pause_(data.size()) {}

  typename Protocol::reader in;
  schema_keys& keys;
  const schema_image& schema;
  const field_node* const fields;
  const type_node* const types;
  PyObject* const* const names;
  const decode_options& options;
  std::size_t list_elements_left;  // list elements that may still be preallocated
  std::size_t spare_left;          // memory for absent fields in presized dicts; at 0, dicts are not presized
  fault earlier;                   // takes precedence over the reader's
  std::uint32_t defaults_left = 8;  // defaults of structs in defaults, with a model
  std::string detail;               // replaces the message of the fault
  object cause;                     // the exception that Python code raised for a value

  /// The remaining memory for objects.
  [[nodiscard]] std::size_t memory_left() const noexcept { return memory_left_; }
  /// Counts memory of a container. False if it exceeds the limit for the size of the input.
  THRIFTLENS_INLINE bool charge(std::size_t bytes) {
    if (bytes > memory_left_) [[unlikely]]
      return fail(errc::output_limit, in.at());
    memory_left_ -= bytes;
    return true;
  }

  /// Called for every element of a container, to let other threads run during a large value.
  THRIFTLENS_INLINE void count_element() {
    if (--turn_left_ == 0) [[unlikely]]
      end_turn();
  }
  /// Called before Python code runs.
  void resume_collector() noexcept { pause_.resume(); }

  bool fail(errc code, const std::uint8_t* where, std::int16_t field_id = 0) {
    field_id_ = field_id;
    return in.reject(code, where);
  }
  PyObject* stop(errc code, const std::uint8_t* where, std::int16_t field_id = 0) {
    fail(code, where, field_id);
    return nullptr;
  }
  /// A value that Python code refused; its exception is the cause. Only those that a value can cause.
  THRIFTLENS_COLD PyObject* stop_with_cause(const std::uint8_t* where) {
    if (PyErr_ExceptionMatches(PyExc_Exception) == 0 || PyErr_ExceptionMatches(PyExc_MemoryError) != 0)
      return nullptr;
    PyObject *kind = nullptr, *value = nullptr, *trace = nullptr;
    PyErr_Fetch(&kind, &value, &trace);
    PyErr_NormalizeException(&kind, &value, &trace);
    if (trace != nullptr) PyException_SetTraceback(value, trace);
    Py_XDECREF(kind);
    Py_XDECREF(trace);
    cause = object(value);
    return stop(errc::unfit_value, where);
  }
  [[nodiscard]] bool finish() { return in.at_end() || fail(errc::trailing_bytes, in.at()); }
  [[nodiscard]] fault first_fault() const noexcept {
    if (earlier.code != errc::ok) return earlier;
    fault current = in.fault();
    current.field_id = field_id_;
    return current;
  }

 private:
  static constexpr std::size_t spare_constant = std::size_t{1} << 20, spare_times = 8;
  static constexpr std::size_t turn = 2048;  // elements, after which other threads may run

  THRIFTLENS_COLD void end_turn() {
    turn_left_ = turn;
    pause_.yield_gil();
  }

  std::size_t memory_left_;  // bytes of objects
  std::size_t turn_left_;
  std::int16_t field_id_ = 0;
  collector_pause pause_;
};

/// A decode_state.
template <class State>
concept decoding = std::same_as<State, decode_state<binary>> || std::same_as<State, decode_state<compact>>;
template <class State>
using state_protocol = typename std::remove_reference_t<State>::protocol_type;

/// Decodes a value of any kind.
PyObject* decode_value(decoding auto& state, type_kind kind, std::uint32_t index);

}  // namespace thriftlens::python
