#include "dom/model.hpp"
#include "path/samples.hpp"
#include "support/hex.hpp"
#include "support/step_count.hpp"
#include "support/test.hpp"
#include "support/vectors.hpp"

#include <thriftlens/compare/compare.hpp>
#include <thriftlens/compare/infer.hpp>
#include <thriftlens/compare/inspect.hpp>
#include <thriftlens/dom/document.hpp>
#include <thriftlens/path/path.hpp>
#include <thriftlens/policy/validate.hpp>
#include <thriftlens/protocol/convert.hpp>
#include <thriftlens/text/pattern.hpp>
#include <thriftlens/view/plan.hpp>

namespace {

using namespace thriftlens_test;
using tl::ttype;

template <class P>
class compare : public testing::Test {};
TYPED_TEST_SUITE(compare, protocols);

TYPED_TEST(compare, cost_stays_near_linear) {
  const auto cost = [](std::size_t count) {
    model map{.wire = ttype::map, .key = ttype::i64, .element = ttype::bool_}, turned = map;
    for (std::size_t i = 0; i < count; ++i) {
      const model key{.wire = ttype::i64, .number = static_cast<std::int64_t>(i)};
      map.entries.emplace_back(key, model{.wire = ttype::bool_, .number = 1});
    }
    turned.entries.assign(map.entries.rbegin(), map.entries.rend());
    model one{.wire = ttype::struct_}, two = one;
    one.fields.emplace_back(std::int16_t{6}, map);
    two.fields.emplace_back(std::int16_t{6}, turned);
    const std::string left = wire_bytes_of<TypeParam>(one), right = wire_bytes_of<TypeParam>(two);
    return steps_of([&] {
      EXPECT_TRUE(tl::equal(tl::view<TypeParam>(left), tl::view<TypeParam>(right)));
      EXPECT_TRUE(tl::differences(tl::view<TypeParam>(left), tl::view<TypeParam>(right)).empty());
    });
  };
  EXPECT_TRUE(grows_linearly(cost, 2000));
}

TEST(pattern, time_is_linear_in_the_text) {
  const tl::detail::pattern evil = tl::detail::pattern::compile("^(a+)+(a|aa)+$");
  const auto cost = [&](std::size_t size) {
    const std::string text = std::string(size, 'a') + '!';
    return steps_of([&] { EXPECT_FALSE(evil.matches(text)); });
  };
  EXPECT_TRUE(grows_linearly(cost, 2000));
}

TEST(path, five_thousand_steps_compile_in_linear_time) {
  const auto cost = [](std::size_t count) {
    std::string text = "$.items[0]";
    for (std::size_t i = 0; i < count; ++i) text += ".part";
    tl::path made;
    const std::uint64_t steps = steps_of([&] { made = tl::path::compile(shop().type("Order"), text); });
    EXPECT_EQ(made.steps().size(), count + 2);
    return steps;
  };
  EXPECT_TRUE(grows_linearly(cost, 1250));
}

TYPED_TEST(compare, inspect_of_fields_out_of_order_grows_linearly) {
  const auto cost = [](std::size_t count) {
    model fields{.wire = ttype::struct_};
    for (std::size_t i = 0; i < count; ++i)
      fields.fields.emplace_back(static_cast<std::int16_t>(20'000 - i),
                                 model{.wire = ttype::bool_, .number = 1});
    const std::string bytes = wire_bytes_of<TypeParam>(fields);
    return steps_of([&] { EXPECT_GT(tl::inspect<TypeParam>(bytes).size(), bytes.size()); });
  };
  EXPECT_TRUE(grows_linearly(cost, 2000));
}

TYPED_TEST(compare, infer_of_nested_structs_grows_linearly) {
  const auto cost = [](std::size_t depth) {
    model value{.wire = ttype::struct_};  // empty: no struct has the same fields as one around it
    for (std::size_t i = 1; i < depth; ++i) {
      model outer{.wire = ttype::struct_};
      outer.fields.emplace_back(std::int16_t{1}, std::move(value));
      value = std::move(outer);
    }
    const std::string bytes = wire_bytes_of<TypeParam>(value);
    return steps_of([&] {
      tl::inference draft({.limits = {.depth = tl::limits::max_depth}});
      draft.add<TypeParam>(bytes);
      EXPECT_FALSE(draft.idl().empty());
    });
  };
  EXPECT_TRUE(grows_linearly(cost, 250));
}

TYPED_TEST(compare, infer_of_fields_out_of_order_grows_linearly) {
  const auto cost = [](std::size_t count) {
    model fields{.wire = ttype::struct_};
    for (std::size_t i = 0; i < count; ++i)
      fields.fields.emplace_back(static_cast<std::int16_t>(20'000 - i),
                                 model{.wire = ttype::bool_, .number = 1});
    const std::string bytes = wire_bytes_of<TypeParam>(fields);
    return steps_of([&] {
      tl::inference draft;
      draft.add<TypeParam>(bytes);
      EXPECT_FALSE(draft.idl().empty());
    });
  };
  EXPECT_TRUE(grows_linearly(cost, 2000));
}

TYPED_TEST(compare, lookups_of_many_struct_keys_grow_linearly) {
  const auto cost = [](std::size_t count) {
    model map{.wire = ttype::map, .key = ttype::struct_, .element = ttype::i32};
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < count; ++i) {
      model key{.wire = ttype::struct_};
      key.fields.emplace_back(std::int16_t{4},
                              model{.wire = ttype::i32, .number = static_cast<std::int64_t>(i)});
      texts.push_back("$.by_leaf{x\"" + hex(wire_bytes_of<TypeParam>(key)) + "\"}");
      map.entries.emplace_back(std::move(key), model{.wire = ttype::i32, .number = 1});
    }
    std::ranges::reverse(texts);
    model root{.wire = ttype::struct_};
    root.fields.emplace_back(std::int16_t{40}, std::move(map));
    const tl::type tree = dom_schema().type("Tree");
    const tl::plan paths = tl::plan::compile(tree, std::vector<std::string_view>(texts.begin(), texts.end()));
    const std::string bytes = wire_bytes_of<TypeParam>(root);
    std::vector<tl::view<TypeParam>> values(count);
    return steps_of(
        [&] { EXPECT_EQ(tl::get_many(tl::view<TypeParam>(bytes, tree), paths, std::span(values)), count); });
  };
  EXPECT_TRUE(grows_linearly(cost, 250));
}

/// Steps of all operations that read a complete value without writing JSON.
template <class P>
std::uint64_t steps_to_read(const tl::type& type, const std::string& bytes) {
  using other = std::conditional_t<std::is_same_v<P, tl::binary>, tl::compact, tl::binary>;
  return steps_of([&] {
    const tl::view<P> value(bytes, type);
    (void)tl::try_validate(value);
    (void)tl::try_equal(value, value);
    (void)tl::try_convert<P, other>(bytes);
    tl::document doc;
    (void)doc.try_load(value);
  });
}

TEST(malicious_vectors, take_bounded_steps) {
  const tl::schema open = tl::schema::load((vectors_dir() / "open.thrift").string());
  const tl::schema uuids = tl::schema::load((vectors_dir() / "uuids.thrift").string());
  for (const malicious_vector& bad : malicious_vectors()) {
    const tl::type type = (bad.schema == "uuids" ? uuids : open).type(bad.structure);
    const std::uint64_t steps = bad.protocol == "binary" ? steps_to_read<tl::binary>(type, bad.bytes)
                                                         : steps_to_read<tl::compact>(type, bad.bytes);
    EXPECT_LT(steps, 1'000'000 + 500 * bad.bytes.size()) << bad.id << ", " << bad.bytes.size() << " bytes";
  }
}

}  // namespace
