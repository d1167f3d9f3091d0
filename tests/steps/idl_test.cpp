#include "idl/idl_support.hpp"
#include "support/shared.hpp"
#include "support/step_count.hpp"
#include "support/test.hpp"

#include <thriftlens/idl/lexer.hpp>

using namespace thriftlens_test;
using lines = std::vector<std::string>;
namespace fs = std::filesystem;

namespace {

/// The steps of loading a text, which must load or must not.
std::uint64_t steps_to_load(const std::string& text, bool good, const idl::load_options& options = {}) {
  bool loaded = !good;
  const std::uint64_t steps = steps_of([&] { loaded = idl::try_parse(text, options).has_value(); });
  EXPECT_EQ(loaded, good) << text.substr(0, 40);
  return steps;
}

std::string repeat(std::string_view piece, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += piece;
  return text;
}

/// pieces(0) + pieces(1) + …
template <class Piece>
std::string numbered(std::size_t count, const Piece& piece) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += piece(std::to_string(i));
  return text;
}

TEST(type_resolver, compares_a_large_base_with_many_derived_services_in_linear_time) {
  const auto text = [](std::size_t count) {
    return "service B {" + numbered(count, [](const std::string& i) { return "void f" + i + "() "; }) + '}' +
           numbered(count,
                    [](const std::string& i) { return "service S" + i + " extends B { void g() }\n"; });
  };
  EXPECT_TRUE(grows_linearly(
      [&](std::size_t count) { return steps_to_load(text(count), true, strict_options()); }, 2000));
  EXPECT_EQ(
      errors_of(text(20'000) + "service T extends S7 {\nvoid g() void h() void f77() }", strict_options()),
      (lines{"20002:6 duplicate-function", "20002:24 duplicate-function"}));
}

TEST(const_resolver, bounds_exponential_growth) {
  // Each constant is twice the one before: the last is 2^40 values.
  std::string text = "const list<i32> c0 = [0, 0]\n";
  std::string type = "list<i32>";
  for (int i = 1; i < 40; ++i) {
    const std::string before = "c" + std::to_string(i - 1);
    type = "list<" + type + '>';
    text += "const " + type + " c" + std::to_string(i) + " = [" + before + ", " + before + "]\n";
  }
  EXPECT_LT(steps_to_load(text, false), 10'000'000u);
}

TEST(const_resolver, is_linear_in_members_and_references) {
  const auto cost = [](std::size_t count) {
    const std::string members = numbered(count, [](const std::string& i) { return "M" + i + ' '; });
    const std::string uses = numbered(count, [](const std::string& i) { return "E.M" + i + ','; });
    return steps_to_load("enum E {" + members + "}\nconst list<E> all = [" + uses + "]", true);
  };
  EXPECT_TRUE(grows_linearly(cost, 2000));
}

TEST(recovery, is_linear_in_errors) {
  for (const char* each :
       {"\\\"\n", "struct A { 1.5//\r,", "service A {\nvoid f( void g(\n", "struct A {1: i32 a (1,",
        "const = {\n", "'\n\\'\n", "1//\r:a ", "struct A { 1//\r:a "}) {
    const auto cost = [&](std::size_t count) {
      return steps_to_load("struct X { " + repeat(each, count), false);
    };
    EXPECT_TRUE(grows_linearly(cost, 4000)) << each;
  }
}

TEST(type_identity, visits_typedefs_once) {
  std::string types;
  for (const std::string name : {"T", "U"}) {
    types += "typedef i32 " + name + "0\n";
    for (int i = 1; i < 13; ++i) {
      const std::string before = name + std::to_string(i - 1);
      types += "typedef map<" + before + ',' + before + "> " + name + std::to_string(i) + '\n';
    }
  }
  types += "const T12 t = {}\n";
  const std::uint64_t alone = steps_to_load(types, true);
  const auto cost = [&](std::size_t count) {
    const std::string uses =
        numbered(count, [](const std::string& i) { return "const U12 u" + i + " = t\n"; });
    return steps_to_load(types + uses, true);
  };
  EXPECT_LT(cost(1000),
            alone + 4000 * 1000u);  // the typedef expands to 8,191 types: a walk takes several steps for each
  EXPECT_TRUE(grows_linearly(cost, 2000));
}

TEST(lexer, is_linear_in_comments_that_end_in_lone_carriage_returns) {
  const auto cost = [](std::size_t count) {
    const std::string text = repeat("#\r", count);
    idl::lexer from(text);
    idl::token first;
    const std::uint64_t steps = steps_of([&] { from.next(first); });
    EXPECT_EQ(first.where.line, count + 1);
    return steps;
  };
  EXPECT_TRUE(grows_linearly(cost, 10'000));
}

TEST(try_parse, knows_sources_of_a_loader_by_path_and_text) {
  const auto cost = [](std::size_t files) {
    std::size_t calls = 0;
    idl::load_options options;
    options.loader = [&calls](std::string_view, std::string_view) {
      return std::optional("include 'x' //" + std::to_string(calls++));
    };
    options.limits.files = static_cast<std::uint32_t>(files);
    const std::uint64_t steps = steps_to_load("include 'x'", false, options);
    EXPECT_GT(calls, files * 9 / 10);
    return steps;
  };
  EXPECT_TRUE(grows_linearly(cost, 1000));
}

TEST(try_parse, is_linear_in_hostile_texts) {
  const auto linear = [](bool good, std::size_t size, const auto& text) {
    return grows_linearly([&](std::size_t count) { return steps_to_load(text(count), good); }, size);
  };
  EXPECT_TRUE(linear(true, 2000, [](std::size_t count) {
    return "struct S {" +
           numbered(count, [](const std::string& i) { return "1" + i + ": i32 f" + i + '\n'; }) + "}";
  }));
  EXPECT_TRUE(linear(true, 2000, [](std::size_t count) {
    const auto piece = [&](const std::string& i) {
      return "struct S" + i + " { 1: S" + std::to_string(count - 1 - std::stoul(i)) + " next }\n";
    };
    return numbered(count, piece);
  }));
  EXPECT_TRUE(
      linear(true, 10'000, [](std::size_t count) { return "struct " + std::string(count, 'n') + " {}"; }));
  EXPECT_TRUE(linear(true, 50'000, [](std::size_t count) { return "//" + std::string(count, 'c'); }));
  EXPECT_TRUE(linear(true, 50'000, [](std::size_t count) { return "/*" + std::string(count, '*') + '/'; }));
  EXPECT_TRUE(linear(true, 20'000,
                     [](std::size_t count) { return "/** " + repeat("/\n", count) + "*/ struct A {}"; }));
  for (const char* piece : {"struct A {", "struct {\n", "{", "@", "service S { void f("}) {
    EXPECT_TRUE(linear(false, 10'000, [&](std::size_t count) { return repeat(piece, count); })) << piece;
  }
  EXPECT_TRUE(linear(false, 20'000, [](std::size_t count) { return repeat("'", count + 1); }));
  EXPECT_TRUE(linear(false, 10'000, [](std::size_t count) {
    return "struct A { 1: i32 a xsd_attrs " + repeat("{ i32 a xsd_attrs ", count);
  }));
}

TEST(corpus, malicious_texts_take_bounded_steps) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator(thriftlens_test::vectors_dir() / "malicious")) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with("_idl.thrift")) continue;
    ++count;
    const std::string text = read_file(entry.path());
    const std::uint64_t steps = steps_of([&] { (void)idl::try_parse(text); });
    EXPECT_LT(steps, 1'000'000 + 1000 * text.size()) << name;
  }
  EXPECT_GE(count, 29);
}

}  // namespace
