#include <thriftlens/records/append_framed.hpp>

#include "support/test.hpp"

#include <thriftlens/records/records.hpp>

// Two structs with an i8 each.
const std::string first("\x03\0\1\x7f\0", 5), second("\x03\0\2\xff\0", 5);

TEST(append_framed, writes_the_framing_that_records_reads) {
  const std::pair<tl::framing, std::string> cases[] = {
      {tl::framing::none, first + second},
      {tl::framing::u32, std::string("\0\0\0\5", 4) + first + std::string("\0\0\0\5", 4) + second},
      {tl::framing::u32le, std::string("\5\0\0\0", 4) + first + std::string("\5\0\0\0", 4) + second},
      {tl::framing::kafka, std::string("\0\0\0\5", 4) + first + std::string("\0\0\0\5", 4) + second},
      {tl::framing::varint, "\5" + first + "\5" + second},
      {tl::framing::hex, "0300017f00\n030002ff00\n"},
      {tl::framing::base64, "AwABfwA=\nAwAC/wA=\n"}};
  for (const auto& [with, expected] : cases) {
    tl::buffer out;
    tl::append_framed(first, with, out);
    tl::append_framed(second, with, out);
    EXPECT_EQ(out.text(), expected) << to_string(with);
    std::string back;
    for (const tl::record& record : tl::records(out, {.framing = with})) back += record.bytes.text();
    EXPECT_EQ(back, first + second) << to_string(with);
  }
}

TEST(append_framed, writes_null_records_of_kafka_alone) {
  tl::buffer out;
  tl::append_null_record(tl::framing::kafka, out);
  EXPECT_EQ(out.text(), "\xff\xff\xff\xff");
  const auto refused = tl::try_append_null_record(tl::framing::u32, out);
  EXPECT_EQ(refused.error().code(), tl::errc::bad_option);
  EXPECT_EQ(refused.error().detail(), "framing u32 has no null record");
  EXPECT_EQ(out.size(), 4u);
}
