#include <thriftlens/idl/skipped_names.hpp>

#include <gtest/gtest.h>

namespace idl = thriftlens::idl;

namespace {

TEST(skipped_names, may_have_what_was_added) {
  idl::skipped_names skipped;
  EXPECT_FALSE(skipped.may_have("a"));
  for (const char* each : {"b", "a", "b", "c"}) skipped.add(each);
  EXPECT_TRUE(skipped.may_have("a"));
  EXPECT_TRUE(skipped.may_have("b"));
  EXPECT_FALSE(skipped.may_have("d"));
  EXPECT_FALSE(skipped.may_have(""));
}

TEST(skipped_names, may_have_any_name_once_one_is_unknown) {
  EXPECT_TRUE(idl::skipped_names::all().may_have("a"));
  idl::skipped_names skipped;
  skipped.add("");
  EXPECT_TRUE(skipped.may_have("a"));
}

}  // namespace
