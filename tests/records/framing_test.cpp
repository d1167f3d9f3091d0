#include <thriftlens/records/framing.hpp>

#include <gtest/gtest.h>

#include <string_view>

namespace tl = thriftlens;

namespace {

TEST(framing, names_go_both_ways) {
  for (const std::string_view name :
       {"none", "u32", "u32le", "varint", "message", "kafka", "base64", "hex"}) {
    ASSERT_TRUE(tl::detail::find_framing(name)) << name;
    EXPECT_EQ(to_string(*tl::detail::find_framing(name)), name);
  }
  EXPECT_FALSE(tl::detail::find_framing("u64"));
  EXPECT_FALSE(tl::detail::find_framing(""));
  EXPECT_EQ(testing::PrintToString(tl::framing::u32le), "u32le");
}

}  // namespace
