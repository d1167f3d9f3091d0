#include <thriftlens/compare/inspect.hpp>

#include "support/order.hpp"
#include "support/test.hpp"

#include <gmock/gmock.h>

using tl::errc;
using namespace thriftlens_test;
using testing::HasSubstr;

namespace {

template <class P>
struct inspect_of : testing::Test {};
TYPED_TEST_SUITE(inspect_of, protocols);

TEST(inspect, shows_offsets_ids_types_and_values) {
  std::string bytes = encode<tl::binary>(structure(
      {{1, i64(77)}, {2, structure({{2, text("Ann")}})}, {13, list(ttype::i32, {i32(3)}, ttype::set)}}));
  EXPECT_EQ(tl::inspect<tl::binary>(bytes),
            "00000000  struct\n"
            "00000000    #1 i64 77\n"
            "0000000b    #2 struct\n"
            "0000000e      #2 string \"Ann\"\n"
            "00000019    #13 set of 1 i32\n"
            "00000021      [0] i32 3\n");
}

TYPED_TEST(inspect_of, shows_names_of_the_schema) {
  tl::fault reason;
  std::string shown = tl::inspect<TypeParam>(order_bytes<TypeParam>(), {.of = order_type()}, &reason);
  EXPECT_EQ(reason.code, errc::ok);
  for (const char* part : {"struct Order\n", "#1 id i64 77", "#2 user struct User", "#2 name string \"Ann\"",
                           "#10 debug string \"\\u0000\\u0001\\u0002\"", "key i32 5 BLUE", "  = i32 50",
                           "#200 bool true", "[1] i32 70000"}) {
    EXPECT_THAT(shown, HasSubstr(part));
  }
}

TYPED_TEST(inspect_of, malformed_bytes_are_shown_up_to_the_error) {
  const std::string& complete = order_bytes<TypeParam>();
  for (std::size_t size = 0; size < complete.size(); ++size) {
    tl::fault reason;
    std::string cut = complete.substr(0, size);
    std::string shown = tl::inspect<TypeParam>(cut, {}, &reason);
    EXPECT_EQ(reason.code, errc::truncated) << size;
    EXPECT_THAT(shown, HasSubstr("\n! the data ends in the middle of a value ("));
  }
  tl::fault reason;
  std::string longer = complete + "x";
  EXPECT_THAT(tl::inspect<TypeParam>(longer, {}, &reason), HasSubstr("\n! "));
  EXPECT_EQ(reason.code, errc::trailing_bytes);
}

TYPED_TEST(inspect_of, long_strings_and_containers_are_truncated) {
  std::string bytes =
      encode<TypeParam>(structure({{1, text(std::string(100, 'a'))},
                                   {2, text("\xff\xfe")},
                                   {3, list(ttype::i8, {i8(1), i8(2), i8(3)})},
                                   {4, map(ttype::i8, ttype::i8, {{i8(1), i8(2)}, {i8(3), i8(4)}})}}));
  std::string shown = tl::inspect<TypeParam>(bytes, {.text_size = 10, .elements = 1});
  EXPECT_THAT(shown, HasSubstr("\"aaaaaaaaaa\"… (100 bytes)"));
  EXPECT_THAT(shown, HasSubstr("0xfffe"));
  EXPECT_THAT(shown, HasSubstr("… 2 more"));
  EXPECT_THAT(shown, HasSubstr("… 1 more"));
}

TYPED_TEST(inspect_of, mismatches_with_the_schema_are_shown) {
  std::string bytes = encode<TypeParam>(structure({{1, text("x")}}));
  EXPECT_THAT(tl::inspect<TypeParam>(bytes, {.of = order_type()}),
              HasSubstr("#1 id (declared i64) string \"x\""));
}

}  // namespace
