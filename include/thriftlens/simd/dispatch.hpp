// dispatch: instruction sets of kernels, by processor and compiler support.
#pragma once

#include <thriftlens/core/config.hpp>

#include <cstddef>
#include <cstdint>

// THRIFTLENS_NO_SIMD leaves only the portable bodies, for debugging and for other processors.
#if !defined(THRIFTLENS_NO_SIMD) && (defined(__x86_64__) || defined(_M_X64)) && \
    (defined(__GNUC__) || defined(__clang__))
#define THRIFTLENS_X86 1
// Plain functions only: lambdas inside and target_clones fail on gcc 12 or clang 16.
#define THRIFTLENS_TARGET_SSSE3 __attribute__((target("ssse3")))
#define THRIFTLENS_TARGET_AVX2 __attribute__((target("avx2,bmi,popcnt")))
// clang 16 fails with "Cannot emit physreg copy instruction" on these with two sanitizers and optimisation.
#if defined(__clang__) && defined(__OPTIMIZE__)
#if __clang_major__ < 17
#define THRIFTLENS_UNSANITIZED __attribute__((no_sanitize("address", "undefined", "thread")))
#endif
#endif
#if !defined(THRIFTLENS_UNSANITIZED)
#define THRIFTLENS_UNSANITIZED
#endif
#define THRIFTLENS_TARGET_VBMI2                                                               \
  __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi,bmi2,popcnt"))) \
  THRIFTLENS_UNSANITIZED
#else
#define THRIFTLENS_X86 0
#endif
// Every aarch64 processor has NEON. Uses compiler vector types, without arm_neon.h.
#if !defined(THRIFTLENS_NO_SIMD) && defined(__aarch64__) && !defined(__AARCH64EB__) && \
    (defined(__GNUC__) || defined(__clang__))
#define THRIFTLENS_NEON 1
#else
#define THRIFTLENS_NEON 0
#endif

namespace thriftlens::inline THRIFTLENS_ABI::detail::simd {

// Kernels use integer types without std::.
using std::int32_t, std::ptrdiff_t, std::size_t, std::uint32_t, std::uint64_t, std::uint8_t;

/// Levels include lower ones. `base` is SSE2 on x86-64, NEON on aarch64, portable code elsewhere.
enum class level : std::uint8_t { base, ssse3, avx2 };

namespace detail {
[[nodiscard]] inline level detect_level() noexcept {
#if THRIFTLENS_X86
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt"))
    return level::avx2;
  if (__builtin_cpu_supports("ssse3")) return level::ssse3;
#endif
  return level::base;
}
// Zero (base) before its initialiser has run, which is always correct. Not const, because tests lower it.
inline level detected_level = detect_level();

#if THRIFTLENS_X86
[[nodiscard]] inline bool detect_vbmi2() noexcept {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2") &&
         __builtin_cpu_supports("bmi2");
}
// Independent of the levels, for a few kernels. False before its initialiser has run, like detected_level.
inline bool has_vbmi2 = detect_vbmi2();
#endif

// Instructions required by an implementation of a kernel.
enum class instructions : std::uint8_t { any, sse2, ssse3, avx2, vbmi2, neon };

[[nodiscard]] inline bool processor_has(instructions needed) noexcept {
  switch (needed) {
    case instructions::any:
      return true;
#if THRIFTLENS_X86
    case instructions::sse2:
      return true;
    case instructions::ssse3:
      return detect_level() >= level::ssse3;
    case instructions::avx2:
      return detect_level() >= level::avx2;
    case instructions::vbmi2:
      return detect_vbmi2();
#endif
#if THRIFTLENS_NEON
    case instructions::neon:
      return true;
#endif
    default:
      return false;
  }
}

// One implementation of a kernel. A kernel k lists its implementations as k_bodies, the portable one first,
// for tests that compare those that the processor supports. Callers use the kernel's public function.
template <class Function>
struct kernel_body {
  instructions needs;
  Function run;
};
}  // namespace detail

/// The best level of this processor. A load.
[[nodiscard]] THRIFTLENS_INLINE level best_level() noexcept {
#if defined(__AVX2__) && defined(__BMI__) && THRIFTLENS_X86
  return level::avx2;
#else
  return detail::detected_level;
#endif
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::simd
