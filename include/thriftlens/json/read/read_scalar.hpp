// read_scalar: converts JSON tokens to scalar Thrift values.
#pragma once

#include <thriftlens/json/read/read_skip.hpp>
#include <thriftlens/protocol/concept.hpp>
#include <thriftlens/schema/suggest.hpp>
#include <thriftlens/simd/base64.hpp>
#include <thriftlens/text/number_in.hpp>

#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// The part of json_reader that reads scalars. Callers call reserve() first and pass the result of
/// in.peek().
template <protocol Protocol>
struct json_scalar_reader {
  static THRIFTLENS_INLINE bool take_bool(json_read_state& state, json_position& pos, std::uint8_t first,
                                          bool& value) {
    value = first == 't';
    return state.in.take_literal(pos.at, value ? "true" : "false");
  }
  static THRIFTLENS_NOINLINE json_position bool_value(json_read_state& state, json_position pos,
                                                      std::uint8_t first) {
    bool value = false;
    if (!take_bool(state, pos, first, value)) return state.mismatch(pos.at, type_kind::bool_);
    return {pos.at, Protocol::put_bool(pos.to, value)};
  }
  // Of the kind i32, i64 or enum; std::int16_t reads an i8, too.
  template <class Int>
  static THRIFTLENS_NOINLINE json_position integer_value(json_read_state& state, json_position pos,
                                                         type_kind kind) {
    const std::uint8_t* start = pos.at;
    std::uint64_t magnitude = 0;
    bool negative = false;
    if (!state.in.take_plain_integer(pos.at, magnitude, negative)) [[unlikely]]
      return odd_integer(state, pos, kind);
    return sizeof(Int) == 2 ? put_integer_of(state, pos, kind, magnitude, negative, start)
                            : put_in_range<Int>(state, pos, kind, magnitude, negative, start);
  }
  template <class Int>
  static THRIFTLENS_INLINE json_position put_in_range(json_read_state& state, json_position pos,
                                                      type_kind kind, std::uint64_t magnitude, bool negative,
                                                      const std::uint8_t* start) {
    constexpr auto max = static_cast<std::uint64_t>((std::numeric_limits<Int>::max)());
    if (magnitude > max + (negative ? 1 : 0)) return state.reject_range(start, kind);
    return {pos.at, Protocol::put_number(pos.to, static_cast<Int>(negative ? 0 - magnitude : magnitude))};
  }
  // Like put_in_range, for an integer or enum kind known at run time.
  static THRIFTLENS_NOINLINE json_position put_integer_of(json_read_state& state, json_position pos,
                                                          type_kind kind, std::uint64_t magnitude,
                                                          bool negative, const std::uint8_t* start) {
    if (kind == type_kind::i64)
      return put_in_range<std::int64_t>(state, pos, kind, magnitude, negative, start);
    if (kind == type_kind::i16)
      return put_in_range<std::int16_t>(state, pos, kind, magnitude, negative, start);
    if (kind == type_kind::i8) return put_in_range<std::int8_t>(state, pos, kind, magnitude, negative, start);
    return put_in_range<std::int32_t>(state, pos, kind, magnitude, negative, start);
  }

  static THRIFTLENS_NOINLINE json_position double_value(json_read_state& state, json_position pos,
                                                        std::uint8_t first) {
    const std::uint8_t* start = pos.at;
    double number = 0;
    json_number plain;
    if (first == '"' && state.options.leniency.nonfinite == json_nonfinite::string) [[unlikely]]
      return double_in_quotes(state, pos);
    if (!number_token(state, pos, type_kind::double_, plain)) return {};
    if (!to_double(plain, number)) return state.reject(errc::double_range, start);
    return {pos.at, Protocol::put_double(pos.to, number)};
  }
  // Parses a number or, by option, a non-finite name. Returns ok, double_range or json_type.
  [[nodiscard]] THRIFTLENS_COLD static errc double_of(json_read_state& state, std::string_view text,
                                                      bool accepts_numbers, double& number) {
    json_number plain;
    if (accepts_numbers && state.is_number(text, plain))
      return to_double(plain, number) ? errc::ok : errc::double_range;
    const bool named =
        state.options.leniency.nonfinite == json_nonfinite::string && nonfinite_of_text(text, number);
    return named ? errc::ok : errc::json_type;
  }

  static THRIFTLENS_NOINLINE json_position string_value(json_read_state& state, json_position pos,
                                                        std::uint8_t first) {
    if (first != '"') return state.mismatch(pos.at, type_kind::string);
    const std::uint8_t* start = pos.at;
    std::uint8_t* content = pos.to + max_length_prefix;
    std::uint8_t* const end = state.string_with_escapes(pos.at, content);
    if (end == nullptr) return {};
    return put_size_before(state, pos, content, end, start);
  }
  static THRIFTLENS_NOINLINE json_position binary_value(json_read_state& state, json_position pos,
                                                        std::uint8_t first) {
    if (first != '"') return state.mismatch(pos.at, type_kind::binary);
    const std::uint8_t* start = pos.at;
    std::string_view text;
    if (!state.in.take_long_plain_string(pos.at, text)) [[unlikely]]
      return escaped_binary(state, pos);
    return put_base64(state, pos, text, start);
  }
  static THRIFTLENS_NOINLINE json_position uuid_value(json_read_state& state, json_position pos,
                                                      std::uint8_t first) {
    if (first != '"') return state.mismatch(pos.at, type_kind::uuid);
    const std::uint8_t* start = pos.at;
    std::string_view text;
    uuid_bytes id;
    if (!state.short_string(pos, text)) return {};
    if (!parse_uuid(text, id)) return state.reject(errc::bad_uuid, start);
    return {pos.at, Protocol::put_uuid(pos.to, id)};
  }
  static THRIFTLENS_NOINLINE json_position enum_value(json_read_state& state, json_position pos,
                                                      std::uint8_t first, std::uint32_t type) {
    if (first != '"') return integer_value<std::int32_t>(state, pos, type_kind::enum_);
    const std::uint8_t* start = pos.at;
    std::string_view text;
    return state.short_string(pos, text) ? put_member(state, pos, text, type, start) : json_position();
  }
  // The number of the enum member named `text`, or a quoted number by option.
  static json_position put_member(json_read_state& state, json_position pos, std::string_view text,
                                  std::uint32_t type, const std::uint8_t* at) {
    const std::uint32_t member =
        state.image.find_member(state.image.enums[state.image.types[type].first], text);
    if (member != image::none)
      return {pos.at, Protocol::put_i32(pos.to, state.image.enum_members[member].value)};
    json_number quoted;
    const bool is_quoted = state.is_number(text, quoted);
    if (!is_quoted || !state.accepts_quoted())
      return state.fail_without(is_quoted ? "quoted_numbers" : nullptr, errc::unknown_enum_name, at,
                                no_such_member_text({&state.image, type}, text));
    return put_integral(state, pos, type_kind::enum_, quoted, errc::integer_range, at);
  }

  // `fraction`: the error for a number that is not an integer.
  THRIFTLENS_COLD static json_position put_integral(json_read_state& state, json_position pos, type_kind kind,
                                                    const json_number& number, errc fraction,
                                                    const std::uint8_t* start) {
    std::int64_t value = 0;
    const number_fit fit = to_integer(number, value);
    if (fit == number_fit::fraction && fraction == errc::json_type)
      return state.reject_kind(start, kind, "a fraction");
    if (fit != number_fit::fits) return state.reject_range(start, kind);
    const auto bits = static_cast<std::uint64_t>(value);
    return put_integer_of(state, pos, kind, value < 0 ? 0 - bits : bits, value < 0, start);
  }
  // Writes the size of [content, end), which begins max_length_prefix bytes after pos.to.
  static THRIFTLENS_INLINE json_position put_size_before(json_read_state& state, json_position pos,
                                                         std::uint8_t* content, std::uint8_t* end,
                                                         const std::uint8_t* start) {
    const auto size = static_cast<std::size_t>(end - content);
    if (state.too_long(size)) return state.reject(errc::size_limit, start);
    if constexpr (Protocol::traits.size_width == 0)
      return {pos.at, put_size_moving(pos.to, static_cast<std::uint32_t>(size))};
    Protocol::put_size(pos.to, static_cast<std::uint32_t>(size));
    return {pos.at, end};
  }
  // Writes a size before a content that follows one reserved byte; longer sizes move it. Returns its end.
  static THRIFTLENS_INLINE std::uint8_t* put_size_moving(std::uint8_t* to, std::uint32_t size) {
    std::uint8_t header[Protocol::max_length_prefix];
    const auto width = static_cast<std::size_t>(Protocol::put_size(header, size) - header);
    if (width > max_length_prefix) std::memmove(to + width, to + max_length_prefix, size);
    std::memcpy(to, header, width);
    return to + width + size;
  }
  static THRIFTLENS_INLINE json_position put_base64(json_read_state& state, json_position pos,
                                                    std::string_view text, const std::uint8_t* start) {
    const simd::base64_form form = state.options.leniency.base64 == json_base64::strict
                                       ? simd::base64_form::strict
                                       : simd::base64_form::lenient;
    std::uint8_t* content = pos.to + max_length_prefix;
    std::uint8_t* end = simd::decode_base64(content, {text.data(), text.size()}, form);
    if (end == nullptr) return bad_base64(state, content, text, start);
    return put_size_before(state, pos, content, end, start);
  }
  static THRIFTLENS_COLD json_position bad_base64(json_read_state& state, std::uint8_t* to,
                                                  std::string_view text, const std::uint8_t* start) {
    const byte_view bytes(text.data(), text.size());
    const bool is_lenient = simd::decode_base64(to, bytes, simd::base64_form::lenient) != nullptr;
    return state.fail_without(is_lenient ? "base64" : nullptr, errc::bad_base64, start);
  }
  // Bytes reserved for the size of a string; longer sizes move the content.
  static constexpr std::size_t max_length_prefix =
      Protocol::traits.size_width != 0 ? Protocol::traits.size_width : 1;

 private:
  // Has a fraction, an exponent, quotes or too many digits, or is not an integer.
  THRIFTLENS_COLD static json_position odd_integer(json_read_state& state, json_position pos,
                                                   type_kind kind) {
    const std::uint8_t* start = pos.at;
    json_number odd;
    if (!number_token(state, pos, kind, odd)) return {};
    return put_integral(state, pos, kind, odd, errc::json_type, start);
  }
  // A number, also quoted by option.
  static THRIFTLENS_INLINE bool number_token(json_read_state& state, json_position& pos, type_kind kind,
                                             json_number& number) {
    if (state.in.take_number(pos.at, number)) [[likely]]
      return true;
    pos = odd_number_token(state, pos, kind, number);
    return static_cast<bool>(pos);
  }
  THRIFTLENS_COLD static json_position odd_number_token(json_read_state& state, json_position pos,
                                                        type_kind kind, json_number& number) {
    const std::uint8_t* start = pos.at;
    const std::uint8_t first = state.peek(pos);
    if (first == '"' && state.accepts_quoted()) return quoted_number(state, pos, kind, number);
    if (!state.is_number_start(first)) return state.mismatch(start, kind);
    return state.reject(errc::json_syntax, start, "invalid number");
  }
  THRIFTLENS_COLD static json_position quoted_number(json_read_state& state, json_position pos,
                                                     type_kind kind, json_number& number) {
    const std::uint8_t* start = pos.at;
    std::string_view text;
    if (!state.short_string(pos, text)) return {};
    if (state.is_number(text, number)) return pos;
    return state.reject_kind(start, kind, "a string that is not a number");
  }
  THRIFTLENS_COLD static json_position double_in_quotes(json_read_state& state, json_position pos) {
    const std::uint8_t* start = pos.at;
    double number = 0;
    std::string_view text;
    if (!state.short_string(pos, text)) return {};
    const errc code = double_of(state, text, state.accepts_quoted(), number);
    if (code == errc::ok) return {pos.at, Protocol::put_double(pos.to, number)};
    return code == errc::double_range ? state.reject(code, start) : state.mismatch(start, type_kind::double_);
  }

  THRIFTLENS_COLD static json_position escaped_binary(json_read_state& state, json_position pos) {
    const std::uint8_t* start = pos.at;
    std::string_view text;
    if (!state.short_string(pos, text)) return {};
    const std::string unescaped(text);  // the text may be in the output buffer
    return put_base64(state, pos, unescaped, start);
  }
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
