#include <thriftlens/view/fast/fast_plan.hpp>

#include <thriftlens/view/plan.hpp>

#include "support/order.hpp"
#include "support/random_data.hpp"
#include "support/test.hpp"

using namespace thriftlens_test;

namespace {

const std::vector<std::string_view> paths = paths_in(R"(
    $.id $.user.name $.user $.items[0].sku $.items[2].price $.items[1].part.price $.items[7].sku
    $.items[1] $.by_sku{"k1"}.sku $.by_sku{"none"} $.by_sku{"k\"2"} $.groups[0][1].id $.debug
    $.payment.card $.numbers[2] $ $.items $.user.secret)");

template <class P>
struct fast_plan_of : testing::Test {
  int fast_count = 0;

  void compare(const tl::plan& compiled, const tl::view<P>& v) {
    std::vector<tl::view<P>> fast(compiled.size()), slow(compiled.size());
    tl::detail::fast_plan<P, tl::plan> fast_run(compiled, v, fast);
    if (!fast_run.run()) return;
    ++fast_count;
    ASSERT_EQ(tl::detail::generic_get_many<P>(v, compiled, slow), compiled.size() - fast_run.missing);
    for (std::size_t i = 0; i < compiled.size(); ++i) {
      ASSERT_EQ(fast[i].code(), slow[i].code()) << compiled[i].text();
      ASSERT_EQ(fast[i].location().at.at, slow[i].location().at.at) << compiled[i].text();
      ASSERT_EQ(fast[i].location().at.depth_left, slow[i].location().at.depth_left) << compiled[i].text();
      ASSERT_EQ(fast[i].location().at.inline_bool, slow[i].location().at.inline_bool) << compiled[i].text();
      if (!fast[i]) continue;
      ASSERT_EQ(fast[i].type(), slow[i].type()) << compiled[i].text();
      ASSERT_EQ(fast[i].wire(), slow[i].wire()) << compiled[i].text();
      tl::result<tl::byte_view> bytes = fast[i].try_bytes();
      ASSERT_EQ(bool(bytes), bool(slow[i].try_bytes()));
      if (bytes) {
        ASSERT_EQ(*bytes, slow[i].bytes()) << compiled[i].text();
      }
    }
  }
};
TYPED_TEST_SUITE(fast_plan_of, protocols);

TYPED_TEST(fast_plan_of, agrees_with_the_generic_runner) {
  const tl::view<TypeParam> v(order_bytes<TypeParam>(), order_type());
  for (std::string_view first : paths) {
    for (std::string_view second : paths) this->compare(tl::plan::compile(order_type(), {first, second}), v);
  }
  this->compare(tl::plan::compile(order_type(), paths), v);
  EXPECT_EQ(this->fast_count, static_cast<int>(paths.size() * paths.size()) + 1);
}

// More keys than the linear search handles: missing and duplicate ones, longer paths and equal paths.
TYPED_TEST(fast_plan_of, many_keys_of_one_map) {
  tree value = sample_order();
  value.find(4)->entries.clear();
  for (int i = 0; i < 60; ++i)
    value.find(4)->entries.emplace_back(text("k" + std::to_string(i * 7 % 50)), item("s", i));
  const std::string bytes = encode<TypeParam>(value);
  std::vector<std::string> texts = {"$.debug", "$.by_sku{\"k3\"}", "$.by_sku{\"k3\"}.part.sku", "$.by_sku"};
  for (int i = 0; i < 70; i += 2)
    texts.push_back("$.by_sku{\"k" + std::to_string(i) + "\"}" +
                    (i % 3 == 0   ? ".price"
                     : i % 5 == 0 ? ".part.price"
                                  : ""));
  texts.push_back("$.by_sku{\"k4\"}");
  const tl::plan compiled =
      tl::plan::compile(order_type(), std::vector<std::string_view>(texts.begin(), texts.end()));
  this->compare(compiled, tl::view<TypeParam>(bytes, order_type()));
  EXPECT_EQ(this->fast_count, 1);
  for (std::size_t size = 0; size < bytes.size(); size += 7)
    this->compare(compiled, tl::view<TypeParam>(std::string_view(bytes).substr(0, size), order_type()));
  std::vector<tl::view<TypeParam>> actual;
  get_many(tl::view<TypeParam>(bytes, order_type()), compiled, actual);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto single = tl::view<TypeParam>(bytes, order_type()).at(compiled[i]);
    EXPECT_EQ(actual[i].code(), single.code()) << texts[i];
    EXPECT_EQ(actual[i].location().at.at, single.location().at.at) << texts[i];
  }
  texts.push_back("$.by_sku{x\"6b31\"}");
  EXPECT_NE(
      get_many(tl::view<TypeParam>(bytes, order_type()),
               tl::plan::compile(order_type(), std::vector<std::string_view>(texts.begin(), texts.end())),
               actual),
      0u);
}

TYPED_TEST(fast_plan_of, falls_back_on_unusual_bytes) {
  tree shuffled = sample_order();
  std::reverse(shuffled.fields.begin(), shuffled.fields.end());
  const std::string out_of_order = encode<TypeParam>(shuffled);
  this->compare(tl::plan::compile(order_type(), paths), tl::view<TypeParam>(out_of_order, order_type()));
  for (std::string_view path : {"$.items[-1]", "$.notes{300}"})
    this->compare(tl::plan::compile(order_type(), {path}),
                  tl::view<TypeParam>(order_bytes<TypeParam>(), order_type()));
  EXPECT_EQ(this->fast_count, 0);
}

TYPED_TEST(fast_plan_of, truncated_and_mutated_bytes_have_the_same_result_or_fall_back) {
  const std::string& complete = order_bytes<TypeParam>();
  const tl::plan full = tl::plan::compile(order_type(), paths);
  const tl::plan small = tl::plan::compile(order_type(), {"$.id", "$.user.name", "$.by_sku{\"k1\"}.sku"});
  for (std::size_t at = 0; at < complete.size(); ++at) {
    const std::string cut = complete.substr(0, at);
    for (const tl::plan* compiled : {&full, &small})
      this->compare(*compiled, tl::view<TypeParam>(cut, order_type()));
    for (int bit = 0; bit < 8; bit += 3) {
      std::string changed = complete;
      changed[at] = static_cast<char>(changed[at] ^ (1 << bit));
      this->compare(small, tl::view<TypeParam>(changed, order_type()));
    }
  }
}

TYPED_TEST(fast_plan_of, random_structs) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    randomness random(seed / 5);
    tl::schema schema = tl::schema::parse(random_idl(random));
    const tl::type type = schema.type("S0");
    randomness values(seed);
    const std::string bytes = encode<TypeParam>(random_struct(values, type, 3));
    std::vector<std::string> texts;
    for (tl::field_info field : type.fields()) {
      if (values.one_in(2)) texts.push_back("$." + std::string(field.name()));
    }
    const std::vector<std::string_view> some(texts.begin(), texts.end());
    if (!some.empty()) this->compare(tl::plan::compile(type, some), tl::view<TypeParam>(bytes, type));
  }
  EXPECT_GE(this->fast_count, 60);
}

}  // namespace
