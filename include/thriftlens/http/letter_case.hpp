// letter_case: converts field names by the rules of agw.to_snake and agw.to_lower_camel_case.
#pragma once

#include <thriftlens/core/config.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

enum class letter : unsigned char { other, lower, upper, digit };
[[nodiscard]] constexpr letter letter_of(char c) noexcept {
  if (c >= 'a' && c <= 'z') return letter::lower;
  if (c >= 'A' && c <= 'Z') return letter::upper;
  return c >= '0' && c <= '9' ? letter::digit : letter::other;
}
[[nodiscard]] constexpr bool separates_words(char c) noexcept {
  return c == ' ' || c == '_' || c == '-' || c == '.';
}

/// Whether a word ends with `name[at]`. Only the last of several capitals begins a word: JSONData is
/// json_data.
[[nodiscard]] constexpr bool ends_word(std::string_view name, std::size_t at) noexcept {
  const letter current = letter_of(name[at]);
  const letter next = letter_of(name[at + 1]);
  const bool both = current != letter::other && next != letter::other;
  return both && current != next && !(current == letter::upper && next == letter::lower);
}
[[nodiscard]] constexpr bool begins_word(std::string_view name, std::size_t at) noexcept {
  return at != 0 && at + 1 < name.size() && letter_of(name[at]) == letter::upper &&
         letter_of(name[at - 1]) == letter::upper && letter_of(name[at + 1]) == letter::lower;
}
/// `myKey2D` is my_key_2_d.
[[nodiscard]] inline std::string snake_case(std::string_view name) {
  std::string result;
  for (std::size_t at = 0; at < name.size(); ++at) {
    const char c = name[at];
    if (begins_word(name, at)) result += '_';
    result += separates_words(c) ? '_' : letter_of(c) == letter::upper ? static_cast<char>(c | 0x20) : c;
    if (at + 1 < name.size() && ends_word(name, at)) result += '_';
  }
  return result;
}

/// `my_key` and `MyKey` are myKey.
[[nodiscard]] inline std::string lower_camel_case(std::string_view name) {
  if (name == "ID") return "id";
  std::string result;
  bool starts_word = false;
  for (const char c : name) {
    const letter current = letter_of(c);
    if (current == letter::other) {
      starts_word = separates_words(c);
      continue;
    }
    if (result.empty() && current == letter::upper && !starts_word)
      result += static_cast<char>(c | 0x20);
    else
      result += starts_word && current == letter::lower ? static_cast<char>(c & ~0x20) : c;
    starts_word = current == letter::digit;
  }
  return result;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
