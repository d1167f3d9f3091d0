#include <thriftlens/codec/flat.hpp>

#include "support/test.hpp"

#include <thriftlens/protocol/binary.hpp>

namespace codec = thriftlens::detail::codec;

namespace {
struct flat_point {
  std::int32_t x = 0;
  std::int32_t y = 0;
};
struct named {
  flat_point at;
  std::string name;
  std::optional<bool> flag;
};
struct listed {
  std::vector<int> list;
};
struct needed {
  std::optional<int> must;
};
}  // namespace
template <>
struct tl::binding<flat_point> : tl::numbered {};
template <>
struct tl::binding<named> : tl::numbered {};
template <>
struct tl::binding<listed> : tl::numbered {};
template <>
struct tl::binding<needed> : tl::fields<tl::field<1, &needed::must, tl::required>> {};

TEST(codec_flat, types_written_after_one_capacity_check) {
  static_assert(codec::is_flat<int> && codec::is_flat<std::string> && codec::is_flat<std::optional<double>>);
  static_assert(codec::is_flat<flat_point> && codec::is_flat<named>);
  static_assert(!codec::is_flat<std::vector<int>> && !codec::is_flat<listed> && !codec::is_flat<needed>);
  EXPECT_EQ(codec::flat_depth<int>(), 0u);
  EXPECT_EQ(codec::flat_depth<named>(), 2u);
}

TEST(codec_flat, capacity_is_a_constant_plus_string_lengths) {
  EXPECT_EQ((codec::flat_base<tl::binary, flat_point>()), 15u);
  EXPECT_EQ((codec::flat_base<tl::binary, named>()), 3 + 15 + 3 + 4 + 3 + 1 + 1u);
  const named object{{}, std::string(5000, 'x'), true};
  EXPECT_EQ(codec::flat_text<false>(object), 5000u);
  EXPECT_EQ(codec::flat_text<true>(object), 0u) << "a gather list borrows it";
  EXPECT_TRUE(codec::has_text<named>);
  EXPECT_FALSE(codec::has_text<flat_point>);
  EXPECT_TRUE(codec::has_nullable<named>);
  EXPECT_FALSE(codec::has_nullable<flat_point>);
  EXPECT_TRUE(codec::texts_fit(object));
}
