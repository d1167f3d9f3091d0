#include <thriftlens/codec/field.hpp>

#include "support/test.hpp"

#include <thriftlens/codec/unknown_fields.hpp>

namespace {
struct point {
  int x = 0;
  std::optional<std::string> label_;
  std::vector<int> tags;
  tl::unknown_fields rest;
};
}  // namespace

TEST(codec_field, name_defaults_to_the_member_name) {
  EXPECT_EQ((tl::field<1, &point::x>::name()), "x");
  EXPECT_EQ((tl::field<1, &point::label_>::name()), "label");
  EXPECT_EQ((tl::field<1, &point::x, tl::required, tl::named("eks")>::name()), "eks");
}

TEST(codec_field, options_in_any_order) {
  using plain = tl::field<1, &point::x>;
  EXPECT_FALSE(plain::is_required || plain::omits_default || plain::is_set || plain::has_default);
  using full = tl::field<1, &point::tags, tl::as_set, tl::default_([] {
                           return std::vector<int>{1, 2};
                         }),
                         tl::omit_default, tl::required>;
  EXPECT_TRUE(full::is_required && full::omits_default && full::is_set && full::has_default);
  EXPECT_EQ(full::default_value(), (std::vector<int>{1, 2}));
}

TEST(codec_field, default_is_a_value_string_or_function) {
  EXPECT_EQ((tl::field<1, &point::x, tl::default_(5)>::default_value()), 5);
  EXPECT_EQ((tl::field<2, &point::label_, tl::default_("none")>::default_value()), "none");
  EXPECT_EQ((tl::field<1, &point::x, tl::default_([] { return 7; })>::default_value()), 7);
}

TEST(codec_field, get_gives_the_member_itself) {
  point object;
  tl::field<1, &point::x>::get(object) = 3;
  EXPECT_EQ(object.x, 3);
  const point& fixed = object;
  static_assert(std::is_same_v<decltype(tl::field<1, &point::x>::get(fixed)), const int&>);
  EXPECT_EQ(&tl::keep_unknown<&point::rest>::get(object), &object.rest);
}
