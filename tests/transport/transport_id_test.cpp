#include <thriftlens/transport/transport_id.hpp>

#include "support/test.hpp"

using namespace thriftlens;

TEST(transport_id, names_round_trip) {
  for (std::size_t i = 0; i < detail::transport_count; ++i) {
    const auto which = static_cast<transport_id>(i);
    EXPECT_EQ(detail::find_transport(to_string(which)), which);
  }
  EXPECT_EQ(to_string(transport_id::header), "header");
  EXPECT_EQ(to_string(transport_id::automatic), "auto");
  EXPECT_FALSE(detail::find_transport("frame"));
}
