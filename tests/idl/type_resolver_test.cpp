#include <thriftlens/idl/type_resolver.hpp>

#include "idl_support.hpp"
#include "support/test.hpp"

using namespace thriftlens_test;
using lines = std::vector<std::string>;

namespace {

TEST(type_resolver, links_names_before_and_after_their_declaration) {
  auto set =
      parsed("struct A { 1: B b, 2: list<map<T, E>> c } struct B { 1: A a } typedef string T enum E { X }");
  auto fields = set.programs[0].structs[0].fields;
  EXPECT_EQ(fields[0].type.target.kind, idl::declaration_kind::struct_);
  EXPECT_EQ(fields[0].type.target.index, 1u);
  const idl::type_ref& map = fields[1].type.arguments[0];
  EXPECT_EQ(map.arguments[0].target.kind, idl::declaration_kind::typedef_);
  EXPECT_EQ(map.arguments[1].target.kind, idl::declaration_kind::enum_);
}

TEST(type_resolver, links_across_files) {
  idl::load_options options;
  options.includes["a.thrift"] = "include 'b.thrift' typedef b.B A service V { void f() }";
  options.includes["b.thrift"] = "struct B {}";
  auto set = parsed("include 'a.thrift' struct S { 1: a.A x } service W extends a.V {}", options);
  EXPECT_EQ(set.programs[0].structs[0].fields[0].type.target.program, 1u);
  EXPECT_EQ(set.programs[1].typedefs[0].type.target.program, 2u);
  EXPECT_EQ(set.programs[0].services[0].base.program, 1u);
  EXPECT_EQ(errors_of("include 'a.thrift' struct S { 1: b.B x }", options), lines{"1:34 undefined-type"});
}

TEST(type_resolver, reports_names_that_are_not_types) {
  EXPECT_EQ(errors_of("struct A { 1: Missing a }"), lines{"1:15 undefined-type"});
  EXPECT_EQ(errors_of("service V { Missing f(1: list<Lost> a) }"),
            (lines{"1:13 undefined-type", "1:31 undefined-type"}));
  EXPECT_EQ(errors_of("const i32 X = 1 struct A { 1: X a }"), lines{"1:31 not-a-type"});
  EXPECT_EQ(errors_of("service V {} struct A { 1: V a }"), lines{"1:28 not-a-type"});
  EXPECT_EQ(message_of("struct A { 1: Missing a }"), "expected a type, found the unknown name 'Missing'");
  EXPECT_EQ(message_of("struct Point {} struct A { 1: Pont a }"),
            "expected a type, found the unknown name 'Pont'; did you mean 'Point'?");
  EXPECT_EQ(message_of("struct A { 1: list<strng> a }"),
            "expected a type, found the unknown name 'strng'; did you mean 'string'?");
  EXPECT_EQ(message_of("struc A {}"),
            "expected a header or definition, found 'struc'; did you mean 'struct'?");
  EXPECT_EQ(message_of("struct A { 1: int a }"),
            "expected a type, found the unknown name 'int'; did you mean 'i32'?");
}

TEST(type_resolver, reports_names_that_are_not_services) {
  EXPECT_EQ(errors_of("service S extends Missing {}"), lines{"1:19 undefined-service"});
  EXPECT_EQ(errors_of("struct A {} service S extends A {}"), lines{"1:31 undefined-service"});
}

TEST(type_resolver, requires_exceptions_in_throws) {
  EXPECT_TRUE(errors_of("exception X {} typedef X Y service S { void f() throws (1: Y y) }").empty());
  EXPECT_EQ(errors_of("struct A {} service S { void f() throws (1: A a, 2: string s) }"),
            (lines{"1:45 not-an-exception", "1:53 not-an-exception"}));
}

TEST(type_resolver, reports_duplicate_members) {
  EXPECT_EQ(errors_of("struct A { 1: i32 a, 2: i32 a }"), lines{"1:29 duplicate-field-name"});
  EXPECT_EQ(errors_of("enum E { A, A }"), lines{"1:13 duplicate-enum-member"});
  EXPECT_EQ(errors_of("service S { void f(), void f() }"), lines{"1:28 duplicate-function"});
  EXPECT_EQ(errors_of("service S { void f(1: i32 a, 2: i32 a) }"), lines{"1:37 duplicate-field-name"});
  EXPECT_TRUE(errors_of("enum E { A = 1, B = 1 }").empty());
}

TEST(type_resolver, allows_redefined_functions_in_lenient_mode) {
  const std::string text = "service A { void f() } service B extends A {} service C extends B { void f() }";
  EXPECT_TRUE(errors_of(text).empty());
  EXPECT_EQ(errors_of(text, strict_options()), lines{"1:74 duplicate-function"});
}

TEST(type_resolver, allows_one_default_in_a_union) {
  EXPECT_TRUE(errors_of("union U { 1: i32 a = 1, 2: i32 b }").empty());
  EXPECT_EQ(errors_of("union U { 1: i32 a = 1, 2: i32 b = 2 }"), lines{"1:36 union-defaults"});
}

TEST(type_resolver, reports_each_cycle_once) {
  EXPECT_EQ(errors_of("typedef A A"), lines{"1:9 typedef-cycle"});
  EXPECT_EQ(errors_of("typedef B A\ntypedef A B\nstruct S { 1: A a, 2: B b }"), lines{"1:9 typedef-cycle"});
  EXPECT_EQ(errors_of("typedef list<B> A\ntypedef map<i32, A> B"), lines{"1:9 typedef-cycle"});
  EXPECT_EQ(errors_of("service A extends B {}\nservice B extends A {}"), lines{"1:19 service-cycle"});
  EXPECT_TRUE(errors_of("struct A { 1: required A a, 2: list<A> b }").empty());
}

TEST(type_resolver, reports_a_typedef_of_no_type_where_it_is_used) {
  const std::string unknown = "typedef Gone A\ntypedef list<A> B\n";
  const std::string constant = "const i32 C = 1\ntypedef C A\n";
  for (const std::string& head : {unknown, constant}) {
    const std::string kind = head == unknown ? " undefined-type" : " not-a-type";
    const auto at = [&](const char* place) { return place + kind; };
    EXPECT_EQ(errors_of(head + "struct S { 1: A a }"), lines{at("3:15")});
    EXPECT_EQ(errors_of(head + "struct S { 1: map<i32, A> a, 2: A b }"), (lines{at("3:24"), at("3:33")}));
    EXPECT_EQ(errors_of(head + "const A a = 5"), lines{at("3:7")});
    EXPECT_EQ(errors_of(head + "service S { A f(1: A a) throws (1: A b) }"),
              (lines{at("3:13"), at("3:20"), at("3:36")}));
    EXPECT_EQ(warnings_of(head), lines{at(head == unknown ? "1:9" : "2:9")});
    EXPECT_EQ(errors_of(head, strict_options()), lines{at(head == unknown ? "1:9" : "2:9")});
  }
  EXPECT_EQ(errors_of(unknown + "exception E { 1: B b }"), lines{"3:18 undefined-type"});
  EXPECT_EQ(message_of(unknown + "exception E { 1: B b }"),
            "expected a type, found 'B', a typedef of the unknown name 'Gone'");
  EXPECT_EQ(message_of(constant + "struct S { 1: A a }"),
            "expected a type, found 'A', a typedef of the constant 'C'");
  EXPECT_EQ(message_of(unknown, strict_options()), "expected a type, found the unknown name 'Gone'");
  EXPECT_EQ(errors_of("service V {} typedef V A"), lines{"1:22 not-a-type"});
  EXPECT_EQ(errors_of("typedef list<Gone> A typedef A B"), lines{});
  idl::load_options options;
  options.includes["base.thrift"] = "typedef Gone A";
  EXPECT_EQ(errors_of("include 'base.thrift' struct S { 1: base.A a }", options),
            lines{"1:37 undefined-type"});
  EXPECT_EQ(warnings_of("include 'base.thrift' struct S { 1: i32 a }", options), lines{"1:9 undefined-type"});
}

TEST(type_resolver, marks_typedefs_that_stayed_unresolved) {
  const idl::program_set set =
      parsed("typedef Gone A typedef A B typedef i32 C typedef map<i32, B> D struct S { 1: C c }");
  std::vector<bool> unresolved;
  for (const idl::typedef_& each : set.programs[0].typedefs) unresolved.push_back(each.unresolved);
  EXPECT_EQ(unresolved, (std::vector<bool>{true, true, false, true}));
}

TEST(type_resolver, bounds_types_that_double_with_each_typedef) {
  auto doubling = [](int count) {
    std::string text = "typedef i32 T0\n";
    for (int i = 1; i <= count; ++i)
      text += "typedef map<T" + std::to_string(i - 1) + ", T" + std::to_string(i - 1) + "> T" +
              std::to_string(i) + '\n';
    return text;
  };
  EXPECT_TRUE(errors_of(doubling(10)).empty());
  for (int count : {20, 31}) {
    auto errors = errors_of(doubling(count));
    ASSERT_EQ(errors.size(), 1u);
    EXPECT_NE(errors[0].find("size-limit"), std::string::npos) << errors[0];
  }
}

TEST(type_resolver, bounds_chains_in_either_order) {
  auto typedefs = [](int count, bool backwards) {
    std::string text;
    for (int i = 0; i < count; ++i) {
      const int at = backwards ? count - 1 - i : i;
      text += "typedef " + (at == 0 ? std::string("i32") : "list<T" + std::to_string(at - 1) + '>') + " T" +
              std::to_string(at) + '\n';
    }
    return text;
  };
  for (bool backwards : {false, true}) {
    EXPECT_TRUE(errors_of(typedefs(30, backwards)).empty());
    auto errors = errors_of(typedefs(100'000, backwards));
    ASSERT_FALSE(errors.empty());
    EXPECT_NE(errors[0].find("depth-limit"), std::string::npos);
  }
  auto services = [](int count, bool backwards) {
    std::string text;
    for (int i = 0; i < count; ++i) {
      const int at = backwards ? count - 1 - i : i;
      text +=
          "service S" + std::to_string(at) + (at == 0 ? "" : " extends S" + std::to_string(at - 1)) + " {}\n";
    }
    return text;
  };
  for (bool backwards : {false, true}) {
    EXPECT_TRUE(errors_of(services(60, backwards)).empty());
    auto errors = errors_of(services(100'000, backwards));
    ASSERT_FALSE(errors.empty());
    EXPECT_NE(errors[0].find("depth-limit"), std::string::npos);
  }
}

}  // namespace
