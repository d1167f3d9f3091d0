#include <thriftlens/json/entry_marks.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace tl = thriftlens;

namespace {
// Entries ",key=value;" one behind the other, as a writer leaves them.
struct written {
  explicit written(std::uint64_t seed = 0) : marks(seed) {}
  std::string text;
  tl::detail::entry_marks marks;
  void add(const std::string& key, const std::string& value) {
    const std::size_t entry = text.size();
    text += ',' + key;
    marks.push({entry, text.size()});
    text += '=' + value + ';';
  }
  std::size_t repeated() {
    return marks.find_repeated(reinterpret_cast<const std::uint8_t*>(text.data()), 0, 1);
  }
  std::string last() {
    auto* bytes = reinterpret_cast<std::uint8_t*>(text.data());
    const std::size_t end = marks.keep_last(bytes, 0, 1, text.size());
    kept_count = marks.size();
    return text.substr(0, end);
  }
  std::size_t kept_count = 0;
};
}  // namespace

TEST(entry_marks, finds_the_first_repeated_key) {
  for (std::size_t extra : {0u, 1u, 6u, 7u, 20u, 1000u}) {
    written all;
    for (std::size_t i = 0; i < extra; ++i) all.add("k" + std::to_string(i), "v");
    EXPECT_EQ(all.repeated(), tl::detail::entry_marks::none);
    all.add("a", "1");
    all.add("b", "2");
    EXPECT_EQ(all.repeated(), tl::detail::entry_marks::none);
    all.add("a", "3");
    all.add("b", "3");
    EXPECT_EQ(all.repeated(), extra + 2);
  }
}

TEST(entry_marks, keeps_the_last_of_equal_keys_at_its_place) {
  written few;
  few.add("a", "1");
  few.add("b", "22");
  few.add("a", "333");
  few.add("c", "");
  EXPECT_EQ(few.last(), ",b=22;,a=333;,c=;");
  EXPECT_EQ(few.kept_count, 3u);
}

TEST(entry_marks, keeps_the_last_as_a_map_would) {
  std::mt19937 random(5);
  for (std::size_t count : {2u, 5u, 9u, 50u, 500u}) {
    written all;
    std::map<std::string, std::pair<std::size_t, std::string>> expected;
    for (std::size_t i = 0; i < count; ++i) {
      const std::string key = std::to_string(random() % (count / 2 + 1)), value = std::to_string(i);
      all.add(key, value);
      expected[key] = {i, value};
    }
    std::map<std::size_t, std::string> ordered;
    for (const auto& [key, value] : expected) ordered[value.first] = ',' + key + '=' + value.second + ';';
    std::string text;
    for (const auto& [at, entry] : ordered) text += entry;
    EXPECT_EQ(all.last(), text);
    EXPECT_EQ(all.kept_count, expected.size());
  }
}

TEST(entry_marks, inner_maps_lie_on_top) {
  written all;
  all.add("a", "1");
  const std::size_t base = all.marks.size();
  all.add("a", "2");
  EXPECT_EQ(all.marks.find_repeated(reinterpret_cast<const std::uint8_t*>(all.text.data()), base, 1),
            tl::detail::entry_marks::none);
  all.marks.drop_to(base);
  EXPECT_EQ(all.marks.size(), 1u);
}

// Eight bytes that make hash_text forget the next eight, for who knows the seed: then keys are sorted.
constexpr std::uint64_t known_seed = 0x1234567890abcdefu;
std::string colliding(int number) {
  const std::uint64_t zero = 0xe7037ed1a0b428dbu ^ known_seed;
  std::string key(8, '\0');
  tl::detail::store_le(reinterpret_cast<std::uint8_t*>(key.data()), zero);
  return key + std::to_string(10000000 + number) + "same";
}

TEST(entry_marks, keys_made_to_collide_are_found_all_the_same) {
  const auto key = [&](int i) { return colliding(i * 7919 % 3000); };
  written all(known_seed);
  for (int i = 0; i < 3000; ++i) all.add(key(i), "v");
  EXPECT_EQ(all.repeated(), tl::detail::entry_marks::none);
  all.add(key(2999), "w");
  all.add(key(5), "x");
  all.add(key(5), "y");
  EXPECT_EQ(all.repeated(), 3000u);
  std::string expected;
  for (int i = 0; i < 2999; ++i)
    if (i != 5) expected += ',' + key(i) + "=v;";
  expected += ',' + key(2999) + "=w;," + key(5) + "=y;";
  EXPECT_EQ(all.last(), expected);
  EXPECT_EQ(all.kept_count, 3000u);
  EXPECT_EQ(all.repeated(), tl::detail::entry_marks::none);
}

// So many probes, then the keys are sorted: twice as many keys cost twice as many.
TEST(entry_marks, made_collisions_cost_a_bounded_number_of_probes) {
  for (std::size_t count : {1000u, 2000u, 4000u}) {
    written all(known_seed);
    for (std::size_t i = 0; i < count; ++i) all.add(colliding(static_cast<int>(i)), "v");
    EXPECT_EQ(all.repeated(), tl::detail::entry_marks::none);
    EXPECT_EQ(all.marks.probes(), count * 16 + 1024);
    written plain;
    for (std::size_t i = 0; i < count; ++i) plain.add(colliding(static_cast<int>(i)), "v");
    EXPECT_EQ(plain.repeated(), tl::detail::entry_marks::none);
    EXPECT_LE(plain.marks.probes(), count * 4);
  }
}

TEST(entry_marks, nine_keys_are_the_first_that_are_hashed) {
  for (int count = 2; count <= 20; ++count) {
    written all;
    for (int i = 0; i < count - 1; ++i) all.add("k" + std::to_string(i), "v");
    all.add("k0", "w");
    EXPECT_EQ(all.repeated(), static_cast<std::size_t>(count - 1)) << count;
  }
}
