// read_state: what all parts of the JSON reader share: tokens, output, depth, and the fault with its
// words.
#pragma once

#include <thriftlens/core/error.hpp>
#include <thriftlens/core/fault.hpp>
#include <thriftlens/core/limits.hpp>
#include <thriftlens/core/path_builder.hpp>
#include <thriftlens/json/options.hpp>
#include <thriftlens/json/out_cursor.hpp>
#include <thriftlens/json/text_source.hpp>
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

/// Where a reader is in the text and in the output. Passed from function to function by value: in registers.
/// False (no text) after a fault.
struct json_position {
  const std::uint8_t* at = nullptr;
  std::uint8_t* to = nullptr;
  [[nodiscard]] explicit operator bool() const noexcept { return at != nullptr; }
};

/// The result of a function that has met a fault.
struct json_failed {
  operator bool() const noexcept { return false; }
  operator json_position() const noexcept { return {}; }
};

/// State of json_reader. Every function below answers false or no position after a fault.
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

  // Over a comma (more; `next` is the first character of what follows) or the closing bracket.
  THRIFTLENS_INLINE bool more_follows(json_position& now, char close, bool& more, std::uint8_t& next) {
    const std::uint8_t first = in_.peek(now.at);
    more = first == ',';
    if (!more && first != static_cast<std::uint8_t>(close)) return no_separator(now.at, close);
    in_.advance(now.at);
    if (more) next = in_.peek(now.at);
    return true;
  }
  THRIFTLENS_COLD json_failed no_quote(const std::uint8_t* at) {
    return reject(errc::json_syntax, at, "expected a key in quotes");
  }
  THRIFTLENS_COLD json_failed no_separator(const std::uint8_t* at, char close) {
    return reject(errc::json_syntax, at, std::string("expected ',' or '") + close + "'");
  }
  // Over an opening bracket; false where the closing one follows, which is passed too.
  THRIFTLENS_INLINE bool is_filled(json_position& now, char close, std::uint8_t& next) {
    in_.advance(now.at);
    next = in_.peek(now.at);
    if (next != static_cast<std::uint8_t>(close)) [[likely]]
      return true;
    in_.advance(now.at);
    return false;
  }
  THRIFTLENS_INLINE bool take_colon(json_position& now) {
    if (in_.peek(now.at) != ':') return reject(errc::json_syntax, now.at, "expected ':'");
    in_.advance(now.at);
    return true;
  }
  // The content of the string at now.at, valid until the output is written to.
  THRIFTLENS_NOINLINE bool short_string(json_position& now, std::string_view& text) {
    if (in_.take_plain_string(now.at, text)) [[likely]]
      return true;
    const std::uint8_t* const end = string_with_escapes(now.at, now.to);
    if (end == nullptr) return false;
    text = {reinterpret_cast<const char*>(now.to), static_cast<std::size_t>(end - now.to)};
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
  // The output never takes more than the text that is left, but for headers and numbers: those fit the slack.
  // So the output may be ahead of the text by as much anywhere.
  THRIFTLENS_INLINE bool room(json_position& now) {
    if (reinterpret_cast<std::intptr_t>(now.to) - reinterpret_cast<std::intptr_t>(now.at) <= max_ahead_)
        [[likely]]
      return true;
    now = more_room(now, 0);
    return static_cast<bool>(now);
  }
  // Room for `more` bytes besides.
  THRIFTLENS_NOINLINE json_position more_room(json_position now, std::size_t more) {
    out_.move_to(now.to);
    if (!out_.need(in_.remaining(now.at) + slack + more)) return reject(errc::output_limit, now.at);
    const auto last = reinterpret_cast<std::intptr_t>(out_.at() + out_.room());
    max_ahead_ = last - reinterpret_cast<std::intptr_t>(in_.end()) - std::intptr_t{slack};
    return {now.at, out_.at()};
  }
  // The text is another one.
  void forget_room() noexcept { max_ahead_ = (std::numeric_limits<std::intptr_t>::min)(); }
  // Puts a container's header, which is known at its end, in the place of one of `reserved` bytes. There is
  // room.
  THRIFTLENS_INLINE json_position replace_header(json_position now, std::size_t header,
                                                 std::ptrdiff_t reserved, const std::uint8_t* made,
                                                 std::ptrdiff_t size) {
    std::uint8_t* to = out_.at(header);
    if (size != reserved)
      std::memmove(to + size, to + reserved, static_cast<std::size_t>(now.to - to - reserved));
    std::memcpy(to, made, static_cast<std::size_t>(size));
    return {now.at, now.to + (size - reserved)};
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
  // As fail, of a text that is accepted with an option; null: with none.
  THRIFTLENS_COLD json_failed fail_without(const char* option, errc code, const std::uint8_t* at,
                                           std::string detail = {}) {
    if (fault_.code == errc::ok) option_ = option;
    return reject(code, at, std::move(detail));
  }
  // The option with which the string at `at` is a value of that kind, or null.
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
  // `expected`: what the type asks for, where its kind alone does not say it.
  THRIFTLENS_COLD json_failed mismatch(const std::uint8_t* at, type_kind kind,
                                       std::string_view expected = {}) {
    in_.peek(at);
    const std::string_view found = token_name(at);
    if (!found.empty()) {
      if (expected.empty()) expected = to_string(kind);
      const char* const option = found == "string" ? option_for_string(at, kind) : nullptr;
      return fail_without(option, errc::json_type, at, expected_found(expected, found));
    }
    return reject(errc::json_syntax, at,
                  in_.remaining(at) == 0 ? "the text ends where a value is expected" : "expected a value");
  }
  // What kind of value begins there; empty where none does.
  [[nodiscard]] std::string_view token_name(const std::uint8_t* at) {
    const std::uint8_t first = in_.remaining(at) != 0 ? *at : std::uint8_t{0};
    if (first == '"') return "string";
    if (first == '{') return "object";
    if (first == '[') return "array";
    if (is_number_start(first)) return "number";
    for (const std::string_view word : {"true", "false", "null"})
      if (in_.take_literal(at, word)) return word;
    return {};
  }
  [[nodiscard]] static bool is_number_start(std::uint8_t first) noexcept {
    return first == '-' || detail::is_digit(first);
  }
  [[nodiscard]] static std::string expected_found(std::string_view expected, std::string_view found) {
    return "expected " + std::string(expected) + ", found " + std::string(found);
  }
  [[nodiscard]] static std::string range_text(type_kind kind) {
    return "an integer outside the range of " + std::string(to_string(kind));
  }
  // The buffer is as before.
  THRIFTLENS_COLD error give_error(std::string_view text) {
    out_.abandon();
    error why = error(fault_.code, std::move(detail_), fault_.offset, path_.text()).with_option(option_);
    const std::string_view before = text.substr(0, fault_.offset);
    const std::size_t line_start = before.rfind('\n') + 1;
    why.locate(static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1,
               fault_.offset - line_start + 1);
    return why;
  }

  text_source in_;
  out_cursor out_;  // moved where more room is asked for, and at the end
  const schema_image& image_;
  const from_json_options& options_;
  const limits& bounds_;
  std::intptr_t max_ahead_ = (std::numeric_limits<std::intptr_t>::min)();
  std::uint32_t depth_left_;
  fault fault_;
  path_builder path_{path_builder::order::innermost_first};
  std::string detail_;
  const char* option_ = nullptr;  // with which the text would be accepted
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
