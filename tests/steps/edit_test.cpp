#include "path/samples.hpp"
#include "support/step_count.hpp"
#include "support/test.hpp"

#include <thriftlens/codec.hpp>
#include <thriftlens/edit/stream_trim.hpp>

using namespace thriftlens_test;

namespace {

struct item {
  std::string sku;
  double price = 0;
  std::vector<std::string> tags;
};
struct order {
  std::int64_t id = 0;
  std::vector<item> items;
};

}  // namespace

template <>
struct thriftlens::binding<item>
    : thriftlens::fields<thriftlens::field<1, &item::sku>, thriftlens::field<2, &item::price>,
                         thriftlens::field<3, &item::tags>> {};
template <>
struct thriftlens::binding<order>
    : thriftlens::fields<thriftlens::field<1, &order::id>, thriftlens::field<3, &order::items>> {};

namespace {

template <class P>
std::string order_of(std::size_t items) {
  return tl::encode<P>(order{77, std::vector<item>(items, item{"a", 1.5, {"x", "y"}})}).str();
}

/// The steps of a trim that is fed parts of that size.
template <class P>
std::uint64_t steps_to_trim(const tl::selection& what, tl::byte_view bytes, std::size_t part) {
  tl::stream_trimmer<P> trimmer(what);
  tl::buffer out;
  const std::uint64_t steps = steps_of([&] {
    for (std::size_t at = 0; at < bytes.size(); at += part)
      trimmer.feed(bytes.part(at, std::min(part, bytes.size() - at)), out);
  });
  EXPECT_TRUE(trimmer.done());
  EXPECT_FALSE(out.empty());
  return steps;
}

template <class P>
struct stream_trim_growth : testing::Test {};
TYPED_TEST_SUITE(stream_trim_growth, protocols);

constexpr const char* selections[] = {"{ id }", "{ items { price } }", "{ * }", "{ items { tags } }"};

TYPED_TEST(stream_trim_growth, is_linear_in_bytes_for_every_size_of_part) {
  for (const char* text : selections) {
    const auto what = tl::selection::compile(shop().type("Order"), text);
    for (const std::size_t part : {std::size_t{1}, std::size_t{7}, std::size_t{1000}, std::size_t{65536}}) {
      const auto cost = [&](std::size_t size) {
        const std::string bytes = order_of<TypeParam>(size);
        return steps_to_trim<TypeParam>(what, tl::byte_view(bytes), part);
      };
      EXPECT_TRUE(grows_linearly(cost, 2000)) << text << " by " << part;
    }
  }
}

// A part costs a fixed number of steps above its bytes, so half the size of part adds that once more for
// each: nothing is looked at again from the beginning of its struct, list or string.
TYPED_TEST(stream_trim_growth, cost_is_linear_in_the_number_of_parts) {
  const std::string bytes = order_of<TypeParam>(2000);
  for (const char* text : selections) {
    const auto what = tl::selection::compile(shop().type("Order"), text);
    const auto steps = [&](std::size_t parts) {
      return steps_to_trim<TypeParam>(what, tl::byte_view(bytes), (bytes.size() + parts - 1) / parts);
    };
    const std::uint64_t whole = steps(1);
    for (const std::size_t parts : {std::size_t{16}, std::size_t{256}, std::size_t{4096}})
      EXPECT_LE(steps(parts), 2 * whole + 1000 * parts) << text;
  }
}

}  // namespace
