// read_scalar: JSON tokens to single Thrift values; what the reader of whole texts is made from.
// In: a source of tokens, the kind of value wanted. Out: its bytes at the end of a buffer, or a fault.
// Never goes into objects or arrays.
#pragma once

#include <thriftlens/core/fault.hpp>
#include <thriftlens/core/limits.hpp>
#include <thriftlens/json/options.hpp>
#include <thriftlens/json/out_cursor.hpp>
#include <thriftlens/json/path_trail.hpp>
#include <thriftlens/json/text_source.hpp>
#include <thriftlens/protocol/concept.hpp>
#include <thriftlens/schema/suggest.hpp>
#include <thriftlens/schema/type.hpp>
#include <thriftlens/simd/base64.hpp>
#include <thriftlens/text/number_in.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Where a reader is in the text and in the output. Handed from function to function by value: in registers.
/// No text: a fault.
struct json_place {
  const std::uint8_t* at = nullptr;
  std::uint8_t* to = nullptr;
  [[nodiscard]] explicit operator bool() const noexcept { return at != nullptr; }
};

/// What a function says that has met a fault.
struct json_failed {
  operator bool() const noexcept { return false; }
  operator json_place() const noexcept { return {}; }
};

/// State and scalars of json_reader.
template <protocol Protocol>
class json_scalar_reader {
 protected:
  using kinds = type_kind;
  static constexpr std::size_t slack = 128;  // more than any header, number or block overwrites

  json_scalar_reader(const schema_image& image, buffer& to, const from_json_options& options,
                     const limits& bounds, std::size_t text_size)
      : out_(to, bounds.max_output(text_size)),
        image_(image),
        options_(options),
        bounds_(bounds),
        depth_left_(bounds.depth < limits::deepest ? bounds.depth : limits::deepest) {}
  ~json_scalar_reader() = default;

  // ---- values

  // Every function below answers false or no place after a fault. Who wants a value has asked for room()
  // before, and says what in_.peek() was.
  THRIFTLENS_INLINE bool take_bool(json_place& now, std::uint8_t first, bool& is) {
    is = first == 't';
    return in_.take_literal(now.at, is ? "true" : "false");
  }
  THRIFTLENS_NOINLINE json_place bool_value(json_place now, std::uint8_t first) {
    bool is = false;
    if (!take_bool(now, first, is)) [[unlikely]]
      return mismatch(now.at, kinds::bool_);
    return {now.at, Protocol::put_bool(now.to, is)};
  }
  template <class Int>
  THRIFTLENS_NOINLINE json_place integer_value(json_place now, type_kind kind) {
    const std::uint8_t* start = now.at;
    std::uint64_t magnitude = 0;
    bool negative = false;
    if (!in_.take_plain_integer(now.at, magnitude, negative)) [[unlikely]]
      return odd_integer<Int>(now, kind);
    return put_in_range<Int>(now, kind, magnitude, negative, start);
  }
  template <class Int>
  THRIFTLENS_INLINE json_place put_in_range(json_place now, type_kind kind, std::uint64_t magnitude,
                                            bool negative, const std::uint8_t* start) {
    std::int64_t number = 0;
    if (!in_range<Int>(magnitude, negative, number)) [[unlikely]]
      return fail(errc::integer_range, start, range_text(kind));
    return {now.at, put(now.to, static_cast<Int>(number))};
  }
  static THRIFTLENS_INLINE std::uint8_t* put(std::uint8_t* to, std::int8_t number) {
    return Protocol::put_i8(to, number);
  }
  static THRIFTLENS_INLINE std::uint8_t* put(std::uint8_t* to, std::int16_t number) {
    return Protocol::put_i16(to, number);
  }
  static THRIFTLENS_INLINE std::uint8_t* put(std::uint8_t* to, std::int32_t number) {
    return Protocol::put_i32(to, number);
  }
  static THRIFTLENS_INLINE std::uint8_t* put(std::uint8_t* to, std::int64_t number) {
    return Protocol::put_i64(to, number);
  }

  template <class Int>
  [[nodiscard]] static THRIFTLENS_INLINE bool in_range(std::uint64_t magnitude, bool negative,
                                                       std::int64_t& number) {
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<Int>::max());
    number = static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude);
    return magnitude <= most + (negative ? 1 : 0);
  }
  // With a fraction, an exponent, quotes, too many digits, or no integer at all.
  template <class Int>
  THRIFTLENS_NOINLINE json_place odd_integer(json_place now, type_kind kind) {
    const std::uint8_t* start = now.at;
    json_number odd;
    std::int64_t number = 0;
    if (!number_token(now, kind, odd)) return {};
    const number_fit fit = to_integer(odd, number);
    if (fit == number_fit::fraction) return fail(errc::json_type, start, expected(kind) + "a fraction");
    if (fit == number_fit::range || number < std::numeric_limits<Int>::min() ||
        number > std::numeric_limits<Int>::max())
      return fail(errc::integer_range, start, range_text(kind));
    return {now.at, put(now.to, static_cast<Int>(number))};
  }
  // A number, or a quoted one where they are accepted.
  THRIFTLENS_INLINE bool number_token(json_place& now, type_kind kind, json_number& number) {
    if (in_.take_number(now.at, number)) [[likely]]
      return true;
    now = odd_number_token(now, kind, number);
    return static_cast<bool>(now);
  }
  THRIFTLENS_NOINLINE json_place odd_number_token(json_place now, type_kind kind, json_number& number) {
    const std::uint8_t* start = now.at;
    const std::uint8_t first = in_.peek(now.at);
    if (first == '"' && options_.quoted_numbers == json_quoted_numbers::accept) {
      std::string_view text;
      if (!short_string(now, text)) return {};
      if (!whole_number(text, number))
        return fail(errc::json_type, start, expected(kind) + "a string that is no number");
      return now;
    }
    if (first != '-' && !detail::is_digit(first)) return mismatch(start, kind);
    return fail(errc::json_syntax, start, "a number that JSON does not allow");
  }
  [[nodiscard]] static bool whole_number(std::string_view text, json_number& number) {
    number = {};
    number.begin = reinterpret_cast<const std::uint8_t*>(text.data());
    const std::uint8_t* end = number.begin + text.size();
    return parse_number(number, end) && number.end == end;
  }

  THRIFTLENS_NOINLINE json_place double_value(json_place now, std::uint8_t first) {
    const std::uint8_t* start = now.at;
    double number = 0;
    json_number plain;
    if (first == '"' && options_.nonfinite == json_nonfinite::string) [[unlikely]]
      return double_in_quotes(now);
    if (!number_token(now, kinds::double_, plain)) return {};
    if (!to_double(plain, number)) return fail(errc::double_range, start);
    return {now.at, Protocol::put_double(now.to, number)};
  }
  THRIFTLENS_NOINLINE json_place double_in_quotes(json_place now) {
    const std::uint8_t* start = now.at;
    double number = 0;
    std::string_view text;
    if (!short_string(now, text)) return {};
    if (!special_double(text, number)) {
      json_number quoted;
      if (options_.quoted_numbers != json_quoted_numbers::accept || !whole_number(text, quoted))
        return fail(errc::json_type, start, expected(kinds::double_) + "string");
      if (!to_double(quoted, number)) return fail(errc::double_range, start);
    }
    return {now.at, Protocol::put_double(now.to, number)};
  }
  [[nodiscard]] static bool special_double(std::string_view text, double& number) {
    if (text == "NaN")
      number = std::numeric_limits<double>::quiet_NaN();
    else if (text == "Infinity")
      number = std::numeric_limits<double>::infinity();
    else if (text == "-Infinity")
      number = -std::numeric_limits<double>::infinity();
    else
      return false;
    return true;
  }

  THRIFTLENS_NOINLINE json_place string_value(json_place now, std::uint8_t first) {
    if (first != '"') [[unlikely]]
      return mismatch(now.at, kinds::string);
    return string_content(now);
  }
  static constexpr std::size_t size_front =
      Protocol::id == protocol_id::binary ? 4 : 1;  // Compact: longer sizes move the text
  // The string at now.at with its size in front.
  THRIFTLENS_INLINE json_place string_content(json_place now) {
    const std::uint8_t* start = now.at;
    std::uint8_t* first = now.to + size_front;
    std::uint8_t* last = in_.take_string(now.at, first);
    if (last == nullptr) [[unlikely]]
      return bad_string(now.at);
    return put_sized(now, first, last, start);
  }
  // [first, last) is behind the room for a size at now.to.
  THRIFTLENS_INLINE json_place put_sized(json_place now, std::uint8_t* first, std::uint8_t* last,
                                         const std::uint8_t* start) {
    const auto size = static_cast<std::size_t>(last - first);
    if (size > bounds_.string_size || size > 0x7fffffffu) [[unlikely]]
      return fail(errc::size_limit, start);
    if constexpr (Protocol::id == protocol_id::binary) {
      Protocol::put_size(now.to, static_cast<std::uint32_t>(size));
    } else {
      std::uint8_t head[Protocol::size_room];
      const auto length =
          static_cast<std::size_t>(Protocol::put_size(head, static_cast<std::uint32_t>(size)) - head);
      if (length > 1) std::memmove(first + length - 1, first, size);
      std::memcpy(now.to, head, length);
      last += length - 1;
    }
    return {now.at, last};
  }

  THRIFTLENS_NOINLINE json_place binary_value(json_place now, std::uint8_t first) {
    if (first != '"') [[unlikely]]
      return mismatch(now.at, kinds::binary);
    const std::uint8_t* start = now.at;
    std::string_view text;
    if (!in_.take_long_plain_string(now.at, text)) [[unlikely]]
      return escaped_binary(now);
    return put_base64(now, text, start);
  }
  THRIFTLENS_NOINLINE json_place escaped_binary(json_place now) {
    const std::uint8_t* start = now.at;
    std::string_view text;
    if (!short_string(now, text)) return {};
    const std::string unescaped(text);  // its present place is about to be written to
    return put_base64(now, unescaped, start);
  }
  THRIFTLENS_INLINE json_place put_base64(json_place now, std::string_view text, const std::uint8_t* start) {
    const simd::base64_form form =
        options_.base64 == json_base64::strict ? simd::base64_form::strict : simd::base64_form::lenient;
    std::uint8_t* first = now.to + size_front;
    std::uint8_t* last = simd::decode_base64(first, {text.data(), text.size()}, form);
    if (last == nullptr) [[unlikely]]
      return fail(errc::bad_base64, start);
    return put_sized(now, first, last, start);
  }
  THRIFTLENS_NOINLINE json_place uuid_value(json_place now, std::uint8_t first) {
    if (first != '"') return mismatch(now.at, kinds::uuid);
    const std::uint8_t* start = now.at;
    std::string_view text;
    uuid_bytes id;
    if (!short_string(now, text)) return {};
    if (!parse_uuid(text, id)) return fail(errc::bad_uuid, start);
    return {now.at, Protocol::put_uuid(now.to, id)};
  }
  THRIFTLENS_NOINLINE json_place enum_value(json_place now, std::uint8_t first, std::uint32_t type) {
    if (first != '"') return integer_value<std::int32_t>(now, kinds::enum_);
    const std::uint8_t* start = now.at;
    std::string_view text;
    std::int64_t number = 0;
    if (!short_string(now, text) || !enum_number(text, type, number, start)) return {};
    return {now.at, put(now.to, static_cast<std::int32_t>(number))};
  }
  bool enum_number(std::string_view text, std::uint32_t type, std::int64_t& number, const std::uint8_t* at) {
    const std::uint32_t member = image_.find_member(image_.enums[image_.types[type].first], text);
    if (member != image::none) return number = image_.enum_members[member].value, true;
    json_number quoted;
    if (options_.quoted_numbers == json_quoted_numbers::accept && whole_number(text, quoted)) {
      if (to_integer(quoted, number) == number_fit::fits && number == static_cast<std::int32_t>(number))
        return true;
      return fail(errc::integer_range, at, range_text(kinds::enum_));
    }
    return fail(errc::unknown_enum_name, at, no_such_member_text({&image_, type}, text));
  }

  // ---- keys of maps

  // A key that is not a string in the IDL. now.at is at its opening quote.
  THRIFTLENS_NOINLINE json_place scalar_key(json_place now, type_kind kind, std::uint32_t type) {
    const std::uint8_t* start = now.at;
    if (kind == kinds::binary) return binary_value(now, '"');
    if (kind == kinds::uuid) return uuid_value(now, '"');
    std::uint64_t magnitude = 0;
    bool negative = false;
    if (kind == kinds::bool_ || kind == kinds::double_ ||
        !in_.take_quoted_integer(now.at, magnitude, negative)) [[unlikely]]
      return odd_key(now, kind, type);
    switch (kind) {
      case kinds::i8:
        return put_in_range<std::int8_t>(now, kind, magnitude, negative, start);
      case kinds::i16:
        return put_in_range<std::int16_t>(now, kind, magnitude, negative, start);
      case kinds::i64:
        return put_in_range<std::int64_t>(now, kind, magnitude, negative, start);
      default:
        return put_in_range<std::int32_t>(now, kind, magnitude, negative, start);
    }
  }
  THRIFTLENS_NOINLINE json_place odd_key(json_place now, type_kind kind, std::uint32_t type) {
    const std::uint8_t* start = now.at;
    std::string_view text;
    if (!short_string(now, text)) return {};
    std::int64_t number = 0;
    switch (kind) {
      case kinds::bool_:
        if (text != "true" && text != "false") return bad_key(kind, start);
        return {now.at, Protocol::put_bool(now.to, text == "true")};
      case kinds::i8:
        return key_integer<std::int8_t>(now, kind, text, start);
      case kinds::i16:
        return key_integer<std::int16_t>(now, kind, text, start);
      case kinds::i32:
        return key_integer<std::int32_t>(now, kind, text, start);
      case kinds::i64:
        return key_integer<std::int64_t>(now, kind, text, start);
      case kinds::enum_:
        if (!text.empty() && (text[0] == '-' || detail::is_digit(static_cast<std::uint8_t>(text[0]))))
          return key_integer<std::int32_t>(now, kind, text, start);
        if (!enum_number(text, type, number, start)) return {};
        return {now.at, put(now.to, static_cast<std::int32_t>(number))};
      case kinds::double_:
        return key_double(now, text, start);
      default:
        return bad_key(kind, start);
    }
  }
  template <class Int>
  json_place key_integer(json_place now, type_kind kind, std::string_view text, const std::uint8_t* start) {
    const auto* first = reinterpret_cast<const std::uint8_t*>(text.data());
    std::uint64_t magnitude = 0;
    bool negative = false;
    const std::uint8_t* last = parse_plain_integer(first, first + text.size(), magnitude, negative);
    if (last == nullptr || last != first + text.size()) {
      json_number other;
      std::int64_t number = 0;
      if (whole_number(text, other) && other.end - other.begin > 19 &&
          to_integer(other, number) == number_fit::range)
        return fail(errc::integer_range, start, range_text(kind));
      return bad_key(kind, start);
    }
    return put_in_range<Int>(now, kind, magnitude, negative, start);
  }
  json_place key_double(json_place now, std::string_view text, const std::uint8_t* start) {
    double number = 0;
    json_number plain;
    if (whole_number(text, plain)) {
      if (!to_double(plain, number)) return fail(errc::double_range, start);
    } else if (options_.nonfinite != json_nonfinite::string || !special_double(text, number)) {
      return bad_key(kinds::double_, start);
    }
    return {now.at, Protocol::put_double(now.to, number)};
  }
  THRIFTLENS_COLD json_failed bad_key(type_kind kind, const std::uint8_t* at) {
    return fail(errc::bad_map_key, at, "a map key that " + std::string(to_string(kind)) + " does not allow");
  }

  // The key at `at` as it stands in the text, for paths.
  [[nodiscard]] std::string_view key_text(const std::uint8_t* at, type_kind key) const {
    const std::uint8_t* end = at + 1;
    while (end != in_.end() && *end != '"') end += *end == '\\' && end + 1 != in_.end() ? 2 : 1;
    const bool quoted = key == kinds::string || key == kinds::binary || key == kinds::uuid;
    if (!quoted) return {reinterpret_cast<const char*>(at) + 1, static_cast<std::size_t>(end - at - 1)};
    return {reinterpret_cast<const char*>(at),
            static_cast<std::size_t>(end - at) + (end != in_.end() ? 1 : 0)};
  }

  // ---- tokens

  // Over a comma (more; `next` begins what follows it) or the closing bracket.
  THRIFTLENS_INLINE bool more_follows(json_place& now, char close, bool& more, std::uint8_t& next) {
    const std::uint8_t first = in_.peek(now.at);
    more = first == ',';
    if (!more && first != static_cast<std::uint8_t>(close)) [[unlikely]]
      return no_separator(now.at, close);
    in_.advance(now.at);
    if (more) next = in_.peek(now.at);
    return true;
  }
  THRIFTLENS_COLD json_failed no_separator(const std::uint8_t* at, char close) {
    return fail(errc::json_syntax, at, std::string("expected ',' or '") + close + "'");
  }
  // The content of the string at now.at, good until anything is written.
  THRIFTLENS_NOINLINE bool short_string(json_place& now, std::string_view& text) {
    if (in_.take_plain_string(now.at, text)) [[likely]]
      return true;
    const std::uint8_t* end = in_.take_string(now.at, now.to);
    if (end == nullptr) return bad_string(now.at);
    text = {reinterpret_cast<const char*>(now.to), static_cast<std::size_t>(end - now.to)};
    return true;
  }
  bool at_text_end(const std::uint8_t* at) {
    in_.peek(at);
    return in_.remaining(at) == 0 || fail(errc::json_syntax, at, "text follows the end of the value");
  }
  bool enter(const std::uint8_t* at) {
    if (depth_left_ == 0) return fail(errc::depth_limit, at);
    --depth_left_;
    return true;
  }
  // What is written never takes more than the text that is left, except for headers and numbers: those fit
  // the slack. The output's place may be ahead of the text's by as much wherever both are.
  THRIFTLENS_INLINE bool room(json_place& now) {
    if (reinterpret_cast<std::intptr_t>(now.to) - reinterpret_cast<std::intptr_t>(now.at) <= most_ahead_)
        [[likely]]
      return true;
    now = more_room(now, 0);
    return static_cast<bool>(now);
  }
  // Room for `more` bytes besides.
  THRIFTLENS_NOINLINE json_place more_room(json_place now, std::size_t more) {
    out_.move_to(now.to);
    if (!out_.need(in_.remaining(now.at) + slack + more)) return fail(errc::output_limit, now.at);
    const auto last = reinterpret_cast<std::intptr_t>(out_.at() + out_.room());
    most_ahead_ = last - reinterpret_cast<std::intptr_t>(in_.end()) - std::intptr_t{slack};
    return {now.at, out_.at()};
  }
  // The text is another one.
  void forget_room() noexcept { most_ahead_ = std::numeric_limits<std::intptr_t>::min(); }

  // ---- faults

  THRIFTLENS_COLD json_failed fail(errc code, const std::uint8_t* at, std::string detail = {}) {
    if (fault_.code != errc::ok) return {};
    fault_ = {code, 0, static_cast<std::size_t>(at - in_.begin())};
    detail_ = std::move(detail);
    return {};
  }
  THRIFTLENS_COLD json_failed bad_string(const std::uint8_t* at) {
    return fail(errc::json_syntax, at,
                in_.remaining(at) == 0 ? "a string without its closing quote"
                                       : "an escape or control character that JSON does not allow");
  }
  THRIFTLENS_COLD json_failed mismatch(const std::uint8_t* at, type_kind kind, std::string_view wanted = {}) {
    const std::uint8_t first = in_.peek(at);
    const std::uint8_t* start = at;
    const std::string_view found = first == '"'                                    ? "string"
                                   : first == '{'                                  ? "object"
                                   : first == '['                                  ? "array"
                                   : first == '-' || detail::is_digit(first)       ? "number"
                                   : first == 't' && in_.take_literal(at, "true")  ? "true"
                                   : first == 'f' && in_.take_literal(at, "false") ? "false"
                                   : first == 'n' && in_.take_literal(at, "null")  ? "null"
                                                                                   : "";
    if (found.empty())
      return fail(errc::json_syntax, at,
                  in_.remaining(at) == 0 ? "the text ends where a value is expected" : "expected a value");
    if (!wanted.empty())
      return fail(errc::json_type, start,
                  "expected " + std::string(wanted) + ", found " + std::string(found));
    return fail(errc::json_type, start, expected(kind) + std::string(found));
  }
  [[nodiscard]] static std::string expected(type_kind kind) {
    return "expected " + std::string(to_string(kind)) + ", found ";
  }
  [[nodiscard]] static std::string range_text(type_kind kind) {
    return "an integer outside the range of " + std::string(to_string(kind));
  }

  text_source in_;
  out_cursor out_;  // its place is brought up to date where it is asked for room, and at the end
  const schema_image& image_;
  const from_json_options& options_;
  const limits& bounds_;
  std::intptr_t most_ahead_ = std::numeric_limits<std::intptr_t>::min();
  std::uint32_t depth_left_;
  fault fault_;
  path_trail trail_;
  std::string detail_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
