// Keys in several spellings, and sets and maps in which an edit would make two elements or keys equal.
#include <thriftlens/edit/edit.hpp>

#include <thriftlens/edit/trim.hpp>
#include <thriftlens/schema/schema.hpp>
#include <thriftlens/view/plan.hpp>

#include "support/hex.hpp"
#include "support/test.hpp"
#include "support/tree.hpp"

using tl::errc;
using namespace thriftlens_test;

namespace {

const tl::type& root_type() {
  static const tl::schema schema = tl::schema::parse(R"(
    struct Key { 1: i32 a; 2: i32 b }
    struct Item { 1: optional i32 x; 2: optional set<i32> s }
    struct Root {
      1: map<i32, i32> m
      2: map<Key, Item> by_key
      3: set<i32> s
      4: set<Item> items
      5: list<map<i32, i32>> maps
      6: map<bool, i32> flags
      7: map<i32, map<i32, i32>> nested
      8: optional set<string> texts
    })");
  static const tl::type root = schema.type("Root");
  return root;
}

tree key(int a, int b) { return structure({{1, i32(a)}, {2, i32(b)}}); }
tree item_of(int x, std::vector<tree> s = {}) {
  return structure({{1, i32(x)}, {2, list(ttype::i32, s, ttype::set)}});
}

tree sample() {
  return structure(
      {{1, map(ttype::i32, ttype::i32, {{i32(1), i32(10)}, {i32(2), i32(20)}})},
       {2, map(ttype::struct_, ttype::struct_, {{key(1, 2), item_of(7, {i32(1)})}})},
       {3, list(ttype::i32, {i32(1), i32(2), i32(3)}, ttype::set)},
       {4, list(ttype::struct_, {item_of(1), item_of(2)}, ttype::set)},
       {5, list(ttype::map, {map(ttype::i32, ttype::i32, {{i32(1), i32(5)}}),
                             map(ttype::i32, ttype::i32, {{i32(1), i32(6)}})})},
       {6, map(ttype::bool_, ttype::i32, {{boolean(true), i32(3)}})},
       {7, map(ttype::i32, ttype::map, {{i32(4), map(ttype::i32, ttype::i32, {{i32(1), i32(8)}})}})}});
}

template <class P>
struct equal_keys_of : testing::Test {
  using V = tl::view<P>;

  const std::string bytes = encode<P>(sample());
  const V root{bytes, root_type()};
  /// The wire bytes of a key, as a step of a path.
  static std::string wire(const std::string& key_bytes) { return "{x\"" + hex(key_bytes) + "\"}"; }
  static std::string number(int value) {
    std::uint8_t out[16];
    const std::uint8_t* const end = P::put_i32(out, value);
    return wire(std::string(reinterpret_cast<const char*>(out), static_cast<std::size_t>(end - out)));
  }
  static std::string both(int a, int b) { return wire(encode<P>(key(a, b))); }
  /// The same key with its fields in the other order.
  static std::string swapped(int a, int b) { return wire(encode<P>(structure({{2, i32(b)}, {1, i32(a)}}))); }

  std::vector<V> get(std::vector<std::string> texts) const {
    const std::vector<std::string_view> paths(texts.begin(), texts.end());
    const tl::plan compiled = tl::plan::compile(root_type(), paths);
    std::vector<V> values(paths.size());
    get_many(root, compiled, std::span<V>(values));
    return values;
  }
  template <class Change>
  errc code(Change change) const {
    tl::edit<P> edit(root);
    change(edit);
    const auto plain = edit.try_apply();
    const auto pieces = edit.try_apply_gather();
    EXPECT_EQ(plain.has_value(), pieces.has_value());
    if (!plain) {
      EXPECT_EQ(plain.error().code(), pieces.error().code());
      return plain.error().code();
    }
    EXPECT_EQ(plain->str(), pieces->join().str());
    return errc::ok;
  }
};
TYPED_TEST_SUITE(equal_keys_of, protocols);

TYPED_TEST(equal_keys_of, plans_follow_all_spellings_of_a_key) {
  const auto values =
      this->get({"$.m{1}", "$.m" + this->number(1), "$.m{2}", "$.m{1}", "$.nested{4}{1}",
                 "$.nested" + this->number(4) + "{1}", "$.nested" + this->number(4) + this->number(1),
                 "$.nested" + this->number(4)});
  for (const int at : {0, 1, 3}) EXPECT_EQ(values[static_cast<std::size_t>(at)].template as<int>(), 10) << at;
  EXPECT_EQ(values[2].template as<int>(), 20);
  for (const int at : {4, 5, 6}) EXPECT_EQ(values[static_cast<std::size_t>(at)].template as<int>(), 8) << at;
  EXPECT_EQ(values[7].size(), 1u);
}

TYPED_TEST(equal_keys_of, plans_follow_struct_keys_in_any_order_of_fields) {
  const auto values =
      this->get({"$.by_key" + this->both(1, 2) + ".x", "$.by_key" + this->swapped(1, 2) + ".x",
                 "$.by_key" + this->swapped(1, 2) + ".s[0]", "$.by_key" + this->both(2, 1)});
  EXPECT_EQ(values[0].template as<int>(), 7);
  EXPECT_EQ(values[1].template as<int>(), 7);
  EXPECT_EQ(values[2].template as<int>(), 1);
  EXPECT_EQ(values[3].code(), errc::absent);
}

TYPED_TEST(equal_keys_of, plans_of_more_edges_than_bits) {
  std::vector<std::string> texts;
  for (int i = 0; i < 80; ++i)
    texts.push_back("$.m" + (i % 2 == 0 ? "{" + std::to_string(i) + "}" : this->number(i)));
  texts.push_back("$.m{1}");
  texts.push_back("$.m" + this->number(2));
  const auto values = this->get(texts);
  for (const int at : {1, 80}) EXPECT_EQ(values[static_cast<std::size_t>(at)].template as<int>(), 10) << at;
  for (const int at : {2, 81}) EXPECT_EQ(values[static_cast<std::size_t>(at)].template as<int>(), 20) << at;
  EXPECT_EQ(values[3].code(), errc::absent);
}

TYPED_TEST(equal_keys_of, an_unreadable_value_leaves_all_spellings_without_one) {
  std::string cut = encode<TypeParam>(structure({{2, *sample().find(2)}}));
  cut.resize(cut.size() - encode<TypeParam>(item_of(7, {i32(1)})).size() - 1);  // nothing of the item
  const tl::plan compiled = tl::plan::compile(
      root_type(), {"$.by_key" + this->both(1, 2) + ".x", "$.by_key" + this->swapped(1, 2) + ".x",
                    "$.by_key" + this->swapped(1, 2) + ".s"});
  std::vector<tl::view<TypeParam>> values(3);
  EXPECT_EQ(get_many(tl::view<TypeParam>(cut, root_type()), compiled, std::span<tl::view<TypeParam>>(values)),
            0u);
  for (const auto& value : values) EXPECT_EQ(value.code(), errc::truncated);
}

TYPED_TEST(equal_keys_of, edits_of_one_key_in_two_spellings_are_edits_of_one_entry) {
  tree expected = sample();
  expected.find(1)->entries[0].second = i32(12);
  expected.find(1)->entries.push_back({i32(9), i32(91)});
  const auto out = tl::edit(this->root)
                       .set("$.m{1}", 11)
                       .set("$.m" + this->number(1), 12)
                       .set("$.m" + this->number(9), 90)
                       .set("$.m{9}", 91)
                       .apply();
  EXPECT_EQ(out.str(), encode<TypeParam>(expected));
}

TYPED_TEST(equal_keys_of, edits_below_one_key_in_two_spellings) {
  tree expected = sample();
  expected.find(2)->entries[0].second = item_of(8, {i32(1), i32(2)});
  const auto out = tl::edit(this->root)
                       .set("$.by_key" + this->both(1, 2) + ".x", 8)
                       .append("$.by_key" + this->swapped(1, 2) + ".s", 2)
                       .apply();
  EXPECT_EQ(out.str(), encode<TypeParam>(expected));
  EXPECT_EQ(this->code([&](auto& edit) {
    edit.erase("$.by_key" + this->both(1, 2)).set("$.by_key" + this->swapped(1, 2) + ".x", 8);
  }),
            errc::edit_conflict);
}

TYPED_TEST(equal_keys_of, a_new_struct_key_is_written_as_its_first_path_spells_it) {
  tree expected = sample();
  expected.find(2)->entries.push_back({key(5, 6), structure({{1, i32(2)}})});
  const auto out = tl::edit(this->root)
                       .create("$.by_key" + this->both(5, 6) + ".x", 1)
                       .create("$.by_key" + this->swapped(5, 6) + ".x", 2)
                       .apply();
  EXPECT_EQ(out.str(), encode<TypeParam>(expected));
}

TYPED_TEST(equal_keys_of, wildcards_and_keys_in_other_spellings_match_the_same_entry) {
  tree expected = sample();
  for (tree& map : expected.find(5)->elements) map.entries[0].second = i32(2);
  const auto out = tl::edit(this->root)
                       .set("$.maps[*]{1}", 1)
                       .set("$.maps[0]" + this->number(1), 2)
                       .set("$.maps[1]{1}", 2)
                       .apply();
  EXPECT_EQ(out.str(), encode<TypeParam>(expected));
}

TYPED_TEST(equal_keys_of, bytes_that_are_not_a_key_match_nothing) {
  EXPECT_EQ(this->code([](auto& edit) { edit.erase("$.m{x\"\"}").erase("$.by_key{x\"08\"}"); }), errc::ok);
  EXPECT_EQ(this->code([](auto& edit) { edit.set("$.m{x\"\"}", 1); }), errc::truncated);
  EXPECT_EQ(this->code([&](auto& edit) {
    edit.erase("$.by_key" + this->wire(encode<TypeParam>(key(1, 2)) + '\0'));
  }),
            errc::ok);
  EXPECT_EQ(this->get({"$.by_key" + this->wire(encode<TypeParam>(key(1, 2)) + '\0')})[0].code(),
            errc::absent);
}

TYPED_TEST(equal_keys_of, a_true_key_may_have_any_byte_in_binary) {
  if (!std::is_same_v<TypeParam, tl::binary>) GTEST_SKIP() << "Binary only";
  EXPECT_EQ(this->get({"$.flags{true}", "$.flags{x\"02\"}"})[1].template as<int>(), 3);
  tree expected = sample();
  expected.find(6)->entries[0].second = i32(4);
  EXPECT_EQ(tl::edit(this->root).set("$.flags{x\"ff\"}", 4).apply().str(), encode<TypeParam>(expected));
}

TYPED_TEST(equal_keys_of, edits_that_make_elements_of_a_set_equal_are_refused) {
  EXPECT_EQ(this->code([](auto& edit) { edit.set("$.s[0]", 2); }), errc::duplicate_key);
  EXPECT_EQ(this->code([](auto& edit) { edit.set("$.s[*]", 2); }), errc::duplicate_key);
  EXPECT_EQ(this->code([](auto& edit) { edit.append("$.s", 3); }), errc::duplicate_key);
  EXPECT_EQ(this->code([](auto& edit) { edit.append("$.s", 4).append("$.s", 4); }), errc::duplicate_key);
  EXPECT_EQ(this->code([](auto& edit) { edit.insert("$.s[1]", 3); }), errc::duplicate_key);
  EXPECT_EQ(this->code([](auto& edit) { edit.replace("$.s[0:2]", [](const auto&) { return 9; }); }),
            errc::duplicate_key);
  EXPECT_EQ(this->code([](auto& edit) { edit.set("$.items[1].x", 1); }), errc::duplicate_key);
  EXPECT_EQ(this->code([](auto& edit) { edit.erase("$.items[*].x"); }), errc::duplicate_key);
  EXPECT_EQ(this->code([](auto& edit) { edit.append("$.texts", "a").append("$.texts", "a"); }),
            errc::duplicate_key);
  EXPECT_EQ(this->code([](auto& edit) { edit.set("$.s[0]", 2).set("$.s[1]", 1); }), errc::ok);
  EXPECT_EQ(this->code([](auto& edit) { edit.set("$.s[0]", 2).erase("$.s[1]"); }), errc::ok);
  EXPECT_EQ(this->code([](auto& edit) { edit.append("$.texts", "a").append("$.texts", "b"); }), errc::ok);
  EXPECT_EQ(this->code([](auto& edit) { edit.append("$.items[0].s", 2).erase("$.items[1]"); }), errc::ok);
}

TYPED_TEST(equal_keys_of, the_error_names_the_path) {
  const auto out = tl::edit(this->root).append("$.s", 3).try_apply();
  ASSERT_FALSE(out.has_value());
  EXPECT_EQ(out.error().path(), "$.s");
  EXPECT_NE(std::string(out.error().what()).find("element in a set"), std::string::npos)
      << out.error().what();
}

TYPED_TEST(equal_keys_of, new_values_with_equal_elements_or_keys_are_refused) {
  const auto set = [this](const char* path, const auto& value) {
    return this->code([&](auto& edit) { edit.set(path, value); });
  };
  EXPECT_EQ(set("$.s", std::vector<int>{1, 2, 1}), errc::duplicate_key);
  EXPECT_EQ(set("$.s", std::vector<int>{1, 2}), errc::ok);
  EXPECT_EQ(set("$.m", std::vector<std::pair<int, int>>{{1, 2}, {1, 3}}), errc::duplicate_key);
  EXPECT_EQ(set("$.m", std::map<int, int>{{1, 2}, {2, 2}}), errc::ok);
  EXPECT_EQ(set("$.maps[0]", std::vector<std::pair<int, int>>{{1, 2}, {1, 3}}), errc::duplicate_key);
  const std::string twice = encode<TypeParam>(list(ttype::i32, {i32(5), i32(5)}, ttype::set));
  EXPECT_EQ(set("$.s", tl::wire_bytes{twice}), errc::duplicate_key);
  const std::string inside = encode<TypeParam>(item_of(1, {i32(5), i32(5)}));
  EXPECT_EQ(set("$.items[0]", tl::wire_bytes{inside}), errc::duplicate_key);
  const std::string entries =
      encode<TypeParam>(map(ttype::i32, ttype::i32, {{i32(5), i32(1)}, {i32(5), i32(2)}}));
  EXPECT_EQ(set("$.m", tl::wire_bytes{entries}), errc::duplicate_key);
}

}  // namespace
