#include <thriftlens/simd/dispatch.hpp>

#include "bodies.hpp"
#include "support/test.hpp"

namespace simd = thriftlens::detail::simd;

TEST(simd_dispatch, level_is_ordered_and_stable) {
  EXPECT_LT(simd::level::base, simd::level::ssse3);
  EXPECT_LT(simd::level::ssse3, simd::level::avx2);
  EXPECT_EQ(simd::best_level(), simd::detail::detect_level());
}

TEST(simd_dispatch, level_matches_the_processor) {
#if THRIFTLENS_X86
  EXPECT_EQ(simd::best_level() >= simd::level::ssse3, __builtin_cpu_supports("ssse3") != 0);
#else
  EXPECT_EQ(simd::best_level(), simd::level::base);
#endif
}

TEST(simd_dispatch, a_forced_level_is_restored) {
#if !defined(__AVX2__)
  std::vector<simd::level> seen;
  thriftlens_test::for_each_level([&](const char*) { seen.push_back(simd::best_level()); });
  ASSERT_FALSE(seen.empty());
  EXPECT_EQ(seen.front(), simd::level::base);
  EXPECT_EQ(seen.back(), simd::detail::detect_level());
#endif
  EXPECT_EQ(simd::best_level(), simd::detail::detect_level());
}

TEST(simd_dispatch, the_best_kernel_of_the_processor_runs) {
  using simd::detail::instructions;
  EXPECT_TRUE(simd::detail::processor_has(instructions::any));
  EXPECT_EQ(simd::detail::processor_has(instructions::ssse3),
            simd::detail::detect_level() >= simd::level::ssse3);
  EXPECT_EQ(simd::detail::processor_has(instructions::avx2),
            simd::detail::detect_level() >= simd::level::avx2);
#if THRIFTLENS_X86
  EXPECT_TRUE(simd::detail::processor_has(instructions::sse2));
  EXPECT_EQ(simd::detail::processor_has(instructions::vbmi2), simd::detail::detect_vbmi2());
#endif
}
