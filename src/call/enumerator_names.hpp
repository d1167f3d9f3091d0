// enumerator_names: the names of an enum's values, which are their spellings in Python.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace thriftlens::python::internal {

/// The name of an enumerator, cut out of the compiler's name of this function; empty if the enum has no such
/// value.
template <auto Value>
consteval std::string_view enumerator_name() {
#if defined(_MSC_VER) && !defined(__clang__)
  std::string_view text = __FUNCSIG__;
  text = text.substr(0, text.rfind('>'));
#else
  std::string_view text = __PRETTY_FUNCTION__;
  text = text.substr(text.find("Value = "));
  text = text.substr(0, text.find_first_of(";]"));
#endif
  const std::size_t colon = text.rfind(':');
  return text.find('(') == std::string_view::npos ? text.substr(colon + 1) : std::string_view();
}
/// Python's word for an enumerator whose own name would be a keyword of C++.
consteval std::string_view word_of(std::string_view name) {
  return name == "automatic" ? "auto" : name == "structure" ? "struct" : name;
}
template <auto Value>
inline constexpr auto word_text = [] {
  std::array<char, word_of(enumerator_name<Value>()).size() + 1> text{};
  std::size_t size = 0;
  for (const char letter : word_of(enumerator_name<Value>())) text[size++] = letter;
  return text;
}();

/// The number of values, which must count from 0.
template <class Enum, std::size_t Count = 0>
consteval std::size_t count_enumerators() {
  if constexpr (enumerator_name<static_cast<Enum>(Count)>().empty())
    return Count;
  else
    return count_enumerators<Enum, Count + 1>();
}
template <class Enum>
consteval auto words_of_enum() {
  return []<std::size_t... Values>(std::index_sequence<Values...>) {
    return std::array<const char*, sizeof...(Values)>{word_text<static_cast<Enum>(Values)>.data()...};
  }(std::make_index_sequence<count_enumerators<Enum>()>());
}

}  // namespace thriftlens::python::internal
