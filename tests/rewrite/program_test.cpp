#include <thriftlens/rewrite/program.hpp>

#include "support/test.hpp"

namespace {

TEST(rewrite_program, a_target_without_an_action_is_unchanged) {
  EXPECT_TRUE(tl::detail::redact_target().stays());
  tl::detail::rewrite_program program;
  program.replacements.push_back({tl::detail::replacement_form::drop, 0, {}});
  tl::detail::redact_target to;
  EXPECT_FALSE(program.drops(to));
  to.replacement = 0;
  EXPECT_FALSE(to.stays());
  EXPECT_TRUE(program.drops(to));
}

}  // namespace
