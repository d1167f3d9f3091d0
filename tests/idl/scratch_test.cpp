#include <thriftlens/idl/scratch.hpp>

#include "support/test.hpp"

namespace idl = thriftlens::idl;

namespace {

TEST(scratch, moves_inner_lists_before_outer_ones) {
  thriftlens::arena memory;
  idl::scratch<int> stack;
  stack.push(1);
  const std::size_t mark = stack.mark();
  stack.push(2);
  stack.push(3);
  EXPECT_EQ(stack.since(mark).size(), 2u);
  auto inner = stack.take(mark, memory);
  stack.push(4);
  auto outer = stack.take(0, memory);
  EXPECT_EQ(std::vector<int>(inner.begin(), inner.end()), (std::vector<int>{2, 3}));
  EXPECT_EQ(std::vector<int>(outer.begin(), outer.end()), (std::vector<int>{1, 4}));
  EXPECT_EQ(stack.mark(), 0u);
}

TEST(scratch, keeps_its_elements_when_it_grows) {
  thriftlens::arena memory;
  idl::scratch<std::size_t> stack;
  for (std::size_t i = 0; i < 1000; ++i) stack.push(i);
  auto all = stack.take(0, memory);
  ASSERT_EQ(all.size(), 1000u);
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i], i);
}

TEST(scratch, drops_elements_of_a_failed_parent) {
  idl::scratch<int> stack;
  stack.push(1);
  const std::size_t mark = stack.mark();
  stack.push(2);
  stack.drop(mark);
  EXPECT_EQ(stack.mark(), 1u);
}

TEST(scratch, empty_lists_take_no_memory) {
  thriftlens::arena memory;
  idl::scratch<int> stack;
  EXPECT_TRUE(stack.take(0, memory).empty());
  EXPECT_EQ(memory.reserved(), 0u);
}

}  // namespace
