// read_scalar: JSON tokens to single Thrift values; what the reader of whole texts is made from.
// In: a source of tokens, the kind of value wanted. Out: its bytes at the end of a buffer, or a fault.
// Never goes into objects or arrays.
#pragma once

#include <thriftlens/core/fault.hpp>
#include <thriftlens/core/limits.hpp>
#include <thriftlens/json/number_in.hpp>
#include <thriftlens/json/options.hpp>
#include <thriftlens/json/out_cursor.hpp>
#include <thriftlens/json/path_trail.hpp>
#include <thriftlens/json/text_source.hpp>
#include <thriftlens/path/suggest.hpp>
#include <thriftlens/protocol/concept.hpp>
#include <thriftlens/schema/type.hpp>
#include <thriftlens/simd/base64.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

/// State and scalars of json_reader. Source: text_source or simdjson_source.
template <protocol Protocol, class Source>
class json_scalar_reader {
 protected:
  using kinds = type_kind;
  static constexpr std::size_t slack = 128;  // more than any header, number or block overwrites

  json_scalar_reader(const schema_image& image, buffer& to, const from_json_options& options, const limits& bounds)
      : out_(to, bounds.output_size), image_(image), options_(options), bounds_(bounds),
        depth_left_(bounds.depth < limits::deepest ? bounds.depth : limits::deepest) {}
  ~json_scalar_reader() = default;

  // ---- values

  // Every function below answers false after a fault. Who wants a value has asked for room() before.
  bool take_bool(bool& is) {
    is = *in_.at() == 't';
    return in_.take_literal(is ? "true" : "false");
  }
  THRIFTLENS_NOINLINE bool bool_value() {
    bool is = false;
    if (in_.peek() == 0 || !take_bool(is)) [[unlikely]] return mismatch(kinds::bool_);
    out_.move_to(Protocol::put_bool(out_.at(), is));
    return true;
  }
  template <class Int>
  THRIFTLENS_NOINLINE bool integer_value(type_kind kind) {
    std::int64_t number = 0;
    if (!integer<Int>(kind, number)) [[unlikely]] return false;
    put(static_cast<Int>(number));
    return true;
  }
  THRIFTLENS_INLINE void put(std::int8_t number) { out_.move_to(Protocol::put_i8(out_.at(), number)); }
  THRIFTLENS_INLINE void put(std::int16_t number) { out_.move_to(Protocol::put_i16(out_.at(), number)); }
  THRIFTLENS_INLINE void put(std::int32_t number) { out_.move_to(Protocol::put_i32(out_.at(), number)); }
  THRIFTLENS_INLINE void put(std::int64_t number) { out_.move_to(Protocol::put_i64(out_.at(), number)); }

  template <class Int>
  THRIFTLENS_INLINE bool integer(type_kind kind, std::int64_t& number) {
    in_.peek();
    const std::uint8_t* at = in_.at();
    std::uint64_t magnitude = 0;
    bool negative = false;
    if (!in_.take_plain_integer(magnitude, negative)) [[unlikely]] return odd_integer<Int>(kind, number);
    return in_range<Int>(magnitude, negative, number) || fail(errc::integer_range, at, range_text(kind));
  }
  template <class Int>
  [[nodiscard]] static THRIFTLENS_INLINE bool in_range(std::uint64_t magnitude, bool negative, std::int64_t& number) {
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<Int>::max());
    number = static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude);
    return magnitude <= most + (negative ? 1 : 0);
  }
  // With a fraction, an exponent, quotes, too many digits, or no integer at all.
  template <class Int>
  THRIFTLENS_NOINLINE bool odd_integer(type_kind kind, std::int64_t& number) {
    const std::uint8_t* at = in_.at();
    json_number odd;
    if (!number_token(kind, odd)) return false;
    const number_fit fit = to_integer(odd, number);
    if (fit == number_fit::fraction) return fail(errc::json_type, at, expected(kind) + "a fraction");
    if (fit == number_fit::range || number < std::numeric_limits<Int>::min() || number > std::numeric_limits<Int>::max())
      return fail(errc::integer_range, at, range_text(kind));
    return true;
  }
  // A number, or a quoted one where they are accepted.
  bool number_token(type_kind kind, json_number& number) {
    const std::uint8_t* at = in_.at();
    const std::uint8_t first = in_.peek();
    if (first == '"' && options_.quoted_numbers == json_quoted_numbers::accept) {
      std::string_view text;
      if (!short_string(text)) return false;
      return whole_number(text, number) || fail(errc::json_type, at, expected(kind) + "a string that is no number");
    }
    if (first != '-' && !detail::is_digit(first)) return mismatch(kind);
    return in_.take_number(number) || fail(errc::json_syntax, at, "a number that JSON does not allow");
  }
  [[nodiscard]] static bool whole_number(std::string_view text, json_number& number) {
    number = {};
    number.begin = reinterpret_cast<const std::uint8_t*>(text.data());
    const std::uint8_t* end = number.begin + text.size();
    return parse_number(number, end) && number.end == end;
  }

  THRIFTLENS_NOINLINE bool double_value() {
    const bool quoted_text = in_.peek() == '"';
    const std::uint8_t* at = in_.at();
    double number = 0;
    if (quoted_text && options_.nonfinite == json_nonfinite::string) {
      std::string_view text;
      if (!short_string(text)) return false;
      if (!special_double(text, number)) {
        json_number quoted;
        if (options_.quoted_numbers != json_quoted_numbers::accept || !whole_number(text, quoted))
          return fail(errc::json_type, at, expected(kinds::double_) + "string");
        if (!to_double(quoted, number)) return fail(errc::double_range, at);
      }
    } else {
      json_number plain;
      if (!number_token(kinds::double_, plain)) return false;
      if (!to_double(plain, number)) return fail(errc::double_range, at);
    }
    out_.move_to(Protocol::put_double(out_.at(), number));
    return true;
  }
  [[nodiscard]] static bool special_double(std::string_view text, double& number) {
    if (text == "NaN") number = std::numeric_limits<double>::quiet_NaN();
    else if (text == "Infinity") number = std::numeric_limits<double>::infinity();
    else if (text == "-Infinity") number = -std::numeric_limits<double>::infinity();
    else return false;
    return true;
  }

  THRIFTLENS_NOINLINE bool string_value() {
    if (in_.peek() != '"') [[unlikely]] return mismatch(kinds::string);
    return string_content();
  }
  // The string at in_ with its size in front.
  THRIFTLENS_INLINE bool string_content() {
    constexpr std::size_t front = Protocol::id == protocol_id::binary ? 4 : 1;  // Compact: longer sizes move the text
    const std::uint8_t* at = in_.at();
    std::uint8_t* first = out_.at() + front;
    std::uint8_t* last = in_.take_string(first);
    if (last == nullptr) [[unlikely]] return bad_string();
    return put_sized(first, last, at);
  }
  // [first, last) is at the room for a size behind out_.
  THRIFTLENS_INLINE bool put_sized(std::uint8_t* first, std::uint8_t* last, const std::uint8_t* at) {
    const auto size = static_cast<std::size_t>(last - first);
    if (size > bounds_.string_size || size > 0x7fffffffu) [[unlikely]] return fail(errc::size_limit, at);
    if constexpr (Protocol::id == protocol_id::binary) {
      Protocol::put_size(out_.at(), static_cast<std::uint32_t>(size));
    } else {
      std::uint8_t head[Protocol::size_room];
      const auto length = static_cast<std::size_t>(Protocol::put_size(head, static_cast<std::uint32_t>(size)) - head);
      if (length > 1) std::memmove(first + length - 1, first, size);
      std::memcpy(out_.at(), head, length);
      last += length - 1;
    }
    out_.move_to(last);
    return true;
  }

  THRIFTLENS_NOINLINE bool binary_value() {
    if (in_.peek() != '"') [[unlikely]] return mismatch(kinds::binary);
    return binary_content();
  }
  bool binary_content() {
    const std::uint8_t* at = in_.at();
    std::string_view text;
    std::string unescaped;
    if (!in_.take_plain_string(text)) {
      if (!short_string(text)) return false;
      text = unescaped = std::string(text);  // its present place is about to be written to
    }
    constexpr std::size_t front = Protocol::id == protocol_id::binary ? 4 : 1;
    const simd::base64_form form = options_.base64 == json_base64::strict ? simd::base64_form::strict : simd::base64_form::lenient;
    std::uint8_t* first = out_.at() + front;
    std::uint8_t* last = simd::decode_base64(first, {text.data(), text.size()}, form);
    if (last == nullptr) return fail(errc::bad_base64, at);
    return put_sized(first, last, at);
  }
  THRIFTLENS_NOINLINE bool uuid_value() {
    if (in_.peek() != '"') return mismatch(kinds::uuid);
    const std::uint8_t* at = in_.at();
    std::string_view text;
    uuid_bytes id;
    if (!short_string(text)) return false;
    if (!parse_uuid(text, id)) return fail(errc::bad_uuid, at);
    out_.move_to(Protocol::put_uuid(out_.at(), id));
    return true;
  }
  [[nodiscard]] static bool parse_uuid(std::string_view text, uuid_bytes& id) noexcept {
    if (text.size() != 36) return false;
    const auto* at = reinterpret_cast<const std::uint8_t*>(text.data());
    for (std::size_t i = 0; i < id.size(); ++i) {
      if ((i == 4 || i == 6 || i == 8 || i == 10) && *at++ != '-') return false;
      const int high = simd::detail::hex_digit(at[0]), low = simd::detail::hex_digit(at[1]);
      if ((high | low) < 0) return false;
      id[i] = static_cast<std::uint8_t>(high << 4 | low);
      at += 2;
    }
    return true;
  }
  THRIFTLENS_NOINLINE bool enum_value(std::uint32_t type) {
    std::int64_t number = 0;
    if (in_.peek() == '"') {
      const std::uint8_t* at = in_.at();
      std::string_view text;
      if (!short_string(text) || !enum_number(text, type, number, at)) return false;
    } else if (!integer<std::int32_t>(kinds::enum_, number)) {
      return false;
    }
    put(static_cast<std::int32_t>(number));
    return true;
  }
  bool enum_number(std::string_view text, std::uint32_t type, std::int64_t& number, const std::uint8_t* at) {
    const std::uint32_t member = image_.find_member(image_.enums[image_.types[type].first], text);
    if (member != image::none) return number = image_.enum_members[member].value, true;
    json_number quoted;
    if (options_.quoted_numbers == json_quoted_numbers::accept && whole_number(text, quoted)) {
      if (to_integer(quoted, number) == number_fit::fits && number == static_cast<std::int32_t>(number)) return true;
      return fail(errc::integer_range, at, range_text(kinds::enum_));
    }
    return fail(errc::unknown_enum_name, at, no_such_member_text({&image_, type}, text));
  }

  // ---- keys of maps

  // A key that is not a string in the IDL. in_ is at its opening quote.
  bool scalar_key(type_kind kind, std::uint32_t type) {
    const std::uint8_t* at = in_.at();
    if (kind == kinds::binary) return binary_content();
    if (kind == kinds::uuid) return uuid_value();
    std::string_view text;
    if (!short_string(text)) return false;
    std::int64_t number = 0;
    switch (kind) {
      case kinds::bool_:
        if (text != "true" && text != "false") return bad_key(kind, at);
        out_.move_to(Protocol::put_bool(out_.at(), text == "true"));
        return true;
      case kinds::i8: return key_integer<std::int8_t>(kind, text, number, at) && (put(static_cast<std::int8_t>(number)), true);
      case kinds::i16: return key_integer<std::int16_t>(kind, text, number, at) && (put(static_cast<std::int16_t>(number)), true);
      case kinds::i32: return key_integer<std::int32_t>(kind, text, number, at) && (put(static_cast<std::int32_t>(number)), true);
      case kinds::i64: return key_integer<std::int64_t>(kind, text, number, at) && (put(number), true);
      case kinds::enum_:
        if (text.empty() || (text[0] != '-' && !detail::is_digit(static_cast<std::uint8_t>(text[0])))) {
          if (!enum_number(text, type, number, at)) return false;
        } else if (!key_integer<std::int32_t>(kind, text, number, at)) {
          return false;
        }
        put(static_cast<std::int32_t>(number));
        return true;
      case kinds::double_: return key_double(text, at);
      default: return bad_key(kind, at);
    }
  }
  template <class Int>
  bool key_integer(type_kind kind, std::string_view text, std::int64_t& number, const std::uint8_t* at) {
    const auto* first = reinterpret_cast<const std::uint8_t*>(text.data());
    std::uint64_t magnitude = 0;
    bool negative = false;
    const std::uint8_t* last = parse_plain_integer(first, first + text.size(), magnitude, negative);
    if (last == nullptr || last != first + text.size()) {
      json_number other;
      if (whole_number(text, other) && other.end - other.begin > 19 && to_integer(other, number) == number_fit::range)
        return fail(errc::integer_range, at, range_text(kind));
      return bad_key(kind, at);
    }
    return in_range<Int>(magnitude, negative, number) || fail(errc::integer_range, at, range_text(kind));
  }
  bool key_double(std::string_view text, const std::uint8_t* at) {
    double number = 0;
    json_number plain;
    if (whole_number(text, plain)) {
      if (!to_double(plain, number)) return fail(errc::double_range, at);
    } else if (options_.nonfinite != json_nonfinite::string || !special_double(text, number)) {
      return bad_key(kinds::double_, at);
    }
    out_.move_to(Protocol::put_double(out_.at(), number));
    return true;
  }
  THRIFTLENS_COLD bool bad_key(type_kind kind, const std::uint8_t* at) {
    return fail(errc::bad_map_key, at, "a map key that " + std::string(to_string(kind)) + " does not allow");
  }

  // The key at `at` as it stands in the text, for paths.
  [[nodiscard]] std::string_view key_text(const std::uint8_t* at, type_kind key) const {
    const std::uint8_t* end = at + 1;
    while (end != in_.end() && *end != '"') end += *end == '\\' && end + 1 != in_.end() ? 2 : 1;
    const bool quoted = key == kinds::string || key == kinds::binary || key == kinds::uuid;
    if (!quoted) return {reinterpret_cast<const char*>(at) + 1, static_cast<std::size_t>(end - at - 1)};
    return {reinterpret_cast<const char*>(at), static_cast<std::size_t>(end - at) + (end != in_.end() ? 1 : 0)};
  }

  // ---- tokens

  // Over a comma (more) or the closing bracket.
  THRIFTLENS_INLINE bool more_follows(char close, bool& more) {
    const std::uint8_t next = in_.peek();
    more = next == ',';
    if (!more && next != static_cast<std::uint8_t>(close)) [[unlikely]]
      return fail(errc::json_syntax, std::string("expected ',' or '") + close + "'");
    in_.advance();
    if (more) in_.peek();
    return true;
  }
  // The content of the string at in_, good until anything is written.
  bool short_string(std::string_view& text) {
    if (in_.take_plain_string(text)) [[likely]] return true;
    const std::uint8_t* end = in_.take_string(out_.at());
    if (end == nullptr) return bad_string();
    text = {reinterpret_cast<const char*>(out_.at()), static_cast<std::size_t>(end - out_.at())};
    return true;
  }
  bool at_text_end() {
    in_.peek();
    return in_.remaining() == 0 || fail(errc::json_syntax, "text follows the end of the value");
  }
  bool enter() {
    if (depth_left_ == 0) return fail(errc::depth_limit);
    --depth_left_;
    return true;
  }
  // What is written never takes more than the text that is left, except for headers and numbers: those fit the slack.
  THRIFTLENS_INLINE bool room() { return out_.need(in_.remaining() + slack) || fail(errc::output_limit); }

  // ---- faults

  THRIFTLENS_COLD bool fail(errc code, const std::uint8_t* at, std::string detail = {}) {
    if (fault_.code != errc::ok) return false;
    fault_ = {code, 0, static_cast<std::size_t>(at - in_.begin())};
    detail_ = std::move(detail);
    return false;
  }
  THRIFTLENS_COLD bool fail(errc code, std::string detail = {}) { return fail(code, in_.at(), std::move(detail)); }
  THRIFTLENS_COLD bool bad_string() {
    return fail(errc::json_syntax, in_.remaining() == 0 ? "a string without its closing quote"
                                                        : "an escape or control character that JSON does not allow");
  }
  THRIFTLENS_COLD bool mismatch(type_kind kind, std::string_view wanted = {}) {
    const std::uint8_t first = in_.peek();
    const std::uint8_t* at = in_.at();
    const std::string_view found = first == '"'                                  ? "string"
                                   : first == '{'                                ? "object"
                                   : first == '['                                ? "array"
                                   : first == '-' || detail::is_digit(first)     ? "number"
                                   : first == 't' && in_.take_literal("true")    ? "true"
                                   : first == 'f' && in_.take_literal("false")   ? "false"
                                   : first == 'n' && in_.take_literal("null")    ? "null"
                                                                                 : "";
    if (found.empty())
      return fail(errc::json_syntax, in_.remaining() == 0 ? "the text ends where a value is expected" : "expected a value");
    if (!wanted.empty()) return fail(errc::json_type, at, "expected " + std::string(wanted) + ", found " + std::string(found));
    return fail(errc::json_type, at, expected(kind) + std::string(found));
  }
  [[nodiscard]] static std::string expected(type_kind kind) { return "expected " + std::string(to_string(kind)) + ", found "; }
  [[nodiscard]] static std::string range_text(type_kind kind) {
    return "an integer outside the range of " + std::string(to_string(kind));
  }

  Source in_;
  out_cursor out_;
  const schema_image& image_;
  const from_json_options& options_;
  const limits& bounds_;
  std::uint32_t depth_left_;
  fault fault_;
  path_trail trail_;
  std::string detail_;
};

}  // namespace thriftlens
