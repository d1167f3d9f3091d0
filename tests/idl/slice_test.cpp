#include <thriftlens/idl/slice.hpp>

#include "support/test.hpp"

namespace idl = thriftlens::idl;

namespace {

// A type that contains types, like those of the IDL.
struct node {
  int value = 0;
  idl::slice<const node> below{};
};

TEST(slice, elements_of_a_list) {
  const std::array<node, 3> leaves{node{1}, node{2}, node{3}};
  const node root{0, std::span<const node>(leaves)};
  const node copy = root;
  EXPECT_EQ(copy.below.size(), 3u);
  EXPECT_EQ(copy.below.data(), leaves.data());
  EXPECT_EQ(copy.below.front().value, 1);
  EXPECT_EQ(copy.below.back().value, 3);
  EXPECT_EQ(copy.below[1].value, 2);
  int sum = 0;
  for (const node& each : copy.below) sum += each.value;
  EXPECT_EQ(sum, 6);
}
TEST(slice, first_elements) {
  const std::array<int, 3> numbers{1, 2, 3};
  const idl::slice<const int> all = std::span<const int>(numbers);
  EXPECT_EQ(all.first(2).back(), 2);
  EXPECT_TRUE(all.first(0).empty());
}
TEST(slice, of_an_empty_list) {
  EXPECT_TRUE(idl::slice<const int>().empty());
  EXPECT_EQ(idl::slice<const int>().begin(), idl::slice<const int>().end());
}

}  // namespace
