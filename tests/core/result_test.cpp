#include <thriftlens/core/result.hpp>

#include "support/test.hpp"

namespace {

using namespace thriftlens;

result<int> half(int number) {
  if (number % 2 != 0) return error(errc::value_range, "odd");
  return number / 2;
}

TEST(result, holds_a_value) {
  const result<int> actual = half(8);
  ASSERT_TRUE(actual);
  EXPECT_TRUE(actual.has_value());
  EXPECT_EQ(*actual, 4);
  EXPECT_EQ(actual.value(), 4);
  EXPECT_EQ(actual.value_or(9), 4);
}

TEST(result, holds_an_error) {
  const result<int> actual = half(7);
  ASSERT_FALSE(actual);
  EXPECT_EQ(actual.error().code(), errc::value_range);
  EXPECT_EQ(actual.value_or(9), 9);
}

TEST(result, value_raises_the_error) {
  try {
    static_cast<void>(half(7).value());
    FAIL();
  } catch (const error& reason) {
    EXPECT_STREQ(reason.what(), "odd");
  }
}

#ifndef NDEBUG
TEST(result_death, reading_a_missing_value_prints_the_error) {
  EXPECT_DEATH(static_cast<void>(*half(3)), "assertion failed: odd");
}
#endif

TEST(result, moves_values_that_cannot_be_copied) {
  result<std::unique_ptr<int>> actual(std::make_unique<int>(5));
  EXPECT_EQ(**actual, 5);
  const std::unique_ptr<int> taken = std::move(actual).value();
  EXPECT_EQ(*taken, 5);
  EXPECT_EQ(*result<std::unique_ptr<int>>(std::make_unique<int>(6)).value_or(nullptr), 6);
  EXPECT_EQ(result<std::unique_ptr<int>>(error(errc::absent)).value_or(nullptr), nullptr);
}

TEST(result, reaches_members_by_arrow) {
  result<std::string> actual(std::string("abc"));
  actual->push_back('d');
  EXPECT_EQ(std::as_const(actual)->size(), 4u);
}

TEST(result, constructs_its_value_in_place) {
  struct pinned {
    pinned(int a, int b) : sum(a + b), self(this) {}
    int sum;
    pinned* self;
  };
  const result<pinned> outcome(std::in_place, 3, 4);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->sum, 7);
  EXPECT_EQ(outcome->self, &*outcome);
}

TEST(result, of_void_is_success_or_an_error) {
  result<void> status;
  EXPECT_TRUE(status);
  EXPECT_NO_THROW(status.value());
  status = error(errc::io, "gone");
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code(), errc::io);
  EXPECT_THROW(status.value(), error);
}

// A writer that fails without a reason once gave an empty file and the answer OK.
TEST(result, of_an_error_without_a_code_is_an_internal_error) {
  const result<void> status = error();
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code(), errc::internal);
  const result<void> placed = error(errc::ok, "nothing", 7, "$.a");
  ASSERT_FALSE(placed);
  EXPECT_STREQ(placed.error().what(), "internal error of thriftlens; please report it at $.a (byte 7)");
  const result<int> number = error(errc::ok, {}, 3);
  ASSERT_FALSE(number);
  EXPECT_EQ(number.error().code(), errc::internal);
  EXPECT_EQ(number.error().offset(), 3u);
  EXPECT_THROW(static_cast<void>(number.value()), error);
}

TEST(result, a_temporary_returns_its_value_not_a_reference) {
  using list = thriftlens::result<std::vector<std::string>>;
  const auto output = [] { return list({std::string(50, 'a'), std::string(50, 'b')}); };
  std::string text;
  for (const std::string& item : *output()) text += item[0];
  for (const std::string& item : output().value()) text += item[0];
  EXPECT_EQ(text, "abab");
  const auto failed = [] {
    return list(thriftlens::error(thriftlens::errc::truncated, {}, 1, std::string(50, 'p')));
  };
  const thriftlens::error& retained = failed().error();
  EXPECT_EQ(retained.path(), std::string(50, 'p'));
  static_assert(!std::is_reference_v<decltype(failed().error())> &&
                !std::is_reference_v<decltype(*output())>);
  static_assert(!std::is_reference_v<decltype(thriftlens::result<void>().error())>);
}

struct calls {
  int count = 0;
  result<int> half(int number) {
    ++count;
    return ::half(number);
  }
};

TEST(result, and_then_calls_once_for_a_value_and_not_for_an_error) {
  calls seen;
  const auto next = [&](int number) { return seen.half(number); };
  EXPECT_EQ(half(8).and_then(next), 2);
  EXPECT_EQ(seen.count, 1);
  const result<int> odd = half(7);
  EXPECT_EQ(odd.and_then(next).error().code(), errc::value_range);
  EXPECT_EQ(seen.count, 1);
  EXPECT_EQ(half(12).and_then(half).and_then(half).error().detail(), "odd");
}

TEST(result, transform_wraps_what_the_function_returns) {
  const result<std::string> text(std::string("abc"));
  EXPECT_EQ(text.transform([](const std::string& item) { return item.size(); }), 3u);
  EXPECT_EQ(text.transform(&std::string::size), 3u);
  struct named {
    std::string name;
  };
  const result<std::string> name = result<named>(named{"n"}).transform(&named::name);
  EXPECT_EQ(name, "n");
  int sum = 0;
  const result<void> status = half(8).transform([&](int item) { sum += item; });
  EXPECT_TRUE(status);
  EXPECT_EQ(half(7).transform([&](int item) { sum += item; }).error().code(), errc::value_range);
  EXPECT_EQ(sum, 4);
}

TEST(result, or_else_and_transform_error_are_called_for_errors_alone) {
  int count = 0;
  const auto zero = [&](const error& fault) -> result<int> {
    ++count;
    if (fault.code() == errc::absent) return error(errc::internal);
    return 0;
  };
  EXPECT_EQ(half(7).or_else(zero), 0);
  EXPECT_EQ(half(8).or_else(zero), 4);
  EXPECT_EQ(result<int>(error(errc::absent)).or_else(zero).error().code(), errc::internal);
  EXPECT_EQ(count, 2);
  const auto at = [](const error& fault) { return error(fault.code(), std::string(fault.detail()), 9); };
  EXPECT_STREQ(half(7).transform_error(at).error().what(), "odd (byte 9)");
  EXPECT_EQ(half(8).transform_error(at), 4);
}

TEST(result, chains_move_values_that_cannot_be_copied) {
  using owner = std::unique_ptr<int>;
  const auto output = [] { return result<owner>(std::make_unique<int>(5)); };
  result<owner> next = output()
                           .transform([](owner&& from) { return std::make_unique<int>(*from + 1); })
                           .and_then([](owner from) { return result<owner>(std::move(from)); })
                           .or_else([](error) { return result<owner>(nullptr); })
                           .transform_error([](error fault) { return fault; });
  EXPECT_EQ(**next, 6);
  const result<owner> retained = output();
  EXPECT_EQ(retained.transform([](const owner& from) { return *from; }), 5);
  static_assert(
      std::is_same_v<decltype(next.transform([](const owner& from) { return *from; })), result<int>>);
}

TEST(result, of_void_chains) {
  const result<void> status, failed = error(errc::io, "gone");
  EXPECT_EQ(status.transform([] { return 3; }), 3);
  EXPECT_EQ(status.and_then([] { return half(8); }), 4);
  EXPECT_EQ(failed.and_then([] { return half(8); }).error().code(), errc::io);
  EXPECT_TRUE(failed.or_else([](const error&) { return result<void>(); }));
  EXPECT_TRUE(status.transform([] {}));
  EXPECT_EQ(failed.transform_error([](const error&) { return error(errc::absent); }).error().code(),
            errc::absent);
  EXPECT_EQ(half(8).and_then([](int) { return result<void>(); }), result<void>());
}

TEST(result, equals_a_value_an_error_and_another_result) {
  EXPECT_TRUE(half(8) == 4 && 4 == half(8) && half(8) == 4L);
  EXPECT_TRUE(half(8) != 5 && half(7) != 4);
  EXPECT_TRUE(half(8) == half(8) && half(8) == result<long>(4));
  EXPECT_TRUE(half(7) == half(9) && half(7) != half(8) && half(7) != result<int>(error(errc::absent)));
  EXPECT_TRUE(half(7) == error(errc::value_range, "odd"));
  EXPECT_TRUE(half(7) != error(errc::value_range) && half(8) != error(errc::value_range, "odd"));
  EXPECT_TRUE(result<std::string>(std::string("a")) == "a");
  EXPECT_TRUE(result<void>() == result<void>());
  EXPECT_TRUE(result<void>() != result<void>(error(errc::io)));
  EXPECT_TRUE(result<void>(error(errc::io)) == error(errc::io));
}

TEST(result, error_or_is_the_error_or_the_fallback) {
  EXPECT_EQ(half(7).error_or(error(errc::absent)).code(), errc::value_range);
  EXPECT_EQ(half(8).error_or(error(errc::absent)).code(), errc::absent);
  EXPECT_EQ(result<void>().error_or(error()).code(), errc::ok);
}

}  // namespace
