#include <thriftlens/idl/value_parser.hpp>

#include "idl_support.hpp"
#include "support/test.hpp"

using namespace thriftlens_test;
using form = idl::type_ref::form;

namespace {

/// The type of the first typedef.
std::string type_text(const idl::type_ref& type) {
  std::string text(type.name);
  if (!type.arguments.empty()) {
    text += '<' + type_text(type.arguments[0]);
    if (type.arguments.size() == 2) text += ", " + type_text(type.arguments[1]);
    text += '>';
  }
  return text;
}

TEST(parse_type, reads_base_types_and_containers) {
  for (const char* text : {"bool", "byte", "i8", "i16", "i32", "i64", "double", "string", "binary", "uuid",
                           "list<i32>", "set<string>", "map<i32, list<set<binary>>>"}) {
    auto set = parsed("typedef " + std::string(text) + " T");
    EXPECT_EQ(type_text(set.programs[0].typedefs[0].type), text);
  }
  auto set = parsed("typedef byte T");
  EXPECT_EQ(set.programs[0].typedefs[0].type.base, idl::base_type::i8);
}

TEST(parse_type, accepts_cpp_type_in_every_historical_position) {
  for (const char* text : {"list<i32> cpp_type \"v\"", "list cpp_type \"v\" <i32>", "set cpp_type 'v' <i32>",
                           "map cpp_type 'v' <i32, i32>"}) {
    auto set = parsed("typedef " + std::string(text) + " T");
    const idl::type_ref& type = set.programs[0].typedefs[0].type;
    ASSERT_EQ(type.annotations.size(), 1u) << text;
    EXPECT_EQ(type.annotations[0].key, "cpp_type");
    EXPECT_EQ(type.annotations[0].value, "v");
  }
  auto set = parsed("typedef list<i32 (a = 'b')> cpp_type 'v' (c = 'd') T");
  EXPECT_EQ(set.programs[0].typedefs[0].type.annotations.size(), 2u);
}

TEST(parse_type, accepts_annotations_on_every_part) {
  auto set = parsed("struct S {} typedef list<S (a = 'b')> (c = 'd') T");
  const idl::type_ref& type = set.programs[0].typedefs[0].type;
  ASSERT_EQ(type.annotations.size(), 1u);
  EXPECT_EQ(type.annotations[0].key, "c");
  ASSERT_EQ(type.arguments[0].annotations.size(), 1u);
  EXPECT_EQ(type.arguments[0].annotations[0].value, "b");
}

TEST(parse_type, reports_a_missing_type) {
  EXPECT_EQ(errors_of("typedef list<> T"), std::vector<std::string>{"1:14 unexpected-token"});
  EXPECT_EQ(errors_of("typedef map<i32> T"), std::vector<std::string>{"1:16 unexpected-token"});
  EXPECT_EQ(errors_of("typedef struct T"), std::vector<std::string>{"1:9 unexpected-token"});
  EXPECT_EQ(errors_of("typedef void T"), std::vector<std::string>{"1:9 unexpected-token"});
  EXPECT_EQ(message_of("typedef 5 T"), "expected a type, found number 5");
}

TEST(parse_type, bounds_depth) {
  auto nested = [](std::size_t levels) {
    std::string text = "typedef ";
    for (std::size_t i = 0; i < levels; ++i) text += "list<";
    return text + "i32" + std::string(levels, '>') + " T";
  };
  EXPECT_TRUE(errors_of(nested(63)).empty());
  EXPECT_EQ(errors_of(nested(64)), std::vector<std::string>{"1:324 depth-limit"});
  EXPECT_EQ(errors_of(nested(10'000)), std::vector<std::string>{"1:324 depth-limit"});
}

TEST(parse_annotations, have_optional_values) {
  auto set = parsed("struct S {} (a = 'x', b; c.d = \"y\" e-f,)");
  auto all = set.programs[0].structs[0].annotations;
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].value, "x");
  EXPECT_EQ(all[1].value, "1");
  EXPECT_EQ(all[2].key, "c.d");
  EXPECT_EQ(all[3].key, "e-f");
  EXPECT_EQ(all[1].where.column, 23u);
}

TEST(parse_annotations, must_be_words_and_strings) {
  EXPECT_EQ(errors_of("struct S {} (5)"), std::vector<std::string>{"1:14 unexpected-token"});
  EXPECT_EQ(errors_of("struct S {} (a = 5)"), std::vector<std::string>{"1:18 unexpected-token"});
  EXPECT_EQ(errors_of("struct S {} (a = 'b'"), std::vector<std::string>{"1:21 unexpected-eof"});
}

TEST(parse_const, reads_every_form) {
  EXPECT_EQ(last_const("const i32 x = -5"), "-5");
  EXPECT_EQ(last_const("const double x = 1.5"), "1.5");
  EXPECT_EQ(last_const("const string x = 'a\\n'"), "\"a\n\"");
  EXPECT_EQ(last_const("const list<i32> x = [1, 2; 3 4,]"), "[1, 2, 3, 4]");
  EXPECT_EQ(last_const("const map<i32, string> x = {1: 'a', 2: 'b';}"), "{1: \"a\", 2: \"b\"}");
  EXPECT_EQ(last_const("const list<i32> x = [1 (note = 'one'), 2]"), "[1, 2]");
}

TEST(parse_const, reports_missing_parts) {
  EXPECT_EQ(errors_of("const i32 x = }"), std::vector<std::string>{"1:15 unexpected-token"});
  EXPECT_EQ(errors_of("const list<i32> x = [1"), std::vector<std::string>{"1:23 unexpected-eof"});
  EXPECT_EQ(errors_of("const map<i32,i32> x = {1 2}"), std::vector<std::string>{"1:27 unexpected-token"});
  EXPECT_EQ(errors_of("const double x = 1e999"), std::vector<std::string>{"1:18 number-range"});
}

TEST(parse_const, bounds_depth_and_number_of_values) {
  auto nested = [](std::size_t levels) {
    return "const i32 x = " + std::string(levels, '[') + std::string(levels, ']');
  };
  EXPECT_EQ(errors_of(nested(100'000)), std::vector<std::string>{"1:78 depth-limit"});
  idl::load_options options;
  options.limits.const_values = 100;
  std::string many = "const list<i32> x = [";
  for (int i = 0; i < 200; ++i) many += "1,";
  EXPECT_EQ(errors_of(many + "]", options), std::vector<std::string>{"1:220 const-limit"});
}

}  // namespace
