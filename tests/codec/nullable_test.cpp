#include <thriftlens/codec/nullable.hpp>

#include "support/test.hpp"

namespace codec = thriftlens::detail::codec;

TEST(codec_nullable, a_new_value_is_created_if_none_can_be_reused) {
  std::optional<int> maybe = 5;
  EXPECT_EQ(codec::make_pointed<false>(maybe), 0);
  maybe = 5;
  EXPECT_EQ(codec::make_pointed<true>(maybe), 5);
  auto owned = std::make_unique<int>(5);
  int* previous_size = owned.get();
  EXPECT_EQ(&codec::make_pointed<true>(owned), previous_size);
  EXPECT_EQ(codec::make_pointed<false>(owned), 0);
}

TEST(codec_nullable, a_shared_value_is_not_overwritten) {
  auto shared = std::make_shared<int>(5);
  const auto other = shared;
  codec::make_pointed<true>(shared) = 6;
  EXPECT_EQ(*other, 5);
}

TEST(codec_nullable, empty_ones_are_missing) {
  EXPECT_TRUE(codec::is_missing(std::optional<int>()));
  EXPECT_TRUE(codec::is_missing(std::unique_ptr<int>()));
  EXPECT_FALSE(codec::is_missing(std::make_shared<int>(0)));
  EXPECT_FALSE(codec::is_missing(0));
}
