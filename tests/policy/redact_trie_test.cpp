#include <thriftlens/policy/redact_trie.hpp>

#include "path/samples.hpp"
#include "support/test.hpp"

using thriftlens_test::shop;

namespace {

using nodes = tl::detail::redact_trie::nodes;
tl::path order_path(const char* text) { return tl::path::compile(shop().type("Order"), text); }

TEST(redact_trie, follows_fields_wildcards_and_keys) {
  tl::detail::redact_trie trie;
  const tl::path price = order_path("$.items[*].price"), one = order_path("$.by_sku{\"k1\"}.price"),
                 all = order_path("$.by_sku{*}");
  ASSERT_TRUE(trie.add(price, 5));
  ASSERT_TRUE(trie.add(one, 6));
  ASSERT_TRUE(trie.add(all, 7));
  const nodes items = trie.below_field({0}, 3);
  ASSERT_EQ(items.size(), 1u);
  EXPECT_EQ(trie.last_end(items), tl::detail::redact_trie::none);
  const nodes prices = trie.below_field(trie.below_all(items), 2);
  ASSERT_NE(trie.last_end(prices), tl::detail::redact_trie::none);
  EXPECT_EQ(trie.action(trie.last_end(prices)), 5u);
  EXPECT_EQ(trie.path_of(trie.last_end(prices)), 0u);
  const auto keys = trie.keys_below(trie.below_field({0}, 4));
  ASSERT_EQ(keys.size(), 1u);
  EXPECT_EQ(keys[0].text, "{\"k1\"}");
  EXPECT_TRUE(trie.is_leaf(prices[0]));
  EXPECT_FALSE(trie.is_leaf(items[0]));
}

TEST(redact_trie, the_last_of_several_paths_to_a_value_wins) {
  tl::detail::redact_trie trie;
  const tl::path first = order_path("$.by_sku{\"k1\"}"), all = order_path("$.by_sku{*}");
  ASSERT_TRUE(trie.add(all, 9));
  ASSERT_TRUE(trie.add(first, 4));
  nodes both = trie.below_all(trie.below_field({0}, 4));
  both.push_back(trie.keys_below(trie.below_field({0}, 4))[0].node);
  EXPECT_EQ(trie.action(trie.last_end(both)), 9u);
}

TEST(redact_trie, detects_unused_paths) {
  tl::detail::redact_trie trie;
  const tl::path name = order_path("$.user.name"), one = order_path("$.by_sku{\"k1\"}.price"),
                 root = order_path("$");
  ASSERT_TRUE(trie.add(name, 1));
  ASSERT_TRUE(trie.add(one, 2));
  ASSERT_TRUE(trie.add(root, 3));
  EXPECT_EQ(trie.reached_text(root), std::nullopt);
  EXPECT_EQ(trie.reached_text(name), 1u);
  static_cast<void>(trie.below_field({0}, 2));
  EXPECT_EQ(trie.reached_text(name), std::string_view("$.user").size());
  static_cast<void>(trie.below_field(trie.below_field({0}, 2), 2));
  EXPECT_EQ(trie.reached_text(name), std::nullopt);
  static_cast<void>(trie.keys_below(trie.below_field({0}, 4)));
  EXPECT_EQ(trie.reached_text(one), std::string_view("$.by_sku{\"k1\"}").size());
}

TEST(redact_trie, rejects_index_steps) {
  const tl::schema schema = tl::schema::parse(
      "struct K { 1: i32 n } struct S { 1: map<K, i32> k, 2: map<i32, i32> i, 3: map<uuid, i32> u, 4: "
      "list<i32> l }");
  const auto code = [&](const char* text) {
    tl::detail::redact_trie trie;
    const tl::path output = tl::path::compile(schema.type("S"), text);
    const tl::result<void> status = trie.add(output, 0);
    return status ? tl::errc::ok : status.error().code();
  };
  EXPECT_EQ(code("$.l[0]"), tl::errc::wrong_type);
  EXPECT_EQ(code("$.l[1:]"), tl::errc::wrong_type);
  EXPECT_EQ(code("$.l[*]"), tl::errc::ok);
  // Bytes of a key are those of one protocol and of one spelling.
  EXPECT_EQ(code("$.k{x\"0800010000000500\"}"), tl::errc::wrong_type);
  EXPECT_EQ(code("$.i{x\"00000005\"}"), tl::errc::wrong_type);
  EXPECT_EQ(code("$.i{5}"), tl::errc::ok);
  EXPECT_EQ(code("$.u{x\"00112233445566778899aabbccddeeff\"}"), tl::errc::ok);
  EXPECT_EQ(code("$.u{x\"0011\"}"), tl::errc::wrong_type);
  EXPECT_EQ(code("$.u{\"00112233-4455-6677-8899-aabbccddeeff\"}"), tl::errc::ok);
}

}  // namespace
