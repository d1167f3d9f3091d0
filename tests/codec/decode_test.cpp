#include <thriftlens/codec/decode.hpp>

#include <thriftlens/codec/encode.hpp>
#include <thriftlens/codec/size.hpp>

#include "codec/sample.hpp"
#include "support/test.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <new>

namespace {

std::size_t allocated = 0;
std::size_t allocations = 0;

template <class Protocol>
tl::buffer encoded(const sample::tree& value) {
  tl::buffer out;
  tl::append_encoded<Protocol>(value, out);
  return out;
}

template <class Protocol>
void expect_full(const sample::tree& actual) {
  EXPECT_EQ(encoded<Protocol>(actual).str(), encoded<Protocol>(sample::full()).str());
  EXPECT_EQ(actual.numbers.at(7).back(), INT64_MAX);
  EXPECT_EQ(std::get<sample::leaf>(actual.either).b, "six");
  EXPECT_EQ(actual.next->number, 77);
}

/// A located value, as the lens has them.
struct located {
  using protocol_type = tl::compact;
  std::string kept;
  tl::ttype type = tl::ttype::struct_;
  [[nodiscard]] tl::byte_view bytes() const { return kept; }
  [[nodiscard]] tl::ttype wire() const { return type; }
};

}  // namespace

// Counts allocations of the tests below.
void* operator new(std::size_t size) {
  allocated += size;
  ++allocations;
  if (void* block = std::malloc(size == 0 ? 1 : size)) return block;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return std::malloc(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

TEST(codec_decode, returns_the_object_in_both_protocols) {
  const tl::buffer first = encoded<tl::binary>(sample::full()), second = encoded<tl::compact>(sample::full());
  expect_full<tl::binary>(tl::decode<sample::tree>(first));
  expect_full<tl::compact>(tl::decode<sample::tree, tl::compact>(second));
}

TEST(codec_decode, into_an_object_resets_what_is_missing) {
  sample::tree object = sample::full();
  const tl::buffer full = encoded<tl::binary>(sample::full());
  tl::decode_into(full, object);
  expect_full<tl::binary>(object);
  tl::decode_into(std::string_view("\x00", 1), object);
  EXPECT_EQ(encoded<tl::binary>(object).str(), encoded<tl::binary>(sample::tree{}).str());
}

TEST(codec_decode, cut_and_trailing_bytes_are_errors) {
  const tl::buffer full = encoded<tl::binary>(sample::full());
  for (std::size_t size = 0; size < full.size(); ++size) {
    const auto actual = tl::try_decode<sample::tree>(tl::byte_view(full).part(0, size));
    ASSERT_FALSE(actual) << size;
    EXPECT_LE(actual.error().offset(), size);
  }
  tl::buffer longer = full;
  longer.push_back(0);
  const auto actual = tl::try_decode<sample::tree>(longer);
  ASSERT_EQ(errc_of(actual), tl::errc::trailing_bytes);
  EXPECT_EQ(actual.error().offset(), full.size());
  EXPECT_TRUE(tl::try_decode<sample::tree>(longer, {.trailing = tl::decode_trailing::ignore}));
}

TEST(codec_decode, no_bytes_are_truncated_even_without_an_address) {
  sample::tree object;
  for (const tl::byte_view none : {tl::byte_view(), tl::byte_view(std::string_view(""))}) {
    EXPECT_EQ(tl::try_decode<sample::tree>(none).error().code(), tl::errc::truncated);
    EXPECT_EQ((tl::try_decode<sample::tree, tl::compact>(none).error().code()), tl::errc::truncated);
    EXPECT_EQ(tl::try_decode_into(none, object).error().code(), tl::errc::truncated);
    EXPECT_EQ(tl::try_decode<std::vector<std::int32_t>>(none).error().code(), tl::errc::truncated);
    EXPECT_EQ(tl::try_decode<bool>(none).error().offset(), 0u);
  }
}

TEST(codec_decode, errors_name_code_path_and_offset) {
  sample::tree value;
  value.leaves = {{1, "a"}, {2, "b"}};
  value.named["key"].b = "bbbb";
  tl::buffer bytes = encoded<tl::binary>(value);
  const std::size_t at = bytes.text().rfind("bbbb") - 7;
  bytes.data()[at] = 8;
  const auto actual = tl::try_decode<sample::tree>(bytes);
  ASSERT_FALSE(actual);
  EXPECT_STREQ(
      actual.error().what(),
      ("expected string, found i32 at $.named{\"key\"}.b (byte " + std::to_string(at) + ")").c_str());
  EXPECT_THROW(static_cast<void>(tl::decode<sample::tree>(bytes)), tl::error);
}

TEST(codec_decode, depth_and_sizes_are_bounded) {
  sample::tree value;
  sample::chain(value, 70);
  tl::buffer bytes;
  tl::append_encoded(value, bytes, {.limits = {.depth = 100}});
  EXPECT_EQ(errc_of(tl::try_decode<sample::tree>(bytes)), tl::errc::depth_limit);
  EXPECT_TRUE(tl::try_decode<sample::tree>(bytes, {.limits = {.depth = 100}}));

  value = sample::full();
  const tl::buffer full = encoded<tl::binary>(value);
  EXPECT_EQ(tl::try_decode<sample::tree>(full, {.limits = {.string_size = 24}}).error().code(),
            tl::errc::size_limit);
  EXPECT_EQ(tl::try_decode<sample::tree>(full, {.limits = {.container_size = 1}}).error().code(),
            tl::errc::size_limit);
}

TEST(codec_decode, any_depth_limit_protects_the_stack) {
  // Field 12 of sample::tree is another one, a hundred thousand times over.
  std::string bytes;
  for (int i = 0; i < 100000; ++i) bytes.append("\x0c\x00\x0c", 3);
  bytes.append(100001, '\0');
  const auto actual = tl::try_decode<sample::tree>(bytes, {.limits = {.depth = 0xffffffffu}});
  ASSERT_EQ(errc_of(actual), tl::errc::depth_limit);
  // The deepest that may be, with lists in the last: decoded, encoded and destroyed.
  const std::uint32_t deepest = tl::limits::max_depth;
  bytes.erase(0, 3 * (100002 - deepest));
  bytes.resize(bytes.size() - (100002 - deepest));
  const auto deep = tl::try_decode<sample::tree>(bytes, {.limits = {.depth = 0xffffffffu}});
  ASSERT_TRUE(deep) << deep.error().what();
  tl::buffer out;
  EXPECT_TRUE(tl::try_append_encoded(*deep, out, {.limits = {.depth = 0xffffffffu}}));
  EXPECT_EQ(tl::try_append_encoded(*deep, out, {.limits = {.depth = deepest - 1}}).error().code(),
            tl::errc::depth_limit);
}

TEST(codec_decode, declared_sizes_do_not_allocate) {
  // A list with one empty struct per byte, the first of which is malformed.
  std::string bytes("\x0f\x00\x08\x0c\x00\x40\x00\x00", 8);
  bytes += '\x05';
  bytes.resize(8 + 0x400000, '\0');
  allocated = 0;
  EXPECT_FALSE(tl::try_decode<sample::tree>(bytes));
  EXPECT_LT(allocated, std::size_t{256} * 1024);
}

TEST(codec_decode, allocations_are_those_of_the_object) {
  const tl::buffer bytes = encoded<tl::binary>(sample::full());
  sample::tree object;
  tl::decode_into(bytes, object);
  allocations = 0;
  tl::decode_into(bytes, object);
  // A node and the vector of the unordered map are allocated again.
  EXPECT_LE(allocations, 3u);
  // With enough capacity, encoding and its size allocate nothing.
  tl::buffer out(bytes);
  out.clear();
  allocations = 0;
  tl::append_encoded(object, out);
  EXPECT_EQ(tl::encoded_size(object), out.size());
  EXPECT_EQ(allocations, 0u);
}

TEST(codec_decode, decoding_into_a_map_with_another_key_order_does_not_allocate) {
  const std::string wire(
      "\x0b\x0b\0\0\0\x03\0\0\0\x02zz\0\0\0\x01"
      "1\0\0\0\x02yy\0\0\0\x01"
      "2\0\0\0\x02xx\0\0\0\x01"
      "3",
      6 + 3 * 11);
  std::map<std::string, std::string> object{{"aa", std::string(40, 'a')}, {"bb", "b"}, {"cc", "c"}};
  allocations = 0;
  tl::decode_into(wire, object);
  EXPECT_EQ(allocations, 0u);
  EXPECT_EQ(object, (std::map<std::string, std::string>{{"xx", "3"}, {"yy", "2"}, {"zz", "1"}}));
}

TEST(codec_decode, located_values_know_their_protocol_and_type) {
  const located at{encoded<tl::compact>(sample::full()).str()};
  expect_full<tl::compact>(tl::decode<sample::tree>(at));
  EXPECT_EQ(errc_of(tl::try_decode<sample::tree>(located{"", tl::ttype::i32})), tl::errc::wrong_type);
  EXPECT_EQ(tl::decode<std::int32_t>(located{"\x05", tl::ttype::i32}), -3);
}

TEST(codec_decode, the_hint_names_foreign_formats) {
  const tl::buffer binary = encoded<tl::binary>(sample::full()),
                   compact = encoded<tl::compact>(sample::full());
  std::string framed("\0\0\0\0", 4);
  tl::detail::store_be(reinterpret_cast<std::uint8_t*>(framed.data()),
                       static_cast<std::uint32_t>(binary.size()));
  framed += binary.text();
  const auto message = [](const auto& actual) { return std::string(actual ? "" : actual.error().what()); };
  EXPECT_THAT(message(tl::try_decode<sample::tree>(compact)),
              testing::HasSubstr("; the data looks like Compact"));
  EXPECT_THAT(message(tl::try_decode<sample::tree, tl::compact>(binary)),
              testing::HasSubstr("; the data looks like Binary"));
  EXPECT_THAT(message(tl::try_decode<sample::tree>(framed)),
              testing::HasSubstr("; the data looks like a 32-bit frame length before Binary"));
  sample::tree object;
  EXPECT_THAT(message(tl::try_decode_into(framed, object)),
              testing::HasSubstr("; the data looks like a 32-bit frame length before Binary"));
  EXPECT_THAT(message(tl::try_decode<sample::tree>(binary.text().substr(0, 5))),
              testing::Not(testing::HasSubstr("looks like")));
}

TEST(codec_decode, bytes_may_be_a_temporary) {
  const auto copied = tl::decode<sample::tree>(tl::encode(sample::full()));
  EXPECT_EQ(tl::encode(copied), tl::encode(sample::full()));
  sample::tree object;
  tl::decode_into<tl::compact>(tl::encode<tl::compact>(sample::full()), object);
  EXPECT_EQ(tl::encode(object), tl::encode(sample::full()));
}
