#include <thriftlens/codec/read_container.hpp>

#include "support/test.hpp"

#include <thriftlens/codec/decode.hpp>
#include <thriftlens/codec/encode.hpp>

#include <bit>
#include <deque>
#include <list>
#include <unordered_map>
#include <unordered_set>

namespace {
template <class Protocol, class C>
void expect_back(const C& sent) {
  tl::buffer bytes;
  tl::append_encoded<Protocol>(sent, bytes);
  EXPECT_EQ((tl::decode<C, Protocol>(bytes)), sent);
  C object{};
  for (int i = 0; i < 2; ++i) tl::decode_into<Protocol>(bytes, object);
  EXPECT_EQ(object, sent);
  tl::buffer none;
  if constexpr (!tl::detail::codec::detail::is_array<C>) {
    tl::append_encoded<Protocol>(C{}, none);
    tl::decode_into<Protocol>(none, object);
    EXPECT_TRUE(object.empty());
  }
}
template <class C>
void expect_back_on_both(const C& sent) {
  expect_back<tl::binary>(sent);
  expect_back<tl::compact>(sent);
}
template <class Number>
std::vector<Number> numbers(std::size_t count) {
  std::vector<Number> items(count);
  for (std::size_t i = 0; i < count; ++i)
    items[i] = static_cast<Number>(static_cast<std::int64_t>(i * i) * (i % 2 == 0 ? 1 : -1));
  return items;
}
std::string wire_of(const std::vector<std::pair<std::string, std::int32_t>>& entries) {
  tl::buffer bytes;
  tl::append_encoded(entries, bytes);
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

TEST(codec_read_container, numbers_of_every_count_round_trip) {
  for (std::size_t count : {0u, 1u, 15u, 63u, 64u, 65u, 511u, 512u, 513u, 3000u}) {
    expect_back_on_both(numbers<std::int8_t>(count));
    expect_back_on_both(numbers<std::int16_t>(count));
    expect_back_on_both(numbers<std::int32_t>(count));
    expect_back_on_both(numbers<std::int64_t>(count));
    expect_back_on_both(numbers<double>(count));
  }
}

TEST(codec_read_container, every_container_round_trips) {
  expect_back_on_both(std::vector<bool>{true, false, true});
  expect_back_on_both(std::deque<std::int32_t>{1, -2});
  expect_back_on_both(std::list<std::string>{"a", ""});
  expect_back_on_both(std::array<std::int64_t, 2>{1, -2});
  expect_back_on_both(std::array<std::string, 2>{"x", "y"});
  expect_back_on_both(std::set<std::string>{"b", "a"});
  expect_back_on_both(std::unordered_set<std::int32_t>{1, 2, 3});
  expect_back_on_both(std::vector<std::vector<std::deque<bool>>>{{{true}, {}}, {}});
}

TEST(codec_read_container, unsuitable_values_are_errors) {
  tl::buffer three;
  tl::append_encoded(std::vector<std::int32_t>{1, 2, 3}, three);
  EXPECT_EQ((tl::try_decode<std::array<std::int32_t, 2>>(three).error().code()), tl::errc::unfit_value);
  EXPECT_EQ(tl::try_decode<std::vector<std::int64_t>>(three).error().code(), tl::errc::type_mismatch);
  const std::string none("\x0b\x00\x00\x00\x00", 5);
  EXPECT_TRUE(tl::decode<std::vector<std::int64_t>>(none).empty()) << "an empty list may be of any type";

  const std::string twice("\x03\x00\x00\x00\x02\x07\x07", 7);
  const auto actual = tl::try_decode<std::set<std::int8_t>>(twice);
  ASSERT_EQ(errc_of(actual), tl::errc::duplicate_key);
  EXPECT_EQ(actual.error().path(), "$[1]");
  EXPECT_EQ(tl::decode<std::set<std::int8_t>>(twice, {.duplicates = tl::on_duplicate::last}).size(), 1u);
}

TEST(codec_read_container, a_malformed_varint_has_its_offset) {
  tl::buffer bytes;
  tl::append_encoded<tl::compact>(numbers<std::int32_t>(3000), bytes);
  // The last element becomes the beginning of a longer varint.
  bytes.data()[bytes.size() - 1] |= 0x80;
  const auto actual = tl::try_decode<std::vector<std::int32_t>, tl::compact>(bytes);
  ASSERT_EQ(errc_of(actual), tl::errc::truncated);
  EXPECT_EQ(actual.error().path(), "$[2999]");
}

TEST(codec_read_container, pointer_elements_are_allocated) {
  tl::buffer bytes;
  tl::append_encoded(std::vector<std::int32_t>{4, 5}, bytes);
  const auto owned = tl::decode<std::vector<std::unique_ptr<std::int32_t>>>(bytes);
  EXPECT_EQ(*owned.at(1), 5);
}

TEST(codec_read_container, every_kind_of_map_round_trips) {
  expect_back_on_both(std::map<std::string, std::vector<std::int64_t>>{{"a", {1}}, {"b", {}}});
  expect_back_on_both(std::map<std::vector<bool>, double>{{{true}, 1.5}});
  expect_back_on_both(std::unordered_map<std::int64_t, std::string>{{-1, "x"}, {5, "y"}});
  expect_back_on_both(std::multimap<std::int8_t, bool>{{1, true}, {1, false}});
  expect_back_on_both(
      std::vector<std::pair<std::string, std::map<std::int16_t, bool>>>{{"a", {{3, true}}}, {"a", {}}});
}

TEST(codec_read_container, decoding_into_a_map_keeps_the_nodes_of_repeated_keys) {
  std::map<std::string, std::int32_t> map;
  decode_over({{"a", 1}, {"b", 2}, {"c", 3}}, map);
  const auto* retained = &map.at("a");
  decode_over({{"a", 4}, {"bb", 5}, {"c", 6}}, map);
  EXPECT_EQ(map, (std::map<std::string, std::int32_t>{{"a", 4}, {"bb", 5}, {"c", 6}}));
  EXPECT_EQ(&map.at("a"), retained);
  decode_over({{"a", 7}}, map);
  EXPECT_EQ(map, (std::map<std::string, std::int32_t>{{"a", 7}}));
  decode_over({{"z", 1}, {"a", 2}}, map);
  EXPECT_EQ(map, (std::map<std::string, std::int32_t>{{"a", 2}, {"z", 1}}));
}

TEST(codec_read_container, nodes_of_missing_keys_are_reused) {
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
  const auto actual = tl::try_decode_into(twice, object);
  ASSERT_EQ(errc_of(actual), tl::errc::duplicate_key);
  EXPECT_EQ(actual.error().path(), "${\"k\"}");
  EXPECT_EQ(actual.error().offset(), 6 + 9 + 9u);
  object = four;
  tl::decode_into(twice, object, {.duplicates = tl::on_duplicate::last});
  EXPECT_EQ(object, (map{{"a", 1}, {"k", 2}}));
  // Truncated at any byte, a valid map remains.
  const std::string wire = wire_of({{"a", 1}, {"y", 1}, {"x", 2}});
  for (std::size_t size = 0; size < wire.size(); ++size) {
    object = four;
    EXPECT_FALSE(tl::try_decode_into(tl::byte_view(wire).part(0, size), object)) << size;
    EXPECT_LE(object.size(), 4u);
  }
}

TEST(codec_read_container, duplicate_keys_are_an_error_or_the_last_wins) {
  const std::string twice = wire_of({{"k", 1}, {"k", 2}});
  using map = std::map<std::string, std::int32_t>;
  const auto actual = tl::try_decode<map>(twice);
  ASSERT_EQ(errc_of(actual), tl::errc::duplicate_key);
  EXPECT_EQ(actual.error().path(), "${\"k\"}");
  EXPECT_EQ(actual.error().offset(), 6 + 9u);
  EXPECT_EQ(tl::decode<map>(twice, {.duplicates = tl::on_duplicate::last}).at("k"), 2);
  map object{{"k", 0}};
  EXPECT_FALSE(tl::try_decode_into(twice, object)) << "also where the node of the first is used again";
  tl::decode_into(twice, object, {.duplicates = tl::on_duplicate::last});
  EXPECT_EQ(object.at("k"), 2);
  EXPECT_EQ((tl::decode<std::vector<std::pair<std::string, std::int32_t>>>(twice).size()), 2u)
      << "pairs lose nothing";
}

TEST(codec_read_container, types_of_a_map_must_match_unless_it_is_empty) {
  EXPECT_EQ((try_decoded<std::map<std::string, std::int64_t>>({{"k", 1}}).error().code()),
            tl::errc::type_mismatch);
  EXPECT_EQ((try_decoded<std::map<bool, std::int32_t>>({{"k", 1}}).error().code()), tl::errc::type_mismatch);
  EXPECT_TRUE((try_decoded<std::map<bool, std::int64_t>>({}).value().empty()));
}

// ---- limits of containers for hostile input

namespace {

struct big {
  std::int64_t a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;
  std::string i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z;
  [[maybe_unused]] friend bool operator<(const big& lhs, const big& rhs) { return lhs.a < rhs.a; }
};

/// Peak memory of containers that use this allocator.
std::size_t held = 0, max_held = 0;
template <class T>
struct counting_allocator {
  using value_type = T;
  counting_allocator() = default;
  template <class Other>
  counting_allocator(const counting_allocator<Other>&) noexcept {}  // NOLINT: implicit on purpose
  T* allocate(std::size_t count) {
    held += count * sizeof(T);
    max_held = std::max(max_held, held);
    return std::allocator<T>().allocate(count);
  }
  void deallocate(T* memory, std::size_t count) noexcept {
    held -= count * sizeof(T);
    std::allocator<T>().deallocate(memory, count);
  }
  friend bool operator==(const counting_allocator&, const counting_allocator&) noexcept { return true; }
};
template <class T>
using counted_vector = std::vector<T, counting_allocator<T>>;

struct with_deques {
  std::deque<std::int32_t> first, second;
};
struct retains {
  tl::unknown_fields rest;
};

}  // namespace
template <>
struct tl::binding<big> : tl::numbered {};
template <>
struct tl::binding<with_deques> : tl::numbered {};
template <>
struct tl::binding<retains> : tl::fields<tl::keep_unknown<&retains::rest>> {};

namespace {

/// A list of `count` structs without fields.
template <class Protocol>
std::string empty_structs(std::uint32_t count, tl::ttype list = tl::ttype::list) {
  tl::buffer out;
  typename Protocol::writer writer(out);
  if (list == tl::ttype::list)
    writer.write_list({tl::ttype::struct_, count});
  else
    writer.write_set({tl::ttype::struct_, count});
  return out.str() + std::string(count, '\0');
}

template <class Protocol, class C>
void expect_bounded(std::uint32_t count) {
  const std::string wire = empty_structs<Protocol>(count);
  const tl::result<C> actual = tl::try_decode<C, Protocol>(wire);
  ASSERT_EQ(errc_of(actual), tl::errc::output_limit);
  EXPECT_EQ(actual.error().path(), "$");
  EXPECT_EQ(actual.error().offset(), 0u);
  C object{};
  EXPECT_EQ(tl::try_decode_into<Protocol>(wire, object).error().code(), tl::errc::output_limit);
}

/// The value is accepted at a limit of `size` bytes of objects, and at none below.
template <class T, class Protocol = tl::binary, class Wire>
void expect_cost(const Wire& wire, std::size_t size, const std::string& path, std::size_t offset) {
  const tl::decode_options enough{.limits = {.output_size = size}}, less{.limits = {.output_size = size - 1}};
  T object{};
  EXPECT_TRUE((tl::try_decode<T, Protocol>(wire, enough)));
  EXPECT_TRUE(tl::try_decode_into<Protocol>(wire, object, enough));
  const tl::result<T> refused = tl::try_decode<T, Protocol>(wire, less);
  ASSERT_EQ(errc_of(refused), tl::errc::output_limit);
  EXPECT_EQ(refused.error().path(), path);
  EXPECT_EQ(refused.error().offset(), offset);
}
template <class T, class Protocol = tl::binary>
tl::buffer bytes_of(const T& value) {
  tl::buffer out;
  tl::append_encoded<Protocol>(value, out);
  return out;
}

}  // namespace

TEST(codec_read_container, objects_are_bounded_by_16_mib_and_64_bytes_for_each_byte) {
  expect_bounded<tl::binary, std::vector<big>>(100000);
  expect_bounded<tl::compact, std::vector<big>>(100000);
  expect_bounded<tl::compact, std::list<big>>(100000);
  expect_bounded<tl::compact, std::deque<big>>(100000);
  expect_bounded<tl::compact, std::vector<with_deques>>(100000);

  const std::string pointed = empty_structs<tl::binary>(100000);
  const tl::error fault = tl::try_decode<std::vector<std::unique_ptr<big>>>(pointed).error();
  EXPECT_EQ(fault.code(), tl::errc::output_limit);
  EXPECT_EQ(fault.path(), "$[" + std::to_string(fault.offset() - 5) + "]");

  // Counted before the allocation: memory stays below the limit, including the growth of a vector.
  max_held = held;
  const std::string inner = empty_structs<tl::compact>(6000);
  std::string wire("\xf9\xc8\x01", 3);  // 200 lists
  for (int i = 0; i < 200; ++i) wire += inner;
  using lists = counted_vector<counted_vector<big>>;
  const tl::result<lists> actual = tl::try_decode<lists, tl::compact>(wire);
  ASSERT_EQ(errc_of(actual), tl::errc::output_limit);
  const std::size_t lists_that_fit = ((std::size_t{16} << 20) + 64 * wire.size()) / (6000 * sizeof(big));
  EXPECT_EQ(actual.error().path(), "$[" + std::to_string(lists_that_fit) + "]");
  EXPECT_EQ(actual.error().offset(), 3 + lists_that_fit * inner.size());
  EXPECT_LE(max_held, 2 * ((std::size_t{16} << 20) + 64 * wire.size()));
}

TEST(codec_read_container, every_kind_of_object_counts_its_memory) {
  constexpr std::size_t node = tl::detail::codec::node_overhead;
  const std::vector<std::int64_t> three{1, 2, 3};
  expect_cost<std::vector<std::int64_t>>(bytes_of(three), 24, "$", 0);
  expect_cost<std::vector<std::int64_t>, tl::compact>(bytes_of<decltype(three), tl::compact>(three), 24, "$",
                                                      0);
  expect_cost<std::list<std::int64_t>>(bytes_of(three), 3 * (8 + node), "$", 0);
  expect_cost<std::set<std::int64_t>>(bytes_of(std::set<std::int64_t>{1, 2}), 2 * (8 + node), "$", 0);
  expect_cost<std::map<std::int32_t, std::int32_t>>(bytes_of(std::map<std::int32_t, std::int32_t>{{1, 2}}),
                                                    8 + node, "$", 0);
  expect_cost<std::unordered_map<std::int32_t, std::string>>(
      bytes_of(std::unordered_map<std::int32_t, std::string>{{1, "x"}}),
      sizeof(std::pair<std::int32_t, std::string>) + node, "$", 0);
  expect_cost<std::vector<std::unique_ptr<std::int64_t>>>(bytes_of(three), 3 * sizeof(void*) + 3 * (8 + node),
                                                          "$[2]", 5 + 16);
  expect_cost<std::vector<std::shared_ptr<std::int64_t>>>(
      bytes_of(three), 3 * sizeof(std::shared_ptr<std::int64_t>) + 3 * (8 + node), "$[2]", 5 + 16);
  expect_cost<std::vector<tl::buffer>>(bytes_of(std::vector<std::string>{"a", "b"}),
                                       2 * sizeof(tl::buffer) + 2 * 257, "$[1]", 5 + 5);
  using map = std::map<std::string, std::vector<std::int64_t>>;
  const tl::buffer nested = bytes_of(map{{"key", {1}}});
  const std::size_t entry = sizeof(std::pair<std::string, std::vector<std::int64_t>>) + node;
  expect_cost<map>(nested, entry + 8, "${\"key\"}", 6 + 7);
  const std::string unknown("\x02\x00\x05\x01\x00", 5);
  expect_cost<retains>(unknown, 2 * sizeof(tl::unknown_fields::entry) + 1, "$.#5", 0);
  const tl::buffer wire = bytes_of(three);
  EXPECT_TRUE((tl::try_decode<std::array<std::int64_t, 3>>(wire, {.limits = {.output_size = 1}})))
      << "an array is part of what it is in";
}

namespace {

/// How often two keys were compared.
std::uint64_t comparisons = 0;
struct counted_equal {
  bool operator()(std::int64_t lhs, std::int64_t rhs) const {
    ++comparisons;
    return lhs == rhs;
  }
};
using counted_set = std::unordered_set<std::int64_t, std::hash<std::int64_t>, counted_equal>;
using counted_map = std::unordered_map<std::int64_t, bool, std::hash<std::int64_t>, counted_equal>;

/// Keys that std::hash puts into one bucket of a table with capacity for all of them.
std::vector<std::int64_t> colliding_keys(std::size_t count) {
  counted_set table;
  table.reserve(count);
  std::vector<std::int64_t> keys(count);
  for (std::size_t i = 0; i < count; ++i) keys[i] = static_cast<std::int64_t>(i * table.bucket_count());
  return keys;
}
/// Comparisons until the bytes of such a container are refused.
template <class C, class Sent>
std::uint64_t flood(const Sent& keys) {
  const tl::buffer wire = bytes_of(keys);
  comparisons = 0;
  const tl::result<C> actual = tl::try_decode<C>(wire);
  EXPECT_EQ(actual ? tl::errc::ok : actual.error().code(), tl::errc::hash_flood);
  return comparisons;
}

}  // namespace

TEST(codec_read_container, keys_chosen_for_one_bucket_are_refused) {
  for (const std::size_t count : {1000u, 2000u, 4000u}) {
    const std::vector<std::int64_t> keys = colliding_keys(count);
    std::vector<std::pair<std::int64_t, bool>> entries;
    for (const std::int64_t key : keys) entries.emplace_back(key, true);
    // Not with the square of their number: that would be millions.
    EXPECT_LE(flood<counted_set>(std::set<std::int64_t>(keys.begin(), keys.end())), 65536 + 32 * count);
    EXPECT_LE(flood<counted_map>(entries), 65536 + 32 * count);
  }
  const std::vector<std::int64_t> keys = colliding_keys(2000);
  const tl::buffer wire = bytes_of(std::set<std::int64_t>(keys.begin(), keys.end()));
  const tl::error fault = tl::try_decode<counted_set>(wire).error();
  const std::size_t index = (fault.offset() - 5) / 8;
  EXPECT_EQ(fault.path(), "$[" + std::to_string(index) + "]");
  EXPECT_TRUE(index > 300 && index < 500) << index;
}

TEST(read_container, nans_of_equal_bits_are_duplicates) {
  const double nan = std::bit_cast<double>(std::uint64_t{0x7ff8000000000000}),
               other = std::bit_cast<double>(std::uint64_t{0x7ff8000000000001});
  const auto set_of = [](const std::vector<double>& elements) {
    tl::buffer bytes;
    tl::append_encoded(elements, bytes);
    return tl::try_decode<std::unordered_set<double>>(bytes);
  };
  EXPECT_EQ(set_of({1, nan, other})->size(), 3u);
  EXPECT_STREQ(set_of({nan, 1, nan}).error().what(), "duplicate element in a set at $[2] (byte 21)");
  EXPECT_STREQ(set_of({0.0, -0.0}).error().what(), "duplicate element in a set at $[1] (byte 13)");
  tl::buffer bytes;
  tl::append_encoded(std::vector<std::pair<double, int>>{{nan, 1}, {2, 2}, {nan, 3}}, bytes);
  EXPECT_EQ((tl::try_decode<std::unordered_map<double, int>>(bytes).error().offset()), 30u);
}

TEST(codec_read_container, a_few_keys_of_one_bucket_and_many_of_others_are_accepted) {
  const std::vector<std::int64_t> small = colliding_keys(300);
  const tl::buffer colliding = bytes_of(std::set<std::int64_t>(small.begin(), small.end()));
  EXPECT_EQ(tl::decode<counted_set>(colliding).size(), 300u);
  std::set<std::int64_t> many;
  for (std::int64_t i = 0; i < 100000; ++i) many.insert(i * 1000);
  const tl::buffer spread = bytes_of(many);
  EXPECT_EQ(tl::decode<counted_set>(spread).size(), many.size());
}
