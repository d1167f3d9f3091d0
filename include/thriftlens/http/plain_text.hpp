// plain_text: parses bools and numbers in the parts of a request.
#pragma once

#include <thriftlens/core/double_bits.hpp>
#include <thriftlens/core/errc.hpp>
#include <thriftlens/core/read_number.hpp>
#include <thriftlens/http/header_text.hpp>
#include <thriftlens/text/number_in.hpp>

#include <bit>
#include <charconv>
#include <cstdint>
#include <string_view>
#include <system_error>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// 1 t T TRUE true True, 0 f F FALSE false False.
[[nodiscard]] constexpr bool text_to_bool(std::string_view text, bool& value) noexcept {
  for (const std::string_view spelling : {"1", "t", "T", "TRUE", "true", "True"}) {
    value = text == spelling;
    if (value) return true;
  }
  for (const std::string_view spelling : {"0", "f", "F", "FALSE", "false", "False"})
    if (text == spelling) return true;
  return false;
}

/// An optional sign and decimal digits. Returns ok, json_type, or integer_range for more than 64 bits.
[[nodiscard]] inline errc text_to_integer(std::string_view text, std::uint64_t& magnitude,
                                          bool& negative) noexcept {
  negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const char* const end = text.data() + text.size();
  const std::from_chars_result parsed = std::from_chars(text.data(), end, magnitude);
  if (text.empty() || parsed.ptr != end) return errc::json_type;
  return parsed.ec == std::errc() ? errc::ok : errc::integer_range;
}

/// NaN and the infinities, in any letter case.
[[nodiscard]] inline bool text_to_nonfinite(std::string_view text, double& value) {
  const bool negative = text.starts_with('-');
  const bool has_sign = negative || text.starts_with('+');
  const std::string name = lower_text(text.substr(has_sign ? 1 : 0));
  if (name == "nan" && !has_sign) value = std::bit_cast<double>(double_nan_bits);
  if (name == "inf" || name == "infinity")
    value = std::bit_cast<double>(double_infinity_bits | (negative ? double_sign_bit : 0));
  return (name == "nan" && !has_sign) || name == "inf" || name == "infinity";
}
/// 0x1.8p3: the exponent must be there.
[[nodiscard]] inline errc text_to_hex_double(std::string_view digits, double& value) noexcept {
  const char* const end = digits.data() + digits.size();
  if (digits.find_first_of("pP") == std::string_view::npos || digits.starts_with('-')) return errc::json_type;
  const std::from_chars_result parsed =
      thriftlens::detail::read_number(digits.data(), end, value, std::chars_format::hex);
  if (parsed.ec == std::errc::invalid_argument || parsed.ptr != end) return errc::json_type;
  return parsed.ec == std::errc() ? errc::ok : errc::double_range;
}
/// Whether a number outside the range of double is too small rather than too large.
[[nodiscard]] constexpr bool is_tiny(std::string_view digits) noexcept {
  const std::size_t exponent = digits.find_first_of("eE");
  if (exponent != std::string_view::npos) return digits.substr(exponent + 1).starts_with('-');
  return digits.find('.') <= 1;
}
/// Digits with a point or an exponent anywhere they may be: `.5`, `5.`, `007`. Too small ones are zero.
[[nodiscard]] inline errc text_to_decimal(std::string_view digits, double& value) noexcept {
  const char* const end = digits.data() + digits.size();
  const bool plain = digits.find_first_not_of("0123456789.eE+-") == std::string_view::npos;
  if (!plain || digits.empty() || digits.starts_with('-') || digits.starts_with('+')) return errc::json_type;
  const std::from_chars_result parsed = thriftlens::detail::read_number(digits.data(), end, value);
  if (parsed.ec == std::errc::invalid_argument || parsed.ptr != end) return errc::json_type;
  if (parsed.ec == std::errc()) return errc::ok;
  value = 0;
  return is_tiny(digits) ? errc::ok : errc::double_range;
}
/// By the rules of Go's ParseFloat. Returns ok, json_type, or double_range.
[[nodiscard]] inline errc text_to_double(std::string_view text, double& value) {
  if (text_to_nonfinite(text, value)) return errc::ok;
  const bool negative = text.starts_with('-');
  std::string_view digits = text.substr(negative || text.starts_with('+') ? 1 : 0);
  const bool hex = digits.starts_with("0x") || digits.starts_with("0X");
  const errc code = hex ? text_to_hex_double(digits.substr(2), value) : text_to_decimal(digits, value);
  if (negative) value = -value;
  return code;
}

/// Whether a text is to be read as JSON, by its first and last character.
[[nodiscard]] constexpr bool looks_like_json(std::string_view text) noexcept {
  if (text.size() < 2) return false;
  const char first = text.front(), last = text.back();
  return (first == '[' && last == ']') || (first == '{' && last == '}') || (first == '"' && last == '"');
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
