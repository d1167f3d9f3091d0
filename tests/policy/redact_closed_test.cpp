// Values that a redaction must not let through, whatever the sender, IDL or policy does.
#include <thriftlens/policy/redact.hpp>

#include "support/cases.hpp"
#include "support/random_data.hpp"
#include "support/test.hpp"
#include "support/tree.hpp"

#include <thriftlens/policy/validate.hpp>
#include <thriftlens/schema/schema.hpp>

using tl::errc;
using namespace thriftlens_test;

namespace {

constexpr std::string_view closed_idl = R"idl(
  include "base.thrift"
  typedef list<base.Mail> Mails
  enum Sex { NONE = 0, F = 1 } (pii = "hash")
  struct Inner { 1: required string name (pii = "blank"), 2: i32 n, 3: list<i32> numbers }
  struct Open { 1: string text }
  union Contact { 1: base.Mail mail, 2: i64 phone }
  exception Denied { 1: string who (pii = "blank"), 2: i32 code }
  struct S {
    1: required i64 id
    2: required string name (pii = "blank")
    3: string plain
    4: Inner inner
    5: list<Inner> inners
    6: map<base.Mail, Inner> by_mail
    7: set<base.Mail> mails
    8: map<string, Mails> deep
    9: Contact contact
    10: Sex sex
    11: binary raw (pii = "hash")
    12: list<i32> numbers
    13: map<i32, i32> counts
    14: bool flag (pii = "hash")
    15: Open open
    16: set<Open> opens
    17: map<bool, Sex> marks (pii = "hash")
    18: map<string, string> attrs
    19: map<double, string> rates
    20: Denied denied
    21: list<bool> flags (pii = "hash")
  }
)idl";
const tl::schema& closed() {
  static const tl::schema loaded =
      tl::schema::parse(closed_idl, {.includes = {{"base.thrift", "typedef string Mail (pii = \"blank\")"}}});
  return loaded;
}
const tl::redact_hash::key_bytes secret_key{3, 1, 4};
constexpr const char* hidden = "SECRET";

tree record() { return structure({{1, i64(7)}, {2, text(hidden)}}); }
tree record(std::int16_t id, tree more) {
  tree result = record();
  result.fields.emplace_back(id, std::move(more));
  return result;
}
tree inner(const char* name = hidden) { return structure({{1, text(name)}, {2, i32(5)}}); }
tree texts(std::vector<std::string> from, ttype kind = ttype::list) {
  tree result = list(ttype::string, {}, kind);
  for (std::string& item : from) result.elements.push_back(text(std::move(item)));
  return result;
}

template <class P>
struct closed_redaction : testing::Test {
  tl::redact_report report;

  static tl::redact_options options() { return {.annotation = "pii", .key = secret_key}; }
  tl::result<tl::buffer> redact(const std::string& bytes, const tl::redact_options& by,
                                const char* type = "S") {
    const tl::type of = closed().type(type);
    return tl::try_redact(tl::view<P>(bytes, of), tl::redaction::compile(of, by), &report);
  }
  /// Must be refused, at that path.
  void refused(const tree& from, errc code, const char* path, const char* type = "S") {
    const auto output = redact(encode<P>(from), options(), type);
    ASSERT_EQ(errc_of(output), code) << output.error().what() << path;
    EXPECT_EQ(output.error().path(), path);
  }
  /// The output must not contain the secret.
  tree passes(const tree& from, const tl::redact_options& by = options(), const char* type = "S") {
    const auto output = redact(encode<P>(from), by, type);
    EXPECT_TRUE(output) << output.error().what();
    if (!output) return {};
    EXPECT_EQ(output->text().find(hidden), std::string_view::npos);
    return decode<P>(output->text());
  }
};
TYPED_TEST_SUITE(closed_redaction, protocols);

TYPED_TEST(closed_redaction, a_corrupted_id_leaks_nothing) {
  const tree damaged = structure({{1, i64(7)}, {77, text(hidden)}});
  this->refused(damaged, errc::missing_required, "$.name");
  auto lenient = this->options();
  lenient.missing_required = tl::on_missing::omit;
  EXPECT_EQ(this->passes(damaged, lenient), structure({{1, i64(7)}}));
  EXPECT_EQ(this->report.unknown, 1u);
  EXPECT_EQ(this->report.dropped, 1u);
  auto keeping = this->options();
  keeping.unknown = tl::on_unknown::keep;
  EXPECT_FALSE(this->redact(encode<TypeParam>(damaged), keeping));
}

TYPED_TEST(closed_redaction, missing_required_fields_are_errors_at_every_depth) {
  const tree broken = structure({{9, text(hidden)}});
  this->refused(record(4, broken), errc::missing_required, "$.inner.name");
  this->refused(record(5, list(ttype::struct_, {inner(), broken})), errc::missing_required,
                "$.inners[1].name");
  this->refused(record(6, map(ttype::string, ttype::struct_, {{text("k"), broken}})), errc::missing_required,
                "$.by_mail{*}.name");
  this->refused(structure({{2, text("a")}}), errc::missing_required, "$.id");
  this->refused(structure({}), errc::missing_required, "$.id");
}

TYPED_TEST(closed_redaction, unknown_fields_are_dropped_at_every_depth) {
  const tree odd = structure({{1, text("a")}, {9, text(hidden)}, {-3, list(ttype::string, {text(hidden)})}});
  const tree clean = structure({{1, text("a")}});
  const tree blank = structure({{1, text("")}});
  tree full = record(4, odd);
  full.fields.emplace_back(5, list(ttype::struct_, {odd}));
  full.fields.emplace_back(6, map(ttype::string, ttype::struct_, {{text("k"), odd}}));
  full.fields.emplace_back(9, odd);
  full.fields.emplace_back(15, odd);
  full.fields.emplace_back(16, list(ttype::struct_, {odd}, ttype::set));
  full.fields.emplace_back(99, odd);
  tree out = this->passes(full);
  EXPECT_EQ(*out.find(4), blank);
  EXPECT_EQ(out.find(5)->elements[0], blank);
  EXPECT_EQ(out.find(6)->entries[0].second, blank);
  EXPECT_EQ(*out.find(9), blank);
  EXPECT_EQ(*out.find(15), clean);
  EXPECT_EQ(out.find(16)->elements[0], clean);
  EXPECT_EQ(out.find(99), nullptr);
  EXPECT_EQ(this->report.unknown, 13u);
}

TYPED_TEST(closed_redaction, contradicting_wire_types_are_errors_also_without_a_rule) {
  const tree plain = texts({hidden});
  tree first = structure({{1, text(hidden)}, {2, text("a")}});
  this->refused(first, errc::type_mismatch, "$.id");
  this->refused(record(3, plain), errc::type_mismatch, "$.plain");
  this->refused(record(4, text(hidden)), errc::type_mismatch, "$.inner");
  this->refused(record(4, structure({{1, text("a")}, {2, text(hidden)}})), errc::type_mismatch, "$.inner.n");
  this->refused(record(4, structure({{1, text("a")}, {3, plain}})), errc::type_mismatch, "$.inner.numbers");
  this->refused(record(9, structure({{2, text(hidden)}})), errc::type_mismatch, "$.contact.phone");
  this->refused(record(12, plain), errc::type_mismatch, "$.numbers");
  this->refused(record(12, texts({hidden}, ttype::set)), errc::type_mismatch, "$.numbers");
  this->refused(record(13, map(ttype::string, ttype::i32, {{text(hidden), i32(1)}})), errc::type_mismatch,
                "$.counts");
  this->refused(record(13, map(ttype::i32, ttype::string, {{i32(1), text(hidden)}})), errc::type_mismatch,
                "$.counts");
  this->refused(record(14, text(hidden)), errc::type_mismatch, "$.flag");
  this->refused(record(8, map(ttype::string, ttype::string, {{text("k"), text(hidden)}})),
                errc::type_mismatch, "$.deep");
}

TYPED_TEST(closed_redaction, a_second_copy_of_a_field_is_refused) {
  const tree twice = record(2, text(hidden));
  this->refused(twice, errc::duplicate_field, "$.name");
  this->refused(structure({{1, i64(7)}, {2, text("a")}, {3, text("b")}, {2, text(hidden)}}),
                errc::duplicate_field, "$.name");
  this->refused(record(2, list(ttype::string, {text(hidden)})), errc::duplicate_field, "$.name");
  this->refused(record(4, structure({{1, text("a")}, {1, text(hidden)}})), errc::duplicate_field,
                "$.inner.name");
}

TYPED_TEST(closed_redaction, trailing_bytes_are_errors) {
  const auto result = this->redact(encode<TypeParam>(record()) + hidden, this->options());
  ASSERT_EQ(errc_of(result), errc::trailing_bytes);
}

TYPED_TEST(closed_redaction, annotations_of_included_typedefs_apply_to_keys_elements_and_values) {
  tree from = record(
      6, map(ttype::string, ttype::struct_, {{text(hidden), inner()}, {text("other"), inner("SECRETLY")}}));
  from.fields.emplace_back(7, texts({hidden, "b"}, ttype::set));
  from.fields.emplace_back(8, map(ttype::string, ttype::list, {{text("k"), texts({hidden, "c"})}}));
  tree out = this->passes(from);
  EXPECT_EQ(*out.find(6),
            map(ttype::string, ttype::struct_, {{text(""), structure({{1, text("")}, {2, i32(5)}})}}));
  EXPECT_EQ(*out.find(7), texts({""}, ttype::set));
  EXPECT_EQ(*out.find(8), map(ttype::string, ttype::list, {{text("k"), texts({"", ""})}}));
}

TYPED_TEST(closed_redaction, members_of_unions_and_fields_of_exceptions) {
  EXPECT_EQ(*this->passes(record(9, structure({{1, text(hidden)}}))).find(9), structure({{1, text("")}}));
  EXPECT_EQ(*this->passes(record(9, structure({{2, i64(4)}}))).find(9), structure({{2, i64(4)}}));
  EXPECT_EQ(*this->passes(record(20, structure({{1, text(hidden)}}))).find(20), structure({{1, text("")}}));
  EXPECT_EQ(this->passes(structure({{1, text(hidden)}, {2, i32(4)}, {3, text(hidden)}}),
                         {.annotation = "pii"}, "Denied"),
            structure({{1, text("")}, {2, i32(4)}}));
  auto dropping = this->options();
  dropping.paths = {{"$.contact.mail", "drop"}};
  EXPECT_EQ(*this->passes(record(9, structure({{1, text(hidden)}})), dropping).find(9),
            structure({}));  // a union without a member
  // A member of tomorrow's IDL.
  EXPECT_EQ(*this->passes(record(9, structure({{3, text(hidden)}}))).find(9), structure({}));
}

TYPED_TEST(closed_redaction, values_that_cannot_be_hashed_are_blanked) {
  tree from = record(10, i32(1));
  from.fields.emplace_back(14, boolean(true));
  from.fields.emplace_back(
      17, map(ttype::bool_, ttype::i32, {{boolean(true), i32(1)}, {boolean(false), i32(1)}}));
  from.fields.emplace_back(21, list(ttype::bool_, {boolean(true), boolean(false)}));
  tree out = this->passes(from);
  EXPECT_EQ(*out.find(10), i32(0));
  EXPECT_EQ(*out.find(14), boolean(false));
  EXPECT_EQ(*out.find(17), map(ttype::bool_, ttype::i32, {{boolean(false), i32(0)}}));
  EXPECT_EQ(*out.find(21), list(ttype::bool_, {boolean(false), boolean(false)}));
}

TYPED_TEST(closed_redaction, binary_is_hashed_and_truncated_by_bytes) {
  const std::string raw = std::string(hidden) + '\0' + '\xff' + hidden;
  tree out = this->passes(record(11, text(raw)));
  EXPECT_EQ(out.find(11)->text.size(), 16u);
  auto cutting = this->options();
  cutting.paths = {{"$.raw", "keep_last(4)"}};
  EXPECT_EQ(this->passes(record(11, text(raw)), cutting).find(11)->text, "**********CRET");
  EXPECT_EQ(this->passes(record(11, text(std::string(9, '\x80'))), cutting).find(11)->text,
            "*****" + std::string(4, '\x80'));
}

TYPED_TEST(closed_redaction, a_rule_for_a_key_applies_to_every_entry_with_that_key) {
  auto by_key = this->options();
  by_key.paths = {{"$.attrs{\"card\"}", "blank"}, {"$.rates{0}", "blank"}};
  tree from =
      record(18, map(ttype::string, ttype::string,
                     {{text("card"), text(hidden)}, {text("a"), text("b")}, {text("card"), text(hidden)}}));
  from.fields.emplace_back(
      19, map(ttype::double_, ttype::string, {{real(-0.0), text(hidden)}, {real(0), text(hidden)}}));
  tree out = this->passes(from, by_key);
  EXPECT_EQ(out.find(18)->entries.size(), 3u);
  EXPECT_EQ(out.find(18)->entries[1].second, text("b"));
}

TYPED_TEST(closed_redaction, errors_do_not_contain_map_keys) {
  for (const char* key : {hidden, "SECRET}", "{SECRET", "\"SECRET", "\\\"}SECRET"}) {
    const tree from = record(6, map(ttype::string, ttype::struct_, {{text(key), structure({{1, i32(1)}})}}));
    const auto result = this->redact(encode<TypeParam>(from), this->options());
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().path(), "$.by_mail{*}.name") << key;
    EXPECT_EQ(std::string_view(result.error().what()).find(hidden), std::string_view::npos)
        << result.error().what();
  }
  const tree deep = record(8, map(ttype::string, ttype::list, {{text(hidden), list(ttype::i32, {i32(1)})}}));
  this->refused(deep, errc::type_mismatch, "$.deep{*}");
}

TYPED_TEST(closed_redaction, elements_that_differ_only_in_unknown_fields_are_merged) {
  const tree from = record(
      16, list(ttype::struct_, {structure({{1, text("a")}}), structure({{1, text("a")}, {5, text(hidden)}})},
               ttype::set));
  EXPECT_EQ(*this->passes(from).find(16), list(ttype::struct_, {structure({{1, text("a")}})}, ttype::set));
}

TYPED_TEST(closed_redaction, of_a_nested_value_alone) {
  const std::string bytes = encode<TypeParam>(record(4, structure({{1, text(hidden)}, {8, text(hidden)}})));
  const auto rules = tl::redaction::compile(closed().type("Inner"), {.annotation = "pii"});
  const auto result = tl::redact(tl::view<TypeParam>(bytes, closed().type("S"))["inner"], rules);
  EXPECT_EQ(result.text(), encode<TypeParam>(structure({{1, text("")}})));
  const auto other =
      tl::try_redact(tl::view<TypeParam>(bytes), rules);  // a view without a type is of no type
  ASSERT_EQ(errc_of(other), errc::wrong_type);
}

TYPED_TEST(closed_redaction, keeping_unknown_fields_visits_only_types_with_rules) {
  auto keeping = this->options();
  keeping.unknown = tl::on_unknown::keep;
  const tree odd = structure({{1, text("a")}, {9, text("b")}});
  tree from = record(15, odd);
  from.fields.emplace_back(4, structure({{1, text(hidden)}, {9, text("c")}}));
  tree out = this->passes(from, keeping);
  EXPECT_EQ(*out.find(15), odd);
  EXPECT_EQ(*out.find(4), structure({{1, text("")}, {9, text("c")}}));
  EXPECT_EQ(this->report.unknown, 0u);
}

// For any bytes the output is valid, and without hidden values.
TYPED_TEST(closed_redaction, of_corrupted_bytes_fails_or_is_correct) {
  tree from = record(4, inner());
  from.fields.emplace_back(5, list(ttype::struct_, {inner(), inner()}));
  from.fields.emplace_back(6, map(ttype::string, ttype::struct_, {{text(hidden), inner()}}));
  from.fields.emplace_back(9, structure({{1, text(hidden)}}));
  from.fields.emplace_back(12, list(ttype::i32, {i32(1), i32(2)}));
  from.fields.emplace_back(14, boolean(true));
  from.fields.emplace_back(15, structure({{1, text("open")}}));
  const std::string bytes = encode<TypeParam>(from);
  const tl::type of = closed().type("S");
  const tl::redaction rules = tl::redaction::compile(of, this->options());
  randomness random(11);
  std::size_t good = 0, bad = 0;
  for (int round = 0; round < thriftlens_test::cases(3000); ++round) {
    std::string damaged = bytes;
    for (std::size_t changes = 1 + random.below(2); changes > 0; --changes)
      damaged[random.below(damaged.size())] = static_cast<char>(random.below(256));
    const auto result = tl::try_redact(tl::view<TypeParam>(damaged, of), rules);
    ++(result ? good : bad);
    if (!result) continue;
    EXPECT_EQ(result->text().find(hidden), std::string_view::npos) << round;
    // All members of a malformed union are redacted.
    const errc actual = tl::check_value<TypeParam>(*result, ttype::struct_, of).code;
    EXPECT_TRUE(actual == errc::ok || actual == errc::union_members) << round << ' ' << tl::to_string(actual);
  }
  EXPECT_GT(good, thriftlens_test::cases(100u));
  EXPECT_GT(bad, thriftlens_test::cases(100u));
}

}  // namespace
