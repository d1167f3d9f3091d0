// text_source: JSON text as a sequence of tokens. Neither copies the text nor reads past its end. The caller
// holds the position, in a register.
#pragma once

#include <thriftlens/core/endian.hpp>
#include <thriftlens/core/errc.hpp>
#include <thriftlens/core/leniency.hpp>
#include <thriftlens/simd/json_unescape.hpp>
#include <thriftlens/simd/masked_compare.hpp>
#include <thriftlens/simd/utf8.hpp>
#include <thriftlens/text/number_in.hpp>

#include <simdjson.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// The tokens of a text, whose UTF-8 simdjson validates in a first pass. take_ functions take a token of
/// their kind at `at`, where peek() has found it, and move `at` to its end; they return false for other
/// tokens.
class text_source {
 public:
  /// Returns ok with `at` at the beginning, or invalid_utf8 with `at` at the first ill-formed byte.
  [[nodiscard]] errc open(std::string_view text, const std::uint8_t*& at) noexcept {
    open_part(text, at);
    if (simdjson::validate_utf8(reinterpret_cast<const char*>(at), remaining(at))) return errc::ok;
    at += simd::valid_utf8_prefix({at, remaining(at)});
    return errc::invalid_utf8;
  }
  /// Opens a part of a checked text, without another check.
  void open_part(std::string_view text, const std::uint8_t*& at) noexcept {
    begin_ = reinterpret_cast<const std::uint8_t*>(text.data() == nullptr ? "" : text.data());  // never null
    end_ = begin_ + text.size();
    // Skips a byte order mark.
    at = begin_ + (text.size() >= 3 && std::memcmp(begin_, "\xef\xbb\xbf", 3) == 0 ? 3 : 0);
  }

  [[nodiscard]] const std::uint8_t* begin() const noexcept { return begin_; }
  [[nodiscard]] const std::uint8_t* end() const noexcept { return end_; }
  [[nodiscard]] THRIFTLENS_INLINE std::size_t remaining(const std::uint8_t* at) const noexcept {
    return static_cast<std::size_t>(end_ - at);
  }

  /// Moves to the next token. Returns its first character, or 0 at the end.
  THRIFTLENS_INLINE std::uint8_t peek(const std::uint8_t*& at) const noexcept {
    if (at != end_ && *at > ' ') [[likely]]
      return *at;
    if (remaining(at) >= 2 && *at == ' ' && at[1] > ' ') return *++at;
    at = after_blanks(at);
    return at != end_ ? *at : std::uint8_t{0};
  }
  /// Takes the one-character token that peek() found.
  THRIFTLENS_INLINE void advance(const std::uint8_t*& at) const noexcept { ++at; }

  [[nodiscard]] THRIFTLENS_INLINE bool take_literal(const std::uint8_t*& at,
                                                    std::string_view literal) const noexcept {
    if (remaining(at) < literal.size() || std::memcmp(at, literal.data(), literal.size()) != 0) return false;
    return ends_at(at + literal.size(), at);
  }
  /// Takes `"name":` if it is `expected`, which is not empty and has 32 readable bytes after it.
  [[nodiscard]] THRIFTLENS_INLINE bool take_key(const std::uint8_t*& at, const char* expected,
                                                std::size_t size) const noexcept {
    if (size <= 32 && remaining(at) >= 32) [[likely]] {
      if (!simd::same_leading(at, reinterpret_cast<const std::uint8_t*>(expected), size)) return false;
    } else if (remaining(at) < size || std::memcmp(at, expected, size) != 0) {
      return false;
    }
    at += size;
    return true;
  }
  /// A string without escapes.
  [[nodiscard]] THRIFTLENS_INLINE bool take_plain_string(const std::uint8_t*& at,
                                                         std::string_view& text) const noexcept {
    return take_up_to(simd::find_json_special(at + 1, end_), at, text);
  }
  /// Like take_plain_string, faster for strings longer than names.
  [[nodiscard]] THRIFTLENS_INLINE bool take_long_plain_string(const std::uint8_t*& at,
                                                              std::string_view& text) const noexcept {
    return take_up_to(simd::find_far_json_special(at + 1, end_), at, text);
  }
  /// Writes the content of the string at `to`, where remaining() + 32 bytes must be free. Returns its end, or
  /// nullptr with `at` at the fault.
  [[nodiscard]] THRIFTLENS_INLINE std::uint8_t* take_string(const std::uint8_t*& at,
                                                            std::uint8_t* to) const noexcept {
    const simd::json_unescaped unescaped = simd::unescape_json(to, at + 1, end_);
    at = unescaped.end == nullptr ? unescaped.stop : unescaped.stop + 1;
    return unescaped.end;
  }
  /// Like take_string, also with unescaped control characters.
  [[nodiscard]] THRIFTLENS_COLD std::uint8_t* take_string_with_controls(const std::uint8_t*& at,
                                                                        std::uint8_t* to) const noexcept {
    const simd::json_unescaped unescaped = simd::detail::unescape_json_controls(to, at + 1, end_);
    at = unescaped.end == nullptr ? unescaped.stop : unescaped.stop + 1;
    return unescaped.end;
  }
  /// A string that take_string rejected: lone surrogates become U+FFFD, or the bytes that they encode.
  [[nodiscard]] THRIFTLENS_COLD std::uint8_t* take_surrogates(const std::uint8_t*& at, std::uint8_t* to,
                                                              on_invalid_utf8 invalid) const noexcept {
    for (++at; at != end_ && *at >= ' ';) {
      if (*at == '"') return ++at, to;
      if (*at != '\\')
        *to++ = *at++;
      else if (!simd::detail::take_json_escape(to, at, end_) && !take_surrogate(at, to, invalid))
        break;
    }
    return nullptr;
  }
  /// An integer of at most 19 digits.
  [[nodiscard]] THRIFTLENS_INLINE bool take_plain_integer(const std::uint8_t*& at, std::uint64_t& magnitude,
                                                          bool& negative) const noexcept {
    const std::uint8_t* last = parse_plain_integer(at, end_, magnitude, negative);
    return last != nullptr && ends_at(last, at);
  }
  /// A quoted integer of at most 19 digits.
  [[nodiscard]] THRIFTLENS_INLINE bool take_quoted_integer(const std::uint8_t*& at, std::uint64_t& magnitude,
                                                           bool& negative) const noexcept {
    const std::uint8_t* last = parse_plain_integer(at + 1, end_, magnitude, negative);
    return last != nullptr && is_quote(last) && moved(at, last + 1);
  }
  [[nodiscard]] THRIFTLENS_INLINE bool take_number(const std::uint8_t*& at,
                                                   json_number& number) const noexcept {
    number = {};
    number.begin = at;
    return parse_number(number, end_) && ends_at(number.end, at);
  }

 private:
  bool take_surrogate(const std::uint8_t*& at, std::uint8_t*& to, on_invalid_utf8 invalid) const noexcept {
    const std::int32_t code = simd::detail::unicode_escape(at, end_);
    const bool is_byte = code >= 0xdc80 && code <= 0xdcff, replaces = invalid == on_invalid_utf8::replace;
    if (code >> 11 != 0xd800 >> 11 || !(replaces || is_byte)) return false;
    at += 6;
    if (replaces)
      to = put_utf8(to, 0xfffd);
    else
      *to++ = static_cast<std::uint8_t>(code - 0xdc00);
    return true;
  }
  [[nodiscard]] THRIFTLENS_NOINLINE const std::uint8_t* after_blanks(const std::uint8_t* at) const noexcept {
    constexpr std::uint64_t spaces = 0x2020202020202020u;
    while (at != end_ && is_blank(*at)) {
      ++at;
      if (remaining(at) >= 8)  // an indentation
        at += std::countr_zero(load_le<std::uint64_t>(at) ^ spaces) / 8;
    }
    return at;
  }
  [[nodiscard]] static THRIFTLENS_INLINE bool is_blank(std::uint8_t byte) noexcept {
    constexpr std::uint64_t blanks = std::uint64_t{1} << ' ' | 1u << '\n' | 1u << '\r' | 1u << '\t';
    return byte <= ' ' && (blanks >> byte & 1) != 0;
  }
  [[nodiscard]] THRIFTLENS_INLINE bool is_quote(const std::uint8_t* at) const noexcept {
    return at != end_ && *at == '"';
  }
  // Moves `at` to `last` if a number or literal may end there.
  [[nodiscard]] THRIFTLENS_INLINE bool ends_at(const std::uint8_t* last,
                                               const std::uint8_t*& at) const noexcept {
    return (last == end_ || delimiters[*last]) && moved(at, last);
  }
  static THRIFTLENS_INLINE bool moved(const std::uint8_t*& at, const std::uint8_t* end) noexcept {
    at = end;
    return true;
  }
  // The string from `at` to `stop`, its first special byte.
  [[nodiscard]] THRIFTLENS_INLINE bool take_up_to(const std::uint8_t* stop, const std::uint8_t*& at,
                                                  std::string_view& text) const noexcept {
    if (!is_quote(stop)) return false;
    text = {reinterpret_cast<const char*>(at) + 1, static_cast<std::size_t>(stop - at - 1)};
    return moved(at, stop + 1);
  }
  static constexpr auto delimiters = [] {
    std::array<bool, 256> is{};
    for (const char delimiter : {',', '}', ']', ':', ' ', '\n', '\r', '\t'})
      is[static_cast<std::uint8_t>(delimiter)] = true;
    return is;
  }();

  const std::uint8_t* begin_ = nullptr;
  const std::uint8_t* end_ = nullptr;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
