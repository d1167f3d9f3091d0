#include <thriftlens/core/bit_set.hpp>

#include "support/test.hpp"

namespace {

struct three_words : thriftlens::detail::bit_set<three_words> {
  constexpr std::uint64_t* words() noexcept { return held; }
  constexpr const std::uint64_t* words() const noexcept { return held; }
  std::uint64_t held[3] = {};
};

TEST(bit_set, insert_returns_whether_it_is_new) {
  for (const std::size_t bit : {0u, 1u, 63u, 64u, 130u, 191u}) {
    three_words seen;
    EXPECT_FALSE(seen.has(bit));
    EXPECT_TRUE(seen.add(bit));
    EXPECT_FALSE(seen.add(bit));
    EXPECT_TRUE(seen.has(bit));
    EXPECT_FALSE(seen.has(bit == 0 ? 1 : bit - 1));
    seen.remove(bit);
    EXPECT_TRUE(seen.add(bit));
  }
}

TEST(bit_set, takes_runs) {
  three_words seen;
  seen.set(60, 70);
  seen.set(5, 5);
  for (std::size_t bit = 0; bit < 192; ++bit) EXPECT_EQ(seen.has(bit), bit >= 60 && bit < 70) << bit;
  seen.remove(64);
  EXPECT_FALSE(seen.has(64));
  EXPECT_TRUE(seen.has(63) && seen.has(65));
}

TEST(bit_set, serves_constant_expressions) {
  constexpr auto result = [] {
    three_words seen;
    seen.set(2);
    return seen;
  }();
  static_assert(result.has(2) && !result.has(1));
  EXPECT_TRUE(result.has(2));
}

TEST(bit_set, uses_external_words) {
  three_words retained;
  thriftlens::detail::bit_span seen(retained.words());
  EXPECT_TRUE(seen.add(130));
  EXPECT_TRUE(retained.has(130));
  retained.set(7);
  EXPECT_FALSE(seen.add(7));
}

}  // namespace
