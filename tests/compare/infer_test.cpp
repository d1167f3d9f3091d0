#include <thriftlens/compare/infer.hpp>

#include <thriftlens/schema/schema.hpp>
#include <thriftlens/view/view.hpp>

#include "support/random_data.hpp"
#include "support/test.hpp"
#include "support/tree.hpp"

using namespace thriftlens_test;

namespace {
template <class P>
std::string draft_of(const std::vector<tree>& samples, const tl::infer_options& options = {}) {
  tl::inference draft(options);
  for (const tree& sample : samples) {
    const std::string bytes = encode<P>(sample);
    draft.add<P>(bytes);
  }
  return draft.idl("Root");
}
tree point(int x, std::vector<tree_field> more = {}) {
  more.insert(more.begin(), {1, i32(x)});
  return structure(std::move(more));
}
// Every field of the value is declared with its wire type.
bool is_known(const tl::view<tl::binary>& value) {
  for (const auto& field : value.fields()) {
    if (!field.name().size()) return false;
    if (field.value.type().is_struct() && !is_known(field.value)) return false;
  }
  return true;
}
}  // namespace

TEST(infer, required_and_optional_fields) {
  const std::string idl = draft_of<tl::binary>({point(1), point(2, {{3, text("a")}}), point(70000)});
  EXPECT_EQ(idl,
            "// A draft from 3 samples: names are not on the wire.\n\n"
            "struct Root {\n  1: i32 f1\n  3: optional string f3  // in 1 of 3\n}\n\n");
}

TEST(infer, text_and_binary) {
  const std::string idl = draft_of<tl::compact>(
      {structure({{1, text("a")}, {2, text("b")}}), structure({{1, text("\xff")}, {2, text("\xc3\xa9")}})});
  EXPECT_NE(idl.find("1: binary f1"), std::string::npos) << idl;
  EXPECT_NE(idl.find("2: string f2"), std::string::npos) << idl;
}

TEST(infer, numbers_that_look_like_an_enum) {
  std::vector<tree> samples;
  for (int i = 0; i < 20; ++i) samples.push_back(structure({{1, i32(i % 3)}, {2, i32(i)}, {3, i32(-1)}}));
  const std::string idl = draft_of<tl::binary>(samples);
  EXPECT_NE(idl.find("enum RootF1 { V0 = 0 V1 = 1 V2 = 2 }"), std::string::npos) << idl;
  EXPECT_NE(idl.find("2: i32 f2"), std::string::npos) << idl;
  EXPECT_NE(idl.find("3: i32 f3"), std::string::npos) << idl;
}

TEST(infer, containers_and_their_elements) {
  const tree value = structure({{1, list(ttype::struct_, {point(1), point(2, {{2, boolean(true)}})})},
                                {2, map(ttype::string, ttype::i64, {{text("k"), i64(1)}})},
                                {3, list(ttype::i16, {}, ttype::set)}});
  const std::string idl = draft_of<tl::binary>({value});
  EXPECT_NE(idl.find("struct RootF1 {\n  1: i32 f1\n  2: optional bool f2  // in 1 of 2\n}"),
            std::string::npos)
      << idl;
  EXPECT_NE(idl.find("1: list<RootF1> f1"), std::string::npos) << idl;
  EXPECT_NE(idl.find("2: map<string, i64> f2"), std::string::npos) << idl;
  EXPECT_NE(idl.find("3: set<i16> f3"), std::string::npos) << idl << "its header says so";
}

TEST(infer, containers_that_are_empty_in_the_first_sample) {
  const tree empty = structure({{1, list(ttype::string, {})}}),
             later = structure({{1, list(ttype::i32, {i32(1)})}});
  EXPECT_NE(draft_of<tl::binary>({empty, later}).find("1: list<i32> f1\n"), std::string::npos);
  EXPECT_NE(draft_of<tl::compact>({empty}).find("1: list<string> f1\n"), std::string::npos);
  const tree maps = structure({{1, map(ttype::i32, ttype::i64, {})}});
  EXPECT_NE(draft_of<tl::binary>({maps}).find("1: map<i32, i64> f1\n"), std::string::npos);
  EXPECT_NE(draft_of<tl::compact>({maps}).find("1: map<string, string> f1\n"), std::string::npos);
}

TEST(infer, recursive_values_become_one_struct) {
  tree inner = point(3);
  for (int i = 0; i < 5; ++i) inner = point(i, {{2, list(ttype::struct_, {inner})}});
  EXPECT_EQ(draft_of<tl::binary>({inner}),
            "// A draft from 1 sample: names are not on the wire.\n\n"
            "struct Root {\n  1: i32 f1\n  2: list<Root> f2\n}\n\n");
}

TEST(infer, two_wire_types_of_one_field) {
  const std::string idl = draft_of<tl::binary>({point(1), structure({{1, text("a")}})});
  EXPECT_NE(idl.find("1: i32 f1  // also as string (1 of 2)"), std::string::npos) << idl;
  const tree message = structure({{1, text("a")}});
  const std::string limit = draft_of<tl::compact>({point(1), message, message});
  EXPECT_NE(limit.find("1: string f1  // also as i32 (1 of 3)"), std::string::npos) << limit;
}

TEST(infer, invalid_samples_change_nothing) {
  tl::inference draft;
  EXPECT_EQ(draft.try_add<tl::binary>(tl::byte_view("\x08\0\x01\0", 4)).error().code(), tl::errc::truncated);
  EXPECT_EQ(draft.try_add<tl::binary>(tl::byte_view("\0x", 2)).error().code(), tl::errc::trailing_bytes);
  EXPECT_EQ(draft.count(), 0u);
  tl::inference small({.places = 2});
  const std::string bytes = encode<tl::binary>(point(1, {{2, i32(1)}}));
  EXPECT_EQ(small.try_add<tl::binary>(bytes).error().code(), tl::errc::size_limit);
}

TEST(infer, the_draft_reads_its_own_samples) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    randomness random(seed);
    const tl::schema schema = tl::schema::parse(random_idl(random));
    std::vector<tree> samples;
    for (int i = 0; i < 5; ++i) samples.push_back(random_struct(random, schema.type("S0"), 4));
    const std::string idl = draft_of<tl::binary>(samples);
    const tl::schema draft = tl::schema::parse(idl);
    for (const tree& sample : samples) {
      const std::string bytes = encode<tl::binary>(sample);
      EXPECT_TRUE(is_known(tl::view<tl::binary>(bytes, draft.type("Root")))) << idl;
    }
  }
}
