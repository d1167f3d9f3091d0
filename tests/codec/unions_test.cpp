#include <thriftlens/codec/unions.hpp>

#include <gtest/gtest.h>

#include <string>
#include <variant>

namespace tl = thriftlens;
namespace codec = thriftlens::codec;

namespace {
using plain = std::variant<int, std::string>;
using numbered = std::variant<std::monostate, bool, std::string>;
struct boxed {
  std::variant<std::monostate, int, int> value;
};
}  // namespace
template <>
struct tl::binding<numbered> : tl::union_ids<3, 7> {};
template <>
struct tl::binding<boxed> : tl::union_<&boxed::value, 10, 5> {};

TEST(codec_unions, alternatives_have_ids_and_monostate_has_none) {
  EXPECT_EQ(codec::union_members<plain>::count, 2u);
  EXPECT_EQ(codec::union_members<plain>::id(1), 2);
  EXPECT_FALSE(codec::union_members<plain>::parts::may_be_empty);
  EXPECT_EQ(codec::union_members<numbered>::count, 2u);
  EXPECT_EQ(codec::union_members<numbered>::id(0), 3);
  EXPECT_EQ(codec::union_members<boxed>::find(5), 1u);
  EXPECT_EQ(codec::union_members<boxed>::find(6), 2u);
  boxed object;
  codec::union_members<boxed>::get(object).emplace<2>(4);
  EXPECT_EQ(object.value.index(), 2u);
}
