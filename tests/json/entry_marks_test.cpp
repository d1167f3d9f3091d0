#include <thriftlens/json/entry_marks.hpp>

#include "support/test.hpp"

namespace {
// Consecutive entries ",key=value;".
struct written {
  std::string text;
  tl::detail::entry_marks marks;
  void add(const std::string& key, const std::string& value) {
    const std::size_t entry = text.size();
    text += ',' + key;
    marks.push({entry, text.size()});
    text += '=' + value + ';';
  }
  std::string last() {
    auto* bytes = reinterpret_cast<std::uint8_t*>(text.data());
    const std::size_t end = marks.keep_last(bytes, 0, 1, text.size());
    mark_count = marks.size();
    return text.substr(0, end);
  }
  std::size_t mark_count = 0;
};
}  // namespace

TEST(entry_marks, keeps_the_last_of_equal_keys_in_position) {
  written small;
  small.add("a", "1");
  small.add("b", "22");
  small.add("a", "333");
  small.add("c", "");
  EXPECT_EQ(small.last(), ",b=22;,a=333;,c=;");
  EXPECT_EQ(small.mark_count, 3u);
}

TEST(entry_marks, keeps_the_last_as_a_map_would) {
  std::mt19937 random(5);
  for (std::size_t count : {2u, 5u, 9u, 50u, 500u}) {
    written full;
    std::map<std::string, std::pair<std::size_t, std::string>> expected;
    for (std::size_t i = 0; i < count; ++i) {
      const std::string key = std::to_string(random() % (count / 2 + 1)), value = std::to_string(i);
      full.add(key, value);
      expected[key] = {i, value};
    }
    std::map<std::size_t, std::string> ordered;
    for (const auto& [key, value] : expected) ordered[value.first] = ',' + key + '=' + value.second + ';';
    std::string text;
    for (const auto& [at, entry] : ordered) text += entry;
    EXPECT_EQ(full.last(), text);
    EXPECT_EQ(full.mark_count, expected.size());
  }
}

TEST(entry_marks, inner_maps_are_on_top) {
  written full;
  full.add("a", "1");
  const std::size_t base = full.marks.size();
  full.add("a", "2");
  EXPECT_EQ(full.marks.find_repeated(reinterpret_cast<const std::uint8_t*>(full.text.data()), base, 1),
            tl::detail::entry_marks::none);
  full.marks.drop_to(base);
  EXPECT_EQ(full.marks.size(), 1u);
}
