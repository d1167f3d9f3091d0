#include <thriftlens/records/framing_table.hpp>

#include "support/test.hpp"

using namespace std::string_literals;
using tl::detail::frame_header, tl::detail::framing_row, tl::detail::row_of;

namespace {

frame_header header_of(tl::framing with, const std::string& bytes) {
  return row_of(with).read_header(tl::byte_view(bytes));
}

TEST(framing_table, headers_round_trip) {
  for (const framing_row& row : tl::detail::framing_table) {
    ASSERT_EQ(row.read_header == nullptr, row.put_header == nullptr) << to_string(row.of);
    if (row.read_header == nullptr) continue;
    for (const std::uint32_t size : {0u, 1u, 127u, 128u, 300u, 0x7fffffffu}) {
      std::uint8_t bytes[framing_row::max_header];
      const auto end = static_cast<std::size_t>(row.put_header(bytes, size) - bytes);
      const frame_header header = row.read_header(tl::byte_view(bytes, end));
      EXPECT_EQ(header.code, tl::errc::ok) << to_string(row.of) << size;
      EXPECT_EQ(header.begin, end);
      EXPECT_EQ(header.size, size);
      EXPECT_EQ(row.read_header(tl::byte_view(bytes, end - 1)).code, tl::errc::truncated);
    }
  }
}

TEST(framing_table, words_round_trip) {
  for (const framing_row& row : tl::detail::framing_table) {
    ASSERT_EQ(row.decode_word == nullptr, row.append_line == nullptr) << to_string(row.of);
    if (row.decode_word == nullptr) continue;
    const std::string bytes = "\x03\0\1\x7f\0"s;
    tl::buffer line, record;
    row.append_line(tl::byte_view(bytes), line);
    ASSERT_EQ(line.text().back(), '\n');
    ASSERT_TRUE(row.decode_word(tl::byte_view(line.text().substr(0, line.size() - 1)), record));
    EXPECT_EQ(record.text(), bytes);
    record.clear();
    EXPECT_FALSE(row.decode_word(tl::byte_view(std::string_view("%%%")), record));
    EXPECT_TRUE(record.empty());
  }
}

TEST(framing_table, a_size_of_minus_one_is_null_in_kafka_alone) {
  EXPECT_TRUE(header_of(tl::framing::kafka, "\xff\xff\xff\xff").is_null);
  EXPECT_EQ(header_of(tl::framing::u32, "\xff\xff\xff\xff").code, tl::errc::negative_size);
  EXPECT_EQ(header_of(tl::framing::kafka, "\xff\xff\xff\xfe").code, tl::errc::negative_size);
  for (const framing_row& row : tl::detail::framing_table)
    EXPECT_EQ(row.put_null != nullptr, row.of == tl::framing::kafka);
}

TEST(framing_table, the_word_of_a_line_is_the_last_one) {
  const auto word = [](const std::string& line) {
    return std::string(tl::detail::last_word(tl::detail::trimmed(tl::byte_view(line))).text());
  };
  EXPECT_EQ(word(" 12:00 key \tAwABfwA= \r\n"), "AwABfwA=");
  EXPECT_EQ(word("03 00 01"), "03 00 01") << "only digits: the complete line";
  EXPECT_EQ(word(""), "");
}

}  // namespace
