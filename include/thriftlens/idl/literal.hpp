// literal: values of number and string tokens.
#pragma once

#include <thriftlens/core/arena.hpp>
#include <thriftlens/core/escape.hpp>
#include <thriftlens/core/read_number.hpp>
#include <thriftlens/core/small_algorithm.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>

namespace thriftlens::inline THRIFTLENS_ABI::idl {

namespace detail {
[[nodiscard]] inline std::string_view without_sign(std::string_view text) noexcept {
  return text.substr(text.front() == '-' || text.front() == '+' ? 1 : 0);
}
}  // namespace detail

/// Parses decimal or 0x with an optional sign; nullopt if it does not fit in 64 bits.
[[nodiscard]] THRIFTLENS_NOINLINE inline std::optional<std::int64_t> parse_integer(
    std::string_view text) noexcept {
  const bool negative = text.front() == '-';
  text = detail::without_sign(text);
  const bool hex = text.size() > 2 && (text[1] | 0x20) == 'x';
  if (hex) text.remove_prefix(2);
  constexpr std::uint64_t largest = (std::numeric_limits<std::int64_t>::max)();
  const std::uint64_t limit = largest + (negative ? 1 : 0), base = hex ? 16 : 10;
  std::uint64_t size = 0;
  for (const char c : text) {
    const auto digit = static_cast<std::uint64_t>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    if (size > limit / base || size * base > limit - digit) return std::nullopt;
    size = size * base + digit;
  }
  return static_cast<std::int64_t>(negative ? ~size + 1 : size);
}

/// `010` is ten here and eight elsewhere: causes a warning.
[[nodiscard]] inline bool looks_octal(std::string_view text) noexcept {
  text = detail::without_sign(text);
  return text.size() > 1 && text[0] == '0' && text[1] >= '0' && text[1] <= '9';
}

namespace detail {

/// The exponent after an `e`, clamped to ±`bound`.
[[nodiscard]] THRIFTLENS_COLD inline std::int64_t decimal_exponent(std::string_view digits,
                                                                   std::int64_t bound) noexcept {
  const std::int64_t exponent = parse_integer(digits).value_or(digits.front() == '-' ? -bound : bound);
  if (exponent < -bound) return -bound;
  return exponent < bound ? exponent : bound;
}
/// The power of ten of the first nonzero digit, as in 0.d1d2… · 10^power: tells overflow from underflow. Does
/// not use strtod, whose decimal point depends on the locale.
[[nodiscard]] THRIFTLENS_COLD inline std::int64_t decimal_power(std::string_view text) noexcept {
  constexpr std::int64_t bound = std::int64_t{1} << 60;
  const std::size_t mark = thriftlens::detail::least(text.find_first_of("eE"), text.size());
  const std::string_view mantissa = text.substr(0, mark);
  const auto point = static_cast<std::int64_t>(thriftlens::detail::least(mantissa.find('.'), mark));
  const auto digit =
      static_cast<std::int64_t>(thriftlens::detail::least(mantissa.find_first_of("123456789"), mark));
  if (digit == static_cast<std::int64_t>(mark)) return -bound;
  const std::int64_t exponent = mark == text.size() ? 0 : decimal_exponent(text.substr(mark + 1), bound);
  return point - digit + (digit > point ? 1 : 0) + exponent;
}

}  // namespace detail

/// Nullopt on overflow; zero on underflow.
[[nodiscard]] THRIFTLENS_COLD inline std::optional<double> parse_real(std::string_view text) noexcept {
  if (text.front() == '+') text.remove_prefix(1);
  double value = 0;
  if (thriftlens::detail::read_number(text.data(), text.data() + text.size(), value).ec == std::errc())
    return value;
  // from_chars does not distinguish overflow from underflow.
  if (detail::decimal_power(text) > 0) return std::nullopt;
  return text.front() == '-' ? -0.0 : 0.0;
}

/// A string literal without its escapes.
struct unescaped {
  std::string_view text;
  std::size_t bad = std::string_view::npos;  ///< index of the first bad escape in the literal
};

/// \n \r \t \" \' \\ \xHH \uHHHH (surrogate pairs too); the result lives in the arena.
[[nodiscard]] THRIFTLENS_COLD inline unescaped unescape(std::string_view text, arena& memory) {
  auto* begin = static_cast<char*>(memory.allocate(text.size(), 1));
  char* to = begin;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t from = at++;
    if (text[from] != '\\')
      *to++ = text[from];
    else if (!thriftlens::detail::read_escape(text, at, to))
      return {{}, from};
  }
  return {{begin, static_cast<std::size_t>(to - begin)}};
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::idl
