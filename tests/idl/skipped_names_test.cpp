#include <thriftlens/idl/lost_names.hpp>

#include <gtest/gtest.h>

namespace idl = thriftlens::idl;

namespace {

TEST(lost_names, may_have_what_was_added) {
  idl::lost_names lost;
  EXPECT_FALSE(lost.may_have("a"));
  for (const char* each : {"b", "a", "b", "c"}) lost.add(each);
  lost.finish();
  EXPECT_TRUE(lost.may_have("a"));
  EXPECT_TRUE(lost.may_have("b"));
  EXPECT_FALSE(lost.may_have("d"));
  EXPECT_FALSE(lost.may_have(""));
}

TEST(lost_names, may_have_any_name_once_one_is_unknown) {
  EXPECT_TRUE(idl::lost_names::all().may_have("a"));
  idl::lost_names lost;
  lost.add("");
  EXPECT_TRUE(lost.may_have("a"));
}

}  // namespace
