#include <thriftlens/transport/in_flight.hpp>

#include "support/test.hpp"

using namespace thriftlens;

TEST(in_flight, calls_are_found_until_they_are_removed) {
  detail::in_flight calls(2);
  calls.add({.sequence_id = 5, .name = "a"});
  EXPECT_FALSE(calls.is_full());
  calls.add({.sequence_id = -1, .name = "b"});
  EXPECT_TRUE(calls.is_full());
  ASSERT_NE(calls.find(-1), nullptr);
  EXPECT_EQ(calls.find(-1)->name, "b");
  EXPECT_TRUE(calls.remove(-1));
  EXPECT_FALSE(calls.remove(-1));
  EXPECT_EQ(calls.find(-1), nullptr);
  EXPECT_EQ(calls.size(), 1u);
}

TEST(in_flight, skipped_ids_are_remembered) {
  detail::in_flight calls(2);
  calls.ignore_cancelled(1);
  for (std::int32_t id = 3; id < 10'000; id += 2) calls.ignore_oneway(id);
  EXPECT_TRUE(calls.is_ignored(1));
  EXPECT_TRUE(calls.is_ignored(3));
  EXPECT_FALSE(calls.is_ignored(10'000));
}

TEST(in_flight, cancelled_calls_are_overdue_until_their_replies_come) {
  detail::in_flight calls(2);
  for (const std::int32_t id : {1, 2, 3}) calls.ignore_cancelled(id);
  calls.ignore_oneway(4);
  EXPECT_EQ(calls.overdue(), 3u);
  calls.note_ignored_reply(4);
  EXPECT_EQ(calls.overdue(), 3u);
  calls.note_ignored_reply(2);
  EXPECT_EQ(calls.overdue(), 2u);
}

TEST(in_flight, deadlines_are_checked_by_the_caller) {
  detail::in_flight calls(3);
  calls.add({.sequence_id = 1, .deadline = 2.0});
  calls.add({.sequence_id = 2});
  calls.add({.sequence_id = 3, .deadline = 1.0});
  std::vector<std::int32_t> ids;
  calls.expired(1.5, ids);
  EXPECT_EQ(ids, std::vector<std::int32_t>{3});
}
