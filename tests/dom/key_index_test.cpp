#include <thriftlens/dom/key_index.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tl = thriftlens;
namespace dom = thriftlens::dom;

namespace {

// A map of strings over Binary keys that this holds.
struct string_map {
  explicit string_map(const std::vector<std::string>& keys) {
    in.wire = tl::ttype::map;
    in.key = in.value = tl::ttype::string;
    for (const std::string& each : keys) add(each);
  }
  void add(const std::string& key) {
    bytes.push_back(std::make_unique<std::string>(std::string{'\0', '\0', '\0', static_cast<char>(key.size())} + key));
    of.grow(in, 2);
    for (int part = 0; part < 2; ++part) {
      dom::slot& made = *::new (&in.slots[in.count + static_cast<std::uint32_t>(part)]) dom::slot;
      made.wire = tl::ttype::string;
      made.bytes = reinterpret_cast<const std::uint8_t*>(bytes.back()->data());
      made.size = static_cast<std::uint32_t>(bytes.back()->size());
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

TEST(key_index, keys_made_to_collide_are_found_all_the_same) {
  // The first eight bytes make hash_text forget the next eight, whatever the seed.
  const std::string zero("\xdb\x28\xb4\xa0\xd1\x7e\x03\xe7", 8), blind(reinterpret_cast<const char*>("\xdb\x28\xb4\xa0\xd1\xbd\x03\xe7"), 8);
  std::vector<std::string> keys;
  for (int i = 0; i < 3000; ++i) keys.push_back((i % 2 == 0 ? zero : blind) + std::to_string(10000000 + i) + "same");
  string_map map(keys);
  for (std::uint32_t i = 0; i < keys.size(); ++i) ASSERT_EQ(map.find(keys[i]), 2 * i);
  EXPECT_EQ(map.find(blind + "99999999same"), dom::key_index::none);
}

TEST(key_index, keys_are_equal_by_value) {
  const std::uint8_t overlong[] = {0x82, 0x00}, plain[] = {0x02};
  dom::slot one, other;
  one.wire = other.wire = tl::ttype::i32;
  one.bytes = overlong;
  one.size = 2;
  other.bytes = plain;
  other.size = 1;
  EXPECT_EQ(dom::key_of(one, tl::protocol_id::compact), dom::key_of(other, tl::protocol_id::compact));
  dom::wire_key meant;
  EXPECT_TRUE(dom::key_of(tl::map_key(1), tl::ttype::i32, tl::protocol_id::compact, meant));
  EXPECT_EQ(meant, dom::key_of(one, tl::protocol_id::compact));
  EXPECT_FALSE(dom::key_of(tl::map_key("1"), tl::ttype::i32, tl::protocol_id::compact, meant));
  EXPECT_FALSE(dom::key_of(tl::map_key::wire(tl::byte_view(overlong, 1)), tl::ttype::i32, tl::protocol_id::compact, meant));
  EXPECT_TRUE(dom::key_of(tl::map_key(-0.0), tl::ttype::double_, tl::protocol_id::binary, meant));
  EXPECT_EQ(meant.number, 0u);
}

}  // namespace
