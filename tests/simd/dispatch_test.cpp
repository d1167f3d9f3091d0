#include <thriftlens/simd/dispatch.hpp>

#include <gtest/gtest.h>

namespace simd = thriftlens::simd;

TEST(simd_dispatch, level_is_ordered_and_stable) {
  EXPECT_LT(simd::level::base, simd::level::ssse3);
  EXPECT_LT(simd::level::ssse3, simd::level::avx2);
  EXPECT_EQ(simd::best_level(), simd::detail::detect_level());
}

TEST(simd_dispatch, level_is_what_the_processor_says) {
#if THRIFTLENS_X86
  EXPECT_EQ(simd::best_level() >= simd::level::ssse3, __builtin_cpu_supports("ssse3") != 0);
#else
  EXPECT_EQ(simd::best_level(), simd::level::base);
#endif
}
