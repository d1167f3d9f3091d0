#include <thriftlens/policy/redact_blank.hpp>

#include "support/test.hpp"
#include "support/tree.hpp"

#include <thriftlens/schema/schema.hpp>

using namespace thriftlens_test;

namespace {

constexpr std::string_view blank_idl = R"(
  enum Zero { A = 0, B = 1 }
  enum Late { C = 7, D = 9 }
  struct Inner { 1: required string s, 2: optional i32 gone, 3: required bool b }
  struct All {
    1: required bool b, 2: required i8 i, 3: required i16 s, 4: required i32 w, 5: required i64 l, 6: required double d
    7: required string t, 8: required binary x, 9: required list<i32> li, 10: required set<string> se, 11: required map<i32, Inner> m
    12: required Inner inner, 13: required Zero z, 14: required Late late, 15: optional Inner no, 16: i32 none
  }
  struct Self { 1: required Self self }
  struct B0 { 1: required string a, 2: required string b } struct B1 { 1: required B0 a, 2: required B0 b }
)";

template <class P>
struct blank_of : testing::Test {};
TYPED_TEST_SUITE(blank_of, protocols);

TYPED_TEST(blank_of, a_struct_has_its_required_fields_blank) {
  tl::schema schema = tl::schema::parse(blank_idl);
  tl::buffer out;
  ASSERT_EQ(tl::detail::append_blank<TypeParam>(out, schema.type("All")), tl::errc::ok);
  const tree inner = structure({{1, text("")}, {3, boolean(false)}});
  EXPECT_EQ(out.text(), encode<TypeParam>(structure({{1, boolean(false)},
                                                     {2, i8(0)},
                                                     {3, i16(0)},
                                                     {4, i32(0)},
                                                     {5, i64(0)},
                                                     {6, real(0)},
                                                     {7, text("")},
                                                     {8, text("")},
                                                     {9, list(ttype::i32, {})},
                                                     {10, list(ttype::string, {}, ttype::set)},
                                                     {11, map(ttype::i32, ttype::struct_, {})},
                                                     {12, inner},
                                                     {13, i32(0)},
                                                     {14, i32(7)}})));
}

TYPED_TEST(blank_of, recursive_and_oversized_types_have_none) {
  tl::schema schema = tl::schema::parse(blank_idl);
  tl::buffer out;
  out.append(std::string_view("head"));
  EXPECT_EQ(tl::detail::append_blank<TypeParam>(out, schema.type("Self")), tl::errc::bad_rule);
  EXPECT_EQ(out.text(), "head");
  std::string doubling = "struct S0 { 1: required string a, 2: required string b }\n";
  for (int i = 1; i < 40; ++i) {
    const std::string below = "S" + std::to_string(i - 1);
    doubling +=
        "struct S" + std::to_string(i) + " { 1: required " + below + " a, 2: required " + below + " b }\n";
  }
  tl::schema large = tl::schema::parse(doubling);
  EXPECT_EQ(tl::detail::append_blank<TypeParam>(out, large.type("S39")), tl::errc::bad_rule);
  EXPECT_EQ(tl::detail::append_blank<TypeParam>(out, large.type("S4")), tl::errc::ok);
}

}  // namespace
