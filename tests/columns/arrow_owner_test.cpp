#include <thriftlens/columns/arrow_owner.hpp>

#include "support/test.hpp"

namespace {

TEST(arrow_owner, recognizes_only_arrays_of_this_library) {
  ArrowArray array{};
  array.release = [](ArrowArray* of) { of->release = nullptr; };
  EXPECT_EQ(tl::detail::owner_of(array), nullptr);
  auto owner = std::make_unique<tl::detail::arrow_array_owner>();
  owner->format = "i";
  const std::int32_t values[2] = {1, 2};
  owner->add_buffer(nullptr, 7);
  owner->add_buffer(values, sizeof values);
  array.length = 2;
  tl::detail::give_owner(array, std::move(owner));
  ASSERT_NE(tl::detail::owner_of(array), nullptr);
  EXPECT_EQ(tl::detail::owner_of(array)->sizes[0], 0u);
  EXPECT_TRUE(tl::detail::fits_format(*tl::detail::owner_of(array), "i", array));
  EXPECT_FALSE(tl::detail::fits_format(*tl::detail::owner_of(array), "l", array));
  EXPECT_EQ(tl::detail::contradiction_text(*tl::detail::owner_of(array), "l"),
            "expected int64 as in the Arrow schema, found int32");
  array.release(&array);
  EXPECT_EQ(array.release, nullptr);
}

TEST(arrow_owner, minimum_sizes) {
  EXPECT_EQ(tl::detail::least_arrow_size("b", 1, 9), 2u);
  EXPECT_EQ(tl::detail::least_arrow_size("l", 0, 9), 2u);
  EXPECT_EQ(tl::detail::least_arrow_size("l", 1, 9), 72u);
  EXPECT_EQ(tl::detail::least_arrow_size("u", 1, 9), 40u);
  EXPECT_EQ(tl::detail::least_arrow_size("u", 1, 0), 0u);
  EXPECT_EQ(tl::detail::least_arrow_size("+ud:0,1", 0, 9), 9u);
  EXPECT_EQ(tl::detail::least_arrow_size("+ud:0,1", 1, 9), 36u);
}

}  // namespace
