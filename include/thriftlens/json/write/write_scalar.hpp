// write_scalar: writes scalar Thrift values as JSON.
#pragma once

#include <thriftlens/core/double_bits.hpp>
#include <thriftlens/json/string_out.hpp>
#include <thriftlens/json/write/write_state.hpp>
#include <thriftlens/text/number_out.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// The part of json_writer that writes scalars.
template <protocol Protocol>
struct json_scalar_writer {
  using state_type = json_write_state<Protocol>;

  static THRIFTLENS_NOINLINE bool bool_value(state_type& state) {
    bool value = false;
    if (!state.in.read_bool(value) || !state.need(8)) return false;
    state.out.put_eight(value ? "true\0\0\0" : "false\0\0", value ? 4 : 5);
    return true;
  }
  template <class Int>
  static THRIFTLENS_INLINE bool read(state_type& state, Int& number) {
    if constexpr (sizeof(Int) == 1)
      return state.in.read_i8(number);
    else if constexpr (sizeof(Int) == 2)
      return state.in.read_i16(number);
    else if constexpr (sizeof(Int) == 4)
      return state.in.read_i32(number);
    else
      return state.in.read_i64(number);
  }
  // The caller has called state.need().
  static THRIFTLENS_INLINE void put_number(state_type& state, std::int64_t number) noexcept {
    state.out.move_to(put_integer(state.out.at(), number));
  }
  // A call of put_number(), whose code is large.
  static THRIFTLENS_NOINLINE void call_put_number(state_type& state, std::int64_t number) noexcept {
    put_number(state, number);
  }
  template <class Int>
  static THRIFTLENS_NOINLINE bool quoted_integer(state_type& state) {
    Int number = 0;
    if (!read(state, number) || !state.need(max_integer_text + 2)) return false;
    state.out.put('"');
    call_put_number(state, number);
    state.out.put('"');
    return true;
  }
  template <class Int>
  static THRIFTLENS_NOINLINE bool integer(state_type& state) {
    Int number = 0;
    if (!read(state, number) || !state.need(max_integer_text)) return false;
    sizeof(Int) < 4 ? call_put_number(state, number) : put_number(state, number);
    return true;
  }
  static THRIFTLENS_NOINLINE bool i64_value(state_type& state) {
    return state.quotes_i64 ? quoted_integer<std::int64_t>(state) : integer<std::int64_t>(state);
  }
  static THRIFTLENS_NOINLINE bool double_value(state_type& state) {
    double number = 0;
    const std::uint8_t* at = state.at();
    if (!state.in.read_double(number) || !state.need(max_double_text)) return false;
    if (!is_finite(number)) [[unlikely]]
      return nonfinite(state, number, at);
    state.out.move_to(put_double(state.out.at(), number));
    return true;
  }
  static THRIFTLENS_NOINLINE bool string_value(state_type& state) {
    const std::uint8_t* at = state.at();
    byte_view text;
    return state.in.read_bytes(text) &&
           state.put_ok(put_string(state.out, text, state.options.leniency.invalid_utf8, state.text_check,
                                   state.has_unchecked_text),
                        at);
  }
  static THRIFTLENS_NOINLINE bool binary_value(state_type& state) {
    const std::uint8_t* at = state.at();
    byte_view bytes;
    return state.in.read_bytes(bytes) && state.put_ok(put_base64(state.out, bytes), at);
  }
  static THRIFTLENS_NOINLINE bool uuid_value(state_type& state) {
    const std::uint8_t* at = state.at();
    uuid_bytes id;
    return state.in.read_uuid(id) && state.put_ok(put_uuid(state.out, id), at);
  }
  static THRIFTLENS_NOINLINE bool enum_value(state_type& state, const image::type_node& type) {
    std::int32_t number = 0;
    if (!state.in.read_i32(number)) return false;
    const std::string_view name = member_text(state.image, type, number, state.options.format.enums);
    if (!state.need(name.size() + max_integer_text)) return false;
    name.empty() ? call_put_number(state, number) : state.out.put(name);
    return true;
  }

 private:
  static THRIFTLENS_COLD bool nonfinite(state_type& state, double number, const std::uint8_t* at) {
    if (state.options.leniency.nonfinite == json_nonfinite::error) return state.reject(errc::nonfinite, at);
    state.out.put(nonfinite_text(number));
    return true;
  }
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
