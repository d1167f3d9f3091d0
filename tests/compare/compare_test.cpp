#include <thriftlens/compare/compare.hpp>

#include "dom/model.hpp"
#include "support/cases.hpp"
#include "support/test.hpp"
#include "support/vectors.hpp"

#include <gmock/gmock.h>

namespace {

using namespace thriftlens_test;
using tl::difference_kind, tl::ttype;

template <class P>
class compare : public testing::Test {};
TYPED_TEST_SUITE(compare, protocols);

tl::type tree_type() { return dom_schema().type("Tree"); }
template <class P>
using other = std::conditional_t<std::is_same_v<P, tl::binary>, tl::compact, tl::binary>;

model number_model(std::int64_t value) { return {.wire = ttype::i32, .number = value}; }
model text_model(const char* value) { return {.wire = ttype::string, .text = value}; }
model sample_model() {
  model leaf{.wire = ttype::struct_};
  leaf.fields = {{std::int16_t{1}, {.wire = ttype::bool_, .number = 1}}, {std::int16_t{4}, number_model(42)}};
  model message{.wire = ttype::set, .element = ttype::string};
  message.elements = {text_model("b"), text_model("a"), text_model("c")};
  model numbers{.wire = ttype::list, .element = ttype::i32};
  numbers.elements = {number_model(1), number_model(2), number_model(3)};
  model named{.wire = ttype::map, .key = ttype::string, .element = ttype::struct_};
  model inner{.wire = ttype::struct_};
  inner.fields = {{std::int16_t{10}, text_model("x")}};
  named.entries = {{text_model("k1"), inner}, {text_model("k2"), inner}};
  model root{.wire = ttype::struct_};
  root.fields = {{std::int16_t{1}, leaf},
                 {std::int16_t{3}, named},
                 {std::int16_t{4}, numbers},
                 {std::int16_t{5}, message}};
  return root;
}
template <class P, class Q>
std::vector<std::string> differ(const std::string& lhs, const std::string& rhs,
                                tl::compare_options options = {}) {
  std::vector<std::string> items;
  for (const tl::difference& option :
       tl::differences(tl::view<P>(lhs, tree_type()), tl::view<Q>(rhs, tree_type()), options)) {
    const char* kinds[] = {"added ", "removed ", "changed "};
    items.push_back(kinds[static_cast<int>(option.kind)] + option.path);
  }
  return items;
}

TYPED_TEST(compare, the_order_of_sets_maps_and_fields_is_ignored) {
  const model first = sample_model();
  model two = first;
  std::swap(two.fields[1].second.entries[0], two.fields[1].second.entries[1]);
  std::rotate(two.fields[3].second.elements.begin(), two.fields[3].second.elements.begin() + 1,
              two.fields[3].second.elements.end());
  std::swap(two.fields[0], two.fields[3]);
  const std::string lhs = wire_bytes_of<TypeParam>(first), rhs = wire_bytes_of<TypeParam>(two),
                    foreign = wire_bytes_of<other<TypeParam>>(two);
  const tl::view<TypeParam> a(lhs, tree_type()), b(rhs, tree_type());
  const tl::view<other<TypeParam>> c(foreign, tree_type());
  EXPECT_TRUE(tl::equal(a, b));
  EXPECT_TRUE(tl::equal(a, c));
  EXPECT_TRUE(tl::equal(c, a));
  EXPECT_TRUE(tl::differences(a, b).empty());
  EXPECT_TRUE(tl::differences(a, c).empty());
  const tl::compare_options ordered{.order = tl::compare_options::order_check::keep};
  EXPECT_FALSE(tl::equal(a, b, ordered));
  EXPECT_THAT((differ<TypeParam, TypeParam>(lhs, rhs, ordered)),
              testing::ElementsAre("changed $.named{\"k1\"}", "changed $.named{\"k2\"}", "changed $.words[0]",
                                   "changed $.words[1]", "changed $.words[2]"));
}

TYPED_TEST(compare, differences_name_kind_path_and_bytes) {
  const model first = sample_model();
  model two = first;
  two.fields[0].second.fields[0].second.number = 0;
  two.fields[0].second.fields.erase(two.fields[0].second.fields.begin() + 1);
  two.fields[1].second.entries[1].second.fields[0].second.text = "y";
  two.fields[1].second.entries.emplace_back(text_model("k0"), first.fields[1].second.entries[0].second);
  two.fields[2].second.elements[1] = number_model(20);
  two.fields[2].second.elements.push_back(number_model(4));
  two.fields[3].second.elements[0] = text_model("z");
  two.fields.emplace_back(std::int16_t{10}, text_model("new"));
  const std::string lhs = wire_bytes_of<TypeParam>(first);
  const std::vector<std::string> expected = {"changed $.leaf.on",     "removed $.leaf.number",
                                             "added $.named{\"k0\"}", "changed $.named{\"k2\"}.name",
                                             "changed $.numbers[1]",  "added $.numbers[3]",
                                             "removed $.words[0]",    "added $.words[0]",
                                             "added $.name"};
  EXPECT_EQ((differ<TypeParam, TypeParam>(lhs, wire_bytes_of<TypeParam>(two))), expected);
  EXPECT_EQ((differ<TypeParam, other<TypeParam>>(lhs, wire_bytes_of<other<TypeParam>>(two))), expected);
  EXPECT_FALSE(
      (tl::equal(tl::view<TypeParam>(lhs, tree_type()), tl::view<TypeParam>(lhs, tree_type())["leaf"])));
  const std::string rhs = wire_bytes_of<TypeParam>(two);
  const std::vector<tl::difference> actual =
      tl::differences(tl::view<TypeParam>(lhs, tree_type()), tl::view<TypeParam>(rhs, tree_type()));
  EXPECT_EQ(actual[4].left, tl::byte_view(wire_bytes_of<TypeParam>(number_model(2)).data(),
                                          std::is_same_v<TypeParam, tl::binary> ? 4 : 1));
  EXPECT_EQ(actual[0].left.size(), 1u);
  EXPECT_EQ(actual[1].right.size(), 0u);
  EXPECT_EQ(actual[1].left_wire, ttype::i32);
  EXPECT_EQ((differ<TypeParam, TypeParam>(lhs, rhs, {.max_differences = 3})).size(), 3u);
  EXPECT_EQ((differ<TypeParam, TypeParam>(lhs, rhs, {.max_differences = 0})).size(), 0u);
}

TYPED_TEST(compare, vectors_equal_themselves_in_the_other_protocol) {
  for (const valid_vector& vector : valid_vectors()) {
    const tl::view<tl::binary> lhs(vector.binary);
    const tl::view<tl::compact> rhs(vector.compact);
    ASSERT_TRUE(tl::equal(lhs, rhs)) << vector.id;
    ASSERT_TRUE(tl::differences(lhs, rhs).empty()) << vector.id;
  }
}

TYPED_TEST(compare, equal_and_differences_agree_on_mutations) {
  chance random(5);
  for (int round = 0; round < thriftlens_test::cases(3000); ++round) {
    const model first = random_model(random, tree_type(), 3);
    const std::string lhs = wire_bytes_of<TypeParam>(first);
    std::string rhs = lhs;
    if (round % 2 == 0)
      rhs[below(random, rhs.size())] = static_cast<char>(random());
    else
      rhs = wire_bytes_of<TypeParam>(random_model(random, tree_type(), 3));
    const tl::view<TypeParam> a(lhs), b(rhs);
    const tl::result<bool> same = tl::try_equal(a, b);
    const tl::result<std::vector<tl::difference>> actual = tl::try_differences(a, b);
    ASSERT_EQ(bool(same), bool(actual));
    if (!same) continue;
    ASSERT_EQ(*same, actual->empty());
    ASSERT_EQ(*tl::try_equal(b, a), *same);
  }
}

TYPED_TEST(compare, truncated_bytes_are_an_error) {
  const std::string complete = wire_bytes_of<TypeParam>(sample_model());
  for (std::size_t cut = 0; cut < complete.size(); ++cut) {
    const std::string part = complete.substr(0, cut);
    ASSERT_FALSE(tl::try_equal(tl::view<TypeParam>(complete), tl::view<TypeParam>(part)));
    ASSERT_FALSE(tl::try_differences(tl::view<TypeParam>(part), tl::view<TypeParam>(complete)));
  }
}

TYPED_TEST(compare, trailing_bytes_are_an_error) {
  const std::string complete = wire_bytes_of<TypeParam>(sample_model()), more = complete + '\0';
  const tl::view<TypeParam> fine(complete), longer(more);
  EXPECT_EQ(tl::try_equal(fine, longer).error().code(), tl::errc::trailing_bytes);
  EXPECT_EQ(tl::try_equal(longer, fine).error().code(), tl::errc::trailing_bytes);
  EXPECT_EQ(tl::try_differences(longer, longer).error().code(), tl::errc::trailing_bytes);
  EXPECT_EQ(tl::try_differences(fine, longer).error().offset(), complete.size());
}

// Compact, counting the skipped values.
struct counted : tl::compact {
  static inline std::size_t skips = 0;
  struct reader : tl::compact::reader {
    using tl::compact::reader::reader;
    [[nodiscard]] bool skip(ttype wire) noexcept {
      ++skips;
      return tl::compact::reader::skip(wire);
    }
  };
};

// Finding all paths from the start of the bytes was quadratic.
TEST(compare_cost, cost_is_linear_in_the_number_of_differences) {
  const auto skips = [](std::int64_t count) {
    model list{.wire = ttype::list, .element = ttype::bool_}, other = list;
    for (std::int64_t i = 0; i < count; ++i) {
      list.elements.push_back({.wire = ttype::bool_, .number = 1});
      other.elements.push_back({.wire = ttype::bool_, .number = 0});
    }
    model first{.wire = ttype::struct_}, two = first;
    first.fields.emplace_back(std::int16_t{6}, list);
    two.fields.emplace_back(std::int16_t{6}, other);
    const std::string lhs = wire_bytes_of<tl::compact>(first), rhs = wire_bytes_of<tl::compact>(two);
    counted::skips = 0;
    const auto actual =
        tl::differences(tl::view<counted>(lhs), tl::view<counted>(rhs), {.max_differences = 1'000'000});
    EXPECT_EQ(actual.size(), static_cast<std::size_t>(count));
    EXPECT_EQ(actual.back().path, "$.#6[" + std::to_string(count - 1) + ']');
    return counted::skips;
  };
  EXPECT_LE(skips(1000), 5 * 1000u);
  EXPECT_LE(skips(2000), 5 * 2000u);
}

}  // namespace
