// Switches of the changes that mutants_at_once.py makes. Off in constant expressions.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <type_traits>
namespace thriftlens_mutants {
inline const int active = [] {
  const char* text = std::getenv("THRIFTLENS_MUTANT");
  return text == nullptr ? 0 : std::atoi(text);
}();
inline unsigned char reached[1 << 16];
inline struct reporter {
  ~reporter() {
    const char* name = std::getenv("THRIFTLENS_REACHED");
    std::FILE* file = name == nullptr ? nullptr : std::fopen(name, "w");
    for (int i = 0; file != nullptr && i < 1 << 16; ++i)
      if (reached[i]) std::fprintf(file, "%d\n", i);
    if (file != nullptr) std::fclose(file);
  }
} at_exit;
constexpr bool on(int number) noexcept {
  if (std::is_constant_evaluated()) return false;
  reached[number] = 1;
  return active == number;
}
#define THRIFTLENS_MUTANT_COMPARISON(name, symbol, first, second)                    \
  template <int N>                                                                   \
  struct name {};                                                                    \
  template <int N, class T>                                                          \
  struct name##_left {                                                               \
    const T& value;                                                                  \
  };                                                                                 \
  template <int N, class T>                                                          \
  constexpr name##_left<N, T> operator<(const T& left, name<N>) noexcept {           \
    return {left};                                                                   \
  }                                                                                  \
  template <int N, class T, class U>                                                 \
  constexpr bool operator>(const name##_left<N, T>& left, const U& right) noexcept { \
    if (on(N)) return left.value first right;                                        \
    if (on(N + 1)) return left.value second right;                                   \
    return left.value symbol right;                                                  \
  }
THRIFTLENS_MUTANT_COMPARISON(less, <, <=, >=)
THRIFTLENS_MUTANT_COMPARISON(less_equal, <=, <, >)
THRIFTLENS_MUTANT_COMPARISON(greater, >, >=, <=)
THRIFTLENS_MUTANT_COMPARISON(greater_equal, >=, >, <)
}  // namespace thriftlens_mutants
