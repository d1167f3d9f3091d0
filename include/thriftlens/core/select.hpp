// select: a choice between two values that compilers do not turn into a branch.
#pragma once

#include <thriftlens/core/config.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// `lhs == rhs ? equal : different`, for conditions that branch predictors cannot learn.
[[nodiscard]] THRIFTLENS_INLINE std::uintptr_t select_equal(std::uint32_t lhs, std::uint32_t rhs,
                                                            std::uintptr_t equal,
                                                            std::uintptr_t different) noexcept {
#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
  __asm__("cmpl %[lhs], %[rhs]\n\tcmoveq %[equal], %[different]"
          : [different] "+r"(different)
          : [lhs] "r"(lhs), [rhs] "r"(rhs), [equal] "r"(equal)
          : "cc");
  return different;
#else
  auto mask = std::uintptr_t{0} - static_cast<std::uintptr_t>(lhs == rhs);
#if defined(__GNUC__) || defined(__clang__)
  __asm__("" : "+r"(mask));
#endif
  return different ^ ((different ^ equal) & mask);
#endif
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
