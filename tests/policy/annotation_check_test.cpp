#include <thriftlens/policy/annotation_check.hpp>

#include "support/test.hpp"

#include <gmock/gmock.h>

using testing::ElementsAre, testing::IsEmpty;

namespace {

std::vector<std::string> findings(const char* idl, const char* key = "pii") {
  return tl::check_annotations(tl::schema::parse(idl), {.annotation = key});
}

TEST(annotation_check, reports_contradictions) {
  EXPECT_THAT(
      findings(R"idl(
    typedef string Ssn (pii = "drop")
    struct Card { 1: string number (pii = "drop"), 2: string owner } (pii = "keep_last(4)")
    struct User { 1: Card card, 2: Ssn ssn (pii = "keep") })idl"),
      ElementsAre("Card.number: field Card.number (pii = \"drop\") is stricter than struct Card (pii = "
                  "\"keep_last(4)\"), which has no effect there",
                  "User.ssn: its type (pii = \"drop\") is stricter than field User.ssn (pii = \"keep\"), "
                  "which has no effect there"));
}

TEST(annotation_check, reports_annotations_without_effect) {
  EXPECT_THAT(
      findings(R"idl(
    enum Sex { F = 1 (pii = "x") }
    const string name = "n" (pii = "x")
    struct Gone { 1: string inner (pii = "hash") } (pii = "drop")
    service Shop {
      void run() (pii = "x")
      i32 count() (pii = "x")
      i32 plain()
    } (pii = "x"))idl"),
      ElementsAre(
          "constant name (pii = \"x\") has no effect: a constant is not part of the data",
          "enum member Sex.F (pii = \"x\") has no effect: annotate the enum",
          "field Gone.inner (pii = \"hash\") has no effect: the rule of an enclosing value replaces it",
          "function Shop.run (pii = \"x\") has no effect: it returns void",
          "service Shop (pii = \"x\") has no effect: annotate its functions"));
}

TEST(annotation_check, reports_rules_that_cannot_be_applied) {
  EXPECT_THAT(findings(R"idl(
    struct S { 1: required string s (pii = "drop"), 2: string t (pii = "keep", pii = "drop"), 3: string u (pii = "hash") })idl"),
              ElementsAre("field 's' of S: a required field cannot be dropped; use blank",
                          "field 't' of S: the annotation 'pii' has the values 'keep' and 'drop'"));
}

TEST(annotation_check, without_a_key_checks_annotations_whose_values_are_actions) {
  constexpr const char* idl = R"idl(
    struct A { 1: string s (pii = "drop", note = "any") } (pii = "keep_last(4)", note = "other"))idl";
  EXPECT_EQ(findings(idl, "").size(), 1u);
  EXPECT_THAT(findings("struct A { 1: string s (note = \"x\") } (note = \"y\")", ""), IsEmpty());
}

}  // namespace
