#include <thriftlens/core/enum_values.hpp>

#include "support/test.hpp"

#include <thriftlens/core/choice.hpp>

namespace {

TEST(enum_values, an_operation_accepts_some_forms) {
  const tl::choice<tl::enum_values::number, tl::enum_values::name> json = tl::enum_values::member;
  const auto bad = tl::detail::find_bad_option({{"enums", json}});
  ASSERT_TRUE(bad);
  EXPECT_EQ(bad->detail(), "enums = member; expected number or name");
}

}  // namespace
