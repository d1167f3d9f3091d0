#include <thriftlens/edit/stream_frame.hpp>

#include "support/test.hpp"

#include <thriftlens/protocol/binary.hpp>

namespace {

TEST(stream_ids, detects_duplicates_in_any_order) {
  tl::detail::stream_ids ids;
  for (const int id : {1, 63, 64, 5000, 70, -3, 6000}) EXPECT_TRUE(ids.add(static_cast<std::int16_t>(id)));
  for (const int id : {1, 63, 64, 5000, 70, -3, 6000}) EXPECT_FALSE(ids.add(static_cast<std::int16_t>(id)));
  ids.clear();
  for (int id = 0; id < 9000; ++id) EXPECT_TRUE(ids.add(static_cast<std::int16_t>(id)));
  EXPECT_FALSE(ids.add(100));
  EXPECT_FALSE(ids.add(8999));
}

bool is_utf8_by_bytes(std::string_view text) {
  tl::detail::stream_utf8 check;
  for (const char& character : text) check.add(tl::byte_view(std::string_view(&character, 1)));
  return check.is_valid();
}

TEST(stream_utf8, agrees_with_utf8_begin) {
  for (unsigned first = 0; first < 256; ++first) {
    for (unsigned second = 0; second < 256; second += 3) {
      for (const std::string_view more : {"", "\x80", "\x80\x80", "a"}) {
        std::string text{static_cast<char>(first), static_cast<char>(second)};
        text += more;
        EXPECT_EQ(is_utf8_by_bytes(text), tl::detail::utf8_begin(text).size() == text.size()) << text;
      }
    }
  }
}

TEST(stream_key, equals_a_complete_key) {
  for (const std::size_t size : {1u, 64u, 65u, 92u, 93u, 500u}) {
    const std::string key =
        std::string{0, 0, static_cast<char>(size >> 8), static_cast<char>(size)} + std::string(size, 'k');
    const tl::byte_view bytes(key);
    tl::detail::stream_key parts;
    parts.clear();
    parts.add(bytes.begin(), bytes.begin() + 3);
    parts.add(bytes.begin() + 3, bytes.end());
    parts.add_text(tl::byte_view(std::string_view(key).substr(4)));
    tl::detail::path_builder got, expected;
    parts.add_step<tl::binary>(got, tl::ttype::string);
    static_cast<void>(tl::detail::add_key_step<tl::binary>(expected, bytes, tl::ttype::string));
    EXPECT_EQ(got.text(), expected.text()) << size;
  }
}

}  // namespace
