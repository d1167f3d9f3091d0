#include <thriftlens/transport/session_event.hpp>

#include "support/test.hpp"

using namespace thriftlens;

TEST(session_event, kinds_have_names) {
  EXPECT_EQ(to_string(session_event_kind::message), "message");
  EXPECT_EQ(to_string(session_event_kind::head), "head");
  EXPECT_EQ(to_string(session_event_kind::part), "part");
  EXPECT_EQ(to_string(session_event_kind::end), "end");
  EXPECT_EQ(to_string(session_event_kind::ready), "ready");
  EXPECT_EQ(to_string(session_event_kind::send), "send");
}
