#include <thriftlens/codec/member_name.hpp>

#include "support/test.hpp"

namespace {
struct place {
  int x = 0;
  std::map<std::string, int> by_name;
  bool open_ = false;
  double _ = 0;
};
template <class T>
struct boxed {
  T value;
};
}  // namespace

using thriftlens::detail::codec::member_name;

TEST(codec_member_name, is_the_last_name_the_compiler_spells) {
  EXPECT_EQ(member_name<&place::x>(), "x");
  EXPECT_EQ(member_name<&place::by_name>(), "by_name");
  EXPECT_EQ((member_name<&boxed<std::map<int, char>>::value>()), "value");
}

TEST(codec_member_name, one_trailing_underscore_is_left_out) {
  EXPECT_EQ(member_name<&place::open_>(), "open");
  EXPECT_EQ(member_name<&place::_>(), "_");
}
