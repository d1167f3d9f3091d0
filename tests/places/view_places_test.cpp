#include "places/places.hpp"

#include <thriftlens/compare/compare.hpp>
#include <thriftlens/policy/validate.hpp>
#include <thriftlens/protocol/convert.hpp>
#include <thriftlens/view/conform.hpp>
#include <thriftlens/view/plan.hpp>
#include <thriftlens/view/view.hpp>

namespace {

using namespace thriftlens_test::places;

template <class P>
struct view_places : testing::Test {};
using protocols = testing::Types<tl::binary, tl::compact>;
TYPED_TEST_SUITE(view_places, protocols);

// A fault in a key is met by lookups of later keys.
tl::path question_of(const sample& of) { return tl::path::compile(box_type(), of.question); }

// The path of an error is a path again, and leads to the value at which the fault would be.
TYPED_TEST(view_places, error_paths_locate_the_value) {
  for (const sample& item : samples<TypeParam>()) {
    if (item.code == errc::depth_limit) continue;  // no reader may go there
    // Fields that are not in the IDL are found only without it.
    const bool is_known = fault_of(item) != fault::unknown_element;
    const tl::type of = is_known ? box_type() : tl::type();
    const tl::result<tl::path> path_text = tl::path::try_compile(of, is_known ? item.path : item.id_path);
    ASSERT_TRUE(path_text) << item.name << ": " << item.path << ": " << path_text.error().what();
    const tl::view<TypeParam> actual = tl::view<TypeParam>(item.sound, of).at(*path_text);
    EXPECT_EQ(actual.code(), errc::ok) << item.name << ": " << actual.error().what();
    EXPECT_EQ(actual.offset(), item.value) << item.name << ": " << item.path;
  }
}

TYPED_TEST(view_places, get) {
  expect_places<TypeParam>(
      "view",
      [](const sample& of) {
        return error_of(tl::view<TypeParam>(of.bytes, box_type()).at(question_of(of)).try_bytes());
      },
      is_seen_on_the_way);
}

TYPED_TEST(view_places, plan) {
  expect_places<TypeParam>(
      "plan",
      [](const sample& of) {
        const tl::plan request =
            tl::plan::compile(box_type(), {question_of(of), tl::path::compile(box_type(), "$.n")});
        tl::view<TypeParam> actual[2];
        tl::get_many(tl::view<TypeParam>(of.bytes, box_type()), request,
                     std::span<tl::view<TypeParam>>(actual));
        return error_of(actual[0].try_bytes());
      },
      is_seen_on_the_way);
}

TYPED_TEST(view_places, conforms) {
  expect_places<TypeParam>(
      "conforms",
      [](const sample& of) {
        return tl::detail::explain<TypeParam>(of.bytes, box_type(),
                                              tl::detail::conforms<TypeParam>(of.bytes, box_type()));
      },
      is_seen_on_the_way);
}

TYPED_TEST(view_places, validate) {
  const tl::validator full = tl::validator::compile(box_type(), {.max_findings = 1});
  expect_places<TypeParam>(
      "validate",
      [&](const sample& of) {
        const std::vector<tl::error> actual = full.template findings<TypeParam>(of.bytes);
        return actual.empty() ? tl::error() : actual.front();
      },
      sees_all);
}

TYPED_TEST(view_places, compare) {
  const std::string other("\0", 1);
  const auto with = [&](const sample& of, auto compare) {
    return error_of(
        compare(tl::view<TypeParam>(of.bytes, box_type()), tl::view<TypeParam>(other, box_type())));
  };
  expect_places<TypeParam>(
      "equal", [&](const sample& of) { return with(of, [](auto a, auto b) { return tl::try_equal(a, b); }); },
      is_of_bytes);
  expect_places<TypeParam>(
      "differences",
      [&](const sample& of) { return with(of, [](auto a, auto b) { return tl::try_differences(a, b); }); },
      is_of_bytes);
}

TYPED_TEST(view_places, convert) {
  using other = std::conditional_t<std::is_same_v<TypeParam, tl::binary>, tl::compact, tl::binary>;
  expect_places<TypeParam>(
      "convert", [](const sample& of) { return error_of(tl::try_convert<TypeParam, other>(of.bytes)); },
      is_of_bytes, path_of::ids);
}

}  // namespace
