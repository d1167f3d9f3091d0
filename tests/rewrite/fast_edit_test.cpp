#include <thriftlens/rewrite/fast/fast_edit.hpp>

#include <thriftlens/edit/edit.hpp>
#include <thriftlens/rewrite/fast/fast_rewrite.hpp>
#include <thriftlens/rewrite/values.hpp>

#include "support/order.hpp"
#include "support/test.hpp"

using tl::errc, tl::detail::edit_action;
using namespace thriftlens_test;

namespace {

const std::vector<std::string_view> paths = paths_in(R"(
    $.id $.user.name $.user $.items[0].sku $.items[-1].sku $.items[2].price $.items[1].part.price
    $.items[7].sku $.items[1] $.by_sku{"k1"}.sku $.by_sku{"none"}.sku $.by_sku{"k\"2"}
    $.by_sku{"new"} $.notes{300} $.notes{-3} $.colors{BLUE} $.flags{true} $.groups[0][1].id $.debug
    $.payment.card $.payment $.numbers[2] $.deep{"d"}[0]{7}.name $.items[0].part.price)");

/// Edits as passed by the class edit, in both ways.
template <class P>
struct fast_edit_of : testing::Test {
  std::vector<tl::detail::edit_entry> edits;
  tl::buffer values;
  int fast_count = 0, fallback_count = 0;

  void add(std::string_view path, edit_action action) {
    static const std::string order = encode<P>(sample_order());
    const tl::view<P> actual = tl::view<P>(order, order_type()).at(tl::path::compile(order_type(), path));
    tl::detail::edit_entry entry;
    entry.action = action;
    entry.target_path = tl::path::compile(order_type(), path);
    entry.value_at = values.size();
    if (actual) {
      values.append(actual.bytes());
    } else {
      const ttype wire = entry.target_path.to().wire();
      const std::string output = encode<P>(wire == ttype::struct_   ? item("made", 2)
                                           : wire == ttype::double_ ? real(8)
                                                                    : text("fresh"));
      values.append(output);
    }
    entry.value_size = values.size() - entry.value_at;
    edits.push_back(std::move(entry));
  }
  template <class Q>
  tl::detail::rewrite_request<Q> request(const tl::detail::edit_tree& tree) const {
    tl::detail::rewrite_request<Q> output;
    output.edits = &tree;
    output.entries = edits;
    output.values = values;
    output.two_pass = true;
    return output;
  }
  void clear() {
    edits.clear();
    values.clear();
  }
  /// The fast pass has the result of the general one, or declines.
  void compare(const std::string& bytes) {
    const tl::view<P> v(bytes, order_type());
    tl::buffer fast(tl::byte_view("front", 5)), slow;
    tl::detail::edit_order order(edits);
    const tl::detail::fast_request kind{.edits = &order, .values = values};
    const bool is_sorted = order.sort();
    if (!is_sorted || !tl::detail::fast_rewriter<P, false, false, true>(v, kind, fast).run()) {
      ++fallback_count;
      EXPECT_EQ(fast.text(), "front");
      return;
    }
    tl::detail::edit_tree tree;
    for (std::uint32_t i = 0; i < edits.size(); ++i)
      ASSERT_EQ(tree.add<tl::binary>(edits[i].target_path, edits[i].action, i), errc::ok);
    tl::detail::splicer out(slow, tl::detail::splicer::never);
    const auto requested = request<P>(tree);
    tl::detail::rewrite_state<P> careful(v, requested, out);
    ASSERT_TRUE(tl::detail::value_rewriter<P>(careful).run()) << edits[0].target_path.text();
    ++fast_count;
    EXPECT_TRUE(careful.in.at_end());
    EXPECT_EQ(fast.text(), "front" + slow.str()) << edits[0].target_path.text();
  }
};
TYPED_TEST_SUITE(fast_edit_of, protocols);

TYPED_TEST(fast_edit_of, equals_the_general_pass_for_one_edit) {
  for (edit_action action : {edit_action::set, edit_action::create, edit_action::erase}) {
    for (std::string_view path : paths) {
      if (!tl::detail::fast_prefix_editor<TypeParam>::takes(action, tl::path::compile(order_type(), path)))
        continue;
      this->clear();
      this->add(path, action);
      this->compare(order_bytes<TypeParam>());
    }
  }
  EXPECT_GE(this->fast_count, 30);
  EXPECT_GE(this->fallback_count, 2);
}

TYPED_TEST(fast_edit_of, equals_the_general_pass_for_pairs) {
  for (std::string_view first : paths) {
    for (std::string_view second : paths) {
      this->clear();
      this->add(first, edit_action::set);
      this->add(second, edit_action::set);
      this->compare(order_bytes<TypeParam>());
    }
  }
  EXPECT_GE(this->fast_count, 150);
  EXPECT_GE(this->fallback_count, 20);
}

TYPED_TEST(fast_edit_of, declines_nested_paths) {
  for (auto [first, second] :
       {std::pair("$.user", "$.user.name"), std::pair("$.user.name", "$.user"), std::pair("$.id", "$.id")}) {
    this->clear();
    this->add(first, edit_action::set);
    this->add(second, edit_action::set);
    EXPECT_FALSE(tl::detail::edit_order(this->edits).sort());
  }
}

TYPED_TEST(fast_edit_of, declines_malformed_bytes_and_unordered_fields) {
  const std::string& complete = order_bytes<TypeParam>();
  for (std::string_view path : paths) {
    this->clear();
    this->add(path, edit_action::set);
    const int previous_size = this->fast_count;
    for (std::size_t size = 0; size < complete.size(); ++size) this->compare(complete.substr(0, size));
    EXPECT_EQ(this->fast_count, previous_size) << path;
    tree shuffled = sample_order();
    std::reverse(shuffled.fields.begin(), shuffled.fields.end());
    this->compare(encode<TypeParam>(shuffled));
    EXPECT_EQ(this->fast_count, previous_size) << path;
    this->compare(complete + 'x');
    EXPECT_EQ(this->fast_count, previous_size) << path;
  }
}

TYPED_TEST(fast_edit_of, mutated_bytes_have_the_same_result_or_are_declined) {
  const std::string& complete = order_bytes<TypeParam>();
  for (std::string_view path : {"$.user.name", "$.by_sku{\"k1\"}.sku", "$.items[1].price"}) {
    this->clear();
    this->add(path, edit_action::set);
    for (std::size_t at = 0; at < complete.size(); ++at) {
      for (int bit = 0; bit < 8; bit += 3) {
        std::string changed = complete;
        changed[at] = static_cast<char>(changed[at] ^ (1 << bit));
        this->compare(changed);
      }
    }
  }
}

// All kinds of fields of a prefix template, edited or not, in complete, truncated and incomplete messages.
TYPED_TEST(fast_edit_of, fields_in_the_prefix_equal_the_general_pass) {
  const tl::schema schema = tl::schema::parse(
      "struct Flat { 1: byte a, 2: i64 b, 3: string c, 4: list<i32> d, 5: double e, 6: binary f, 7: bool g, "
      "8: map<i32, i64> h, 9: i16 i } union U { 1: i32 a, 2: i32 b }");
  const tl::type type = schema.type("Flat");
  const tree value = structure({{1, i8(1)},
                                {2, i64(2)},
                                {3, text("three")},
                                {4, list(ttype::i32, {i32(4), i32(5)})},
                                {5, real(5)},
                                {6, text("sixsixsixsix")},
                                {7, boolean(true)},
                                {8, map(ttype::i32, ttype::i64, {{i32(8), i64(88)}})},
                                {9, i16(9)}});
  const std::vector<tree> fresh = {i8(-1),
                                   i64(-2),
                                   text(std::string(70, 't')),
                                   list(ttype::i32, {}),
                                   real(-5),
                                   text(""),
                                   boolean(false),
                                   map(ttype::i32, ttype::i64, {{i32(1), i64(1)}, {i32(2), i64(2)}}),
                                   i16(-9)};
  const std::string complete = encode<TypeParam>(value);
  tree partial = value;
  partial.fields.erase(partial.fields.begin() + 4);
  const std::string holed = encode<TypeParam>(partial);
  for (unsigned subset = 1; subset < 512; ++subset) {
    this->clear();
    tl::detail::edit_tree tree_of_edits;
    bool in_order = true;
    for (unsigned field = 0; field < 9; ++field) {
      if ((subset >> field & 1) == 0) continue;
      const std::string bytes = encode<TypeParam>(fresh[field]);
      tl::detail::edit_entry entry(edit_action::set, tl::path::compile(type, "#" + std::to_string(field + 1)),
                                   this->values.size(), bytes.size());
      this->values.append(bytes);
      in_order = in_order && tl::detail::fast_prefix_editor<TypeParam>::in_prefix(
                                 entry.action, entry.target_path.steps(),
                                 this->edits.empty() ? std::span<const tl::path_step>()
                                                     : this->edits.back().target_path.steps());
      ASSERT_EQ(tree_of_edits.add<tl::binary>(entry.target_path, entry.action,
                                              static_cast<std::uint32_t>(this->edits.size())),
                errc::ok);
      this->edits.push_back(std::move(entry));
    }
    EXPECT_EQ(in_order, (std::is_same_v<TypeParam, tl::binary>));
    if (!in_order || this->edits.size() > tl::detail::fast_prefix_editor<TypeParam>::max_edits) continue;
    tl::buffer fast(tl::byte_view("front", 5)), slow;
    const auto run = [&](const std::string& bytes) {
      const tl::view<TypeParam> v(bytes, type);
      return tl::detail::fast_prefix_editor<TypeParam>(v, this->edits, this->values, fast).run();
    };
    EXPECT_FALSE(run(holed));
    EXPECT_FALSE(run(complete + "x"));
    if (subset % 64 == 63) {
      for (std::size_t size = 0; size < complete.size(); ++size) EXPECT_FALSE(run(complete.substr(0, size)));
    }
    EXPECT_EQ(fast.text(), "front");
    ASSERT_TRUE(run(complete)) << subset;
    tl::detail::splicer out(slow, tl::detail::splicer::never);
    const auto requested = this->template request<TypeParam>(tree_of_edits);
    const tl::view<TypeParam> root(complete, type);
    tl::detail::rewrite_state<TypeParam> careful(root, requested, out);
    ASSERT_TRUE(tl::detail::value_rewriter<TypeParam>(careful).run());
    EXPECT_EQ(fast.text(), "front" + slow.str()) << subset;
    ++this->fast_count;
  }
  EXPECT_EQ(this->fast_count, (std::is_same_v<TypeParam, tl::binary> ? 510 : 0));
  const tl::path a = tl::path::compile(type, "a"), b = tl::path::compile(type, "b");
  EXPECT_FALSE(tl::detail::fast_prefix_editor<TypeParam>::in_prefix(edit_action::set, a.steps(), b.steps()));
  EXPECT_FALSE(tl::detail::fast_prefix_editor<TypeParam>::in_prefix(edit_action::set, a.steps(), a.steps()));
  EXPECT_FALSE(tl::detail::fast_prefix_editor<TypeParam>::in_prefix(edit_action::erase, a.steps(), {}));
  // A union is never seen as a struct that has all its members.
  const std::string both = encode<TypeParam>(structure({{1, i32(1)}, {2, i32(2)}}));
  EXPECT_EQ(tl::edit(tl::view<TypeParam>(both, schema.type("U"))).set("$.b", 5).apply().str(),
            encode<TypeParam>(structure({{2, i32(5)}})));
}

}  // namespace
