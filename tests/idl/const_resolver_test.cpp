#include <thriftlens/idl/const_resolver.hpp>

#include "idl_support.hpp"
#include "support/test.hpp"

using namespace thriftlens_test;
using lines = std::vector<std::string>;

namespace {

TEST(const_resolver, converts_numbers_to_their_types) {
  EXPECT_EQ(last_const("const double x = 3"), "3.0");
  EXPECT_EQ(last_const("const bool x = 1"), "true");
  EXPECT_EQ(last_const("const bool x = false"), "false");
  EXPECT_EQ(last_const("const i32 x = true"), "1");
  EXPECT_EQ(last_const("const i32 x = 1e5"), "100000");
  EXPECT_EQ(last_const("const double x = 1e5"), "100000.0");
  EXPECT_EQ(last_const("typedef i64 T typedef T U const U x = -9223372036854775808"), "-9223372036854775808");
}

TEST(const_resolver, keeps_integers_in_range) {
  for (auto [type, lowest, highest] : {std::tuple("i8", "-128", "127"),
                                       {"byte", "-128", "127"},
                                       {"i16", "-32768", "32767"},
                                       {"i32", "-2147483648", "2147483647"}}) {
    const std::string head = "const " + std::string(type) + " x = ";
    EXPECT_EQ(last_const(head + lowest), lowest);
    EXPECT_EQ(last_const(head + highest), highest);
    auto past = [](std::string number) { return ++number.back(), number; };
    EXPECT_EQ(errors_of(head + past(lowest)).size(), 1u) << type;
    EXPECT_EQ(errors_of(head + past(highest)).size(), 1u) << type;
  }
  EXPECT_EQ(errors_of("const i32 x = 1e10"), lines{"1:15 const-range"});
}

TEST(const_resolver, reads_other_numbers_as_true_in_lenient_mode) {
  EXPECT_EQ(last_const("const bool x = 100"), "true");
  EXPECT_EQ(last_const("const bool x = -1"), "true");
  EXPECT_EQ(warnings_of("const bool x = 100"), lines{"1:16 const-range"});
  EXPECT_EQ(errors_of("const bool x = 100", strict_options()), lines{"1:16 const-range"});
}

TEST(const_resolver, wraps_defaults_in_lenient_mode) {
  const std::string text = "struct S { 1: byte a = 200, 2: i16 b = 33000 }";
  auto set = parsed(text);
  EXPECT_EQ(set.programs[0].structs[0].fields[0].default_value->integer, 200);
  EXPECT_EQ(warnings_of(text), (lines{"1:24 const-range", "1:40 const-range"}));
  EXPECT_EQ(errors_of(text, strict_options()), (lines{"1:24 const-range", "1:40 const-range"}));
  EXPECT_EQ(errors_of("struct S { 1: byte a = 256, 2: byte b = -129, 3: i32 c = 4294967295 }").size(), 3u);
  EXPECT_EQ(errors_of("struct S { 1: list<byte> a = [200] }"), lines{"1:31 const-range"});
}

TEST(const_resolver, reports_values_of_another_type) {
  EXPECT_EQ(errors_of("const string x = 5"), lines{"1:18 const-type"});
  EXPECT_EQ(errors_of("const i32 x = 'a'"), lines{"1:15 const-type"});
  EXPECT_EQ(errors_of("const i32 x = 1.5"), lines{"1:15 const-type"});
  EXPECT_EQ(errors_of("const i32 x = 1.0"), lines{"1:15 const-type"});
  EXPECT_EQ(errors_of("const i32 x = 1e5", strict_options()), lines{"1:15 const-type"});
  EXPECT_EQ(errors_of("const double x = 'a'"), lines{"1:18 const-type"});
  EXPECT_EQ(errors_of("const bool x = 'a'"), lines{"1:16 const-type"});
  EXPECT_EQ(errors_of("const i32 x = [1]"), lines{"1:15 const-type"});
  EXPECT_EQ(errors_of("const list<i32> x = {1: 2}"), lines{"1:21 const-type"});
  EXPECT_EQ(errors_of("const map<i32, i32> x = [1]"), lines{"1:25 const-type"});
  EXPECT_EQ(errors_of("struct S {} const S x = 5"), lines{"1:25 const-type"});
  EXPECT_EQ(message_of("const i32 x = 'a'"), "expected i32, found the string 'a'");
}

TEST(const_resolver, reports_every_bad_element) {
  EXPECT_EQ(errors_of("const list<i8> x = [1, 'a', 1000, 2]"),
            (lines{"1:24 const-type", "1:29 const-range"}));
  EXPECT_EQ(errors_of("const map<i8, string> x = {'a': 1}"), (lines{"1:28 const-type", "1:33 const-type"}));
}

TEST(const_resolver, accepts_empty_braces_for_any_container) {
  EXPECT_EQ(last_const("const list<i32> x = {}"), "[]");
  EXPECT_EQ(last_const("const set<i32> x = {}"), "[]");
  EXPECT_EQ(last_const("const map<i32, i32> x = {}"), "{}");
  EXPECT_EQ(last_const("const map<i32, i32> x = []"), "{}");
}

TEST(const_resolver, checks_uuids) {
  EXPECT_EQ(last_const("const uuid x = '00000000-4444-CCCC-ffff-0123456789ab'"),
            "\"00000000-4444-CCCC-ffff-0123456789ab\"");
  EXPECT_EQ(last_const("const uuid x = '{00000000-4444-CCCC-ffff-0123456789ab}'"),
            "\"00000000-4444-CCCC-ffff-0123456789ab\"");
  EXPECT_EQ(errors_of("const uuid x = '00000000-4444-CCCC-ffff-0123456789a'"), lines{"1:16 const-type"});
  EXPECT_EQ(errors_of("const uuid x = '00000000-4444-CCCC-ffff-0123456789ag'"), lines{"1:16 const-type"});
  EXPECT_EQ(errors_of("const uuid x = 5"), lines{"1:16 const-type"});
}

TEST(const_resolver, turns_struct_constants_into_field_indices) {
  const std::string head = "struct P { 5: i32 x, 7: optional double y } struct L { 1: P a, 2: list<P> b } ";
  EXPECT_EQ(last_const(head + "const P p = {'y': 1, 'x': 2}"), "(1: 1.0, 0: 2)");
  EXPECT_EQ(last_const(head + "const L l = {'a': {'x': 1}, 'b': [{}, {'y': 2.5}]}"),
            "(0: (0: 1), 1: [(), (1: 2.5)])");
  EXPECT_EQ(last_const(head + "const string K = 'x' const P p = {K: 2}"), "(0: 2)");
  EXPECT_EQ(errors_of(head + "const P p = {'z': 1}").size(), 1u);
  EXPECT_NE(message_of(head + "const P p = {'z': 1}").find("expected a field of 'P', found 'z'"),
            std::string::npos);
  EXPECT_EQ(errors_of(head + "const P p = {5: 1}").size(), 1u);
}

TEST(const_resolver, finds_enum_members_by_every_spelling) {
  idl::load_options options;
  options.includes["base.thrift"] =
      "enum Color { RED = 3, BLUE = 4 } typedef Color Tint const Color FIRST = Color.RED";
  const std::string head = "include 'base.thrift' enum E { A = 1, B = 2 } typedef E T ";
  EXPECT_EQ(last_const(head + "const E x = E.B", options), "2");
  EXPECT_EQ(last_const(head + "const E x = T.B", options), "2");
  EXPECT_EQ(last_const(head + "const T x = B", options), "2");
  EXPECT_EQ(last_const(head + "const E x = 2", options), "2");
  EXPECT_EQ(last_const(head + "const i32 x = E.B", options), "2");
  EXPECT_EQ(last_const(head + "const base.Color x = base.Color.BLUE", options), "4");
  EXPECT_EQ(last_const(head + "const base.Color x = base.Tint.BLUE", options), "4");
  EXPECT_EQ(last_const(head + "const base.Color x = BLUE", options), "4");
  EXPECT_EQ(last_const(head + "const base.Color x = base.FIRST", options), "3");
}

TEST(const_resolver, reads_misqualified_members_and_warns) {
  idl::load_options options;
  options.includes["base.thrift"] = "enum Color { RED = 3, BLUE = 4 }";
  const std::string head = "include 'base.thrift' enum E { A = 1 }\n";
  for (const char* name : {"Color.BLUE", "base.BLUE", "E.BLUE"}) {
    EXPECT_EQ(last_const(head + "const base.Color x = " + name, options), "4") << name;
    EXPECT_EQ(warnings_of(head + "const base.Color x = " + name, options), lines{"2:22 enum-qualifier"});
  }
  EXPECT_EQ(errors_of(head + "const base.Color x = other.BLUE", options), lines{"2:22 undefined-const"});
}

TEST(const_resolver, reads_members_named_through_another_enum_with_the_same_number) {
  idl::load_options include;
  include.includes["base.thrift"] = "enum Color { RED = 3, BLUE = 4 } typedef Color Tint";
  const std::string head = "include 'base.thrift' enum Hue { RED = 3, BLUE = 5 } typedef Hue Shade\n";
  for (const idl::mode mode : {idl::mode::lenient, idl::mode::strict}) {
    include.mode = mode;
    for (const char* name : {"base.Color.RED", "base.Tint.RED"}) {
      EXPECT_EQ(last_const(head + "const Hue x = " + name, include), "3");
      EXPECT_EQ(warnings_of(head + "const Hue x = " + name, include), lines{"2:15 enum-qualifier"});
    }
    EXPECT_EQ(last_const(head + "const Shade x = base.Color.RED", include), "3");
    EXPECT_EQ(last_const(head + "const list<Hue> x = [base.Color.RED, Hue.BLUE]", include), "[3, 5]");
    EXPECT_EQ(warnings_of(head + "struct S { 1: Hue hue = base.Color.RED }", include),
              lines{"2:25 enum-qualifier"});
    EXPECT_EQ(warnings_of(head + "service S { void f(1: Hue hue = base.Color.RED) }", include),
              lines{"2:33 enum-qualifier"});
    EXPECT_EQ(errors_of(head + "const Hue x = base.Color.BLUE", include), lines{"2:15 const-type"});
    EXPECT_EQ(message_of(head + "const Hue x = base.Color.BLUE", include),
              "expected the enum 'Hue', found a member of the enum 'Color', whose 'BLUE' is 4, not 5");
  }
}

TEST(const_resolver, reports_members_that_do_not_fit) {
  const std::string head = "enum E { A = 1 } enum F { B = 1, C = 300 }\n";
  EXPECT_EQ(errors_of(head + "const E x = F.B"), lines{"2:13 const-type"});
  EXPECT_EQ(errors_of(head + "const E x = E.B"), lines{"2:13 undefined-const"});
  EXPECT_EQ(errors_of(head + "const E x = Z"), lines{"2:13 undefined-const"});
  EXPECT_EQ(errors_of(head + "const string x = E.A"), lines{"2:18 const-type"});
  EXPECT_EQ(errors_of(head + "const i8 x = F.C"), lines{"2:14 const-range"});
  EXPECT_EQ(errors_of(head + "const E x = 2147483648"), lines{"2:13 const-range"});
  EXPECT_EQ(errors_of(head + "const F f = F.B const E x = f"), lines{"2:29 const-type"});
}

TEST(const_resolver, requires_qualified_enum_members_in_strict_mode) {
  EXPECT_EQ(errors_of("enum E { A } const E x = A", strict_options()), lines{"1:26 undefined-const"});
  EXPECT_NE(message_of("enum E { A } const E x = A", strict_options()).find("write it as 'E.A'"),
            std::string::npos);
  EXPECT_EQ(errors_of("enum E { A } const E x = 5", strict_options()), lines{"1:26 enum-value"});
  EXPECT_EQ(warnings_of("enum E { A } const E x = 5"), lines{"1:26 enum-value"});
}

TEST(const_resolver, replaces_references) {
  EXPECT_EQ(last_const("const i32 b = a const i32 a = 5 const list<i32> x = [a, b, 1]"), "[5, 5, 1]");
  EXPECT_EQ(last_const("const i32 a = 5 const double x = a"), "5.0");
  EXPECT_EQ(last_const("const list<i32> a = [1, 2] const list<double> x = a"), "[1.0, 2.0]");
  EXPECT_EQ(last_const("const list<i32> a = [1, 2] const set<i64> x = a"), "[1, 2]");
  EXPECT_EQ(last_const("const map<i32, i32> a = {1: 2} const map<i64, double> x = a"), "{1: 2.0}");
  EXPECT_EQ(last_const("struct P { 1: i32 x } const P a = {'x': 1} const list<P> x = [a, a]"),
            "[(0: 1), (0: 1)]");
  auto set =
      parsed("const string d = 'v' struct S { 1: string a = d } service V { void f(1: string b = d) }");
  EXPECT_EQ(set.programs[0].structs[0].fields[0].default_value->text, "v");
  EXPECT_EQ(set.programs[0].services[0].functions[0].arguments[0].default_value->text, "v");
}

TEST(const_resolver, reports_errors_of_references_at_the_reference) {
  EXPECT_EQ(errors_of("const i32 a = 500\nconst i8 x = a"), lines{"2:14 const-range"});
  EXPECT_EQ(errors_of("const string a = 's'\nconst i8 x = a"), lines{"2:14 const-type"});
  EXPECT_EQ(errors_of("const list<i32> a = [500]\nconst list<i8> x = a"), lines{"2:20 const-range"});
  EXPECT_EQ(errors_of("struct P {} struct Q {} const P a = {}\nconst Q x = a"), lines{"2:13 const-type"});
  EXPECT_EQ(errors_of("const i32 x = MISSING"), lines{"1:15 undefined-const"});
}

TEST(const_resolver, reports_a_bad_constant_once) {
  EXPECT_EQ(errors_of("const i32 a = 'x'\nconst i32 b = a\nconst list<i32> c = [a, b]"),
            lines{"1:15 const-type"});
}

TEST(const_resolver, reports_cycles) {
  EXPECT_EQ(errors_of("const i32 a = a"), lines{"1:15 const-cycle"});
  EXPECT_EQ(errors_of("const i32 a = b\nconst i32 b = a"), lines{"2:15 const-cycle"});
  EXPECT_EQ(errors_of("const list<i32> a = [1, b]\nconst i32 b = c\nconst i32 c = a"),
            lines{"3:15 const-cycle"});
}

TEST(const_resolver, the_last_of_two_keys_wins) {
  EXPECT_EQ(last_const("const map<i32, string> x = {1: 'a', 2: 'b', 1: 'c'}"), "{1: \"c\", 2: \"b\"}");
  EXPECT_EQ(warnings_of("const map<i32, string> x = {1: 'a', 2: 'b', 1: 'c'}"), lines{"1:45 duplicate-key"});
  EXPECT_EQ(last_const("const i32 k = 1 const map<i32, i32> x = {1: 5, k: 6}"), "{1: 6}");
  EXPECT_EQ(last_const("const map<list<i32>, i32> x = {[1]: 5, [2]: 6, [1]: 7}"), "{[1]: 7, [2]: 6}");
  EXPECT_EQ(last_const("struct P { 1: i32 x } const P x = {'x': 1, 'x': 2}"), "(0: 2)");
  EXPECT_EQ(last_const("const map<double, i32> x = {0.0: 1, -0.0: 2}"), "{-0.0: 2}");
}

TEST(const_resolver, bounds_the_strings_that_references_repeat) {
  auto repeated = [](std::size_t size, int times, bool listed) {
    std::string text =
        "const string s = '" + std::string(size, 'x') + "'\nconst list<string> l = [s, s]\nstruct S {\n";
    for (int i = 1; i <= times; ++i)
      text += std::to_string(i) + (listed ? ": list<string> f" : ": string f") + std::to_string(i) +
              (listed ? " = l\n" : " = s\n");
    return errors_of(text + '}');
  };
  EXPECT_TRUE(repeated(1 << 20, 2, false).empty());
  EXPECT_EQ(repeated(1 << 20, 1000, false), lines{"6:16 const-limit"});
  EXPECT_TRUE(repeated(1 << 18, 7, true).empty());
  EXPECT_EQ(repeated(1 << 18, 1000, true), lines{"11:22 const-limit"});
  EXPECT_TRUE(errors_of("const string s = '" + std::string(8 << 20, 'x') + "'").empty());
}

TEST(const_resolver, bounds_conversions_of_large_references) {
  std::string text = "const list<i32> a = [";
  for (int i = 0; i < 1000; ++i) text += "1,";
  text += "]\nconst list<list<double>> b = [";
  for (int i = 0; i < 100'000; ++i) text += "a,";
  auto errors = errors_of(text + "]");
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_NE(errors[0].find("const-limit"), std::string::npos);
}

TEST(const_resolver, bounds_chains_in_either_order) {
  for (bool backwards : {false, true}) {
    std::string text;
    const int count = 100'000;
    for (int i = 0; i < count; ++i) {
      const int at = backwards ? count - 1 - i : i;
      text +=
          "const i32 c" + std::to_string(at) + " = " + (at == 0 ? "1" : "c" + std::to_string(at - 1)) + '\n';
    }
    auto errors = errors_of(text);
    ASSERT_FALSE(errors.empty());
    EXPECT_NE(errors[0].find("depth-limit"), std::string::npos);
  }
}

}  // namespace
