#include <thriftlens/policy/validate.hpp>

#include "dom/model.hpp"
#include "support/cases.hpp"
#include "support/test.hpp"
#include "support/vectors.hpp"

#include <gmock/gmock.h>

namespace {

using namespace thriftlens_test;
using testing::ElementsAre, tl::errc, tl::ttype;

template <class P>
class validate : public testing::Test {};
TYPED_TEST_SUITE(validate, protocols);

const tl::schema& ruled() {
  static const tl::schema loaded = tl::schema::parse(R"(
    enum Color { RED = 1, BLUE = 5 }
    union Pick { 1: i32 number, 2: string text }
    struct Inner { 1: required i32 x (vt.gt = "0"), 2: optional string note (vt.max_size = "4", vt.not_contains = "!") }
    struct Outer {
      1: i32 a (vt.ge = "10", vt.lt = "20", vt.not_in = "13")
      2: string s (vt.pattern = "^[a-z]+$", vt.min_size = "2", vt.suffix = "z")
      3: list<i16> l (vt.max_size = "3", vt.elem.in = "1", vt.elem.in = "2")
      4: map<string, Inner> m (vt.min_size = "1", vt.key.prefix = "k")
      5: Color c (vt.defined_only = "true")
      6: optional Inner skipped (vt.skip = "true")
      7: bool b (vt.const = "true")
      8: double d (vt.le = "0.5")
      9: optional string must (vt.not_nil = "true")
      10: set<string> words
      11: Pick pick
      12: binary raw (vt.const = "abc")
      13: uuid id
    }
  )");
  return loaded;
}
model i32(std::int64_t value) { return {.wire = ttype::i32, .number = value}; }
model text(std::string value) { return {.wire = ttype::string, .text = std::move(value)}; }
model structure(std::vector<both<std::int16_t, model>> fields) {
  return {.wire = ttype::struct_, .fields = std::move(fields)};
}
model inner(std::int64_t x) { return structure({{std::int16_t{1}, i32(x)}}); }
model good() {
  model list{.wire = ttype::list, .element = ttype::i16};
  list.elements = {{.wire = ttype::i16, .number = 1}, {.wire = ttype::i16, .number = 2}};
  model map{.wire = ttype::map, .key = ttype::string, .element = ttype::struct_};
  map.entries = {{text("k1"), inner(1)}};
  model message{.wire = ttype::set, .element = ttype::string};
  message.elements = {text("a"), text("b")};
  return structure({{std::int16_t{1}, i32(12)},
                    {std::int16_t{2}, text("abz")},
                    {std::int16_t{3}, list},
                    {std::int16_t{4}, map},
                    {std::int16_t{5}, i32(5)},
                    {std::int16_t{6}, inner(-5)},
                    {std::int16_t{7}, {.wire = ttype::bool_, .number = 1}},
                    {std::int16_t{8}, {.wire = ttype::double_, .real = 0.5}},
                    {std::int16_t{9}, text("")},
                    {std::int16_t{10}, message},
                    {std::int16_t{11}, structure({{std::int16_t{2}, text("t")}})},
                    {std::int16_t{12}, text("abc")},
                    {std::int16_t{13}, {.wire = ttype::uuid, .text = std::string(16, 'u')}}});
}
template <class P>
std::vector<tl::error> all_findings(const model& of, const tl::validate_options& options = {},
                                    const char* type = "Outer") {
  const std::string bytes = wire_bytes_of<P>(of);
  const tl::validator check = tl::validator::compile(ruled().type(type), options);
  std::vector<tl::error> actual = check.findings<P>(bytes);
  const tl::fault first = check.first_fault<P>(bytes);
  EXPECT_EQ(first.code, actual.empty() ? errc::ok : actual[0].code());
  EXPECT_EQ(check.valid<P>(bytes), actual.empty());
  if (!actual.empty()) {
    EXPECT_EQ(first.offset, actual[0].offset());
  }
  return actual;
}
template <class P>
std::vector<std::string> findings(const model& of, const tl::validate_options& options = {},
                                  const char* type = "Outer") {
  std::vector<std::string> items;
  for (const tl::error& finding : all_findings<P>(of, options, type))
    items.push_back(std::string(to_string(finding.code())) + ' ' + finding.path());
  return items;
}

TYPED_TEST(validate, a_valid_value_has_no_findings) {
  EXPECT_THAT(findings<TypeParam>(good()), ElementsAre());
}

TYPED_TEST(validate, every_violated_rule_is_found) {
  model bad = good();
  bad.fields[0].second.number = 13;
  bad.fields[1].second.text = "A";
  bad.fields[2].second.elements[1].number = 7;
  bad.fields[3].second.entries[0].first.text = "x";
  bad.fields[3].second.entries[0].second =
      structure({{std::int16_t{1}, i32(0)}, {std::int16_t{2}, text("long!")}});
  bad.fields[6].second.number = 0;
  bad.fields[7].second.real = 0.75;
  bad.fields[11].second.text = "abd";
  bad.fields.erase(bad.fields.begin() + 8);
  EXPECT_THAT(findings<TypeParam>(bad),
              ElementsAre("broken_rule $.a", "broken_rule $.s", "broken_rule $.s", "broken_rule $.s",
                          "broken_rule $.l[1]", "broken_rule $.m{key 0}", "broken_rule $.m{\"x\"}.x",
                          "broken_rule $.m{\"x\"}.note", "broken_rule $.m{\"x\"}.note", "broken_rule $.b",
                          "broken_rule $.d", "broken_rule $.raw", "broken_rule $"));
  EXPECT_EQ(all_findings<TypeParam>(bad)[0].detail(), "the value breaks vt.not_in = \"13\"");
  EXPECT_EQ(all_findings<TypeParam>(bad).back().detail(), "field 'must' is absent, which breaks vt.not_nil");
  EXPECT_EQ(findings<TypeParam>(bad, {.max_findings = 3}).size(), 3u);
  EXPECT_THAT(findings<TypeParam>(bad, {.rules = tl::validate_options::rule_check::ignore}), ElementsAre());
}

TYPED_TEST(validate, rules_of_typedefs_are_followed_into_containers) {
  const tl::schema schema = tl::schema::parse(R"(
    typedef string Email (vt.contains = "a@")
    typedef i32 Age (vt.lt = "200")
    struct S { 1: list<Email> all, 2: map<Email, Age> ages, 3: Email one })");
  model full{.wire = ttype::list, .element = ttype::string};
  full.elements = {text("a@b"), text("none")};
  model ages{.wire = ttype::map, .key = ttype::string, .element = ttype::i32};
  ages.entries = {{text("a@b"), i32(20)}, {text("c"), i32(200)}};
  const std::string bytes = wire_bytes_of<TypeParam>(
      structure({{std::int16_t{1}, full}, {std::int16_t{2}, ages}, {std::int16_t{3}, text("x")}}));
  std::vector<std::string> actual;
  for (const tl::error& finding :
       tl::validator::compile(schema.type("S")).template findings<TypeParam>(bytes))
    actual.push_back(std::string(to_string(finding.code())) + ' ' + finding.path());
  EXPECT_THAT(actual, ElementsAre("broken_rule $.all[1]", "broken_rule $.ages{key 1}",
                                  "broken_rule $.ages{\"c\"}", "broken_rule $.one"));
}

TYPED_TEST(validate, bounds_of_numbers_and_sizes) {
  for (const auto& [number, right] :
       std::vector<std::pair<int, bool>>{{9, false}, {10, true}, {19, true}, {20, false}}) {
    model value = good();
    value.fields[0].second.number = number;
    EXPECT_EQ(findings<TypeParam>(value).empty(), right) << number;
  }
  model value = good();
  value.fields[2].second.elements.assign(4, {.wire = ttype::i16, .number = 1});
  value.fields[3].second.entries.clear();
  EXPECT_THAT(findings<TypeParam>(value), ElementsAre("broken_rule $.l", "broken_rule $.m"));
  value.fields[7].second.real = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(findings<TypeParam>(value),
              ElementsAre("broken_rule $.l", "broken_rule $.m", "broken_rule $.d"));
}

TYPED_TEST(validate, checking_continues_after_a_mismatch) {
  model bad = good();
  bad.fields[0].second = text("no number");
  bad.fields[1].second.text = "\xff\xfez";
  bad.fields[4].second.number = 77;
  bad.fields[5].second = structure({{std::int16_t{2}, text("n")}});
  bad.fields[10].second = structure({{std::int16_t{1}, i32(1)}, {std::int16_t{2}, text("x")}});
  bad.fields.emplace_back(std::int16_t{99}, text("unknown"));
  bad.fields.emplace_back(std::int16_t{9}, text("again"));
  EXPECT_THAT(findings<TypeParam>(bad, {.unknown = tl::on_unknown::error}),
              ElementsAre("type_mismatch $.a", "invalid_utf8 $.s", "broken_rule $.s",
                          "unknown_enum_value $.c", "missing_required $.skipped.x",
                          "union_members $.pick.text", "unknown_field $.#99", "duplicate_field $.must"));
  EXPECT_EQ(all_findings<TypeParam>(bad)[0].detail(), "expected i32, found string");
  EXPECT_THAT(
      findings<TypeParam>(bad, {.invalid_utf8 = tl::on_invalid_utf8::keep,
                                .enum_numbers = tl::validate_options::enum_check::any}),
      ElementsAre("type_mismatch $.a", "broken_rule $.s", "unknown_enum_value $.c",
                  "missing_required $.skipped.x", "union_members $.pick.text", "duplicate_field $.must"));
}

TYPED_TEST(validate, required_fields_may_be_missing_by_option) {
  const tl::validate_options omit{.missing_required = tl::on_missing::omit};
  const std::string empty = wire_bytes_of<TypeParam>(structure({}));
  const tl::type type = ruled().type("Inner");
  EXPECT_EQ(tl::try_validate(tl::view<TypeParam>(empty, type)).error().code(), errc::missing_required);
  EXPECT_TRUE(tl::try_validate(tl::view<TypeParam>(empty, type), omit));
  model bad = good();
  bad.fields[5].second = structure({{std::int16_t{2}, text("n")}});
  EXPECT_THAT(findings<TypeParam>(bad), ElementsAre("missing_required $.skipped.x"));
  EXPECT_THAT(findings<TypeParam>(bad, omit), ElementsAre());
  bad.fields[0].second.number = 9;
  std::swap(bad.fields[1], bad.fields[2]);
  EXPECT_THAT(findings<TypeParam>(bad, omit), ElementsAre("broken_rule $.a"));
}

TYPED_TEST(validate, duplicate_keys_and_elements_by_option) {
  model bad = good();
  bad.fields[3].second.entries.emplace_back(text("k1"), inner(2));
  bad.fields[9].second.elements.push_back(text("a"));
  EXPECT_THAT(findings<TypeParam>(bad), ElementsAre());
  EXPECT_THAT(findings<TypeParam>(bad, {.keys = tl::validate_options::key_check::unique}),
              ElementsAre("duplicate_key $.m{\"k1\"}", "duplicate_key $.words[2]"));
}

TYPED_TEST(validate, structs_with_only_unknown_fields_by_option) {
  model bad = good();
  bad.fields[3].second.entries = {{text("k1"), structure({{std::int16_t{7}, i32(1)}})}};
  bad.fields[10].second = structure({{std::int16_t{9}, text("newer")}});
  EXPECT_THAT(findings<TypeParam>(bad), ElementsAre("missing_required $.m{\"k1\"}.x"));
  const tl::validate_options options{.foreign = tl::validate_options::foreign_check::error};
  EXPECT_THAT(
      findings<TypeParam>(bad, options),
      ElementsAre("foreign_struct $.m{\"k1\"}", "missing_required $.m{\"k1\"}.x", "foreign_struct $.pick"));
  EXPECT_THAT(std::string(all_findings<TypeParam>(bad, options)[0].what()),
              testing::HasSubstr("none of the fields is in Inner: this is probably a different type"));
  EXPECT_THAT(findings<TypeParam>(good(), options), ElementsAre());
  EXPECT_THAT(findings<TypeParam>(structure({}), options, "Pick"), ElementsAre());
}

TYPED_TEST(validate, elements_of_another_type_are_one_finding) {
  model bad = good();
  bad.fields[2].second.element = ttype::string;
  bad.fields[2].second.elements = {text("x"), text("y")};
  bad.fields[3].second.key = ttype::i32;
  bad.fields[3].second.entries = {{i32(1), inner(1)}};
  EXPECT_THAT(findings<TypeParam>(bad), ElementsAre("type_mismatch $.l", "type_mismatch $.m"));
}

TYPED_TEST(validate, views_are_validated_from_their_position) {
  model bad = good();
  bad.fields[3].second.entries[0].second = inner(-1);
  const std::string bytes = wire_bytes_of<TypeParam>(bad);
  const tl::view<TypeParam> v(bytes, ruled().type("Outer"));
  EXPECT_TRUE(tl::try_validate(v["pick"]));
  const tl::result<void> inside = tl::try_validate(v["m"]["k1"]);
  ASSERT_EQ(errc_of(inside), errc::broken_rule);
  EXPECT_EQ(inside.error().path(), "$.m{\"k1\"}.x");
  EXPECT_FALSE(tl::try_validate(v));
  EXPECT_EQ(tl::try_validate(v["nothing"]).error().code(), errc::no_such_field);
  const tl::schema unclear = tl::schema::parse("struct S { 1: i32 a (vt.gt = \"$b\") }");
  EXPECT_EQ(tl::validator::try_compile(unclear.type("S")).error().code(), errc::bad_rule);
  EXPECT_TRUE(tl::validator::try_compile(unclear.type("S"),
                                         {.bad_rules = tl::validate_options::bad_rule_check::ignore}));
}

TYPED_TEST(validate, check_value_accepts_one_value_of_the_type) {
  const std::string bytes = wire_bytes_of<TypeParam>(inner(5)), longer = bytes + '\0',
                    lacking = wire_bytes_of<TypeParam>(structure({}));
  const tl::type type = ruled().type("Inner");
  EXPECT_EQ((tl::check_value<TypeParam>(bytes, ttype::struct_, type).code), errc::ok);
  EXPECT_EQ((tl::check_value<TypeParam>(bytes, ttype::struct_, {}).code), errc::ok);
  EXPECT_EQ((tl::check_value<TypeParam>(longer, ttype::struct_, type).code), errc::trailing_bytes);
  EXPECT_EQ((tl::check_value<TypeParam>(lacking, ttype::struct_, type).code), errc::missing_required);
  EXPECT_EQ((tl::check_value<TypeParam>(bytes, ttype::list, type).code), errc::type_mismatch);
  EXPECT_EQ((tl::check_value<TypeParam>(bytes, ttype::stop, {}).code), errc::type_mismatch);
}

template <class P>
const std::string& bytes_of(const valid_vector& of) {
  return std::is_same_v<P, tl::binary> ? of.binary : of.compact;
}

TYPED_TEST(validate, vectors_are_valid_and_truncated_ones_are_not) {
  const tl::schema open = tl::schema::load((vectors_dir() / "open.thrift").string()),
                   uuids = tl::schema::load((vectors_dir() / "uuids.thrift").string());
  for (const valid_vector& vector : valid_vectors()) {
    const std::string& bytes = bytes_of<TypeParam>(vector);
    const tl::validator check =
        tl::validator::compile((vector.schema == "open" ? open : uuids).type(vector.structure),
                               {.keys = tl::validate_options::key_check::unique});
    const tl::fault actual = check.template first_fault<TypeParam>(bytes);
    ASSERT_TRUE(!actual || actual.code == errc::unknown_enum_value)
        << vector.id << ' ' << to_string(actual.code);
    for (std::size_t cut = 0; cut < bytes.size() && bytes.size() < 600; ++cut) {
      const std::string part = bytes.substr(0, cut);
      ASSERT_FALSE(check.template valid<TypeParam>(part)) << vector.id;
      ASSERT_FALSE(check.template findings<TypeParam>(part).empty()) << vector.id;
    }
  }
}

TYPED_TEST(validate, malicious_vectors_have_the_expected_outcome) {
  const tl::schema open = tl::schema::load((vectors_dir() / "open.thrift").string()),
                   uuids = tl::schema::load((vectors_dir() / "uuids.thrift").string());
  for (const malicious_vector& item : malicious_vectors()) {
    if (item.protocol != TypeParam::name) continue;
    const tl::validator check =
        tl::validator::compile((item.schema == "uuids" ? uuids : open).type(item.structure),
                               {.enum_numbers = tl::validate_options::enum_check::any});
    const std::vector<tl::error> actual = check.template findings<TypeParam>(item.bytes);
    if (item.expect == "error") {
      EXPECT_FALSE(actual.empty()) << item.id;
    }
    if (item.expect == "ok") {
      EXPECT_TRUE(actual.empty()) << item.id << ' ' << actual[0].what();
    }
    EXPECT_LE(actual.size(), 64u);
  }
}

TYPED_TEST(validate, mutated_bytes_are_handled) {
  chance random(12);
  const tl::validator check =
      tl::validator::compile(ruled().type("Outer"), {.keys = tl::validate_options::key_check::unique});
  for (int round = 0; round < thriftlens_test::cases(4000); ++round) {
    std::string bytes =
        wire_bytes_of<TypeParam>(round % 2 == 0 ? good() : random_model(random, ruled().type("Outer"), 3));
    for (int flips = 0; flips < 2; ++flips) bytes[below(random, bytes.size())] = static_cast<char>(random());
    const std::vector<tl::error> actual = check.template findings<TypeParam>(bytes);
    ASSERT_EQ(check.template valid<TypeParam>(bytes), actual.empty());
    for (const tl::error& fault : actual) ASSERT_LE(fault.offset(), bytes.size());
  }
}

}  // namespace
