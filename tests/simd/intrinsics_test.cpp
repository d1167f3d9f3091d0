#include <thriftlens/simd/intrinsics.hpp>

#include <gtest/gtest.h>

TEST(simd_intrinsics, are_available_on_their_processor) {
#if THRIFTLENS_X86
  const __m128i bytes = _mm_set1_epi8(static_cast<char>(-1));
  EXPECT_EQ(_mm_movemask_epi8(bytes), 0xffff);
#else
  EXPECT_EQ(thriftlens::detail::simd::best_level(), thriftlens::detail::simd::level::base);
#endif
}
