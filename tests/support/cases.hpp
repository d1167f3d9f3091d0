/// How many generated cases a test runs.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define THRIFTLENS_TEST_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define THRIFTLENS_TEST_SANITIZED 1
#endif
#endif

namespace thriftlens_test {

#if defined(THRIFTLENS_TEST_SANITIZED)
inline constexpr bool is_sanitized = true;
#else
inline constexpr bool is_sanitized = false;
#endif

/// `count`, or a quarter of it under address sanitizer, where a case takes about ten times longer.
template <class Count>
constexpr Count cases(Count count) {
  return is_sanitized ? count / 4 : count;
}

}  // namespace thriftlens_test
