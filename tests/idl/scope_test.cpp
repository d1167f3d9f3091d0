#include <thriftlens/idl/scope.hpp>

#include "idl_support.hpp"
#include "support/test.hpp"

using namespace thriftlens_test;
using lines = std::vector<std::string>;

namespace {

/// A loaded set with its lookup tables.
struct opened {
  idl::program_set set;
  idl::skipped_names skipped;
  idl::findings found{10};
  idl::scope names;

  explicit opened(std::string_view text, const idl::load_options& options = {})
      : set(parsed(text, options)), names(set) {
    names.build(skipped, found);
  }
};

TEST(scope, finds_own_and_included_names) {
  idl::load_options options;
  options.includes["base.thrift"] = "struct Base {} const i32 LIMIT = 1";
  opened in("include 'base.thrift' struct Own {} enum E { A } service S {} typedef i32 T const i32 C = 2",
            options);
  EXPECT_EQ(in.names.find_type(0, "Own").target.kind, idl::declaration_kind::struct_);
  EXPECT_EQ(in.names.find_type(0, "E").target.kind, idl::declaration_kind::enum_);
  EXPECT_EQ(in.names.find_type(0, "S").target.kind, idl::declaration_kind::service);
  EXPECT_EQ(in.names.find_type(0, "T").target.kind, idl::declaration_kind::typedef_);
  EXPECT_EQ(in.names.find_type(0, "base.Base").target.program, 1u);
  EXPECT_EQ(in.names.find_const(0, "base.LIMIT").target.kind, idl::declaration_kind::const_);
  for (const char* name : {"Base", "base.Own", "other.Base", "C", "base.", ".Base", ""}) {
    EXPECT_EQ(in.names.find_type(0, name).target.kind, idl::declaration_kind::none) << name;
  }
  EXPECT_TRUE(in.names.is_prefix(0, "base"));
  EXPECT_FALSE(in.names.is_prefix(0, "Own"));
}

TEST(scope, suppresses_errors_about_names_lost_to_syntax_errors) {
  idl::load_options options;
  options.includes["base.thrift"] = "struct Base {}";
  opened in("include 'base.thrift' struct Own {}", options);
  EXPECT_FALSE(in.names.find_type(0, "base.Lost").excused);
  in.skipped.add(1, "Lost");
  EXPECT_TRUE(in.names.find_type(0, "base.Lost").excused);
  EXPECT_FALSE(in.names.find_type(0, "Lost").excused);
  EXPECT_FALSE(in.names.find_type(0, "base.Other").excused);
  EXPECT_FALSE(in.names.find_type(0, "other.Lost").excused);
  in.skipped.add_unknown(0);
  EXPECT_TRUE(in.names.find_type(0, "Lost").excused);
  EXPECT_TRUE(in.names.find_type(0, "other.Lost").excused);
}

TEST(scope, detects_duplicates_in_small_and_large_lists) {
  for (int count : {3, 300}) {
    std::string text = "enum E {";
    for (int i = 0; i < count; ++i) text += "M" + std::to_string(i) + ' ';
    text += "} struct S {";
    for (int i = 0; i < count; ++i) text += std::to_string(i + 1) + ": i32 f" + std::to_string(i) + ' ';
    opened in(text + '}');
    const idl::enum_& members = in.set.programs[0].enums[0];
    const idl::struct_& fields = in.set.programs[0].structs[0];
    for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(count); ++i) {
      EXPECT_EQ(in.names.find_member(members, "M" + std::to_string(i)), i);
      EXPECT_EQ(in.names.find_field(fields, "f" + std::to_string(i)), i);
    }
    EXPECT_EQ(in.names.find_member(members, "x"), idl::name_table::none);
    EXPECT_EQ(in.names.find_field(fields, "M1"), idl::name_table::none);
    EXPECT_TRUE(in.names.has_value(members, count - 1));
    EXPECT_FALSE(in.names.has_value(members, count));
  }
}

TEST(scope, reports_the_second_of_two_names) {
  EXPECT_EQ(errors_of("typedef i32 A\nstruct A {}"), lines{"2:8 duplicate-name"});
  EXPECT_EQ(errors_of("struct A {}\ntypedef i32 A"), lines{"2:13 duplicate-name"});
  EXPECT_EQ(errors_of("struct A {}\nservice A {}\nenum A {}"),
            (lines{"2:9 duplicate-name", "3:6 duplicate-name"}));
  EXPECT_EQ(errors_of("const i32 A = 1\nconst i32 A = 2"), lines{"2:11 duplicate-name"});
}

TEST(scope, lets_a_constant_share_the_name_of_a_type) {
  EXPECT_TRUE(errors_of("struct A { 1: i32 a } const A A = {'a': 1} union B {} const i32 B = 1").empty());
}

TEST(scope, reports_a_clash_of_base_names_only_where_used) {
  idl::load_options options;
  options.includes["a/base.thrift"] = "struct One {} struct Both {} const i32 ONE = 1 const i32 BOTH = 1";
  options.includes["b/base.thrift"] = "struct Two {} struct Both {} const i32 BOTH = 2";
  const std::string head = "include 'a/base.thrift' include 'b/base.thrift'\n";
  EXPECT_TRUE(
      errors_of(head + "struct A { 1: base.One a, 2: base.Two b, 3: i32 c = base.ONE }", options).empty());
  EXPECT_EQ(errors_of(head + "struct A { 1: base.Both a }", options), lines{"2:15 ambiguous-name"});
  EXPECT_EQ(errors_of(head + "const i32 C = base.BOTH", options), lines{"2:15 ambiguous-name"});
}

TEST(scope, bounds_the_files_of_one_base_name) {
  for (int count : {64, 65, 9'000}) {
    idl::load_options options;
    std::string text;
    for (int i = 0; i < count; ++i) {
      const std::string path = std::to_string(i) + "/b.thrift";
      options.includes[path] = "struct S" + std::to_string(i) + " {}";
      text += "include '" + path + "' include './" + path + "'\n";
    }
    text += "struct R {";
    for (int i = 1; i < count; ++i)
      text += std::to_string(i) + ": b.S" + std::to_string(i % 64) + " f" + std::to_string(i) + ' ';
    EXPECT_EQ(errors_of(text + '}', options), count == 64 ? lines{} : lines{"65:9 size-limit"});
  }
}

TEST(scope, accepts_a_file_included_twice) {
  idl::load_options options;
  options.includes["base.thrift"] = "struct Base {}";
  auto set = parsed("include 'base.thrift' include 'base.thrift' struct A { 1: base.Base a }", options);
  EXPECT_EQ(set.programs.size(), 2u);
}

}  // namespace
