#include <thriftlens/policy/redact_options.hpp>

#include <gtest/gtest.h>

namespace tl = thriftlens;

TEST(redact_options, hide_what_is_unknown_unless_told) {
  const tl::redact_options options;
  EXPECT_EQ(options.otherwise, "blank");
  EXPECT_EQ(tl::on_unknown(options.unknown), tl::on_unknown::drop);
  EXPECT_EQ(options.missing, tl::redact_options::missing_rules::error);
}
