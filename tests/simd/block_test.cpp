#include <thriftlens/simd/block.hpp>

#include "guarded.hpp"

#include <gtest/gtest.h>

#include <string>

#if THRIFTLENS_X86
namespace simd = thriftlens::detail::simd;

TEST(simd_block, partial_loads_fill_with_zeros_and_stay_inside) {
  thriftlens_test::guarded memory;
  const std::string text = "abcdefghijklmnop";
  for (std::size_t size = 0; size <= 16; ++size) {
    const std::uint8_t* from = memory.hold(text.substr(0, size));
    std::uint8_t actual[16];
    _mm_storeu_si128(reinterpret_cast<__m128i*>(actual), simd::load_partial(from, size));
    for (std::size_t i = 0; i < 16; ++i)
      EXPECT_EQ(actual[i], i < size ? static_cast<std::uint8_t>(text[i]) : 0) << size << ' ' << i;
  }
}
#endif
