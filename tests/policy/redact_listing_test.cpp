#include <thriftlens/policy/redact_listing.hpp>

#include "support/test.hpp"

#include <thriftlens/policy/redaction.hpp>
#include <thriftlens/schema/schema.hpp>

#include <gmock/gmock.h>

using testing::ElementsAre;

namespace {

using entry = tl::redact_entry;
const entry unknown{"#*", "drop", "not in the IDL"};
const tl::redact_hash::key_bytes listing_key{7};

TEST(redaction_listing, lists_path_action_and_rule) {
  const tl::schema schema = tl::schema::parse(R"idl(
    typedef string Mail (pii = "hash")
    enum Sex { F = 1 } (pii = "sex")
    struct Home { 1: string street, 2: bool own, 3: i32 plain } (pii = "keep_last(2)")
    struct S {
      1: string name (pii = "na\"me"), 2: list<Mail> mails, 3: map<Mail, string> by_mail, 4: Sex sex, 5: Home home, 6: string plain,
      7: map<string, string> attrs, 8: string shown (pii = "blank"), 9: optional i64 old (pii = "drop")
    })idl");
  const auto rules = tl::redaction::compile(
      schema.type("S"), {.annotation = "pii",
                         .paths = {{"$.attrs{\"card\"}", "constant(x, y)"}, {"$.shown", "keep"}},
                         .key = listing_key});
  EXPECT_THAT(rules.listing(),
              ElementsAre(entry{"$.name", "blank", "field S.name (pii = \"na\\\"me\")"},
                          entry{"$.mails[*]", "hash", "its type (pii = \"hash\")"},
                          entry{"$.by_mail{key *}", "hash", "its type (pii = \"hash\")"},
                          entry{"$.sex", "blank", "enum Sex (pii = \"sex\")"},
                          entry{"$.home.street", "keep_last(2)", "struct Home (pii = \"keep_last(2)\")"},
                          entry{"$.home.own", "blank", "struct Home (pii = \"keep_last(2)\")"},
                          entry{"$.home.plain", "keep_last(2)", "struct Home (pii = \"keep_last(2)\")"},
                          entry{"$.attrs{\"card\"}", "constant(x, y)", "path $.attrs{\"card\"}"},
                          entry{"$.shown", "keep", "path $.shown"},
                          entry{"$.old", "drop", "field S.old (pii = \"drop\")"}, unknown));
}

TEST(redaction_listing, of_recursive_and_shared_types_is_finite) {
  const tl::schema schema = tl::schema::parse(R"idl(
    struct Quiet { 1: i32 n, 2: Quiet more }
    struct Part { 1: string secret (pii = "x") }
    struct Node { 1: Part a, 2: Part b, 3: list<Node> children, 4: map<i32, list<Node>> more, 5: Quiet quiet })idl");
  EXPECT_THAT(tl::redaction::compile(schema.type("Node"), {.annotation = "pii"}).listing(),
              ElementsAre(entry{"$.a.secret", "blank", "field Part.secret (pii = \"x\")"},
                          entry{"$.b", "as $.a", "Part"}, entry{"$.children[*]", "as $", "Node"},
                          entry{"$.more{*}", "as $.children", "list<Node>"}, unknown));
}

TEST(redaction_listing, is_linear_for_exponential_types) {
  std::string text = "struct S0 { 1: string s (pii = \"x\") }\n";
  for (int i = 1; i < 40; ++i) {
    const std::string below = "S" + std::to_string(i - 1);
    text += "struct S" + std::to_string(i) + " { 1: " + below + " a, 2: " + below + " b }\n";
  }
  const tl::schema schema = tl::schema::parse(text);
  EXPECT_EQ(tl::redaction::compile(schema.type("S39"), {.annotation = "pii"}).listing().size(),
            41u);  // one each, and unknown fields
}

TEST(redaction_listing, lists_the_treatment_of_unknown_fields) {
  const tl::schema schema = tl::schema::parse("struct I { 1: string s } struct S { 1: I i, 2: string t }");
  tl::redact_options options{.paths = {{"$.i", "keep_last(1)"}}, .unknown = tl::on_unknown::error};
  EXPECT_EQ(tl::redaction::compile(schema.type("S"), options).listing().back(),
            (entry{"#*", "error", "not in the IDL"}));
  options.unknown = tl::on_unknown::keep;
  EXPECT_THAT(tl::redaction::compile(schema.type("S"), options).listing(),
              ElementsAre(entry{"$.i.#*", "drop", "path $.i"}, entry{"$.i.s", "keep_last(1)", "path $.i"}));
}

TEST(redaction_listing, of_one_value_and_of_rules_that_keep_all) {
  const tl::schema schema = tl::schema::parse("struct S { 1: string s (pii = \"x\") }");
  EXPECT_THAT(tl::redaction::compile(schema.type("S"), {.paths = {{"$", "blank"}}}).listing(),
              ElementsAre(entry{"$", "blank", "path $"}, unknown));
  EXPECT_THAT(tl::redaction::compile(schema.type("S"), {.paths = {{"$", "keep"}}}).listing(),
              ElementsAre(entry{"$", "keep", "path $"}, unknown));
  EXPECT_THAT(
      tl::redaction::compile(schema.type("S"), {.annotation = "pii", .paths = {{"$", "keep"}}}).listing(),
      ElementsAre(entry{"$", "keep", "path $"}, unknown));
}

}  // namespace
