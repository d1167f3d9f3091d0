#include <thriftlens/path/step_trie.hpp>

#include "path/samples.hpp"
#include "support/test.hpp"

using tl::detail::step_trie;

namespace {

tl::path path_of(const std::string& text) {
  return tl::path::compile(thriftlens_test::shop().type("Order"), text);
}
std::uint32_t add(step_trie& trie, const tl::path& of) {
  std::uint32_t at = 0;
  for (const tl::path_step& step : of.steps()) at = trie.child(at, step);
  return at;
}
std::vector<std::uint32_t> children(const step_trie& trie, std::uint32_t at) {
  std::vector<std::uint32_t> nodes;
  for (std::uint32_t node = trie[at].first_child; node != step_trie::none; node = trie[node].next) {
    EXPECT_EQ(trie[node].parent, at);
    EXPECT_EQ(trie[node].position, nodes.size());
    nodes.push_back(node);
  }
  EXPECT_EQ(nodes.size(), trie[at].children);
  return nodes;
}

TEST(step_trie, shares_path_prefixes) {
  step_trie trie;
  const std::uint32_t name = add(trie, path_of("$.user.name")), secret = add(trie, path_of("$.user.secret"));
  EXPECT_NE(name, secret);
  EXPECT_EQ(trie[name].parent, trie[secret].parent);
  EXPECT_EQ(trie.size(), 4u);
  EXPECT_EQ(add(trie, path_of("$.user.name")), name);
  EXPECT_EQ(trie.size(), 4u);
  EXPECT_EQ(trie.id(name), 2);
  EXPECT_EQ(add(trie, tl::path()), 0u);
  EXPECT_EQ(trie.detached(), 4u);
  EXPECT_EQ(trie[4].parent, step_trie::none);
}

// The same question to a map, for steps in any order.
TEST(step_trie, stores_every_step_once) {
  for (const std::string kind : {"ascending", "descending", "shuffled"}) {
    for (const auto& [front, back] : {std::pair<std::string, std::string>{"$.items[", "]"},
                                      {"$.by_sku{\"key ", "\"}"},
                                      {"$.notes{", "}"}}) {
      std::vector<int> numbers;
      for (int i = -150; i < 150; ++i) numbers.push_back(i);
      if (kind == "descending") std::reverse(numbers.begin(), numbers.end());
      if (kind == "shuffled") std::shuffle(numbers.begin(), numbers.end(), std::mt19937(7));
      step_trie trie;
      std::map<int, std::uint32_t> known;
      for (int round = 0; round < 2; ++round) {
        for (int number : numbers) {
          const std::uint32_t at = add(trie, path_of(front + std::to_string(number) + back));
          EXPECT_EQ(known.emplace(number, at).first->second, at);
        }
      }
      EXPECT_EQ(trie.size(), 302u);
      std::vector<std::uint32_t> nodes = children(trie, 1);
      EXPECT_FALSE(trie[1].ascending) << kind;  // negative ones must follow the others
      std::sort(nodes.begin(), nodes.end(),
                [&](std::uint32_t left, std::uint32_t right) { return trie.less(left, right); });
      for (std::size_t i = 0; i + 1 < nodes.size(); ++i) EXPECT_TRUE(trie.less(nodes[i], nodes[i + 1]));
    }
  }
}

TEST(step_trie, is_ascending_for_ascending_ids_and_indices) {
  step_trie trie;
  for (const char* text : {"$.items[0]", "$.items[5]", "$.items[5]", "$.items[-2]", "$.items[-1]"})
    add(trie, path_of(text));
  EXPECT_TRUE(trie[1].ascending);
  EXPECT_EQ(children(trie, 1).size(), 4u);
  EXPECT_EQ(trie.index(trie[1].last_child), -1);
  add(trie, path_of("$.items[4]"));
  EXPECT_FALSE(trie[1].ascending);
  add(trie, path_of("$.user"));
  EXPECT_FALSE(trie[0].ascending);  // items has the higher id
}

TEST(step_trie, finds_keys_of_every_form) {
  for (int count : {3, 40}) {
    step_trie trie;
    std::map<std::string, std::uint32_t> known;
    for (int i = 0; i < count; ++i) {
      for (const std::string& text :
           {"$.notes{" + std::to_string(i - 5) + "}", "$.by_sku{\"k" + std::to_string(i) + "\"}",
            "$.rates{" + std::to_string(i) + ".5}",
            "$.flags{" + std::string(i % 2 == 0 ? "true" : "false") + "}"}) {
        const std::uint32_t at = add(trie, path_of(text));
        EXPECT_EQ(known.emplace(text, at).first->second, at);
      }
    }
    for (const auto& [text, at] : known) {
      const tl::path of = path_of(text);
      const tl::map_key key = of.steps().back().key;
      EXPECT_EQ(trie.find(trie[at].parent, key), at) << text;
      EXPECT_EQ(trie.key(at).kind(), key.kind());
      EXPECT_FALSE(tl::detail::key_less(trie.key(at), key) || tl::detail::key_less(key, trie.key(at)))
          << text;
    }
    const std::uint32_t notes = trie[known["$.notes{-5}"]].parent,
                        texts = trie[known["$.by_sku{\"k0\"}"]].parent;
    EXPECT_EQ(trie.find(notes, 1000), step_trie::none);
    EXPECT_EQ(trie.find(notes, "k0"), step_trie::none);
    EXPECT_EQ(trie.find(texts, ""), step_trie::none);
    EXPECT_EQ(trie.find(texts, tl::map_key::wire(tl::byte_view("k0", 2))), step_trie::none);
    EXPECT_FALSE(trie[texts].wire_keys);
    add(trie, path_of("$.by_sku{x\"6b30\"}"));
    EXPECT_TRUE(trie[texts].wire_keys);
    EXPECT_NE(trie.find(texts, tl::map_key::wire(tl::byte_view("k0", 2))), step_trie::none);
  }
}

TEST(step_trie, equal_keys_share_a_node) {
  step_trie trie;
  EXPECT_EQ(add(trie, path_of("$.rates{0.0}")), add(trie, path_of("$.rates{-0.0}")));
  EXPECT_NE(add(trie, path_of("$.flags{true}")), add(trie, path_of("$.flags{false}")));
}

}  // namespace
