#include <thriftlens/dom/node_range.hpp>

#include "dom/model.hpp"
#include "support/test.hpp"

#include <thriftlens/dom/document.hpp>

#include <gmock/gmock.h>

#include <ranges>

namespace {

using namespace thriftlens_test;

TEST(node_range, visits_what_was_not_erased_in_order) {
  tl::document doc;
  doc.start<tl::binary>(dom_schema().type("Tree"));
  const tl::node flags = doc.root().create("flags");
  for (std::int64_t key = 0; key < 6; ++key) flags.set(key, key % 2 == 0);
  flags.erase(0);
  flags.erase(3);
  flags.erase(5);
  std::vector<std::int64_t> keys;
  for (const tl::node_entry& entry : flags.entries()) keys.push_back(entry.key.as<std::int64_t>());
  EXPECT_THAT(keys, testing::ElementsAre(1, 2, 4));
  EXPECT_EQ(flags.entries().size(), 3u);
  for (const tl::node_entry& entry : flags.entries()) entry.value.set(true);
  EXPECT_TRUE(flags[1].as<bool>());
  for (std::int64_t key : keys) flags.erase(key);
  EXPECT_TRUE(flags.entries().empty());
  EXPECT_EQ(flags.entries().begin(), flags.entries().end());
}

TEST(node_range, fields_have_id_name_and_value) {
  tl::document doc;
  doc.start<tl::compact>(dom_schema().type("Tree"));
  doc.root().set("name", "x");
  doc.root().set(77, 5);
  std::vector<std::string> seen;
  for (const tl::node_field& field : doc.root().fields())
    seen.push_back(std::to_string(field.id) + std::string(field.name()) + field.value.path());
  EXPECT_THAT(seen, testing::ElementsAre("10name$.name", "77$.#77"));
}

template <class Range>
constexpr bool is_forward_view =
    std::ranges::forward_range<Range> && std::ranges::view<Range> && std::ranges::borrowed_range<Range> &&
    std::ranges::sized_range<Range> && std::ranges::common_range<Range>;
static_assert(is_forward_view<tl::node_range<tl::node>> && is_forward_view<tl::node_range<tl::node_field>>);
static_assert(is_forward_view<tl::node_range<tl::node_entry>>);

TEST(node_range, adaptors_and_algorithms_take_it) {
  tl::document doc;
  doc.start<tl::binary>(dom_schema().type("Tree"));
  const tl::node flags = doc.root().create("flags");
  for (std::int64_t key = 0; key < 6; ++key) flags.set(key, key % 2 == 0);
  std::vector<std::int64_t> keys;
  const auto is_set = [](const tl::node_entry& entry) { return entry.value.as<bool>(); };
  for (const tl::node_entry& entry : flags.entries() | std::views::filter(is_set) | std::views::take(2))
    keys.push_back(entry.key.as<std::int64_t>());
  EXPECT_THAT(keys, testing::ElementsAre(0, 2));
  EXPECT_EQ(std::ranges::count_if(flags.entries(), is_set), 3);
  // A temporary's iterator is good: it points into the document.
  const auto actual = std::ranges::find_if_not(flags.entries(), is_set);
  EXPECT_EQ((*actual).key.as<std::int64_t>(), 1);
}

TEST(node_range, items_bind_by_structured_binding) {
  tl::document doc;
  doc.start<tl::compact>(dom_schema().type("Tree"));
  const tl::node flags = doc.root().create("flags");
  flags.set(7, true);
  for (auto [key, value] : flags.entries()) {
    EXPECT_EQ(key.as<std::int64_t>(), 7);
    value.set(false);
  }
  EXPECT_FALSE(flags[7].as<bool>());
  for (const auto& [id, info, value] : doc.root().fields()) {
    EXPECT_EQ(info.name(), "flags");
    EXPECT_EQ(doc.root().field(id).path(), value.path());
  }
}

}  // namespace
