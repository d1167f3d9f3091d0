#include <thriftlens/idl/parser.hpp>

#include "idl_support.hpp"
#include "support/test.hpp"

using namespace thriftlens_test;
using lines = std::vector<std::string>;

namespace {

TEST(parser, reads_headers) {
  auto set = parsed(R"(
namespace java a.b (x = "y")
namespace * all
namespace smalltalk.category My-Cat
namespace py "quoted"
php_namespace old
cpp_include "<vector>"
xsd_namespace "http://x")");
  const idl::program& in = set.programs[0];
  lines all;
  for (const auto& each : in.namespaces)
    all.push_back(std::string(each.scope) + '=' + std::string(each.name));
  EXPECT_EQ(
      all, (lines{"java=a.b", "*=all", "smalltalk.category=My-Cat", "py=quoted", "php=old", "xsd=http://x"}));
  EXPECT_EQ(in.namespaces[0].annotations.size(), 1u);
  ASSERT_EQ(in.cpp_includes.size(), 1u);
  EXPECT_EQ(in.cpp_includes[0], "<vector>");
}

TEST(parser, requires_headers_before_definitions) {
  EXPECT_EQ(errors_of("struct A {}\nnamespace py x\nstruct B {}"), lines{"2:1 unexpected-token"});
  EXPECT_EQ(errors_of("struct A {}\ncpp_include 'x'"), lines{"2:1 unexpected-token"});
}

TEST(parser, namespace_may_be_a_keyword_on_its_own_line) {
  EXPECT_EQ(parsed("namespace rs enum").programs[0].namespaces[0].name, "enum");
  EXPECT_EQ(errors_of("namespace rs enum", strict_options()), lines{"1:14 unexpected-token"});
  EXPECT_EQ(errors_of("namespace rs\nenum E {}"), lines{"2:1 unexpected-token"});
}

TEST(parser, numbers_enum_members_from_the_last_value) {
  auto set = parsed("enum E { A, B = 5, C; D = -3 (x = 'y') E = 0x10 F } (k = 'v')");
  std::vector<int> values;
  for (const auto& each : set.programs[0].enums[0].members) values.push_back(each.value);
  EXPECT_EQ(values, (std::vector<int>{0, 5, 6, -3, 16, 17}));
  EXPECT_EQ(set.programs[0].enums[0].annotations.size(), 1u);
}

TEST(parser, bounds_enum_values) {
  EXPECT_TRUE(errors_of("enum E { A = 2147483647, B = -2147483648 }").empty());
  EXPECT_EQ(errors_of("enum E { A = 2147483647, B }"), lines{"1:26 enum-range"});
  EXPECT_EQ(errors_of("enum E { A = -2147483649 }"), lines{"1:14 enum-range"});
}

TEST(parser, reads_fields_with_all_parts) {
  auto set = parsed(R"(struct S xsd_all {
  1: required i32 a = 5 (k = "v"),
  2: optional S & next xsd_optional xsd_nillable xsd_attrs { 1: i32 x };
  3: string c
})");
  auto fields = set.programs[0].structs[0].fields;
  ASSERT_EQ(fields.size(), 3u);
  EXPECT_EQ(fields[0].required, idl::requiredness::required);
  EXPECT_EQ(fields[0].annotations[0].key, "k");
  ASSERT_NE(fields[0].default_value, nullptr);
  EXPECT_EQ(fields[0].default_value->integer, 5);
  EXPECT_EQ(fields[0].where.line, 2u);
  EXPECT_EQ(fields[0].where.column, 19u);
  EXPECT_EQ(fields[1].required, idl::requiredness::optional);
  EXPECT_TRUE(fields[1].type.by_reference);
  EXPECT_EQ(fields[2].required, idl::requiredness::default_);
  EXPECT_EQ(fields[2].default_value, nullptr);
}

TEST(parser, numbers_fields_without_ids) {
  const std::string text = "struct S { i32 a, 5: i32 b, i32 c }";
  auto ids = [](const idl::program_set& set) {
    std::vector<int> all;
    for (const auto& each : set.programs[0].structs[0].fields) all.push_back(each.id);
    return all;
  };
  EXPECT_EQ(ids(parsed(text)), (std::vector<int>{-1, 5, -2}));
  EXPECT_EQ(warnings_of(text), lines{"1:16 implicit-id"});
  idl::load_options options;
  options.implicit_ids = idl::implicit_ids::cloudwego;
  EXPECT_EQ(ids(parsed(text, options)), (std::vector<int>{1, 5, 6}));
  EXPECT_FALSE(parsed(text).programs[0].structs[0].fields[0].explicit_id);
  EXPECT_TRUE(parsed(text).programs[0].structs[0].fields[1].explicit_id);
}

TEST(parser, keeps_explicit_ids_as_written) {
  auto set = parsed("struct S { 0: i32 a, -5: i32 b, 0x10: i32 c, 010: i32 d }");
  std::vector<int> ids;
  for (const auto& each : set.programs[0].structs[0].fields) ids.push_back(each.id);
  EXPECT_EQ(ids, (std::vector<int>{0, -5, 16, 10}));
}

TEST(parser, reports_duplicate_and_out_of_range_ids) {
  EXPECT_EQ(errors_of("struct S { 2: i32 a, 1: i32 b, 2: i32 c }"), lines{"1:32 duplicate-field-id"});
  EXPECT_EQ(errors_of("struct S { -1: i32 a, i32 b }"), lines{"1:27 duplicate-field-id"});
  EXPECT_EQ(errors_of("struct S { 32767: i32 a, -32768: i32 b }"), lines{});
  EXPECT_EQ(errors_of("struct S { 32768: i32 a }"), lines{"1:12 field-id-range"});
  EXPECT_EQ(errors_of("struct S { 99999999999999999999: i32 a }"), lines{"1:12 number-range"});
}

TEST(parser, accepts_keywords_as_member_names) {
  auto set = parsed(R"(
enum E { struct, i32, required }
struct S { 1: i32 list, 2: string required, 3: optional bool optional, 4: i32 class }
exception X { 1: i32 namespace }
service V { void service(1: i32 string) throws (1: X throws), i32 list() })");
  EXPECT_EQ(set.programs[0].structs[0].fields[1].name, "required");
  EXPECT_EQ(set.programs[0].structs[0].fields[2].required, idl::requiredness::optional);
  EXPECT_EQ(set.programs[0].services[0].functions[0].throws[0].name, "throws");
}

TEST(parser, refuses_keywords_and_dots_as_names_of_declarations) {
  EXPECT_EQ(errors_of("struct list {}"), lines{"1:8 unexpected-token"});
  EXPECT_EQ(errors_of("const i32 struct = 1"), lines{"1:11 unexpected-token"});
  EXPECT_EQ(errors_of("struct a.b {}"), lines{"1:8 dotted-name"});
  EXPECT_EQ(errors_of("enum E { a.b }"), lines{"1:10 dotted-name"});
  EXPECT_TRUE(errors_of("struct class {} typedef i32 uuid2 const i32 async = 1").empty());
}

TEST(parser, gives_union_fields_no_requiredness) {
  auto set = parsed("union U { 1: i32 a, 2: required i32 b }");
  for (const auto& each : set.programs[0].structs[0].fields)
    EXPECT_EQ(each.required, idl::requiredness::optional);
  EXPECT_EQ(set.programs[0].structs[0].kind, idl::struct_kind::union_);
}

TEST(parser, reads_services) {
  auto set = parsed(R"(
exception X {}
service B { void ping() }
service S extends B {
  oneway void a(1: i32 x = 1, 2: string y),
  async void b();
  list<i32> c(1: optional i32 z) throws (1: X one, 2: X two) (k = "v")
} (s = "t"))");
  const idl::service& in = set.programs[0].services[1];
  EXPECT_EQ(in.extends, "B");
  EXPECT_EQ(in.base.kind, idl::declaration_kind::service);
  EXPECT_EQ(in.base.index, 0u);
  ASSERT_EQ(in.functions.size(), 3u);
  EXPECT_TRUE(in.functions[0].oneway);
  EXPECT_TRUE(in.functions[1].oneway);
  EXPECT_EQ(in.functions[0].arguments.size(), 2u);
  EXPECT_EQ(in.functions[2].throws.size(), 2u);
  EXPECT_EQ(in.functions[2].annotations.size(), 1u);
  EXPECT_EQ(in.functions[2].arguments[0].required, idl::requiredness::default_);
  EXPECT_EQ(in.annotations.size(), 1u);
}

TEST(parser, warns_of_replies_to_oneway_functions) {
  const char* const texts[] = {"service S { oneway i32 f() }",
                               "exception X {}\nservice S { oneway void f() throws (1: X x) }"};
  for (const char* text : texts) EXPECT_EQ(errors_of(text), lines{}) << text;
  EXPECT_EQ(errors_of(texts[0], strict_options()), lines{"1:20 oneway-result"});
  EXPECT_EQ(errors_of(texts[1], strict_options()), lines{"2:29 oneway-throws"});
  EXPECT_EQ(errors_of("service S { oneway void f() throws () }", strict_options()), lines{});
}

TEST(parser, keeps_docs_of_everything) {
  auto set = parsed(R"(/** the file */
namespace py x
/** a const */
const i32 C = 1
/** an enum */
enum E {
  /** a member */
  A
}
/** a typedef */ typedef i32 T
/**
 * a struct
 */
struct S {
  /** with id */
  1: i32 a
  /** required */
  2: required i32 b
  // none
  3: i32 c
}
/** a service */
service V {
  /** a function */
  void f(/** an argument */ 1: i32 x)
})");
  const idl::program& in = set.programs[0];
  EXPECT_EQ(in.doc, "the file");
  EXPECT_EQ(in.consts[0].doc, "a const");
  EXPECT_EQ(in.enums[0].doc, "an enum");
  EXPECT_EQ(in.enums[0].members[0].doc, "a member");
  EXPECT_EQ(in.typedefs[0].doc, "a typedef");
  EXPECT_EQ(in.structs[0].doc, "a struct");
  EXPECT_EQ(in.structs[0].fields[0].doc, "with id");
  EXPECT_EQ(in.structs[0].fields[1].doc, "required");
  EXPECT_EQ(in.structs[0].fields[2].doc, "");
  EXPECT_EQ(in.services[0].doc, "a service");
  EXPECT_EQ(in.services[0].functions[0].doc, "a function");
  EXPECT_EQ(in.services[0].functions[0].arguments[0].doc, "an argument");
}

TEST(parser, accepts_one_stray_semicolon_in_lenient_mode) {
  EXPECT_TRUE(errors_of("include_me_not: 1").size() == 1);
  EXPECT_TRUE(errors_of("namespace py x; struct A {}; typedef i32 T; enum E {};").empty());
  EXPECT_EQ(errors_of("struct A {};;"), lines{"1:13 unexpected-token"});
  EXPECT_EQ(errors_of(";"), lines{"1:1 unexpected-token"});
  EXPECT_EQ(errors_of("struct A {};\nstruct B {}", strict_options()), lines{"1:12 unexpected-token"});
}

TEST(parser, reports_every_error_of_a_file) {
  EXPECT_EQ(errors_of(R"(struct A {
  1: i32
  2: string b
  x: i32 c,
  4: list<> d;
  5: i32 e
}
const = 5
enum E { A = "x", B }
service S {
  void f(1: i32),
  void g() throws 5,
  nothing
}
struct {
  1: i32 a
}
)"),
            (lines{"3:3 unexpected-token", "4:4 unexpected-token", "5:11 unexpected-token",
                   "8:7 unexpected-token", "9:14 unexpected-token", "11:16 unexpected-token",
                   "12:19 unexpected-token", "14:1 unexpected-token", "15:8 unexpected-token"}));
}

TEST(parser, continues_after_an_unclosed_body) {
  EXPECT_EQ(errors_of("struct A {\n  1: i32 a\n\nstruct B {\n  1: i32\n}\nstruct C { 1: i32 }"),
            (lines{"4:1 unexpected-token", "6:1 unexpected-token", "7:19 unexpected-token"}));
}

TEST(parser, does_not_report_names_that_a_syntax_error_swallowed) {
  EXPECT_EQ(errors_of("struct {\n  1: i32 a\n}\nstruct B { 1: Lost a }"), lines{"1:8 unexpected-token"});
}

TEST(parser, compares_no_id_that_is_out_of_range) {
  EXPECT_EQ(
      errors_of(
          "struct A { 65536: i32 a, 0: i32 b, 99999999999999999999: i32 c, -32769: i32 d, 32767: i32 e }"),
      (lines{"1:12 field-id-range", "1:36 number-range", "1:65 field-id-range"}));
}

TEST(parser, names_dialects_and_removed_keywords) {
  EXPECT_NE(message_of("@Ann struct A {}").find("fbthrift"), std::string::npos);
  EXPECT_NE(message_of("package 'x'").find("fbthrift"), std::string::npos);
  EXPECT_NE(message_of("interaction I {}").find("fbthrift"), std::string::npos);
  EXPECT_NE(message_of("struct A { 1: float x }").find("fbthrift"), std::string::npos);
  EXPECT_NE(message_of("service S { stream<i32> f() }").find("fbthrift"), std::string::npos);
  EXPECT_NE(message_of("senum E { 'a' }").find("senum is no longer"), std::string::npos);
  EXPECT_NE(message_of("struct A { 1: slist x }").find("slist is no longer"), std::string::npos);
}

TEST(parser, reports_expected_and_found_tokens) {
  EXPECT_EQ(message_of("struct A { 1: i32 a"), "expected a field or '}', found end of file");
  EXPECT_EQ(message_of("struct 5 {}"), "expected a struct's name, found number 5");
  EXPECT_EQ(message_of("struct A { 1: i32 a.b }"), "expected a field's name without a dot, found 'a.b'");
  EXPECT_EQ(message_of("struct A { 1.5: i32 a }"),
            "expected an integer as field id before ':', found number 1.5");
  EXPECT_EQ(message_of("struct A \x01 {}"), "expected '{', found byte 0x01");
}

TEST(parser, bounds_what_it_reports) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "struct {\n}\n";
  EXPECT_EQ(errors_of(text).size(), 100u);
}

}  // namespace
