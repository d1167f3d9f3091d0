#include <thriftlens/protocol/select.hpp>

#include "support/test.hpp"

using namespace thriftlens;

TEST(visit_protocol, calls_the_visitor_with_the_protocol_tag) {
  for (const protocol_id id : {protocol_id::binary, protocol_id::compact}) {
    EXPECT_EQ(visit_protocol(id, [](auto tag) { return decltype(tag)::id; }), id);
    EXPECT_EQ(visit_protocol(id, [](auto tag) { return decltype(tag)::name; }), to_string(id));
  }
}

TEST(is_listed, covers_the_protocols_selectable_at_run_time) {
  EXPECT_TRUE(detail::is_listed(protocol_id::binary) && detail::is_listed(protocol_id::compact));
  EXPECT_FALSE(detail::is_listed(static_cast<protocol_id>(detail::protocol_count)));
}
