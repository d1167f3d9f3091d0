// read_scalar: converts JSON tokens to scalar Thrift values.
#pragma once

#include <thriftlens/json/read/read_skip.hpp>
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
/// in_.peek().
template <protocol Protocol>
class json_scalar_reader : protected json_skipper<Protocol> {
 protected:
  using base = json_skipper<Protocol>;
  using base::base, base::bounds_, base::image_, base::in_, base::is_number, base::is_number_start,
      base::mismatch, base::mismatch_text, base::options_, base::range_text, base::reject, base::short_string,
      typename base::kinds;

  // ---- bools and integers

  THRIFTLENS_INLINE bool take_bool(json_position& pos, std::uint8_t first, bool& value) {
    value = first == 't';
    return in_.take_literal(pos.at, value ? "true" : "false");
  }
  THRIFTLENS_NOINLINE json_position bool_value(json_position pos, std::uint8_t first) {
    bool value = false;
    if (!take_bool(pos, first, value)) return mismatch(pos.at, kinds::bool_);
    return {pos.at, Protocol::put_bool(pos.to, value)};
  }
  template <class Int>
  THRIFTLENS_NOINLINE json_position integer_value(json_position pos, type_kind kind) {
    const std::uint8_t* start = pos.at;
    std::uint64_t magnitude = 0;
    bool negative = false;
    if (!in_.take_plain_integer(pos.at, magnitude, negative)) [[unlikely]]
      return odd_integer(pos, kind);
    return put_in_range<Int>(pos, kind, magnitude, negative, start);
  }
  template <class Int>
  THRIFTLENS_INLINE json_position put_in_range(json_position pos, type_kind kind, std::uint64_t magnitude,
                                               bool negative, const std::uint8_t* start) {
    constexpr auto max = static_cast<std::uint64_t>((std::numeric_limits<Int>::max)());
    if (magnitude > max + (negative ? 1 : 0)) return reject(errc::integer_range, start, range_text(kind));
    return {pos.at, put(pos.to, static_cast<Int>(negative ? 0 - magnitude : magnitude))};
  }
  // Like put_in_range, for an integer or enum kind known at run time.
  THRIFTLENS_INLINE json_position put_integer_of(json_position pos, type_kind kind, std::uint64_t magnitude,
                                                 bool negative, const std::uint8_t* start) {
    if (kind == kinds::i64) return put_in_range<std::int64_t>(pos, kind, magnitude, negative, start);
    if (kind == kinds::i16) return put_in_range<std::int16_t>(pos, kind, magnitude, negative, start);
    if (kind == kinds::i8) return put_in_range<std::int8_t>(pos, kind, magnitude, negative, start);
    return put_in_range<std::int32_t>(pos, kind, magnitude, negative, start);
  }
  template <class Int>
  static THRIFTLENS_INLINE std::uint8_t* put(std::uint8_t* to, Int number) {
    if constexpr (sizeof(Int) == 1)
      return Protocol::put_i8(to, number);
    else if constexpr (sizeof(Int) == 2)
      return Protocol::put_i16(to, number);
    else if constexpr (sizeof(Int) == 4)
      return Protocol::put_i32(to, number);
    else
      return Protocol::put_i64(to, number);
  }

  // ---- doubles

  THRIFTLENS_NOINLINE json_position double_value(json_position pos, std::uint8_t first) {
    const std::uint8_t* start = pos.at;
    double number = 0;
    json_number plain;
    if (first == '"' && options_.nonfinite == json_nonfinite::string) [[unlikely]]
      return double_in_quotes(pos);
    if (!number_token(pos, kinds::double_, plain)) return {};
    if (!to_double(plain, number)) return reject(errc::double_range, start);
    return {pos.at, Protocol::put_double(pos.to, number)};
  }
  // Parses a number or, by option, a non-finite name. Returns ok, double_range or json_type.
  [[nodiscard]] errc double_of(std::string_view text, bool accepts_numbers, double& number) const {
    json_number plain;
    if (accepts_numbers && is_number(text, plain))
      return to_double(plain, number) ? errc::ok : errc::double_range;
    const bool named = options_.nonfinite == json_nonfinite::string && special_double(text, number);
    return named ? errc::ok : errc::json_type;
  }
  [[nodiscard]] static const std::uint8_t* bytes_of(std::string_view text) noexcept {
    return reinterpret_cast<const std::uint8_t*>(text.data());
  }
  [[nodiscard]] bool accepts_quoted() const noexcept {
    return options_.quoted_numbers == json_quoted_numbers::accept;
  }

  // ---- values written as strings

  THRIFTLENS_NOINLINE json_position string_value(json_position pos, std::uint8_t first) {
    if (first != '"') return mismatch(pos.at, kinds::string);
    const std::uint8_t* start = pos.at;
    std::uint8_t* content = pos.to + size_room;
    std::uint8_t* const end = base::string_with_escapes(pos.at, content);
    if (end == nullptr) return {};
    return put_size_before(pos, content, end, start);
  }
  THRIFTLENS_NOINLINE json_position binary_value(json_position pos, std::uint8_t first) {
    if (first != '"') return mismatch(pos.at, kinds::binary);
    const std::uint8_t* start = pos.at;
    std::string_view text;
    if (!in_.take_long_plain_string(pos.at, text)) [[unlikely]]
      return escaped_binary(pos);
    return put_base64(pos, text, start);
  }
  THRIFTLENS_NOINLINE json_position uuid_value(json_position pos, std::uint8_t first) {
    if (first != '"') return mismatch(pos.at, kinds::uuid);
    const std::uint8_t* start = pos.at;
    std::string_view text;
    uuid_bytes id;
    if (!short_string(pos, text)) return {};
    if (!parse_uuid(text, id)) return reject(errc::bad_uuid, start);
    return {pos.at, Protocol::put_uuid(pos.to, id)};
  }
  THRIFTLENS_NOINLINE json_position enum_value(json_position pos, std::uint8_t first, std::uint32_t type) {
    if (first != '"') return integer_value<std::int32_t>(pos, kinds::enum_);
    const std::uint8_t* start = pos.at;
    std::string_view text;
    return short_string(pos, text) ? put_member(pos, text, type, start) : json_position();
  }
  // The number of the enum member named `text`, or a quoted number by option.
  json_position put_member(json_position pos, std::string_view text, std::uint32_t type,
                           const std::uint8_t* at) {
    const std::uint32_t member = image_.find_member(image_.enums[image_.types[type].first], text);
    if (member != image::none) return {pos.at, Protocol::put_i32(pos.to, image_.enum_members[member].value)};
    json_number quoted;
    const bool is_quoted = is_number(text, quoted);
    if (!is_quoted || !accepts_quoted())
      return base::fail_without(is_quoted ? "quoted_numbers" : nullptr, errc::unknown_enum_name, at,
                                no_such_member_text({&image_, type}, text));
    return put_integral(pos, kinds::enum_, quoted, errc::integer_range, at);
  }

  [[nodiscard]] static bool special_double(std::string_view text, double& number) {
    return nonfinite_of_text(text, number);
  }

  // `fraction`: the error for a number that is not an integer.
  json_position put_integral(json_position pos, type_kind kind, const json_number& number, errc fraction,
                             const std::uint8_t* start) {
    std::int64_t value = 0;
    const number_fit fit = to_integer(number, value);
    if (fit == number_fit::fraction && fraction == errc::json_type)
      return reject(errc::json_type, start, mismatch_text(to_string(kind), "a fraction"));
    if (fit != number_fit::fits) return reject(errc::integer_range, start, range_text(kind));
    const std::uint64_t magnitude =
        value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
    return put_integer_of(pos, kind, magnitude, value < 0, start);
  }
  // Writes the size of [content, end), which begins size_room bytes after pos.to.
  THRIFTLENS_INLINE json_position put_size_before(json_position pos, std::uint8_t* content, std::uint8_t* end,
                                                  const std::uint8_t* start) {
    const auto size = static_cast<std::size_t>(end - content);
    if (size > bounds_.string_size || size > 0x7fffffffu) return reject(errc::size_limit, start);
    if constexpr (Protocol::traits.size_width == 0)
      return {pos.at, put_size_moving(pos.to, static_cast<std::uint32_t>(size))};
    Protocol::put_size(pos.to, static_cast<std::uint32_t>(size));
    return {pos.at, end};
  }
  // Writes a size before a content that follows one reserved byte; longer sizes move it. Returns its end.
  static THRIFTLENS_INLINE std::uint8_t* put_size_moving(std::uint8_t* to, std::uint32_t size) {
    std::uint8_t header[Protocol::size_room];
    const auto width = static_cast<std::size_t>(Protocol::put_size(header, size) - header);
    if (width > size_room) std::memmove(to + width, to + size_room, size);
    std::memcpy(to, header, width);
    return to + width + size;
  }
  THRIFTLENS_INLINE json_position put_base64(json_position pos, std::string_view text,
                                             const std::uint8_t* start) {
    const simd::base64_form form =
        options_.base64 == json_base64::strict ? simd::base64_form::strict : simd::base64_form::lenient;
    std::uint8_t* content = pos.to + size_room;
    std::uint8_t* end = simd::decode_base64(content, {text.data(), text.size()}, form);
    if (end == nullptr) return bad_base64(content, text, start);
    return put_size_before(pos, content, end, start);
  }
  THRIFTLENS_COLD json_position bad_base64(std::uint8_t* to, std::string_view text,
                                           const std::uint8_t* start) {
    const byte_view bytes(text.data(), text.size());
    const bool is_lenient = simd::decode_base64(to, bytes, simd::base64_form::lenient) != nullptr;
    return base::fail_without(is_lenient ? "base64" : nullptr, errc::bad_base64, start);
  }
  // Bytes reserved for the size of a string; longer sizes move the content.
  static constexpr std::size_t size_room = Protocol::traits.size_width != 0 ? Protocol::traits.size_width : 1;

 private:
  // Has a fraction, an exponent, quotes or too many digits, or is not an integer.
  THRIFTLENS_NOINLINE json_position odd_integer(json_position pos, type_kind kind) {
    const std::uint8_t* start = pos.at;
    json_number odd;
    if (!number_token(pos, kind, odd)) return {};
    return put_integral(pos, kind, odd, errc::json_type, start);
  }
  // A number, also quoted by option.
  THRIFTLENS_INLINE bool number_token(json_position& pos, type_kind kind, json_number& number) {
    if (in_.take_number(pos.at, number)) [[likely]]
      return true;
    pos = odd_number_token(pos, kind, number);
    return static_cast<bool>(pos);
  }
  THRIFTLENS_NOINLINE json_position odd_number_token(json_position pos, type_kind kind, json_number& number) {
    const std::uint8_t* start = pos.at;
    const std::uint8_t first = in_.peek(pos.at);
    if (first == '"' && accepts_quoted()) return quoted_number(pos, kind, number);
    if (!is_number_start(first)) return mismatch(start, kind);
    return reject(errc::json_syntax, start, "a number that JSON does not allow");
  }
  json_position quoted_number(json_position pos, type_kind kind, json_number& number) {
    const std::uint8_t* start = pos.at;
    std::string_view text;
    if (!short_string(pos, text)) return {};
    if (is_number(text, number)) return pos;
    return reject(errc::json_type, start, mismatch_text(to_string(kind), "a string that is no number"));
  }
  THRIFTLENS_NOINLINE json_position double_in_quotes(json_position pos) {
    const std::uint8_t* start = pos.at;
    double number = 0;
    std::string_view text;
    if (!short_string(pos, text)) return {};
    const errc code = double_of(text, accepts_quoted(), number);
    if (code == errc::ok) return {pos.at, Protocol::put_double(pos.to, number)};
    return code == errc::double_range ? reject(code, start) : mismatch(start, kinds::double_);
  }

  THRIFTLENS_NOINLINE json_position escaped_binary(json_position pos) {
    const std::uint8_t* start = pos.at;
    std::string_view text;
    if (!short_string(pos, text)) return {};
    const std::string unescaped(text);  // the text may be in the output buffer
    return put_base64(pos, unescaped, start);
  }
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
