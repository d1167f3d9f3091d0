// read_number: std::from_chars, also for double with standard libraries that lack it (libc++ before 20).
#pragma once

#include <thriftlens/core/config.hpp>
#include <thriftlens/core/double_bits.hpp>

#include <charconv>
#include <concepts>
#include <string_view>
#include <system_error>

#ifndef __cpp_lib_to_chars
#include <cerrno>
#include <clocale>
#include <cstdlib>
#include <string>
#endif

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// std::from_chars of an integer, in base 10 or the given one.
template <std::integral T>
[[nodiscard]] std::from_chars_result read_number(const char* begin, const char* end, T& value,
                                                 int base = 10) noexcept {
  return std::from_chars(begin, end, value, base);
}

#ifdef __cpp_lib_to_chars
/// std::from_chars of a double.
[[nodiscard]] inline std::from_chars_result read_number(
    const char* begin, const char* end, double& value,
    std::chars_format format = std::chars_format::general) noexcept {
  return std::from_chars(begin, end, value, format);
}
#else
/// The numeric prefix of the text for strtod; empty if from_chars finds no number.
[[nodiscard]] inline std::string text_for_strtod(std::string_view text, std::chars_format format) {
  constexpr std::string_view parts = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.+-_()";
  text = text.substr(0, text.find_first_not_of(parts));
  const bool negative = text.starts_with('-');
  const std::string_view digits = text.substr(negative ? 1 : 0);
  if (digits.starts_with('+') || digits.starts_with('-')) return {};
  const bool prefix = digits.starts_with("0x") || digits.starts_with("0X");
  const std::string sign = negative ? "-" : "";
  if (format == std::chars_format::hex) return prefix ? sign + "0x0" : sign + "0x" + std::string(digits);
  return sign + std::string(prefix ? digits.substr(0, 1) : digits);
}
[[nodiscard]] inline std::from_chars_result read_number(
    const char* begin, const char* end, double& value,
    std::chars_format format = std::chars_format::general) {
  static const locale_t plain = ::newlocale(LC_ALL_MASK, "C", nullptr);
  const std::string text = text_for_strtod({begin, static_cast<std::size_t>(end - begin)}, format);
  char* stop = nullptr;
  errno = 0;
  const double read = ::strtod_l(text.c_str(), &stop, plain);
  auto size = stop - text.c_str();
  if (size != 0 && format == std::chars_format::hex) size -= 2;
  if (size <= 0) return {begin, std::errc::invalid_argument};
  // ERANGE is also set for subnormal numbers, which are valid.
  if (errno == ERANGE && (magnitude_bits(read) == 0 || !is_finite(read)))
    return {begin + size, std::errc::result_out_of_range};
  value = read;
  return {begin + size, std::errc()};
}
#endif

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
