#include <thriftlens/policy/redaction_compiler.hpp>

#include "support/test.hpp"

#include <thriftlens/schema/schema.hpp>

TEST(redaction_compiler, logs_conflicts_and_rules_that_were_chosen) {
  const tl::schema schema = tl::schema::parse(R"idl(
    struct Card { 1: string number (pii = "drop") } (pii = "keep_last(4)"))idl");
  const tl::redact_options options{.annotation = "pii"};
  tl::detail::redact_graph graph;
  graph.from = schema.type("Card");
  tl::detail::annotation_log log;
  ASSERT_TRUE(tl::detail::redaction_compiler(graph, options, &log).check_annotations());
  ASSERT_EQ(log.conflicts.size(), 1u);
  EXPECT_EQ(log.conflicts.begin()->at, "Card.number");
  EXPECT_EQ(log.conflicts.begin()->stricter.rule, tl::detail::redact_reason::form::field);
  EXPECT_EQ(log.effective.size(), 2u);
  EXPECT_TRUE(log.errors.empty());
}
