// config: the compiler, platform and version facts every other header builds on.
// In: predefined macros. Out: THRIFTLENS_* macros and the name of the inline namespace.
// Never includes a header of the library and never declares a function.
#pragma once

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

// Inline functions compiled with different instruction sets, or of two versions, must not share a name (one
// definition rule).
#if defined(__AVX512BW__) && defined(__AVX512VL__)
#define THRIFTLENS_ABI_ISA _avx512
#elif defined(__AVX2__)
#define THRIFTLENS_ABI_ISA _avx2
#elif defined(__SSE4_2__)
#define THRIFTLENS_ABI_ISA _sse42
#else
#define THRIFTLENS_ABI_ISA _base
#endif

#define THRIFTLENS_ABI_VERSION_JOIN(major, minor, patch) v##major##_##minor##_##patch
#define THRIFTLENS_ABI_VERSION(major, minor, patch) THRIFTLENS_ABI_VERSION_JOIN(major, minor, patch)
#define THRIFTLENS_ABI_JOIN(version, isa, exceptions) version##isa##exceptions
#define THRIFTLENS_ABI_NAME(version, isa, exceptions) THRIFTLENS_ABI_JOIN(version, isa, exceptions)
#define THRIFTLENS_ABI                                                                                      \
  THRIFTLENS_ABI_NAME(                                                                                      \
      THRIFTLENS_ABI_VERSION(THRIFTLENS_VERSION_MAJOR, THRIFTLENS_VERSION_MINOR, THRIFTLENS_VERSION_PATCH), \
      THRIFTLENS_ABI_ISA, THRIFTLENS_ABI_EXCEPTIONS)

// Without optimisation, inlining by force only makes more code: a quarter of the time to compile tests.
#if defined(__OPTIMIZE__) && (defined(__GNUC__) || defined(__clang__))
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

// Header-only by default: bodies of what is no template stand in an .ipp, which its header includes at the
// end. Units compiled with THRIFTLENS_COMPILED see declarations alone; the library thriftlens::compiled has
// the bodies, or one unit of the program that includes <thriftlens/src.hpp>.
#if defined(THRIFTLENS_COMPILED)
#define THRIFTLENS_BODY
#else
#define THRIFTLENS_BODY inline
#endif

// What borrows from an argument or from *this says so: clang names the place where it outlives that
// (-Wdangling).
#if defined(__has_cpp_attribute)
#if __has_cpp_attribute(clang::lifetimebound)
#define THRIFTLENS_LIFETIMEBOUND [[clang::lifetimebound]]
#endif
#endif
#if !defined(THRIFTLENS_LIFETIMEBOUND)
#define THRIFTLENS_LIFETIMEBOUND
#endif

// A function of a temporary whose answer outlives it: `for (auto f : type.fields())` is no dangling
// reference, whatever g++ 14 and later suppose.
#if defined(__has_cpp_attribute)
#if __has_cpp_attribute(gnu::no_dangling)
#define THRIFTLENS_NO_DANGLING [[gnu::no_dangling]]
#endif
#endif
#if !defined(THRIFTLENS_NO_DANGLING)
#define THRIFTLENS_NO_DANGLING
#endif

// Misuse of the interface by the caller (a friend): checked where NDEBUG is not defined.
#if defined(NDEBUG)
#define THRIFTLENS_ASSERT(condition) static_cast<void>(0)
#else
#include <cassert>
#define THRIFTLENS_ASSERT(condition) assert(condition)
#endif
