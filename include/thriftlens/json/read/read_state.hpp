// read_state: state of the JSON reader: tokens, output, depth and fault.
#pragma once

#include <thriftlens/core/error.hpp>
#include <thriftlens/core/fault.hpp>
#include <thriftlens/core/joined.hpp>
#include <thriftlens/core/limits.hpp>
#include <thriftlens/core/path_builder.hpp>
#include <thriftlens/core/pod_vector.hpp>
#include <thriftlens/core/small_algorithm.hpp>
#include <thriftlens/json/entry_marks.hpp>
#include <thriftlens/json/options.hpp>
#include <thriftlens/json/out_cursor.hpp>
#include <thriftlens/json/read/text_source.hpp>
#include <thriftlens/protocol/header.hpp>
#include <thriftlens/protocol/struct_ids.hpp>
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

namespace json_read {

/// A member of an object and its field in the output, recorded if the last of equal keys counts.
struct field_mark {
  std::size_t entry = 0;
  std::size_t body = 0;     ///< of the value, unless that is in the header
  std::uint32_t field = 0;  ///< none: the IDL does not know it
  field_header header = {};
  std::uint8_t truth = 0;  ///< of a bool
  bool absent = false;
  bool dropped = false;
  [[nodiscard]] bool stays() const noexcept { return !dropped && !absent; }
};

}  // namespace json_read

/// State of json_reader, independent of the protocol. All functions return false or no position after a
/// fault.
struct json_read_state {
  static constexpr std::size_t slack = 128;  // more than any header, number or block overwrites

  json_read_state(const schema_image& schema, buffer& to, const from_json_options& settings,
                  const limits& limited, std::size_t text_size)
      : out(to, limited.max_output(text_size)),
        image(schema),
        options(settings),
        bounds(limited),
        depth_left(least(limited.depth, limits::max_depth)) {}

  [[nodiscard]] bool last_counts() const noexcept {
    return options.leniency.duplicates == on_duplicate::last;
  }
  [[nodiscard]] bool refuses_unknown() const noexcept {
    return options.leniency.unknown == on_unknown::error;
  }
  [[nodiscard]] bool writes_defaults() const noexcept { return options.defaults == on_absent::write; }
  [[nodiscard]] bool accepts_quoted() const noexcept {
    return options.leniency.quoted_numbers == json_quoted_numbers::accept;
  }

  // The first character after blanks, to which it moves.
  THRIFTLENS_INLINE std::uint8_t peek(json_position& pos) { return in.peek(pos.at); }
  THRIFTLENS_INLINE void advance(json_position& pos) { in.advance(pos.at); }

  // Takes a comma (`more`; `next` is the first character after it) or the closing bracket.
  THRIFTLENS_INLINE bool more_follows(json_position& pos, char close, bool& more, std::uint8_t& next) {
    const std::uint8_t first = peek(pos);
    more = first == ',';
    if (!more && first != static_cast<std::uint8_t>(close)) return no_separator(pos.at, close);
    advance(pos);
    if (more) next = peek(pos);
    return true;
  }
  THRIFTLENS_COLD json_failed no_quote(const std::uint8_t* at) {
    return expected_here(at, "a key in quotes");
  }
  THRIFTLENS_COLD json_failed no_separator(const std::uint8_t* at, char close) {
    return expected_here(at, joined({"',' or '", close, "'"}));
  }
  THRIFTLENS_COLD json_failed expected_here(const std::uint8_t* at, std::string_view token) {
    in.peek(at);
    return reject(errc::json_syntax, at,
                  in.remaining(at) == 0 ? joined({"the text ends where ", token, " is expected"})
                                        : joined({"expected ", token}));
  }
  // Takes an opening bracket; false after an empty pair of brackets.
  THRIFTLENS_INLINE bool is_filled(json_position& pos, char close, std::uint8_t& next) {
    advance(pos);
    next = peek(pos);
    if (next != static_cast<std::uint8_t>(close)) [[likely]]
      return true;
    advance(pos);
    return false;
  }
  THRIFTLENS_INLINE bool take_colon(json_position& pos) {
    if (peek(pos) != ':') return expected_here(pos.at, "':'");
    advance(pos);
    return true;
  }
  // The key that begins here, valid until the output is written to.
  bool take_key(json_position& pos, std::string_view& key) {
    if (peek(pos) != '"') return no_quote(pos.at);
    return reserve(pos) && short_string(pos, key);
  }
  // The content of the string at pos.at, valid until the output is written to.
  THRIFTLENS_NOINLINE bool short_string(json_position& pos, std::string_view& text) {
    if (in.take_plain_string(pos.at, text)) [[likely]]
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
    std::uint8_t* const end = in.take_string(at, to);
    return end != nullptr ? end : string_with_surrogates(start, at, to);
  }
  [[nodiscard]] THRIFTLENS_COLD std::uint8_t* string_with_surrogates(const std::uint8_t* start,
                                                                     const std::uint8_t*& at,
                                                                     std::uint8_t* to) {
    const std::uint8_t* const stop = std::exchange(at, start);
    if (options.leniency.invalid_utf8 != on_invalid_utf8::error) {
      if (std::uint8_t* const end = in.take_surrogates(at, to, options.leniency.invalid_utf8)) return end;
    }
    at = stop;
    bad_string(stop);
    return nullptr;
  }
  bool at_text_end(const std::uint8_t* at) {
    in.peek(at);
    if (in.remaining(at) == 0) return true;
    return fail_without("lines", errc::json_syntax, at, "text follows the end of the value");
  }

  bool enter(const std::uint8_t* at) {
    if (depth_left == 0) return reject(errc::depth_limit, at);
    --depth_left;
    return true;
  }
  void leave() noexcept { ++depth_left; }
  [[nodiscard]] THRIFTLENS_INLINE bool too_long(std::size_t size) const noexcept {
    return size > bounds.string_size || size > 0x7fffffffu;
  }
  [[nodiscard]] THRIFTLENS_INLINE bool too_many(std::uint32_t count) const noexcept {
    return count > bounds.container_size || count > 0x7fffffffu;
  }
  // Output never takes more than the remaining text, except for headers and numbers, which fit the slack. So
  // a bound on the distance of output and text is enough.
  THRIFTLENS_INLINE bool reserve(json_position& pos) {
    if (reinterpret_cast<std::intptr_t>(pos.to) - reinterpret_cast<std::intptr_t>(pos.at) <= max_ahead)
        [[likely]]
      return true;
    pos = reserve_more(pos, 0);
    return static_cast<bool>(pos);
  }
  // Reserves `more` bytes besides.
  THRIFTLENS_NOINLINE json_position reserve_more(json_position pos, std::size_t more) {
    out.move_to(pos.to);
    if (!out.need(in.remaining(pos.at) + slack + more)) return reject(errc::output_limit, pos.at);
    const auto last = reinterpret_cast<std::intptr_t>(out.at() + out.remaining());
    max_ahead = last - reinterpret_cast<std::intptr_t>(in.end()) - std::intptr_t{slack};
    return {pos.at, out.at()};
  }
  // Must be called after a change of the text.
  void forget_capacity() noexcept { max_ahead = (std::numeric_limits<std::intptr_t>::min)(); }
  // Replaces the provisional header of a container, `reserved` bytes, by the final one.
  THRIFTLENS_INLINE json_position replace_header(json_position pos, std::size_t header,
                                                 std::ptrdiff_t reserved, const std::uint8_t* bytes,
                                                 std::ptrdiff_t size) {
    std::uint8_t* to = out.at(header);
    if (size != reserved)
      std::memmove(to + size, to + reserved, static_cast<std::size_t>(pos.to - to - reserved));
    std::memcpy(to, bytes, static_cast<std::size_t>(size));
    return {pos.at, pos.to + (size - reserved)};
  }
  [[nodiscard]] std::size_t offset(const std::uint8_t* to) const noexcept {
    return static_cast<std::size_t>(to - out.at(0));
  }

  THRIFTLENS_COLD json_failed reject(errc code, const std::uint8_t* at, std::string text = {}) {
    if (failure.code != errc::ok) return {};
    failure = {code, 0, static_cast<std::size_t>(at - in.begin())};
    detail = std::move(text);
    return {};
  }
  // Rejects an integer that `kind` does not hold.
  THRIFTLENS_COLD json_failed reject_range(const std::uint8_t* at, type_kind kind) {
    return reject(errc::integer_range, at, joined({"an integer outside the range of ", to_string(kind)}));
  }
  // Rejects a value of another kind.
  THRIFTLENS_COLD json_failed reject_kind(const std::uint8_t* at, type_kind expected,
                                          std::string_view actual) {
    return reject(errc::json_type, at, mismatch_text(to_string(expected), actual));
  }
  // Rejects a text that option `name`, unless null, would accept.
  THRIFTLENS_COLD json_failed fail_without(const char* name, errc code, const std::uint8_t* at,
                                           std::string text = {}) {
    if (failure.code == errc::ok) option = name;
    return reject(code, at, std::move(text));
  }
  // The option that would accept the string at `at` as a value of that kind, or null.
  [[nodiscard]] THRIFTLENS_COLD const char* option_for_string(const std::uint8_t* at, type_kind kind) {
    const bool is_number = kind == type_kind::i8 || kind == type_kind::i16 || kind == type_kind::i32 ||
                           kind == type_kind::i64 || kind == type_kind::double_ || kind == type_kind::enum_;
    std::string_view text;
    return is_number && in.take_plain_string(at, text) ? option_for_text(text, kind) : nullptr;
  }
  [[nodiscard]] THRIFTLENS_COLD static const char* option_for_text(std::string_view text, type_kind kind) {
    double special = 0;
    json_number number;
    if (kind == type_kind::double_ && nonfinite_of_text(text, special)) return "nonfinite";
    return is_number(text, number) ? "quoted_numbers" : nullptr;
  }
  [[nodiscard]] static bool is_number(std::string_view text, json_number& number) {
    number = {};
    number.begin = reinterpret_cast<const std::uint8_t*>(text.data());
    const std::uint8_t* const end = number.begin + text.size();
    return parse_number(number, end) && number.end == end;
  }
  // Adds a path step after a fault in an element or field.
  THRIFTLENS_COLD json_failed no_element(std::uint32_t index) {
    path.index(index);
    return {};
  }
  THRIFTLENS_COLD json_failed no_field(std::uint32_t field) {
    path.field(image.field_name(field));
    return {};
  }
  THRIFTLENS_COLD json_failed bad_string(const std::uint8_t* at) {
    if (const auto code = simd::detail::unicode_escape(at, in.end()); code >> 11 == 0xd800 >> 11)
      return fail_without("invalid_utf8", errc::json_syntax, at, "an unpaired surrogate in a string");
    return reject(
        errc::json_syntax, at,
        in.remaining(at) == 0 ? "unterminated string" : "invalid escape or control character in a string");
  }
  // `expected`: description of the expected value; default: the kind.
  THRIFTLENS_COLD json_failed mismatch(const std::uint8_t* at, type_kind kind,
                                       std::string_view expected = {}) {
    in.peek(at);
    const std::string_view actual = token_name(at);
    if (!actual.empty()) {
      if (expected.empty()) expected = to_string(kind);
      const char* const name = actual == "string" ? option_for_string(at, kind) : nullptr;
      return fail_without(name, errc::json_type, at, mismatch_text(expected, actual));
    }
    return expected_here(at, "a value");
  }
  // The kind of JSON value that begins at `at`, or an empty text.
  [[nodiscard]] THRIFTLENS_COLD std::string_view token_name(const std::uint8_t* at) {
    const std::uint8_t first = in.remaining(at) != 0 ? *at : std::uint8_t{0};
    if (first == '"') return "string";
    if (first == '{') return "object";
    if (first == '[') return "array";
    if (is_number_start(first)) return "number";
    for (const std::string_view literal : {"true", "false", "null"})
      if (in.take_literal(at, literal)) return literal;
    return {};
  }
  [[nodiscard]] static bool is_number_start(std::uint8_t first) noexcept {
    return first == '-' || detail::is_digit(first);
  }
  [[nodiscard]] THRIFTLENS_COLD static std::string mismatch_text(std::string_view expected,
                                                                 std::string_view actual) {
    return joined({"expected ", expected, ", found ", actual});
  }
  // Restores the buffer.
  THRIFTLENS_COLD error make_error(std::string_view text) {
    out.abandon();
    error located = error(failure.code, std::move(detail), failure.offset, path.text()).with_option(option);
    const std::string_view passed = text.substr(0, failure.offset);
    const std::size_t line_start = passed.rfind('\n') + 1;
    located.locate(static_cast<std::size_t>(std::count(passed.begin(), passed.end(), '\n')) + 1,
                   failure.offset - line_start + 1);
    return located;
  }

  text_source in;
  out_cursor out;  ///< updated by reserve_more() and at the end
  const schema_image& image;
  const from_json_options& options;
  const limits& bounds;
  std::intptr_t max_ahead = (std::numeric_limits<std::intptr_t>::min)();
  std::uint32_t depth_left;
  std::int16_t unknown_id = 0;  ///< of the unknown field whose key was read last
  fault failure;
  entry_marks marks;                              ///< of open maps and sets
  pod_vector<json_read::field_mark> field_marks;  ///< of open structs
  pod_vector<std::uint32_t> nulls;  ///< positions of fields whose value is null, of open structs
  struct_ids unknown_ids;           ///< by start of the struct in the output
  path_builder path{path_builder::order::innermost_first};
  std::string detail;
  const char* option = nullptr;  ///< would accept the text
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
