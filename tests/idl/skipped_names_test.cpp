#include <thriftlens/idl/skipped_names.hpp>

#include "support/test.hpp"

namespace idl = thriftlens::idl;

namespace {

TEST(skipped_names, may_have_what_was_added) {
  idl::skipped_names skipped;
  EXPECT_FALSE(skipped.may_have(1, "a"));
  for (const char* each : {"b", "a", "b", "c"}) skipped.add(1, each);
  EXPECT_TRUE(skipped.may_have(1, "a"));
  EXPECT_TRUE(skipped.may_have(1, "b"));
  EXPECT_FALSE(skipped.may_have(1, "d"));
  EXPECT_FALSE(skipped.may_have(1, ""));
  EXPECT_FALSE(skipped.may_have(0, "a"));
}

TEST(skipped_names, may_have_any_name_once_one_is_unknown) {
  idl::skipped_names skipped;
  skipped.add_unknown(2);
  skipped.add(4, "");
  for (const std::uint32_t program : {0u, 1u, 2u, 3u, 4u, 5u})
    EXPECT_EQ(skipped.may_have(program, "a"), program == 2 || program == 4) << program;
}

}  // namespace
