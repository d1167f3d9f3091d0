#include <thriftlens/columns/column_memory.hpp>

#include <thriftlens/columns/from_columns.hpp>

#include "columns/samples.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33) && !defined(__SANITIZE_ADDRESS__)
#include <malloc.h>
#define THRIFTLENS_TEST_SEES_MEMORY
#endif

namespace tl = thriftlens;
using thriftlens_test::all_of, thriftlens_test::five;

namespace {

constexpr std::size_t large = std::size_t{1} << 20;

TEST(column_memory, released_memory_is_reused) {
  tl::column_memory memory;
  const tl::detail::column_block first = memory.take(large);
  EXPECT_GE(first.size, large);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first.data) % 64, 0u);
  EXPECT_EQ(memory.live(), first.size);
  memory.give_back(first);
  EXPECT_EQ(memory.live(), 0u);
  EXPECT_EQ(memory.idle(), first.size);
  const tl::detail::column_block second = memory.take(large - large / 4);
  EXPECT_EQ(second.data, first.data);
  EXPECT_EQ(memory.idle(), 0u);
  memory.give_back(second);
  const tl::detail::column_block smaller = memory.take(large / 4);  // half of a block would be wasted
  EXPECT_NE(smaller.data, first.data);
  memory.give_back(smaller);
}

TEST(column_memory, any_limit_is_accepted) {
  tl::column_memory full(static_cast<std::size_t>(-1)), nothing(0);
  full.give_back(full.take(large));
  EXPECT_GE(full.idle(), large);
  nothing.give_back(nothing.take(large));
  EXPECT_EQ(nothing.idle(), 0u);
}

TEST(column_memory, no_more_than_the_limit_is_retained) {
  tl::column_memory memory(large);
  const tl::detail::column_block single = memory.take(large / 2), other = memory.take(large);
  memory.give_back(single);
  memory.give_back(other);
  EXPECT_EQ(memory.idle(), single.size);
  memory.trim();
  EXPECT_EQ(memory.idle(), 0u);
  const tl::detail::column_block small = memory.take(100);
  memory.give_back(small);
  EXPECT_EQ(memory.idle(), 0u) << "small blocks are the allocator's";
}

/// Columns of type Row with all kinds of values, whose memory is counted.
struct counted_rows {
  std::shared_ptr<tl::column_memory> memory = std::make_shared<tl::column_memory>();
  tl::columns rows = tl::columns::compile(all_of("Row"), {.types = {.enums = tl::enum_values::name}});

  counted_rows() { rows.allocate_from(memory); }
  void fill(int count) {
    for (int i = 0; i < count; ++i) {
      rows.append<tl::binary>(five());
      rows.append_null();
    }
  }
  ArrowArray take() {
    ArrowArray result;
    rows.take(result);
    return result;
  }
};

TEST(column_memory, a_batch_holds_its_memory_until_it_is_released) {
  counted_rows of;
  const std::size_t previous_size = of.memory->live();
  of.fill(1000);
  ArrowArray first = of.take();
  const std::size_t held = of.memory->live();
  EXPECT_GT(held, previous_size + 4000);
  of.fill(1000);
  ArrowArray second = of.take();
  EXPECT_GT(of.memory->live(), held);
  first.release(&first);
  EXPECT_EQ(first.release, nullptr);
  EXPECT_EQ(of.memory->live(), held);
  second.release(&second);
  EXPECT_EQ(of.memory->live(), previous_size);
}

TEST(column_memory, a_batch_outlives_its_columns_and_their_memory) {
  auto of = std::make_unique<counted_rows>();
  const std::weak_ptr<tl::column_memory> memory = of->memory;
  of->fill(10);
  ArrowArray batch = of->take();
  of.reset();
  ASSERT_FALSE(memory.expired());
  EXPECT_GT(memory.lock()->live(), 0u);
  EXPECT_EQ(batch.length, 20);
  batch.release(&batch);
  EXPECT_TRUE(memory.expired());
}

TEST(column_memory, a_child_that_was_moved_out_holds_its_own_memory) {
  counted_rows of;
  const std::size_t previous_size = of.memory->live();
  of.fill(1000);
  ArrowArray batch = of.take();
  const std::size_t total = of.memory->live();
  ArrowArray names = *batch.children[4], map = *batch.children[2];
  batch.children[4]->release = batch.children[2]->release = nullptr;
  batch.release(&batch);
  const std::size_t two = of.memory->live();
  EXPECT_GT(two, previous_size);
  EXPECT_LT(two, total);
  names.release(&names);
  const std::size_t single = of.memory->live();
  EXPECT_LT(single, two);
  ArrowArray keys = *map.children[0]->children[0];
  map.children[0]->children[0]->release = nullptr;
  map.release(&map);
  EXPECT_LT(of.memory->live(), single);
  EXPECT_EQ(keys.length, 0);
  keys.release(&keys);
  EXPECT_EQ(of.memory->live(), previous_size);
}

TEST(column_memory, rows_that_were_not_exported_are_freed) {
  auto memory = std::make_shared<tl::column_memory>();
  {
    tl::columns rows = tl::columns::compile(all_of("Must"));
    rows.allocate_from(memory);
    tl::columns fork = rows.fork();
    fork.append<tl::binary>(five());
    EXPECT_GT(memory->live(), 0u);
    const tl::columns moved = std::move(fork);
    EXPECT_EQ(moved.rows(), 1u);
  }
  EXPECT_EQ(memory->live(), 0u);
}

TEST(column_memory, the_second_batch_reuses_the_memory_of_the_first) {
  counted_rows of;
  of.fill(40'000);
  ArrowArray first = of.take();
  first.release(&first);
  const std::size_t retained = of.memory->idle(), all = retained + of.memory->live();
  EXPECT_GT(retained, 0u);
  of.fill(40'000);
  EXPECT_LT(of.memory->idle(), retained);
  ArrowArray second = of.take();
  second.release(&second);
  EXPECT_LE(of.memory->idle() + of.memory->live(), all);
}

#if defined(THRIFTLENS_TEST_SEES_MEMORY)
/// Bytes of the process that were allocated and not freed.
std::size_t allocated() {
  const struct mallinfo2 current = mallinfo2();
  return current.uordblks + current.hblkhd;
}

TEST(column_memory, records_of_columns_are_freed_with_their_last_owner) {
  const std::size_t at_first = allocated();
  const std::string probe(large, 'x');
  if (allocated() < at_first + probe.size()) GTEST_SKIP() << "another allocator than glibc's is in use";
  tl::columns rows = tl::columns::compile(all_of("Must"));
  for (int i = 0; i < 200'000; ++i) rows.append<tl::binary>(five());
  const thriftlens_test::batch columns(rows);
  const std::size_t previous_size = allocated();
  ArrowArray array;
  ArrowSchema schema;
  {
    const tl::record_column result = tl::from_columns<tl::binary>(
        thriftlens_test::column_schema().type("Must"), columns.schema(), columns.array());
    result.export_array(array);
    tl::record_column::export_schema(schema);
  }
  EXPECT_GT(allocated(), previous_size + 1'600'000) << "the array holds the records";
  EXPECT_EQ(array.length, 200'000);
  array.release(&array);
  schema.release(&schema);
  EXPECT_LT(allocated(), previous_size + 100'000);
}
#endif

}  // namespace
