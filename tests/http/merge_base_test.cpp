#include <thriftlens/http/merge_base.hpp>

#include "http/sample.hpp"

namespace tl = thriftlens;

TEST(merge_base, the_first_value_wins_and_maps_are_merged) {
  const tl::schema schema = tl::schema::parse(
      "struct B { 1: string id, 2: bool flag, 3: i32 n, 6: map<string, string> extra, 7: bool other }");
  const tl::type of = schema.type("B");
  const auto merge = [&]<class P>(P) {
    const tl::buffer over = tl::from_json<P>(of, R"({"id":"L","flag":true,"extra":{"a":"1"}})");
    const tl::buffer under =
        tl::from_json<P>(of, R"({"id":"J","n":4,"extra":{"a":"2","b":"3"},"other":true})");
    tl::buffer made;
    EXPECT_TRUE(tl::detail::merge_structs<P>(over, under, made));
    return tl::to_json<P>(of, made).str();
  };
  const char* const expected = R"({"id":"L","flag":true,"extra":{"a":"1","b":"3"},"n":4,"other":true})";
  EXPECT_EQ(merge(tl::binary()), expected);
  EXPECT_EQ(merge(tl::compact()), expected);
}
TEST(merge_base, rejects_other_values_than_structs) {
  tl::buffer made;
  const tl::byte_view stop("\0", 1);
  const tl::byte_view bad("\x08\0\x01", 3);
  EXPECT_TRUE(tl::detail::merge_structs<tl::binary>(stop, stop, made));
  EXPECT_FALSE(tl::detail::merge_structs<tl::binary>(bad, stop, made));
  EXPECT_FALSE(tl::detail::merge_structs<tl::binary>(stop, bad, made));
}
