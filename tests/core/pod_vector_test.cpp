#include <thriftlens/core/pod_vector.hpp>

#include "support/test.hpp"

using thriftlens::detail::pod_vector;

namespace {

struct node {
  std::uint32_t first = 7;
  std::uint16_t second = 9;

  friend bool operator==(const node&, const node&) = default;
};

TEST(pod_vector, grows_like_a_vector) {
  pod_vector<node> nodes;
  std::vector<node> expected;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    nodes.push_back({i, static_cast<std::uint16_t>(i)});
    expected.push_back({i, static_cast<std::uint16_t>(i)});
  }
  EXPECT_EQ(std::vector<node>(nodes.begin(), nodes.end()), expected);
  EXPECT_EQ(nodes.back(), expected.back());
}

TEST(pod_vector, initializes_elements_that_resize_adds) {
  pod_vector<node> nodes;
  nodes.resize(3);
  nodes.resize(100, {1, 2});
  EXPECT_EQ(nodes[2], node());
  EXPECT_EQ(nodes[3], (node{1, 2}));
  EXPECT_EQ(nodes[99], (node{1, 2}));
  nodes.resize(1);
  nodes.resize(1);
  EXPECT_EQ(nodes.size(), 1u);
  nodes.assign(2, {5, 6});
  EXPECT_EQ(nodes[0], (node{5, 6}));
  EXPECT_EQ(nodes.emplace_back(), node());
  nodes.pop_back();
  EXPECT_EQ(nodes.size(), 2u);
  nodes.clear();
  EXPECT_TRUE(nodes.empty());
}

TEST(pod_vector, appends_its_own_elements) {
  pod_vector<std::uint64_t> numbers;
  numbers.push_back(1);
  numbers.push_back(2);
  for (int i = 0; i < 10; ++i) numbers.append({numbers.data(), numbers.size()});
  ASSERT_EQ(numbers.size(), 2048u);
  for (std::size_t i = 0; i < numbers.size(); ++i) EXPECT_EQ(numbers[i], 1 + i % 2);
  for (int i = 0; i < 1000; ++i) numbers.push_back(numbers[1]);
  EXPECT_EQ(numbers.back(), 2u);
  numbers.append({});
  numbers.insert(1, 3);
  numbers.erase_if([](std::uint64_t number) { return number == 1; });
  EXPECT_EQ(numbers[0], 3u);
  EXPECT_EQ(numbers.size(), 2025u);
}

TEST(pod_vector, is_empty_after_a_move) {
  pod_vector<int> numbers;
  numbers.push_back(3);
  const pod_vector<int> target = std::move(numbers);
  EXPECT_EQ(target[0], 3);
  EXPECT_TRUE(numbers.empty());  // NOLINT: defined
}

TEST(order_of, is_the_stable_order_of_keys) {
  thriftlens::detail::pod_vector<std::uint32_t> order;
  for (std::uint32_t size = 0; size < 70; ++size) {
    thriftlens::detail::pod_vector<std::uint64_t> keys;
    std::vector<std::uint32_t> expected;
    for (std::uint32_t i = 0; i < size; ++i) {
      keys.push_back(i * 7 % 11);
      expected.push_back(i);
    }
    std::stable_sort(expected.begin(), expected.end(),
                     [&](std::uint32_t lhs, std::uint32_t rhs) { return keys[lhs] < keys[rhs]; });
    thriftlens::detail::order_of(keys, order);
    EXPECT_EQ(std::vector<std::uint32_t>(order.begin(), order.end()), expected) << size;
  }
}

}  // namespace
