// read_state: state of the JSON reader: tokens, output, depth and fault.
#pragma once

#include <thriftlens/core/error.hpp>
#include <thriftlens/core/fault.hpp>
#include <thriftlens/core/limits.hpp>
#include <thriftlens/core/path_builder.hpp>
#include <thriftlens/json/options.hpp>
#include <thriftlens/json/out_cursor.hpp>
#include <thriftlens/json/read/text_source.hpp>
#include <thriftlens/protocol/concept.hpp>
#include <thriftlens/schema/type.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Position in the text and in the output. Passed by value, in registers. False after a fault.
struct json_position {
  const std::uint8_t* at = nullptr;
  std::uint8_t* to = nullptr;
  [[nodiscard]] explicit operator bool() const noexcept { return at != nullptr; }
};

/// The result of a function after a fault.
struct json_failed {
  operator bool() const noexcept { return false; }
  operator json_position() const noexcept { return {}; }
};

/// State of json_reader. All functions return false or no position after a fault.
template <protocol Protocol>
class json_read_state {
 protected:
  using kinds = type_kind;
  static constexpr std::size_t slack = 128;  // more than any header, number or block overwrites

  json_read_state(const schema_image& image, buffer& to, const from_json_options& options,
                  const limits& bounds, std::size_t text_size)
      : out_(to, bounds.max_output(text_size)),
        image_(image),
        options_(options),
        bounds_(bounds),
        depth_left_(bounds.depth < limits::max_depth ? bounds.depth : limits::max_depth) {}
  ~json_read_state() = default;

  // ---- tokens

  // Takes a comma (`more`; `next` is the first character after it) or the closing bracket.
  THRIFTLENS_INLINE bool more_follows(json_position& pos, char close, bool& more, std::uint8_t& next) {
    const std::uint8_t first = in_.peek(pos.at);
    more = first == ',';
    if (!more && first != static_cast<std::uint8_t>(close)) return no_separator(pos.at, close);
    in_.advance(pos.at);
    if (more) next = in_.peek(pos.at);
    return true;
  }
  THRIFTLENS_COLD json_failed no_quote(const std::uint8_t* at) {
    return reject(errc::json_syntax, at, "expected a key in quotes");
  }
  THRIFTLENS_COLD json_failed no_separator(const std::uint8_t* at, char close) {
    return reject(errc::json_syntax, at, std::string("expected ',' or '") + close + "'");
  }
  // Takes an opening bracket; false after an empty pair of brackets.
  THRIFTLENS_INLINE bool is_filled(json_position& pos, char close, std::uint8_t& next) {
    in_.advance(pos.at);
    next = in_.peek(pos.at);
    if (next != static_cast<std::uint8_t>(close)) [[likely]]
      return true;
    in_.advance(pos.at);
    return false;
  }
  THRIFTLENS_INLINE bool take_colon(json_position& pos) {
    if (in_.peek(pos.at) != ':') return reject(errc::json_syntax, pos.at, "expected ':'");
    in_.advance(pos.at);
    return true;
  }
  // The content of the string at pos.at, valid until the output is written to.
  THRIFTLENS_NOINLINE bool short_string(json_position& pos, std::string_view& text) {
    if (in_.take_plain_string(pos.at, text)) [[likely]]
      return true;
    const std::uint8_t* const end = string_with_escapes(pos.at, pos.to);
    if (end == nullptr) return false;
    text = {reinterpret_cast<const char*>(pos.to), static_cast<std::size_t>(end - pos.to)};
    return true;
  }
  // Writes the content of a string as text_source::take_string does. Null with the fault set.
  [[nodiscard]] THRIFTLENS_INLINE std::uint8_t* string_with_escapes(const std::uint8_t*& at,
                                                                    std::uint8_t* to) {
    const std::uint8_t* const start = at;
    std::uint8_t* const end = in_.take_string(at, to);
    return end != nullptr ? end : string_with_surrogates(start, at, to);
  }
  [[nodiscard]] THRIFTLENS_COLD std::uint8_t* string_with_surrogates(const std::uint8_t* start,
                                                                     const std::uint8_t*& at,
                                                                     std::uint8_t* to) {
    const std::uint8_t* const stop = std::exchange(at, start);
    if (options_.invalid_utf8 != on_invalid_utf8::error) {
      if (std::uint8_t* const end = in_.take_surrogates(at, to, options_.invalid_utf8)) return end;
    }
    at = stop;
    bad_string(stop);
    return nullptr;
  }
  bool at_text_end(const std::uint8_t* at) {
    in_.peek(at);
    return in_.remaining(at) == 0 || reject(errc::json_syntax, at, "text follows the end of the value");
  }

  // ---- bounds

  bool enter(const std::uint8_t* at) {
    if (depth_left_ == 0) return reject(errc::depth_limit, at);
    --depth_left_;
    return true;
  }
  void leave() noexcept { ++depth_left_; }
  [[nodiscard]] THRIFTLENS_INLINE bool too_many(std::uint32_t count) const noexcept {
    return count > bounds_.container_size || count > 0x7fffffffu;
  }
  // Output never takes more than the remaining text, except for headers and numbers, which fit the slack. So
  // a bound on the distance of output and text is enough.
  THRIFTLENS_INLINE bool reserve(json_position& pos) {
    if (reinterpret_cast<std::intptr_t>(pos.to) - reinterpret_cast<std::intptr_t>(pos.at) <= max_ahead_)
        [[likely]]
      return true;
    pos = reserve_more(pos, 0);
    return static_cast<bool>(pos);
  }
  // Reserves `more` bytes besides.
  THRIFTLENS_NOINLINE json_position reserve_more(json_position pos, std::size_t more) {
    out_.move_to(pos.to);
    if (!out_.need(in_.remaining(pos.at) + slack + more)) return reject(errc::output_limit, pos.at);
    const auto last = reinterpret_cast<std::intptr_t>(out_.at() + out_.remaining());
    max_ahead_ = last - reinterpret_cast<std::intptr_t>(in_.end()) - std::intptr_t{slack};
    return {pos.at, out_.at()};
  }
  // Must be called after a change of the text.
  void forget_capacity() noexcept { max_ahead_ = (std::numeric_limits<std::intptr_t>::min)(); }
  // Replaces the provisional header of a container, `reserved` bytes, by the final one.
  THRIFTLENS_INLINE json_position replace_header(json_position pos, std::size_t header,
                                                 std::ptrdiff_t reserved, const std::uint8_t* bytes,
                                                 std::ptrdiff_t size) {
    std::uint8_t* to = out_.at(header);
    if (size != reserved)
      std::memmove(to + size, to + reserved, static_cast<std::size_t>(pos.to - to - reserved));
    std::memcpy(to, bytes, static_cast<std::size_t>(size));
    return {pos.at, pos.to + (size - reserved)};
  }
  [[nodiscard]] std::size_t offset(const std::uint8_t* to) const noexcept {
    return static_cast<std::size_t>(to - out_.at(0));
  }

  // ---- faults

  THRIFTLENS_COLD json_failed reject(errc code, const std::uint8_t* at, std::string detail = {}) {
    if (fault_.code != errc::ok) return {};
    fault_ = {code, 0, static_cast<std::size_t>(at - in_.begin())};
    detail_ = std::move(detail);
    return {};
  }
  // Rejects a text that `option`, unless null, would accept.
  THRIFTLENS_COLD json_failed fail_without(const char* option, errc code, const std::uint8_t* at,
                                           std::string detail = {}) {
    if (fault_.code == errc::ok) option_ = option;
    return reject(code, at, std::move(detail));
  }
  // The option that would accept the string at `at` as a value of that kind, or null.
  [[nodiscard]] const char* option_for_string(const std::uint8_t* at, type_kind kind) {
    const bool is_number = kind == kinds::i8 || kind == kinds::i16 || kind == kinds::i32 ||
                           kind == kinds::i64 || kind == kinds::double_ || kind == kinds::enum_;
    std::string_view text;
    return is_number && in_.take_plain_string(at, text) ? option_for_text(text, kind) : nullptr;
  }
  [[nodiscard]] static const char* option_for_text(std::string_view text, type_kind kind) {
    double special = 0;
    json_number number;
    if (kind == kinds::double_ && nonfinite_of_text(text, special)) return "nonfinite";
    return is_number(text, number) ? "quoted_numbers" : nullptr;
  }
  [[nodiscard]] static bool is_number(std::string_view text, json_number& number) {
    number = {};
    number.begin = reinterpret_cast<const std::uint8_t*>(text.data());
    const std::uint8_t* const end = number.begin + text.size();
    return parse_number(number, end) && number.end == end;
  }
  THRIFTLENS_COLD json_failed bad_string(const std::uint8_t* at) {
    if (const auto code = simd::detail::unicode_escape(at, in_.end()); code >> 11 == 0xd800 >> 11)
      return fail_without("invalid_utf8", errc::json_syntax, at, "an unpaired surrogate in a string");
    return reject(errc::json_syntax, at,
                  in_.remaining(at) == 0 ? "a string without its closing quote"
                                         : "an escape or control character that JSON does not allow");
  }
  // `expected`: description of the expected value; default: the kind.
  THRIFTLENS_COLD json_failed mismatch(const std::uint8_t* at, type_kind kind,
                                       std::string_view expected = {}) {
    in_.peek(at);
    const std::string_view actual = token_name(at);
    if (!actual.empty()) {
      if (expected.empty()) expected = to_string(kind);
      const char* const option = actual == "string" ? option_for_string(at, kind) : nullptr;
      return fail_without(option, errc::json_type, at, mismatch_text(expected, actual));
    }
    return reject(errc::json_syntax, at,
                  in_.remaining(at) == 0 ? "the text ends where a value is expected" : "expected a value");
  }
  // The kind of JSON value that begins at `at`, or an empty text.
  [[nodiscard]] std::string_view token_name(const std::uint8_t* at) {
    const std::uint8_t first = in_.remaining(at) != 0 ? *at : std::uint8_t{0};
    if (first == '"') return "string";
    if (first == '{') return "object";
    if (first == '[') return "array";
    if (is_number_start(first)) return "number";
    for (const std::string_view literal : {"true", "false", "null"})
      if (in_.take_literal(at, literal)) return literal;
    return {};
  }
  [[nodiscard]] static bool is_number_start(std::uint8_t first) noexcept {
    return first == '-' || detail::is_digit(first);
  }
  [[nodiscard]] static std::string mismatch_text(std::string_view expected, std::string_view actual) {
    return "expected " + std::string(expected) + ", found " + std::string(actual);
  }
  [[nodiscard]] static std::string range_text(type_kind kind) {
    return "an integer outside the range of " + std::string(to_string(kind));
  }
  // Restores the buffer.
  THRIFTLENS_COLD error make_error(std::string_view text) {
    out_.abandon();
    error failure = error(fault_.code, std::move(detail_), fault_.offset, path_.text()).with_option(option_);
    const std::string_view passed = text.substr(0, fault_.offset);
    const std::size_t line_start = passed.rfind('\n') + 1;
    failure.locate(static_cast<std::size_t>(std::count(passed.begin(), passed.end(), '\n')) + 1,
                   fault_.offset - line_start + 1);
    return failure;
  }

  text_source in_;
  out_cursor out_;  // updated by reserve_more() and at the end
  const schema_image& image_;
  const from_json_options& options_;
  const limits& bounds_;
  std::intptr_t max_ahead_ = (std::numeric_limits<std::intptr_t>::min)();
  std::uint32_t depth_left_;
  fault fault_;
  path_builder path_{path_builder::order::innermost_first};
  std::string detail_;
  const char* option_ = nullptr;  // would accept the text
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
