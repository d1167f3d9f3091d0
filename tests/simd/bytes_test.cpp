#include <thriftlens/simd/bytes.hpp>

#include "support/test.hpp"

namespace simd = thriftlens::detail::simd;

namespace {

// 17 and 31 are without common factors with 256: all bytes are different.
[[maybe_unused]] std::array<std::uint8_t, 32> sample_bytes(unsigned factor) {
  std::array<std::uint8_t, 32> bytes{};
  for (unsigned i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * factor + 3);
  return bytes;
}

#if THRIFTLENS_X86

std::uint32_t expected_top_bits(const std::uint8_t* bytes, unsigned size) {
  std::uint32_t bits = 0;
  for (unsigned i = 0; i < size; ++i) bits |= static_cast<std::uint32_t>(bytes[i] >> 7) << i;
  return bits;
}
// Like pshufb: position 128 and above gives 0; halves are separate.
std::array<std::uint8_t, 32> expected_shuffle(const std::array<std::uint8_t, 32>& from,
                                              const std::array<std::uint8_t, 32>& order) {
  std::array<std::uint8_t, 32> to{};
  for (unsigned i = 0; i < 32; ++i) to[i] = order[i] >= 128 ? 0 : from[i / 16 * 16 + order[i] % 16];
  return to;
}

TEST(simd_bytes, loads_and_stores_sixteen_bytes) {
  const auto from = sample_bytes(17);
  std::array<std::uint8_t, 32> to{};
  simd::detail::put_16(to.data() + 1, simd::detail::get_16(from.data() + 3));
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(to[i], i >= 1 && i < 17 ? from[i + 2] : 0) << i;
}
TEST(simd_bytes, top_bits_of_sixteen) {
  for (const unsigned factor : {1u, 17u, 31u, 129u}) {
    const auto from = sample_bytes(factor);
    EXPECT_EQ(simd::detail::top_bits(simd::detail::get_16(from.data())), expected_top_bits(from.data(), 16));
  }
}
TEST(simd_bytes, bytes_are_compared_without_sign) {
  std::array<std::uint8_t, 16> from{};
  from[3] = 200;
  from[4] = 16;
  EXPECT_EQ(simd::detail::top_bits(simd::detail::get_16(from.data()) <= std::uint8_t{15}), 0xffe7u);
}
// In functions of their target: it is not that of the test.
THRIFTLENS_TARGET_SSSE3 void shuffle_half(std::uint8_t* to, const std::uint8_t* from,
                                          const std::uint8_t* order) {
  simd::detail::put_16(to, simd::detail::shuffle_16(simd::detail::get_16(from), simd::detail::get_16(order)));
}
TEST(simd_bytes, sixteen_are_shuffled) {
  if (!simd::detail::processor_has(simd::detail::instructions::ssse3)) GTEST_SKIP() << "no SSSE3";
  const auto from = sample_bytes(17), order = sample_bytes(31);
  std::array<std::uint8_t, 32> to{};
  shuffle_half(to.data(), from.data(), order.data());
  const auto expected = expected_shuffle(from, order);
  for (unsigned i = 0; i < 16; ++i) EXPECT_EQ(to[i], expected[i]) << i;
}

THRIFTLENS_TARGET_AVX2 void shuffle_all(std::uint8_t* to, const std::uint8_t* from,
                                        const std::uint8_t* order) {
  simd::detail::put_32(to, simd::detail::shuffle_32(simd::detail::get_32(from), simd::detail::get_32(order)));
}
THRIFTLENS_TARGET_AVX2 std::uint32_t top_bits_of_all(const std::uint8_t* from) {
  return simd::detail::top_bits(simd::detail::get_32(from));
}
TEST(simd_bytes, thirty_two_are_shuffled_in_halves) {
  if (!simd::detail::processor_has(simd::detail::instructions::avx2)) GTEST_SKIP() << "no AVX2";
  const auto from = sample_bytes(17), order = sample_bytes(31);
  std::array<std::uint8_t, 32> to{};
  shuffle_all(to.data(), from.data(), order.data());
  EXPECT_EQ(to, expected_shuffle(from, order));
  EXPECT_EQ(top_bits_of_all(order.data()), expected_top_bits(order.data(), 32));
}

#else

TEST(simd_bytes, unsupported_processors_have_none) { EXPECT_FALSE(simd::best_level() > simd::level::base); }

#endif

}  // namespace
