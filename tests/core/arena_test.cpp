#include <thriftlens/core/arena.hpp>

#include "support/test.hpp"

#include <gmock/gmock.h>

namespace {

using thriftlens::arena;

TEST(arena, hands_out_aligned_memory_that_does_not_overlap) {
  arena memory(64);
  std::vector<std::pair<std::uintptr_t, std::size_t>> input;
  for (std::size_t i = 0; i < 500; ++i) {
    const std::size_t size = 1 + i % 37, alignment = std::size_t{1} << (i % 5);
    const auto at = reinterpret_cast<std::uintptr_t>(memory.allocate(size, alignment));
    EXPECT_EQ(at % alignment, 0u);
    for (const auto& [other, length] : input) EXPECT_TRUE(at + size <= other || other + length <= at);
    input.emplace_back(at, size);
  }
}

TEST(arena, serves_a_size_larger_than_any_block) {
  arena memory(64);
  auto* text = static_cast<char*>(memory.allocate(5'000'000, 1));
  text[0] = text[4'999'999] = 'x';
  EXPECT_GE(memory.reserved(), 5'000'000u);
}

TEST(arena, make_builds_in_place) {
  struct point {
    int x, y;
  };
  arena memory;
  const point* result = memory.make<point>(3, 4);
  EXPECT_EQ(result->x, 3);
  EXPECT_EQ(result->y, 4);
}

TEST(arena, copies_survive_their_source) {
  arena memory;
  std::string source = "hello";
  const std::string_view retained = memory.copy(std::string_view(source));
  const std::vector<int> numbers{1, 2, 3};
  const std::span<int> copied_numbers = memory.copy(std::span<const int>(numbers));
  source = "xxxxx";
  EXPECT_EQ(retained, "hello");
  EXPECT_THAT(copied_numbers, testing::ElementsAre(1, 2, 3));
}

TEST(arena, empty_copies_take_no_memory) {
  arena memory;
  EXPECT_TRUE(memory.copy(std::string_view()).empty());
  EXPECT_EQ(memory.reserved(), 0u);
}

TEST(arena, reset_reuses_its_blocks) {
  arena memory(128);
  const auto fill = [&] {
    for (int i = 0; i < 1000; ++i) static_cast<void>(memory.allocate(100, 8));
  };
  fill();
  const std::size_t held = memory.reserved();
  for (int round = 0; round < 5; ++round) {
    memory.reset();
    fill();
    EXPECT_EQ(memory.reserved(), held);
  }
}

TEST(arena, reset_of_an_unused_one_is_harmless) {
  arena memory;
  memory.reset();
  EXPECT_NE(memory.allocate(8, 8), nullptr);
}

TEST(arena, moving_keeps_allocations_valid) {
  arena first;
  const std::string_view retained = first.copy(std::string_view("kept"));
  arena second = std::move(first);
  arena third;
  third = std::move(second);
  EXPECT_EQ(retained, "kept");
  EXPECT_GT(third.reserved(), 0u);
}

}  // namespace
