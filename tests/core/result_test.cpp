#include <thriftlens/core/result.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

namespace {

using namespace thriftlens;

result<int> half(int number) {
  if (number % 2 != 0) return error(errc::value_range, "odd");
  return number / 2;
}

TEST(result, holds_a_value) {
  const result<int> found = half(8);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found.has_value());
  EXPECT_EQ(*found, 4);
  EXPECT_EQ(found.value(), 4);
  EXPECT_EQ(found.value_or(9), 4);
}

TEST(result, holds_an_error) {
  const result<int> found = half(7);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code(), errc::value_range);
  EXPECT_EQ(found.value_or(9), 9);
}

TEST(result, value_raises_the_error) {
  try {
    static_cast<void>(half(7).value());
    FAIL();
  } catch (const error& reason) {
    EXPECT_STREQ(reason.what(), "odd");
  }
}

TEST(result, moves_values_that_cannot_be_copied) {
  result<std::unique_ptr<int>> found(std::make_unique<int>(5));
  EXPECT_EQ(**found, 5);
  const std::unique_ptr<int> taken = std::move(found).value();
  EXPECT_EQ(*taken, 5);
  EXPECT_EQ(*result<std::unique_ptr<int>>(std::make_unique<int>(6)).value_or(nullptr), 6);
  EXPECT_EQ(result<std::unique_ptr<int>>(error(errc::absent)).value_or(nullptr), nullptr);
}

TEST(result, reaches_members_by_arrow) {
  result<std::string> found(std::string("abc"));
  found->push_back('d');
  EXPECT_EQ(std::as_const(found)->size(), 4u);
}

TEST(result, makes_its_value_where_it_stands) {
  struct pinned {
    pinned(int a, int b) : sum(a + b), self(this) {}
    int sum;
    pinned* self;
  };
  const result<pinned> made(std::in_place, 3, 4);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->sum, 7);
  EXPECT_EQ(made->self, &*made);
}

TEST(result, of_void_is_success_or_an_error) {
  result<void> done;
  EXPECT_TRUE(done);
  EXPECT_NO_THROW(done.value());
  done = error(errc::io, "gone");
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code(), errc::io);
  EXPECT_THROW(done.value(), error);
}

// A writer that fails without a reason once gave an empty file and the answer OK.
TEST(result, of_an_error_without_a_code_is_an_internal_error) {
  const result<void> done = error();
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code(), errc::internal);
  const result<void> placed = error(errc::ok, "nothing", 7, "$.a");
  ASSERT_FALSE(placed);
  EXPECT_STREQ(placed.error().what(),
               "a fault of thriftlens itself, which ought to be reported at $.a (byte 7)");
  const result<int> number = error(errc::ok, {}, 3);
  ASSERT_FALSE(number);
  EXPECT_EQ(number.error().code(), errc::internal);
  EXPECT_EQ(number.error().offset(), 3u);
  EXPECT_THROW(static_cast<void>(number.value()), error);
}

TEST(result, a_temporary_gives_what_it_held_and_not_a_reference) {
  using list = thriftlens::result<std::vector<std::string>>;
  const auto made = [] { return list({std::string(50, 'a'), std::string(50, 'b')}); };
  std::string all;
  for (const std::string& each : *made()) all += each[0];
  for (const std::string& each : made().value()) all += each[0];
  EXPECT_EQ(all, "abab");
  const auto failed = [] {
    return list(thriftlens::error(thriftlens::errc::truncated, {}, 1, std::string(50, 'p')));
  };
  const thriftlens::error& kept = failed().error();
  EXPECT_EQ(kept.path(), std::string(50, 'p'));
  static_assert(!std::is_reference_v<decltype(failed().error())> && !std::is_reference_v<decltype(*made())>);
  static_assert(!std::is_reference_v<decltype(thriftlens::result<void>().error())>);
}

}  // namespace
