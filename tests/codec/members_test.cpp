#include <thriftlens/codec/members.hpp>

#include "support/test.hpp"

#include <variant>

namespace codec = thriftlens::detail::codec;

namespace {
struct by_fields {
  int z = 0;
  std::vector<int> y;
  std::optional<int> x;
};
struct ordered {
  int a = 0;
  std::string b;
};
}  // namespace
template <>
struct tl::binding<by_fields>
    : tl::fields<tl::field<900, &by_fields::z, tl::required>, tl::field<-1, &by_fields::y, tl::as_set>,
                 tl::field<5, &by_fields::x, tl::default_(4)>> {};
template <>
struct tl::binding<ordered> : tl::numbered {};

TEST(codec_members, fields_are_sorted_by_id) {
  using list = codec::members<by_fields>;
  EXPECT_EQ(codec::member_ids<by_fields>, (std::array<std::int16_t, 3>{-1, 5, 900}));
  EXPECT_EQ(list::name<0>(), "y");
  EXPECT_TRUE(list::as_set<0> && list::has_default<1> && list::required<2>);
  EXPECT_EQ((codec::member_wire<by_fields, 0>), tl::ttype::set);
  EXPECT_EQ(list::default_value<1>(), 4);
  by_fields object;
  list::get<2>(object) = 8;
  EXPECT_EQ(object.z, 8);
}

TEST(codec_members, numbered_aggregates_have_the_same_interface) {
  using list = codec::members<ordered>;
  EXPECT_EQ(list::count, 2u);
  EXPECT_EQ(list::name<1>(), "b");
  EXPECT_EQ(codec::member_name_at<ordered>(1), "b");
  EXPECT_EQ(list::id<1>, 2);
  int visited = 0;
  EXPECT_FALSE(
      codec::for_each_member<ordered>([&]<std::size_t Index>(std::integral_constant<std::size_t, Index>) {
        ++visited;
        return Index != 0;
      }));
  EXPECT_EQ(visited, 1);
}

// ---- unions

namespace {
using plain_variant = std::variant<int, std::string>;
using with_ids = std::variant<std::monostate, bool, std::string>;
struct boxed_variant {
  std::variant<std::monostate, int, int> value;
};
}  // namespace
template <>
struct tl::binding<with_ids> : tl::union_ids<3, 7> {};
template <>
struct tl::binding<boxed_variant> : tl::union_<&boxed_variant::value, 10, 5> {};

TEST(codec_members, alternatives_of_a_union_have_ids_and_monostate_has_none) {
  EXPECT_EQ(codec::union_members<plain_variant>::count, 2u);
  EXPECT_EQ(codec::union_members<plain_variant>::id(1), 2);
  EXPECT_FALSE(codec::union_members<plain_variant>::parts::may_be_empty);
  EXPECT_EQ(codec::union_members<with_ids>::count, 2u);
  EXPECT_EQ(codec::union_members<with_ids>::id(0), 3);
  EXPECT_EQ(codec::union_members<boxed_variant>::find(5), 1u);
  EXPECT_EQ(codec::union_members<boxed_variant>::find(6), 2u);
  boxed_variant object;
  codec::union_members<boxed_variant>::get(object).emplace<2>(4);
  EXPECT_EQ(object.value.index(), 2u);
}
