#include <thriftlens/codec/read_map.hpp>

#include <thriftlens/codec/decode.hpp>
#include <thriftlens/codec/encode.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace tl = thriftlens;

namespace {
template <class Protocol, class C>
void expect_back(const C& sent) {
  tl::buffer bytes;
  tl::encode<Protocol>(sent, bytes);
  EXPECT_EQ((tl::decode<C, Protocol>(bytes)), sent);
  C object{};
  for (int i = 0; i < 2; ++i) tl::decode_into<Protocol>(bytes, object);
  EXPECT_EQ(object, sent);
}
template <class C>
void expect_back_on_both(const C& sent) {
  expect_back<tl::binary>(sent);
  expect_back<tl::compact>(sent);
  expect_back<tl::compact>(C{});
}
std::string wire_of(const std::vector<std::pair<std::string, std::int32_t>>& entries) {
  tl::buffer bytes;
  tl::encode(entries, bytes);
  return bytes.str();
}
template <class Map>
void decode_over(const std::vector<std::pair<std::string, std::int32_t>>& entries, Map& map) {
  const std::string wire = wire_of(entries);
  tl::decode_into(wire, map);
}
template <class Map>
tl::result<Map> try_decoded(const std::vector<std::pair<std::string, std::int32_t>>& entries) {
  const std::string wire = wire_of(entries);
  return tl::try_decode<Map>(wire);
}
}  // namespace

TEST(codec_read_map, every_kind_comes_back) {
  expect_back_on_both(std::map<std::string, std::vector<std::int64_t>>{{"a", {1}}, {"b", {}}});
  expect_back_on_both(std::map<std::vector<bool>, double>{{{true}, 1.5}});
  expect_back_on_both(std::unordered_map<std::int64_t, std::string>{{-1, "x"}, {5, "y"}});
  expect_back_on_both(std::multimap<std::int8_t, bool>{{1, true}, {1, false}});
  expect_back_on_both(
      std::vector<std::pair<std::string, std::map<std::int16_t, bool>>>{{"a", {{3, true}}}, {"a", {}}});
}

TEST(codec_read_map, into_a_map_keeps_the_nodes_of_keys_that_come_again) {
  std::map<std::string, std::int32_t> map;
  decode_over({{"a", 1}, {"b", 2}, {"c", 3}}, map);
  const auto* kept = &map.at("a");
  decode_over({{"a", 4}, {"bb", 5}, {"c", 6}}, map);
  EXPECT_EQ(map, (std::map<std::string, std::int32_t>{{"a", 4}, {"bb", 5}, {"c", 6}}));
  EXPECT_EQ(&map.at("a"), kept);
  decode_over({{"a", 7}}, map);
  EXPECT_EQ(map, (std::map<std::string, std::int32_t>{{"a", 7}}));
  decode_over({{"z", 1}, {"a", 2}}, map);
  EXPECT_EQ(map, (std::map<std::string, std::int32_t>{{"a", 2}, {"z", 1}}));
}

TEST(codec_read_map, other_keys_get_the_nodes_of_those_that_do_not_come_again) {
  using map = std::map<std::string, std::int32_t>;
  const auto expect_over = [](map object,
                              std::initializer_list<std::pair<std::string, std::int32_t>> entries) {
    decode_over(entries, object);
    EXPECT_EQ(object, map(entries.begin(), entries.end()));
  };
  const map four{{"a", 1}, {"b", 2}, {"c", 3}, {"d", 4}};
  expect_over(four, {{"a", 5}, {"d", 6}, {"c", 7}, {"b", 8}});
  expect_over(four,
              {{"d", 5}, {"c", 6}, {"b", 7}, {"a", 8}, {"e", 9}, {"long enough for memory of its own", 10}});
  expect_over(four, {{"x", 5}, {"y", 6}});
  expect_over(four, {{"a", 5}, {"b", 6}, {"c", 7}, {"x", 8}});
  expect_over(four, {});

  const std::string twice = wire_of({{"a", 1}, {"k", 1}, {"k", 2}});
  map object = four;
  const auto found = tl::try_decode_into(twice, object);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code(), tl::errc::duplicate_key);
  EXPECT_EQ(found.error().path(), "${\"k\"}");
  EXPECT_EQ(found.error().offset(), 6 + 9 + 9u);
  object = four;
  tl::decode_into(twice, object, {.duplicates = tl::decode_duplicates::last});
  EXPECT_EQ(object, (map{{"a", 1}, {"k", 2}}));
  // Cut anywhere, what is left is a map.
  const std::string wire = wire_of({{"a", 1}, {"y", 1}, {"x", 2}});
  for (std::size_t size = 0; size < wire.size(); ++size) {
    object = four;
    EXPECT_FALSE(tl::try_decode_into(tl::byte_view(wire).part(0, size), object)) << size;
    EXPECT_LE(object.size(), 4u);
  }
}

TEST(codec_read_map, a_key_twice_is_an_error_or_the_last_wins) {
  const std::string twice = wire_of({{"k", 1}, {"k", 2}});
  using map = std::map<std::string, std::int32_t>;
  const auto found = tl::try_decode<map>(twice);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code(), tl::errc::duplicate_key);
  EXPECT_EQ(found.error().path(), "${\"k\"}");
  EXPECT_EQ(found.error().offset(), 6 + 9u);
  EXPECT_EQ(tl::decode<map>(twice, {.duplicates = tl::decode_duplicates::last}).at("k"), 2);
  map object{{"k", 0}};
  EXPECT_FALSE(tl::try_decode_into(twice, object)) << "also where the node of the first is used again";
  tl::decode_into(twice, object, {.duplicates = tl::decode_duplicates::last});
  EXPECT_EQ(object.at("k"), 2);
  EXPECT_EQ((tl::decode<std::vector<std::pair<std::string, std::int32_t>>>(twice).size()), 2u)
      << "pairs lose nothing";
}

TEST(codec_read_map, types_must_fit_unless_it_is_empty) {
  EXPECT_EQ((try_decoded<std::map<std::string, std::int64_t>>({{"k", 1}}).error().code()),
            tl::errc::type_mismatch);
  EXPECT_EQ((try_decoded<std::map<bool, std::int32_t>>({{"k", 1}}).error().code()), tl::errc::type_mismatch);
  EXPECT_TRUE((try_decoded<std::map<bool, std::int64_t>>({}).value().empty()));
}
