#include <thriftlens/records/framing.hpp>

#include "support/test.hpp"

namespace {

TEST(framing, has_a_name_and_a_description) {
  EXPECT_EQ(to_string(tl::framing::none), "none");
  EXPECT_EQ(to_string(tl::framing::message), "message");
  EXPECT_EQ(testing::PrintToString(tl::framing::u32le), "u32le");
  std::set<std::string_view> names, descriptions;
  for (std::size_t i = 0; i < tl::detail::framing_count; ++i) {
    names.insert(to_string(static_cast<tl::framing>(i)));
    descriptions.insert(tl::detail::framing_descriptions[i]);
  }
  EXPECT_EQ(names.size(), tl::detail::framing_count);
  EXPECT_EQ(descriptions.size(), tl::detail::framing_count);
}

}  // namespace
