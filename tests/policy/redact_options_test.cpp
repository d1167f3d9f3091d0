#include <thriftlens/policy/redact_options.hpp>

#include "support/test.hpp"

TEST(redact_options, hide_unknown_fields_by_default) {
  const tl::redact_options options;
  EXPECT_EQ(options.default_action, "blank");
  EXPECT_EQ(tl::on_unknown(options.unknown), tl::on_unknown::drop);
  EXPECT_EQ(options.unmatched, tl::redact_options::unmatched_rules::error);
}
