#include <thriftlens/core/hash.hpp>

#include "support/test.hpp"

TEST(hash_text, differs_for_lengths_positions_and_seeds) {
  std::set<std::uint64_t> seen;
  std::size_t count = 0;
  for (std::size_t length = 0; length <= 40; ++length) {
    for (std::size_t at = 0; at < (length == 0 ? 1 : length); ++at) {
      std::string text(length, 'a');
      if (length != 0) text[at] = 'b';
      for (std::uint64_t seed : {0u, 1u}) {
        seen.insert(tl::detail::hash_text(text, seed));
        ++count;
      }
    }
  }
  EXPECT_EQ(seen.size(), count);
}

// Zero factors would cancel the others: without the seed, they cannot be chosen.
TEST(hash_text, keys_that_collide_without_a_seed_do_not_collide_with_one) {
  const std::string zero("\xdb\x28\xb4\xa0\xd1\x7e\x03\xe7", 8);
  for (const std::string& tail : {std::string("a tail"), std::string("a tail of more than sixteen bytes")}) {
    for (std::uint64_t seed : {std::uint64_t{0x123456789abcdef}, std::uint64_t{0x7ffe12345678}}) {
      std::set<std::uint64_t> seen;
      for (int i = 0; i < 1000; ++i)
        seen.insert(tl::detail::hash_text(zero + std::to_string(10000000 + i) + tail, seed));
      EXPECT_EQ(seen.size(), 1000u);
    }
  }
}

TEST(hash_short_text, ignores_the_bytes_after_the_text) {
  const std::string text = "abcdefghijklmnopqrstuvwxyz";
  for (std::size_t length = 1; length <= 16; ++length) {
    for (std::size_t at = 0; at + length <= 18; ++at) {
      const auto* p = reinterpret_cast<const std::uint8_t*>(text.data()) + at;
      for (std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{0x9e3779b97f4a7c15}}) {
        EXPECT_EQ(tl::detail::hash_short_text(p, length, seed),
                  tl::detail::hash_text(text.substr(at, length), seed))
            << length << ' ' << at;
      }
    }
  }
}

// The longest run of occupied slots that a key meets in a half-full table with that seed.
std::size_t longest_row(std::uint64_t seed, std::uint64_t step) {
  constexpr std::size_t keys = 4096, mask = 2 * keys - 1;
  std::vector<bool> taken(mask + 1);
  std::size_t longest = 0;
  for (std::uint64_t number = 0; number < keys; ++number) {
    std::size_t row = 0, slot = static_cast<std::size_t>(tl::detail::hash_number(step * number, seed)) & mask;
    for (; taken[slot]; slot = (slot + 1) & mask) ++row;
    taken[slot] = true;
    longest = std::max(longest, row);
  }
  return longest;
}

TEST(hash_number, consecutive_numbers_are_spread_under_every_seed) {
  std::mt19937_64 seeds(20261125);
  for (int i = 0; i < 200; ++i) {
    const std::uint64_t seed = seeds();
    for (const std::uint64_t step : {1u, 2u, 1024u}) EXPECT_LT(longest_row(seed, step), 64u) << seed;
  }
}

TEST(hash_text, reads_nothing_outside_the_text) {
  for (std::size_t length = 0; length <= 40; ++length) {
    const std::string text(length, 'x');
    const std::string lhs = "[" + text + "]", rhs = "(" + text + ")";
    EXPECT_EQ(tl::detail::hash_text(std::string_view(lhs).substr(1, length)),
              tl::detail::hash_text(std::string_view(rhs).substr(1, length)));
  }
}
