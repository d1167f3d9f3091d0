#include <thriftlens/simd/masked_compare.hpp>

#include "bodies.hpp"
#include "guarded.hpp"
#include "support/test.hpp"

namespace simd = thriftlens::detail::simd;

TEST(simd_masked_compare, a_byte_under_the_mask_decides_and_no_other) {
  thriftlens_test::guarded memory;
  std::mt19937 random(11);
  for (std::size_t shift = 0; shift <= thriftlens_test::longest; ++shift)
    for (std::size_t at = 0; at < 48; ++at) {
      std::string text(48, '\0');
      for (char& character : text) character = static_cast<char>(random());
      simd::masked_block blocks[3] = {};
      const std::size_t offsets[] = {0, 13, 32};
      bool under_mask = false;
      for (std::size_t b = 0; b < 3; ++b) {
        blocks[b].offset = offsets[b];
        for (std::size_t i = 0; i < 16; ++i) {
          if (random() % 2 == 0) continue;
          blocks[b].mask[i] = 0xff;
          blocks[b].pattern[i] = static_cast<std::uint8_t>(text[offsets[b] + i]);
          under_mask |= offsets[b] + i == at;
        }
      }
      const std::string suffix(shift, 'x');
      const std::uint8_t* same = memory.hold(text + suffix);
      ASSERT_TRUE(simd::masked_equal(same, blocks, 3));
      thriftlens_test::for_each_body(simd::detail::masked_equal_bodies, [&](auto run, const char* name) {
        ASSERT_TRUE(run(same, blocks, 3)) << name;
      });
      text[at] = static_cast<char>(text[at] ^ (1 << random() % 8));
      const std::uint8_t* other = memory.hold(text + suffix);
      ASSERT_EQ(simd::masked_equal(other, blocks, 3), !under_mask);
      thriftlens_test::for_each_body(simd::detail::masked_equal_bodies, [&](auto run, const char* name) {
        ASSERT_EQ(run(other, blocks, 3), !under_mask) << name;
      });
    }
}

TEST(simd_masked_compare, no_blocks_match_anything) { EXPECT_TRUE(simd::masked_equal(nullptr, nullptr, 0)); }

TEST(simd_masked_compare, leading_bytes_of_every_size) {
  thriftlens_test::guarded memory, other;
  const std::string text = "abcdefghijklmnopqrstuvwxyz012345";
  for (std::size_t size = 1; size <= text.size(); ++size) {
    EXPECT_TRUE(simd::same_leading(memory.hold(text), other.hold(text), size));
    for (std::size_t at = 0; at < text.size(); ++at) {
      std::string changed = text;
      changed[at] = '-';
      EXPECT_EQ(simd::same_leading(memory.hold(text), other.hold(changed), size), at >= size)
          << size << ' ' << at;
      thriftlens_test::for_each_body(simd::detail::same_leading_bodies, [&](auto run, const char* name) {
        EXPECT_EQ(run(memory.hold(text), other.hold(changed), size), at >= size)
            << name << ' ' << size << ' ' << at;
      });
    }
  }
}
