#include <thriftlens/edit/edit_summary.hpp>

#include "support/order.hpp"
#include "support/test.hpp"

#include <thriftlens/edit/edit.hpp>
#include <thriftlens/policy/rewrite.hpp>

using namespace thriftlens_test;

namespace {

tl::view<tl::binary> order() { return {order_bytes<tl::binary>(), order_type()}; }

TEST(edit_summary, lists_every_edit_with_its_path) {
  tl::edit changes(order());
  EXPECT_EQ(changes.summary(), "0 edits");
  changes.set("$.id", 1);
  EXPECT_EQ(changes.summary(), "1 edit: set $.id");
  changes.erase("user").create("$.notes{300}", "x").replace("$.id", [](const auto&) { return 1; });
  EXPECT_EQ(changes.summary(), "4 edits: set $.id, erase user, create $.notes{300}, replace $.id");
  changes.insert("$.notes{8}", "y").append("$.items", tl::wire_bytes{{"\0", 1}});
  EXPECT_EQ(changes.summary(), "6 edits: set $.id, erase user, create $.notes{300}, replace $.id and 2 more");
  tl::edit others(order());
  others.insert("$.notes{8}", "y").append("$.items", tl::wire_bytes{{"\0", 1}});
  EXPECT_EQ(others.summary(), "2 edits: insert $.notes{8}, append $.items");
}

TEST(edit_summary, cuts_long_paths_between_characters) {
  EXPECT_EQ(tl::detail::short_path(""), "$");
  EXPECT_EQ(tl::detail::short_path(std::string(60, 'a')), std::string(60, 'a'));
  EXPECT_EQ(tl::detail::short_path(std::string(61, 'a')), std::string(60, 'a') + "…");
  EXPECT_EQ(tl::detail::short_path(std::string(59, 'a') + "ä" + "b"), std::string(59, 'a') + "…");
}

TEST(edit_summary, of_a_rewrite_lists_selection_and_redaction_first) {
  tl::rewrite changes(order());
  EXPECT_EQ(changes.summary(), "0 edits");
  changes.trim("{ id }").set("$.id", 1);
  EXPECT_EQ(changes.summary(), "trim, 1 edit: set $.id");
  changes.redact(tl::redaction::compile(order_type(), {.paths = {{"$.user", "drop"}}}));
  EXPECT_EQ(changes.summary(), "trim, redact, 1 edit: set $.id");
}

}  // namespace
