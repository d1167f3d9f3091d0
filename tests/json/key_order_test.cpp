#include <thriftlens/json/fast/key_order.hpp>
#include "support/cases.hpp"

#include "support/test.hpp"

namespace {

bool texts_may_repeat(const std::vector<std::string>& keys) {
  tl::detail::key_order order;
  for (const std::string& key : keys)
    order.follow({key.data(), key.size()}, reinterpret_cast<const std::uint8_t*>(key.data()) + key.size());
  return order.may_repeat();
}
bool numbers_may_repeat(const std::vector<std::int64_t>& keys) {
  tl::detail::key_order order;
  for (const std::int64_t key : keys) order.follow(key);
  return order.may_repeat();
}

}  // namespace

TEST(key_order, texts_ascend_by_bytes_or_by_size) {
  EXPECT_FALSE(texts_may_repeat({}));
  EXPECT_FALSE(texts_may_repeat({"", "a", "aa", "b", "long key, the first", "long key, the second"}));
  EXPECT_FALSE(texts_may_repeat({"8", "9", "10", "11", "100"}));
  EXPECT_TRUE(texts_may_repeat({"8", "10", "9"}));
  EXPECT_TRUE(texts_may_repeat({"a", "a"}));
  EXPECT_TRUE(texts_may_repeat({"long key, the first", "long key, the first"}));
}

TEST(key_order, numbers_ascend) {
  EXPECT_FALSE(numbers_may_repeat({-7}));
  EXPECT_FALSE(numbers_may_repeat({-7, 0, 1, 9000000000}));
  EXPECT_TRUE(numbers_may_repeat({1, 1}));
  EXPECT_TRUE(numbers_may_repeat({2, 1}));
}

// It may take ascending keys for others, never equal ones for ascending.
TEST(key_order, never_misses_equal_keys) {
  std::mt19937 random(1);
  for (int round = 0; round < thriftlens_test::cases(2000); ++round) {
    std::vector<std::string> keys(2 + random() % 6);
    for (std::string& key : keys)
      for (auto size = random() % 12; size != 0; --size) key += "ab\xff"[random() % 3];
    keys.push_back(keys[random() % keys.size()]);
    EXPECT_TRUE(texts_may_repeat(keys)) << round;
  }
}
