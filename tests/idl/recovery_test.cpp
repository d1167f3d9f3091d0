#include <thriftlens/idl/recovery.hpp>

#include "idl_support.hpp"
#include "support/test.hpp"

using namespace thriftlens_test;
using lines = std::vector<std::string>;

namespace {

TEST(recovery, continues_at_the_next_field_with_unclosed_brackets) {
  EXPECT_EQ(errors_of("struct A {\n  1: list<i32, i32> a\n  2: map<i32 b\n  3: i32 c (x = 5\n  4: i32 d e: "
                      "7\n  5: list<i32> f = [1, =\n  6: i32\n}\nstruct B { 1: Nope n }"),
            (lines{"2:14 unexpected-token", "3:14 unexpected-token", "4:17 unexpected-token",
                   "5:13 unexpected-token", "6:24 unexpected-token", "8:1 unexpected-token",
                   "9:15 undefined-type"}));
}

TEST(recovery, does_not_read_parts_of_a_malformed_value_as_fields) {
  EXPECT_EQ(
      errors_of("struct A {\n  1: map<i32, i32> a = {\n    1: x y,\n    2: 3,\n    4: z\n  }\n  2: i32\n}"),
      (lines{"3:11 unexpected-token", "8:1 unexpected-token"}));
  EXPECT_EQ(errors_of("struct A { 1: list<i32> a = [1 = 2, 3], 2: map<i32 i32, i64> b, 3: i32 }"),
            (lines{"1:32 unexpected-token", "1:52 unexpected-token", "1:72 unexpected-token"}));
}

TEST(recovery, continues_at_functions_and_enum_members_at_the_start_of_a_line) {
  EXPECT_EQ(errors_of("service S {\n  void a(1: list<> x)\n  void b()\n  5 c()\n  list<i32> d(1: map<i32> "
                      "x)\n  oneway void e(1 i32 x)\n  void f(1: i32 x\n  void g(1: Nope n)\n}"),
            (lines{"2:18 unexpected-token", "4:3 unexpected-token", "5:25 unexpected-token",
                   "6:19 unexpected-token", "8:3 unexpected-token", "8:13 undefined-type"}));
  EXPECT_EQ(errors_of("enum E {\n  A = 'a'\n  B = \n  C = 1 2\n  D (x = 1)\n  E\n}"),
            (lines{"2:7 unexpected-token", "4:3 unexpected-token", "4:9 unexpected-token",
                   "5:10 unexpected-token"}));
}

TEST(recovery, finds_declarations_on_the_same_line) {
  EXPECT_EQ(
      errors_of(
          "const = 5 struct A { 1: i32 } typedef struct B { 1: Nope n } enum C { = } @D service E { f() }"),
      (lines{"1:7 unexpected-token", "1:29 unexpected-token", "1:39 unexpected-token",
             "1:71 unexpected-token", "1:75 unexpected-char", "1:94 unexpected-token"}));
  EXPECT_EQ(errors_of("namespace\nstruct A { 1: Nope n }"),
            (lines{"2:1 unexpected-token", "2:15 undefined-type"}));
}

TEST(recovery, reports_one_error_for_an_unterminated_list_or_string) {
  EXPECT_EQ(errors_of("struct A { 1: i32 a struct B { 1: i32 b }"), lines{"1:21 unexpected-token"});
  EXPECT_EQ(errors_of("struct A { 1: i32 a /* b"), lines{"1:21 unterminated-comment"});
  EXPECT_EQ(errors_of("service S { void f(1: i32 a = 'b }"), lines{"1:31 unterminated-string"});
}

TEST(recovery, continues_after_the_line_of_an_unterminated_string) {
  EXPECT_EQ(errors_of("struct A {\n  1: string a = 'x\n  2: Nope n\n}\nconst i32 b = \"c\""),
            (lines{"2:17 unterminated-string", "3:6 undefined-type", "5:15 const-type"}));
}

TEST(recovery, suppresses_only_follow_up_errors) {
  EXPECT_EQ(errors_of("const list<i32> A = [1, 2\nstruct S { 1: list<i32> a = A, 2: Nope n }"),
            (lines{"2:1 unexpected-token", "2:35 undefined-type"}));
  EXPECT_EQ(errors_of("enum E { A = x, B }\nconst E e = E.A\nconst E f = A\nconst E g = E.B\nenum F { C "
                      "}\nconst F h = F.X"),
            (lines{"1:14 unexpected-token", "6:13 undefined-const"}));
  EXPECT_EQ(
      errors_of(
          "struct S { 1: i32, 2: i32 b }\nconst S s = {'a': 1, 'b': 'c'}\nstruct T {}\nconst T t = {'a': 1}"),
      (lines{"1:18 unexpected-token", "2:27 const-type", "4:14 const-field"}));
  idl::load_options options;
  options.includes["base.thrift"] = "struct A { 1: i32 a } (b = 5)\nstruct B {}";
  EXPECT_EQ(errors_of("include 'base.thrift' struct S { 1: base.A a, 2: base.B b, 3: base.C c }", options),
            (lines{"1:63 undefined-type", "1:28 unexpected-token"}));
  EXPECT_EQ(errors_of("include base.thrift\nstruct S { 1: base.A a }", options),
            lines{"1:9 unexpected-token"});
  EXPECT_EQ(errors_of("struct S {}\ninclude 'base.thrift'\nstruct T { 1: base.B b }", options),
            (lines{"2:1 unexpected-token", "1:28 unexpected-token"}));
}

TEST(recovery, reports_an_unbalanced_bracket_once) {
  EXPECT_EQ(
      errors_of("service S {\n  i32 f(1: i32 a\n  i32 g(1: i32 a)\n  i32 h(1: i32 a),\n  i32 i(1: i32 a)\n}"),
      lines{"3:9 unexpected-token"});
  EXPECT_EQ(errors_of("service S {\n  i32 f<1: i32 a, 2: i32 b, 3: i32 c),\n  void g()\n}"),
            lines{"2:8 unexpected-token"});
  EXPECT_EQ(errors_of("service S {\n  void f(\n    1: i32 a)\n    2: i32 b,\n    3: i32 c)\n  void g()\n}"),
            lines{"4:5 unexpected-token"});
  EXPECT_EQ(errors_of("enum E {\n  A,\n  B\n\nstruct T {\n  1: i32 a\n}\nstruct U { 1: T t }"),
            lines{"5:10 unexpected-token"});
}

TEST(recovery, accepts_headers_after_a_malformed_definition) {
  EXPECT_EQ(errors_of("struct py.twisted x\nnamespace py x\ninclude ''"),
            (lines{"1:8 dotted-name", "1:19 unexpected-token", "3:9 include-not-found"}));
}

}  // namespace
