// Compares fast paths with reference implementations on values with regular layouts.
#include "fast/layout_promises.hpp"
#include "support/cases.hpp"
#include "support/test.hpp"

#include <cstdlib>

using namespace thriftlens_test;

namespace {

constexpr std::size_t values_per_schema = 4;

std::string random_choices(std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::string bytes(600 + engine() % 4000, '\0');
  for (char& byte : bytes) byte = static_cast<char>(engine());
  return bytes;
}
/// Seeds [begin, end).
void compare(std::uint64_t begin, std::uint64_t end) {
  std::size_t served = 0;
  for (std::uint64_t seed = begin; seed < end; ++seed) {
    const std::string actual = layout_difference(choices(random_choices(seed)), values_per_schema, &served);
    ASSERT_TRUE(actual.empty()) << seed << ": " << actual;
  }
  EXPECT_GT(served, end - begin) << "the fast paths declined";
}

// An entry located by a path contains a list in which learning a layout fails; then the row continues.
TEST(layouts, a_container_inside_an_entry_does_not_clear_the_layout_of_the_entries) {
  const tl::schema schema = tl::schema::parse(
      "struct O { 1: list<string> l } struct In { 1: i32 x, 2: list<O> more }"
      "struct T { 1: map<string, In> m, 2: i32 n }");
  tl::buffer bytes;
  tl::binary::writer out(bytes);
  out.write_field(ttype::map, 1);
  out.write_map({ttype::string, ttype::struct_, 5});
  for (const std::string_view key : {"a", "b", "c", "k", "z"}) {
    out.write_bytes(key);
    out.write_field(ttype::i32, 1);
    out.write_i32(1);
    if (key == "k") {
      out.write_field(ttype::list, 2);
      out.write_list({ttype::struct_, 2});
      for (int i = 0; i < 2; ++i) {
        out.write_field(ttype::list, 1);
        out.write_list({ttype::string, 1});
        out.write_bytes(std::string_view("x"));
        out.write_stop();
      }
    }
    out.write_stop();
  }
  out.write_field(ttype::i32, 2);
  out.write_i32(7);
  out.write_stop();
  const tl::view<tl::binary> root(bytes, schema.type("T"));
  const auto actual = tl::get_many(root, {R"($.m{"k"}.x)", "$.n"});
  EXPECT_EQ(actual[0].as<int>(), 1);
  EXPECT_EQ(actual[1].as<int>(), 7);
  const tl::buffer changed = tl::edit<tl::binary>(root).set(R"($.m{"k"}.x)", 2).apply();
  EXPECT_EQ(tl::view<tl::binary>(changed, schema.type("T")).at(R"($.m{"k"}.x)").as<int>(), 2);
}

/// Ten blocks of 1,000 values in both protocols, the first quarter of each under sanitizers.
class layout_differential : public testing::TestWithParam<std::uint64_t> {};

TEST_P(layout_differential, fast_paths_equal_their_reference_implementations) {
  constexpr std::uint64_t schemas = 1000 / values_per_schema;
  compare(GetParam() * schemas, GetParam() * schemas + cases(schemas));
}
INSTANTIATE_TEST_SUITE_P(block, layout_differential, testing::Range<std::uint64_t>(0, 10));

// THRIFTLENS_LAYOUT_SEEDS=begin:end, of four values each: for long runs under sanitizers.
TEST(layout_differential_run, seeds_from_the_environment) {
  const char* const seeds = std::getenv("THRIFTLENS_LAYOUT_SEEDS");
  if (seeds == nullptr) GTEST_SKIP() << "THRIFTLENS_LAYOUT_SEEDS is not set";
  char* end = nullptr;
  const std::uint64_t first = std::strtoull(seeds, &end, 10);
  compare(first, std::strtoull(end + 1, nullptr, 10));
}

}  // namespace
