#include <thriftlens/protocol/binary_skip.hpp>

#include <thriftlens/protocol/binary.hpp>

#include "support/cases.hpp"
#include "support/shared.hpp"
#include "support/test.hpp"
#include "value.hpp"

using namespace thriftlens;

TEST(binary_skip, returns_the_end_of_a_value) {
  thriftlens_test::random_values result{std::mt19937_64(7)};
  for (int round = 0; round < thriftlens_test::cases(2000); ++round) {
    const thriftlens_test::value value = result.make(result.type(3), 3);
    const std::string bytes = thriftlens_test::to_bytes<binary>(value);
    // What follows must not matter, near the end and far from it.
    const std::string suffix(round % 2 == 0 ? 3 : 80, static_cast<char>(result.random()));
    const std::string text = bytes + suffix;
    const auto* from = reinterpret_cast<const std::uint8_t*>(text.data());
    detail::binary_skipper skipper(from + text.size());
    ASSERT_EQ(skipper.skip(from, value.type, 64), from + bytes.size()) << round;
  }
}

TEST(binary_skip, errors_have_the_offset_of_the_invalid_value) {
  const std::string bytes("\x0b\x00\x01\x00\x00\x00\x02hi\x0b\x00\x02\x00\x00\x00\x09hi\x00", 19);
  const auto* from = reinterpret_cast<const std::uint8_t*>(bytes.data());
  detail::binary_skipper skipper(from + bytes.size());
  EXPECT_EQ(skipper.skip_struct(from, 64), nullptr);
  EXPECT_EQ(skipper.code, errc::truncated);
  EXPECT_EQ(skipper.at, from + 12);
}

TEST(binary_skip, sample_payloads_are_skipped_to_their_last_byte) {
  for (const char* name : {"small.bin", "medium.bin", "large.bin"}) {
    const std::string bytes = thriftlens_test::read_file(thriftlens_test::samples_dir() / "payloads" / name);
    binary::reader in{byte_view(bytes)};
    EXPECT_TRUE(in.skip(ttype::struct_));
    EXPECT_TRUE(in.at_end()) << name;
  }
}

namespace {

// The end of a skip of `type` in the first `size` bytes of `full`, or its fault. Later bytes must not matter.
struct skipped {
  std::ptrdiff_t end = -1;
  errc code = errc::ok;
  std::ptrdiff_t at = 0;
  friend bool operator==(const skipped&, const skipped&) = default;
};
skipped skip_cut(const std::string& text, std::size_t size, ttype type, std::uint32_t depth = 64) {
  skipped actual;
  for (const char suffix : {'\0', '\x0b', '\xff'}) {
    const std::string padded = text.substr(0, size) + std::string(64, suffix);
    const auto* from = reinterpret_cast<const std::uint8_t*>(padded.data());
    detail::binary_skipper skipper(from + size);
    const std::uint8_t* end = skipper.skip(from, type, depth);
    skipped current;
    current.end = end == nullptr ? -1 : end - from;
    current.code = skipper.code;
    current.at = end == nullptr ? skipper.at - from : 0;
    if (suffix != '\0') {
      EXPECT_TRUE(current == actual) << size;
    }
    actual = current;
  }
  return actual;
}
std::string big(std::uint32_t number) {
  return {static_cast<char>(number >> 24), static_cast<char>(number >> 16), static_cast<char>(number >> 8),
          static_cast<char>(number)};
}

}  // namespace

// Fields of every width near the end: truncated headers and values, and 31 to 33 bytes before the end, where
// the method of skipping changes.
TEST(binary_skip, every_fixed_field_at_every_distance_from_the_end) {
  for (const ttype type :
       {ttype::bool_, ttype::i8, ttype::i16, ttype::i32, ttype::i64, ttype::double_, ttype::uuid}) {
    const std::size_t width = fixed_width(type);
    for (std::size_t previous_size = 0; previous_size <= 40; ++previous_size) {
      std::string bytes;
      if (previous_size >= 4)
        bytes = std::string("\x0b\0\1", 3) + big(static_cast<std::uint32_t>(previous_size)) +
                std::string(previous_size, 'x');
      const std::size_t header = bytes.size();
      bytes += static_cast<char>(type) + std::string("\0\2", 2) + std::string(width, '\1') + '\0';
      for (std::size_t size = header; size <= bytes.size(); ++size) {
        const skipped actual = skip_cut(bytes, size, ttype::struct_);
        if (size == bytes.size()) {
          EXPECT_EQ(actual.end, static_cast<std::ptrdiff_t>(bytes.size())) << previous_size;
        } else {
          // The header, the value or the final stop is truncated.
          const std::size_t at = size - header < 3 ? header : size - header < 3 + width ? header + 3 : size;
          EXPECT_EQ(actual, (skipped{-1, errc::truncated, static_cast<std::ptrdiff_t>(at)}))
              << previous_size << ' ' << size;
        }
      }
      // A value alone, of exactly its width and one byte less.
      EXPECT_EQ(skip_cut(std::string(width, '\1'), width, type).end, static_cast<std::ptrdiff_t>(width));
      EXPECT_EQ(skip_cut(std::string(width, '\1'), width - 1, type).code, errc::truncated);
    }
  }
}

TEST(binary_skip, sizes_at_the_limit_and_one_above) {
  const std::string string = big(5) + "12345";
  EXPECT_EQ(skip_cut(string, 9, ttype::string).end, 9);
  EXPECT_EQ(skip_cut(string, 8, ttype::string), (skipped{-1, errc::truncated, 0}));
  EXPECT_EQ(skip_cut(big(0), 4, ttype::string).end, 4);
  EXPECT_EQ(skip_cut(big(0), 3, ttype::string), (skipped{-1, errc::truncated, 0}));
  EXPECT_EQ(skip_cut(big(0x7fffffff) + "1", 5, ttype::string), (skipped{-1, errc::truncated, 0}));
  EXPECT_EQ(skip_cut(big(0x80000000) + "1", 5, ttype::string), (skipped{-1, errc::negative_size, 0}));
  for (const ttype container : {ttype::list, ttype::set}) {
    for (const ttype element :
         {ttype::bool_, ttype::i8, ttype::i16, ttype::i32, ttype::i64, ttype::double_, ttype::uuid}) {
      const std::size_t width = fixed_width(element);
      const std::string list = static_cast<char>(element) + big(3) + std::string(3 * width, '\1');
      EXPECT_EQ(skip_cut(list, list.size(), container).end, static_cast<std::ptrdiff_t>(list.size()));
      EXPECT_EQ(skip_cut(list, list.size() - 1, container), (skipped{-1, errc::truncated, 0}));
      EXPECT_EQ(skip_cut(static_cast<char>(element) + big(0), 5, container).end, 5);
      EXPECT_EQ(skip_cut(static_cast<char>(element) + big(0), 4, container),
                (skipped{-1, errc::truncated, 0}));
      EXPECT_EQ(skip_cut(static_cast<char>(element) + big(0x80000000), 5, container),
                (skipped{-1, errc::negative_size, 0}));
      EXPECT_EQ(skip_cut(static_cast<char>(element) + big(0x7fffffff), 5, container),
                (skipped{-1, errc::truncated, 0}));
      const std::string map = std::string(1, static_cast<char>(element)) + '\x0b' + big(1) +
                              std::string(width, '\1') + big(2) + "hi";
      for (std::size_t size = 0; size <= map.size(); ++size) {
        const skipped actual = skip_cut(map, size, ttype::map);
        EXPECT_EQ(actual.end, size == map.size() ? static_cast<std::ptrdiff_t>(size) : -1) << size;
        EXPECT_EQ(actual.code, size == map.size() ? errc::ok : errc::truncated) << size;
      }
    }
  }
  EXPECT_EQ(skip_cut(std::string("\0\0", 2) + big(0), 6, ttype::map).end, 6);
  EXPECT_EQ(skip_cut(std::string("\0\0", 2) + big(0), 5, ttype::map), (skipped{-1, errc::truncated, 0}));
  EXPECT_EQ(skip_cut("\x08\x08" + big(0x80000000), 6, ttype::map), (skipped{-1, errc::negative_size, 0}));
  EXPECT_EQ(skip_cut(std::string("\0\x08", 2) + big(1), 30, ttype::map).code, errc::bad_ttype);
  EXPECT_EQ(skip_cut(std::string("\x08\0", 2) + big(1), 30, ttype::map).code, errc::bad_ttype);
}

// The minimum size of an element: a count that just fits the input is tried, a larger one is rejected at
// once.
TEST(binary_skip, minimum_widths_of_variable_size_elements) {
  const struct {
    ttype element;
    std::string least;
  } all[] = {{ttype::string, big(0)},
             {ttype::struct_, std::string(1, '\0')},
             {ttype::list, "\x08" + big(0)},
             {ttype::set, "\x08" + big(0)},
             {ttype::map, "\x08\x08" + big(0)}};
  for (const auto& item : all) {
    for (const std::uint32_t count : {1u, 2u, 3u, 4u, 5u, 9u}) {
      std::string bytes = static_cast<char>(item.element) + big(count);
      for (std::uint32_t i = 0; i < count; ++i) bytes += item.least;
      EXPECT_EQ(skip_cut(bytes, bytes.size(), ttype::list).end, static_cast<std::ptrdiff_t>(bytes.size()))
          << count;
      EXPECT_EQ(skip_cut(bytes, bytes.size() - 1, ttype::list), (skipped{-1, errc::truncated, 0})) << count;
      std::string map = std::string("\x03") + static_cast<char>(item.element) + big(count);
      for (std::uint32_t i = 0; i < count; ++i) map += '\1' + item.least;
      EXPECT_EQ(skip_cut(map, map.size(), ttype::map).end, static_cast<std::ptrdiff_t>(map.size())) << count;
      EXPECT_EQ(skip_cut(map, map.size() - 1, ttype::map), (skipped{-1, errc::truncated, 0})) << count;
    }
  }
}

TEST(binary_skip, depth_limit_is_exact) {
  for (std::uint32_t depth = 1; depth <= 6; ++depth) {
    std::string structs(1, '\0'), lists = "\x03" + big(0), maps = std::string("\x03\x03") + big(0);
    for (std::uint32_t i = 1; i < depth; ++i) {
      structs = std::string("\x0c\0\1", 3) + structs + '\0';
      lists = "\x0f" + big(1) + lists;
      maps = std::string("\x03\x0d") + big(1) + '\7' + maps;
    }
    const struct {
      ttype type;
      const std::string& bytes;
    } all[] = {{ttype::struct_, structs}, {ttype::list, lists}, {ttype::map, maps}};
    for (const auto& item : all) {
      EXPECT_EQ(skip_cut(item.bytes, item.bytes.size(), item.type, depth).end,
                static_cast<std::ptrdiff_t>(item.bytes.size()))
          << depth;
      EXPECT_EQ(skip_cut(item.bytes, item.bytes.size(), item.type, depth - 1).code, errc::depth_limit)
          << depth;
      // Far from the end the way is another.
      EXPECT_EQ(skip_cut(item.bytes + std::string(64, 'x'), item.bytes.size() + 64, item.type, depth).end,
                static_cast<std::ptrdiff_t>(item.bytes.size()))
          << depth;
      EXPECT_EQ(
          skip_cut(item.bytes + std::string(64, 'x'), item.bytes.size() + 64, item.type, depth - 1).code,
          errc::depth_limit)
          << depth;
    }
  }
}
