#include <thriftlens/transport/header_entry.hpp>

#include "support/test.hpp"

using namespace thriftlens;

TEST(header_entry, is_a_text_by_default) {
  const header_entry entry{.key = "k", .value = "v"};
  EXPECT_EQ(entry.kind, header_entry::form::text);
  EXPECT_EQ(entry, (header_entry{.key = "k", .value = "v"}));
  EXPECT_NE(entry, (header_entry{.value = "v", .number = 1, .kind = header_entry::form::number}));
}
