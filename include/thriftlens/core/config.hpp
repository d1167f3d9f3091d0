// config: macros for compiler, platform and version. Includes no other header of the library.
#pragma once

// Stops the compilation at a missing include instead of reporting thousands of errors.
#if (defined(_MSVC_LANG) ? _MSVC_LANG : __cplusplus) < 202002L
#error "thriftlens needs C++20: compile with -std=c++20 (/std:c++20), or link thriftlens::thriftlens in CMake"
#include <thriftlens needs C++20>
#endif

#define THRIFTLENS_VERSION_MAJOR 0
#define THRIFTLENS_VERSION_MINOR 1
#define THRIFTLENS_VERSION_PATCH 0
#define THRIFTLENS_VERSION "0.1.0"

#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
#define THRIFTLENS_EXCEPTIONS 1
#define THRIFTLENS_ABI_EXCEPTIONS
#else
#define THRIFTLENS_EXCEPTIONS 0
#define THRIFTLENS_ABI_EXCEPTIONS _noexcept
#endif

// Inline functions compiled for other instructions, another version or the checking containers of libstdc++
// must not share a name (one definition rule): the linker would choose any of them. On x86 the name has the
// level of vector instructions and the sets added by -m flags.
#if defined(__AVX512BW__) && defined(__AVX512VL__)
#define THRIFTLENS_ABI_ISA _avx512
#elif defined(__AVX512F__)
#define THRIFTLENS_ABI_ISA _avx512f
#elif defined(__AVX2__)
#define THRIFTLENS_ABI_ISA _avx2
#elif defined(__AVX__)
#define THRIFTLENS_ABI_ISA _avx
#elif defined(__SSE4_2__)
#define THRIFTLENS_ABI_ISA _sse42
#elif defined(__SSE4_1__)
#define THRIFTLENS_ABI_ISA _sse41
#elif defined(__SSSE3__)
#define THRIFTLENS_ABI_ISA _ssse3
#elif defined(__SSE3__) && !defined(__APPLE__)
#define THRIFTLENS_ABI_ISA _sse3
#else
#define THRIFTLENS_ABI_ISA _base
#endif
#if defined(__BMI2__)
#define THRIFTLENS_ABI_BITS _bmi2
#elif defined(__BMI__)
#define THRIFTLENS_ABI_BITS _bmi
#elif defined(__LZCNT__)
#define THRIFTLENS_ABI_BITS _lzcnt
#elif defined(__POPCNT__) && !defined(__SSE4_2__)
#define THRIFTLENS_ABI_BITS _popcnt
#else
#define THRIFTLENS_ABI_BITS
#endif
#if defined(__FMA__)
#define THRIFTLENS_ABI_FMA _fma
#else
#define THRIFTLENS_ABI_FMA
#endif
#if defined(_GLIBCXX_DEBUG)
#define THRIFTLENS_ABI_STL _debugstl
#else
#define THRIFTLENS_ABI_STL
#endif

#define THRIFTLENS_ABI_VERSION_JOIN(major, minor, patch) v##major##_##minor##_##patch
#define THRIFTLENS_ABI_VERSION(major, minor, patch) THRIFTLENS_ABI_VERSION_JOIN(major, minor, patch)
#define THRIFTLENS_ABI_JOIN(version, isa, bits, fma, stl, exceptions) version##isa##bits##fma##stl##exceptions
#define THRIFTLENS_ABI_NAME(version, isa, bits, fma, stl, exceptions) \
  THRIFTLENS_ABI_JOIN(version, isa, bits, fma, stl, exceptions)
#define THRIFTLENS_ABI                                                                                      \
  THRIFTLENS_ABI_NAME(                                                                                      \
      THRIFTLENS_ABI_VERSION(THRIFTLENS_VERSION_MAJOR, THRIFTLENS_VERSION_MINOR, THRIFTLENS_VERSION_PATCH), \
      THRIFTLENS_ABI_ISA, THRIFTLENS_ABI_BITS, THRIFTLENS_ABI_FMA, THRIFTLENS_ABI_STL,                      \
      THRIFTLENS_ABI_EXCEPTIONS)

// Whether sanitizers instrument the unit. g++ has no macro for -fsanitize=undefined: define
// THRIFTLENS_SANITIZED there, in all units of a program.
#if !defined(THRIFTLENS_SANITIZED) && defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer) || __has_feature(undefined_behavior_sanitizer)
#define THRIFTLENS_SANITIZED
#endif
#endif
#if !defined(THRIFTLENS_SANITIZED) && (defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__))
#define THRIFTLENS_SANITIZED
#endif

// Not forced without optimisation, where it would cost a quarter of the time to compile tests, nor under
// sanitizers, which multiply every copy of the code.
#if defined(__OPTIMIZE__) && !defined(THRIFTLENS_SANITIZED) && (defined(__GNUC__) || defined(__clang__))
#define THRIFTLENS_INLINE inline __attribute__((always_inline))
#define THRIFTLENS_INLINE_LAMBDA __attribute__((always_inline))
#else
#define THRIFTLENS_INLINE inline
#define THRIFTLENS_INLINE_LAMBDA
#endif
#if defined(__GNUC__) || defined(__clang__)
#define THRIFTLENS_NOINLINE __attribute__((noinline))
#define THRIFTLENS_COLD __attribute__((noinline, cold))
#else
#define THRIFTLENS_NOINLINE
#define THRIFTLENS_COLD
#endif

// Header-only by default: a header includes an .ipp with the bodies of its non-template functions. Units
// compiled with THRIFTLENS_COMPILED see only declarations; the library thriftlens::compiled, or one unit that
// includes <thriftlens/compiled.ipp>, has the bodies. THRIFTLENS_COMPILED_LOADER does the same for the
// modules idl and schema alone (thriftlens::loader, <thriftlens/loader.ipp>).
#if defined(THRIFTLENS_COMPILED)
#define THRIFTLENS_BODY
#if !defined(THRIFTLENS_COMPILED_LOADER)
#define THRIFTLENS_COMPILED_LOADER
#endif
#else
#define THRIFTLENS_BODY inline
#endif
#if defined(THRIFTLENS_COMPILED_LOADER)
#define THRIFTLENS_LOADER_BODY
#else
#define THRIFTLENS_LOADER_BODY inline
#endif

// Marks results that borrow from an argument or from *this: clang reports those that outlive it (-Wdangling).
#if defined(__has_cpp_attribute)
#if __has_cpp_attribute(clang::lifetimebound)
#define THRIFTLENS_LIFETIMEBOUND [[clang::lifetimebound]]
#endif
#endif
#if !defined(THRIFTLENS_LIFETIMEBOUND)
#define THRIFTLENS_LIFETIMEBOUND
#endif

// Result that outlives a temporary object: suppresses false warnings of g++ 14 and later for
// `for (auto f : type.fields())`.
#if defined(__has_cpp_attribute)
#if __has_cpp_attribute(gnu::no_dangling)
#define THRIFTLENS_NO_DANGLING [[gnu::no_dangling]]
#endif
#endif
#if !defined(THRIFTLENS_NO_DANGLING)
#define THRIFTLENS_NO_DANGLING
#endif

// Precondition of the caller: checked unless NDEBUG is defined.
#if defined(NDEBUG)
#define THRIFTLENS_ASSERT_TEXT(condition, text) static_cast<void>(0)
#else
// Not assert(), whose name of the function is most of the constants of a unit that uses templates.
#include <cstdio>
#include <cstdlib>
namespace thriftlens::inline THRIFTLENS_ABI::detail {
[[noreturn]] THRIFTLENS_COLD inline void assertion_failed(const char* condition, const char* file,
                                                          int line) noexcept {
  std::fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, condition);
  std::abort();
}
}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
#define THRIFTLENS_ASSERT_TEXT(condition, text)        \
  (static_cast<bool>(condition) ? static_cast<void>(0) \
                                : ::thriftlens::detail::assertion_failed(text, __FILE__, __LINE__))
#endif
#define THRIFTLENS_ASSERT(condition) THRIFTLENS_ASSERT_TEXT(condition, #condition)
