#include <thriftlens/dom/key_index.hpp>

#include "support/test.hpp"

namespace dom = thriftlens::detail::dom;

namespace {

// A map of strings over Binary keys, which this stores.
struct string_map {
  explicit string_map(const std::vector<std::string>& keys) {
    in.wire = tl::ttype::map;
    in.key = in.value = tl::ttype::string;
    for (const std::string& text : keys) add(text);
  }
  void add(const std::string& key) {
    add_bytes(std::string{'\0', '\0', '\0', static_cast<char>(key.size())} + key);
  }
  void add_bytes(std::string key) {
    bytes.push_back(std::make_unique<std::string>(std::move(key)));
    of.grow(in, 2);
    for (int part = 0; part < 2; ++part) {
      dom::slot& result = *::new (&in.items[in.count + static_cast<std::uint32_t>(part)]) dom::slot;
      result.wire = in.key;
      result.bytes = reinterpret_cast<const std::uint8_t*>(bytes.back()->data());
      result.size = static_cast<std::uint32_t>(bytes.back()->size());
    }
    in.count += 2;
    dom::key_index::appended(of, in, in.count - 2);
  }
  std::uint32_t find(std::string_view key) { return dom::key_index::find(of, in, {0, key, true}); }

  dom::tree of;
  dom::level in;
  std::vector<std::unique_ptr<std::string>> bytes;
};

TEST(key_index, finds_each_key_and_no_other) {
  for (std::size_t count : {1u, 11u, 12u, 13u, 2000u}) {
    std::vector<std::string> keys;
    for (std::size_t i = 0; i < count; ++i) keys.push_back("key" + std::to_string(i));
    string_map map(keys);
    for (std::uint32_t i = 0; i < count; ++i) ASSERT_EQ(map.find(keys[i]), 2 * i);
    EXPECT_EQ(map.find("other"), dom::key_index::none);
    EXPECT_EQ(map.find(""), dom::key_index::none);
    map.add("later");
    EXPECT_EQ(map.find("later"), 2 * count);
  }
}

TEST(key_index, of_equal_keys_the_first_in_use_is_found) {
  for (int fill : {0, 50}) {
    string_map map({"twice", "x", "twice"});
    for (int i = 0; i < fill; ++i) map.add("fill" + std::to_string(i));
    EXPECT_EQ(map.find("twice"), 0u);
  }
}

// Eight bytes that cancel the effect of the next eight in hash_text, for a known seed.
std::string blinding(std::uint64_t seed) {
  const std::uint64_t value = 0xe7037ed1a0b428dbu ^ seed;
  std::string bytes(8, '\0');
  for (int i = 0; i < 8; ++i) bytes[static_cast<std::size_t>(i)] = static_cast<char>(value >> (8 * i));
  return bytes;
}
// Keys of which half collide under each of the two seeds that are tried.
std::vector<std::string> colliding(std::size_t count) {
  const dom::tree of{};
  const std::string first = blinding(dom::key_index::seed_of(of, 0)),
                    second = blinding(dom::key_index::seed_of(of, 1));
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < count; ++i)
    keys.push_back((i % 2 == 0 ? first : second) + std::to_string(10000000 + i));
  return keys;
}

TEST(key_index, colliding_keys_are_found) {
  const std::vector<std::string> keys = colliding(3000), later = colliding(3600);
  string_map map(keys);
  for (std::uint32_t i = 0; i < keys.size(); ++i) ASSERT_EQ(map.find(keys[i]), 2 * i);
  EXPECT_TRUE(dom::key_index::has_runs(map.in));
  EXPECT_EQ(map.find(later.back()), dom::key_index::none);
  for (std::size_t i = keys.size(); i < later.size(); ++i) {
    map.add(later[i]);
    ASSERT_TRUE(dom::key_index::has_runs(map.in));
    ASSERT_EQ(map.find(later[i]), 2 * i);
  }
  for (std::uint32_t i = 0; i < later.size(); ++i) ASSERT_EQ(map.find(later[i]), 2 * i);
}

TEST(key_index, erasing_a_colliding_key_hides_no_other) {
  const std::vector<std::string> keys = colliding(500);
  string_map map(keys);
  ASSERT_EQ(map.find(keys[7]), 14u);
  ASSERT_TRUE(dom::key_index::has_runs(map.in));
  for (std::uint32_t i = 0; i < keys.size(); i += 3) map.in.items[2 * i].wire = tl::ttype::stop;
  for (std::uint32_t i = 0; i < keys.size(); ++i)
    ASSERT_EQ(map.find(keys[i]), i % 3 == 0 ? dom::key_index::none : 2 * i);
  map.add(keys[0]);
  EXPECT_EQ(map.find(keys[0]), 1000u);
}

// Places looked at by `count` lookups of keys that are there and of others, with keys added in between; and
// bytes of memory.
std::pair<std::size_t, std::size_t> cost(std::size_t count) {
  const std::vector<std::string> keys = colliding(3 * count);
  string_map map({keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(count)});
  std::size_t looks = 0;
  for (std::size_t i = 0; i < count; ++i) {
    map.add(keys[count + i]);
    for (const std::size_t expected : {i, count + i, 2 * count + i}) {
      const dom::key_index::answer actual =
          dom::key_index::look_for(map.of, map.in, {0, keys[expected], true});
      EXPECT_EQ(actual.at != dom::key_index::none, expected < 2 * count);
      looks += actual.probes;
    }
  }
  return {looks, map.of.memory.reserved()};
}

TEST(key_index, colliding_keys_cost_linear_time) {
#if defined(_GLIBCXX_DEBUG)
  GTEST_SKIP() << "std::lower_bound looks at every place there, to see that they are in order";
#endif
  const auto [looks, bytes] = cost(1000);
  const auto [more_looks, more_bytes] = cost(4000);
  EXPECT_LE(more_looks, 4 * looks * 2);
  EXPECT_LE(more_bytes, 4 * bytes * 2);
  EXPECT_LE(looks, 3 * 1000 * 100u);
}

TEST(key_index, a_lookup_needs_few_probes) {
  std::vector<std::string> keys;
  for (int i = 0; i < 20000; ++i) keys.push_back(std::to_string(i));
  string_map map(keys);
  for (int i = 0; i < 40000; ++i) {
    const std::string key = std::to_string(i);
    ASSERT_LE(dom::key_index::look_for(map.of, map.in, {0, key, true}).probes, dom::key_index::longest_probe);
  }
  EXPECT_FALSE(dom::key_index::has_runs(map.in));
}

TEST(key_index, struct_keys_are_equal_whatever_the_order_of_their_fields) {
  const auto field = [](char id, int value) {
    return std::string{'\x08', '\0', id, '\0', '\0', '\0', static_cast<char>(value)};
  };
  for (int count : {3, 100}) {
    string_map map({});
    map.in.key = tl::ttype::struct_;
    for (int i = 0; i < count; ++i) map.add_bytes(field(1, i) + field(2, 7) + '\0');
    tl::buffer memory;
    dom::wire_key key;
    for (int i = 0; i <= count; ++i) {
      const std::string permuted = field(2, 7) + field(1, i) + '\0';
      ASSERT_TRUE(
          dom::key_of(tl::map_key::wire(tl::byte_view(permuted)), tl::ttype::struct_, {}, key, memory));
      const std::uint32_t expected = i == count ? dom::key_index::none : static_cast<std::uint32_t>(2 * i);
      EXPECT_EQ(dom::key_index::find(map.of, map.in, key), expected);
    }
    map.add_bytes(field(1, count) + field(2, 7) + '\0');
    EXPECT_EQ(dom::key_index::find(map.of, map.in, key), static_cast<std::uint32_t>(2 * count));
    map.in.items[0].wire = tl::ttype::stop;
    const std::string erased = field(2, 7) + field(1, 0) + '\0';
    ASSERT_TRUE(dom::key_of(tl::map_key::wire(tl::byte_view(erased)), tl::ttype::struct_, {}, key, memory));
    EXPECT_EQ(dom::key_index::find(map.of, map.in, key), dom::key_index::none);
  }
}

TEST(key_index, keys_are_equal_by_value) {
  const std::uint8_t overlong[] = {0x82, 0x00}, plain[] = {0x02};
  dom::slot single, other;
  single.wire = other.wire = tl::ttype::i32;
  single.bytes = overlong;
  single.size = 2;
  other.bytes = plain;
  other.size = 1;
  EXPECT_EQ(dom::scalar_key(single, tl::protocol_id::compact),
            dom::scalar_key(other, tl::protocol_id::compact));
  dom::wire_key expected;
  tl::buffer memory;
  EXPECT_TRUE(dom::key_of(tl::map_key(1), tl::ttype::i32, tl::protocol_id::compact, expected, memory));
  EXPECT_EQ(expected, dom::scalar_key(single, tl::protocol_id::compact));
  EXPECT_FALSE(dom::key_of(tl::map_key("1"), tl::ttype::i32, tl::protocol_id::compact, expected, memory));
  EXPECT_FALSE(dom::key_of(tl::map_key::wire(tl::byte_view(overlong, 1)), tl::ttype::i32,
                           tl::protocol_id::compact, expected, memory));
  EXPECT_TRUE(dom::key_of(tl::map_key(-0.0), tl::ttype::double_, tl::protocol_id::binary, expected, memory));
  EXPECT_EQ(expected.number, 0u);
}

}  // namespace
