#include <thriftlens/protocol/header.hpp>

#include "support/test.hpp"

using namespace thriftlens;

TEST(protocol_id, names_round_trip) {
  for (const protocol_id id : {protocol_id::binary, protocol_id::compact})
    EXPECT_EQ(detail::find_protocol(to_string(id)), id);
  EXPECT_EQ(detail::find_protocol("json"), std::nullopt);
  EXPECT_EQ(detail::find_protocol(""), std::nullopt);
}

TEST(header, defaults_are_the_end_of_a_struct_and_empty_containers) {
  EXPECT_EQ(field_header{}.type, ttype::stop);
  EXPECT_EQ(list_header{}.size, 0u);
  EXPECT_EQ(map_header{}, (map_header{ttype::stop, ttype::stop, 0}));
  EXPECT_NE((field_header{ttype::i32, 1}), (field_header{ttype::i32, 2}));
}

TEST(protocol_id, is_printed_by_name) { EXPECT_EQ(testing::PrintToString(protocol_id::compact), "compact"); }
