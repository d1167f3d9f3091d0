#include <thriftlens/lens/edit_quick.hpp>

#include <thriftlens/lens/edit_run.hpp>

#include "order.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace tl = thriftlens;
using tl::errc;
using tl::detail::edit_action;
using namespace thriftlens_test;

namespace {

const std::vector<std::string_view> paths = {
    "$.id", "$.user.name", "$.user", "$.items[0].sku", "$.items[-1].sku", "$.items[2].price", "$.items[1].part.price", "$.items[7].sku", "$.items[1]",
    "$.by_sku{\"k1\"}.sku", "$.by_sku{\"none\"}.sku", "$.by_sku{\"k\\\"2\"}", "$.by_sku{\"new\"}", "$.notes{300}", "$.notes{-3}", "$.colors{BLUE}",
    "$.flags{true}", "$.groups[0][1].id", "$.debug", "$.payment.card", "$.payment", "$.numbers[2]", "$.deep{\"d\"}[0]{7}.name", "$.items[0].part.price"};

/// Edits as the class edit hands them on, by both ways.
template <class P>
struct edit_quick_of : testing::Test {
  std::vector<tl::detail::edit_entry> edits;
  tl::buffer values;
  int done = 0, failed = 0, left = 0;

  void add(std::string_view path, edit_action action) {
    static const std::string order = encode<P>(sample_order());
    const tl::view<P> found = tl::view<P>(order, order_type()).at(tl::path::parse(order_type(), path));
    tl::detail::edit_entry entry;
    entry.action = action;
    entry.way = tl::path::parse(order_type(), path);
    entry.value_at = values.size();
    if (found) {
      values.append(found.bytes());
    } else {
      const ttype wire = entry.way.to().wire();
      const std::string made = encode<P>(wire == ttype::struct_ ? item("made", 2) : wire == ttype::double_ ? real(8) : text("fresh"));
      values.append(made);
    }
    entry.value_size = values.size() - entry.value_at;
    edits.push_back(std::move(entry));
  }
  void clear() {
    edits.clear();
    values.clear();
  }
  /// The quick way says what the slow one says, or nothing.
  void compare(const std::string& bytes) {
    const tl::view<P> v(bytes, order_type());
    tl::buffer fast(tl::byte_view("front", 5)), slow;
    tl::detail::quick_editor<P> quick(v, edits, values, fast);
    const bool quick_done = quick.run();
    if (!quick_done && quick.code == errc::ok) {
      ++left;
      EXPECT_EQ(fast.text(), "front");
      return;
    }
    tl::detail::edit_tree tree;
    for (std::uint32_t i = 0; i < edits.size(); ++i) ASSERT_EQ(tree.add(edits[i].way, edits[i].action, i), errc::ok);
    tl::splicer out(slow, tl::splicer::never);
    tl::detail::edit_runner<P> careful(v, tree, edits, values, out, true);
    ASSERT_EQ(careful.run(), quick_done) << edits[0].way.text();
    if (quick_done) {
      ++done;
      EXPECT_TRUE(careful.reader().at_end());
      EXPECT_EQ(fast.text(), "front" + slow.str()) << edits[0].way.text();
    } else {
      ++failed;
      EXPECT_EQ(fast.text(), "front");
      EXPECT_EQ(careful.code, quick.code);
      EXPECT_EQ(careful.culprit, quick.culprit);
      EXPECT_EQ(careful.where, quick.where) << edits[0].way.text();
    }
  }
};
using protocols = testing::Types<tl::binary, tl::compact>;
TYPED_TEST_SUITE(edit_quick_of, protocols);

TYPED_TEST(edit_quick_of, says_what_the_slow_way_says_for_one_edit) {
  for (edit_action action : {edit_action::set, edit_action::create, edit_action::erase}) {
    for (std::string_view path : paths) {
      if (!tl::detail::quick_editor<TypeParam>::takes(action, tl::path::parse(order_type(), path))) continue;
      this->clear();
      this->add(path, action);
      this->compare(order_bytes<TypeParam>());
    }
  }
  EXPECT_GE(this->done, 30);
  EXPECT_GE(this->failed, 2);
}

TYPED_TEST(edit_quick_of, says_what_the_slow_way_says_for_pairs) {
  for (std::string_view first : paths) {
    for (std::string_view second : paths) {
      this->clear();
      this->add(first, edit_action::set);
      this->add(second, edit_action::set);
      this->compare(order_bytes<TypeParam>());
    }
  }
  EXPECT_GE(this->done, 150);
  EXPECT_GE(this->failed, 20);
}

TYPED_TEST(edit_quick_of, leaves_paths_that_lead_into_each_other) {
  for (auto [first, second] : {std::pair("$.user", "$.user.name"), std::pair("$.user.name", "$.user"), std::pair("$.id", "$.id")}) {
    this->clear();
    this->add(first, edit_action::set);
    this->add(second, edit_action::set);
    tl::buffer out;
    tl::view<TypeParam> v(order_bytes<TypeParam>(), order_type());
    EXPECT_FALSE(tl::detail::quick_editor<TypeParam>(v, this->edits, this->values, out).run());
  }
}

TYPED_TEST(edit_quick_of, broken_bytes_and_fields_out_of_order_are_left_to_the_slow_way) {
  const std::string& whole = order_bytes<TypeParam>();
  for (std::string_view path : paths) {
    this->clear();
    this->add(path, edit_action::set);
    const int before = this->done;
    for (std::size_t size = 0; size < whole.size(); ++size) this->compare(whole.substr(0, size));
    EXPECT_EQ(this->done, before) << path;
    tree shuffled = sample_order();
    std::reverse(shuffled.fields.begin(), shuffled.fields.end());
    this->compare(encode<TypeParam>(shuffled));
    EXPECT_EQ(this->done, before) << path;
    this->compare(whole + 'x');
    EXPECT_EQ(this->done, before) << path;
  }
}

TYPED_TEST(edit_quick_of, mutated_bytes_give_the_same_bytes_or_nothing) {
  const std::string& whole = order_bytes<TypeParam>();
  for (std::string_view path : {"$.user.name", "$.by_sku{\"k1\"}.sku", "$.items[1].price"}) {
    this->clear();
    this->add(path, edit_action::set);
    for (std::size_t at = 0; at < whole.size(); ++at) {
      for (int bit = 0; bit < 8; bit += 3) {
        std::string changed = whole;
        changed[at] = static_cast<char>(changed[at] ^ (1 << bit));
        this->compare(changed);
      }
    }
  }
}

}  // namespace
