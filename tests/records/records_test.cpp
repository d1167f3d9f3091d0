#include <thriftlens/records/records.hpp>

#include "records/samples.hpp"
#include "support/test.hpp"
#include "support/tree.hpp"

#include <gmock/gmock.h>

using namespace std::string_literals;
using testing::ElementsAre, testing::HasSubstr, thriftlens_test::compact_number, thriftlens_test::drain,
    thriftlens_test::hex_of, thriftlens_test::lines_of, thriftlens_test::number, tl::framing;

namespace {

/// The lines of the input, independent of its parts.
std::vector<std::string> lines(const std::string& bytes, const tl::records_options& options) {
  std::vector<std::string> complete = lines_of(bytes, options);
  for (const unsigned chunk : {1u, 2u, 3u, 7u, 64u})
    EXPECT_EQ(lines_of(bytes, options, chunk), complete) << chunk;
  return complete;
}

TEST(records, structs_back_to_back) {
  EXPECT_THAT(lines(number(1) + number(2) + "\0"s + number(3), {}),
              ElementsAre("0 @0+5 0300010100", "1 @5+5 0300010200", "2 @10+1 00", "3 @11+5 0300010300"));
  EXPECT_THAT(lines(compact_number(1) + compact_number(2), {.protocol = tl::protocol_id::compact}),
              ElementsAre("0 @0+3 130100", "1 @3+3 130200"));
  EXPECT_THAT(lines("", {}), ElementsAre());
}

TEST(records, size_prefixes) {
  EXPECT_THAT(lines("\0\0\0\5"s + number(1) + "\0\0\0\5"s + number(2), {.framing = framing::u32}),
              ElementsAre("0 @0+9 0300010100", "1 @9+9 0300010200"));
  EXPECT_THAT(lines("\5\0\0\0"s + number(1) + "\1\0\0\0\0"s, {.framing = framing::u32le}),
              ElementsAre("0 @0+9 0300010100", "1 @9+5 00"));
  const std::string longer = "\x0b\0\1\0\0\0\xc8"s + std::string(200, 'x') + '\0';
  EXPECT_THAT(
      lines("\5"s + number(1) + "\xd0\1"s + longer + "\5"s + number(2), {.framing = framing::varint}),
      ElementsAre("0 @0+6 0300010100", HasSubstr("1 @6+210 0b0001000000c87878"), "2 @216+6 0300010200"));
}

TEST(records, null_records_of_kafka) {
  EXPECT_THAT(lines("\0\0\0\5"s + number(1) + "\xff\xff\xff\xff\0\0\0\1\0"s, {.framing = framing::kafka}),
              ElementsAre("0 @0+9 0300010100", "1 @9+4 null", "2 @13+5 00"));
  EXPECT_THAT(lines("\xff\xff\xff\xff"s, {.framing = framing::u32}),
              ElementsAre(HasSubstr(
                  "record 0: a size is negative (byte 0); the start of the next record is unknown")));
}

TEST(records, lines_of_text) {
  EXPECT_THAT(lines("0300010100\n\r\n  03000102 00\n\t0300010300 \r\n0300010a00", {.framing = framing::hex}),
              ElementsAre("0 @0+11 0300010100", "record 1: the line is not hex (byte 15)",
                          "2 @28+13 0300010300", "3 @41+10 0300010a00"));
  EXPECT_THAT(
      lines("AwABAQA=\n\nAwABAgA\n%%%\n", {.framing = framing::base64}),
      ElementsAre("0 @0+9 0300010100", "1 @10+8 0300010200", "record 2: the line is not base64 (byte 18)"));
  EXPECT_THAT(lines("\n \n", {.framing = framing::hex}), ElementsAre());
  EXPECT_THAT(lines("03000101\n0300010200", {.framing = framing::hex}),
              ElementsAre("record 0: the data ends in the middle of a value (byte 0)", "1 @9+10 0300010200"));
  EXPECT_THAT(lines("0300010z00\n0300010200", {.framing = framing::hex}),
              ElementsAre("record 0: the line is not hex (byte 0)", "1 @11+10 0300010200"));
}

TEST(records, an_invalid_record_in_a_frame_is_skipped) {
  EXPECT_THAT(lines("\0\0\0\4\3\0\1\1\0\0\0\6"s + number(2) + "\0\0\0\0\5"s + number(3) + "\0\0\0\1\x63"s +
                        "\0\0\0\0\0\0\0\1\0"s,
                    {.framing = framing::u32}),
              ElementsAre("record 0: the data ends in the middle of a value (byte 8)",
                          "record 1: bytes follow the end of the value (byte 17)", "2 @18+9 0300010300",
                          "record 3: invalid wire type (byte 31)",
                          "record 4: the data ends in the middle of a value (byte 36)", "5 @36+5 00"));
}

TEST(records, without_frames_an_invalid_record_ends_the_stream) {
  const std::string bytes = number(1) + "\x63\0\1" + number(2);
  EXPECT_THAT(lines(bytes, {}), ElementsAre("0 @0+5 0300010100",
                                            "record 1: invalid wire type (byte 5); "
                                            "the start of the next record is unknown"));
  tl::records in{tl::byte_view(bytes)};
  tl::record actual;
  ASSERT_TRUE(in.next(actual));
  const tl::error first = in.try_next(actual).error();
  EXPECT_FALSE(in.can_continue());
  EXPECT_TRUE(in.at_end());
  EXPECT_EQ(in.try_next(actual).error(), first) << "it stays so";
  EXPECT_THROW(in.next(actual), tl::error);
  EXPECT_EQ(in.offset(), 5u);
  EXPECT_EQ(in.number(), 1u);
}

TEST(records, truncation_loses_no_earlier_record) {
  const std::string frames = "\0\0\0\5"s + number(1) + "\0\0\0\5"s + number(2) + "\0\0\0\5"s + number(3);
  for (std::size_t size = 1; size < frames.size(); ++size) {
    std::vector<std::string> actual = lines(frames.substr(0, size), {.framing = framing::u32});
    if (size % 9 == 0) {
      EXPECT_EQ(actual.size(), size / 9);
      continue;
    }
    ASSERT_EQ(actual.size(), size / 9 + 1) << size;
    EXPECT_THAT(actual.back(),
                HasSubstr("record " + std::to_string(size / 9) + ": the data ends in the middle"));
    EXPECT_THAT(actual.back(), HasSubstr("(byte " + std::to_string(size / 9 * 9) + ")"));
  }
  const std::string plain = number(1) + number(2);
  for (std::size_t size = 1; size < plain.size(); ++size) {
    const std::vector<std::string> actual = lines(plain.substr(0, size), {});
    ASSERT_EQ(actual.size(), size / 5 + (size % 5 != 0)) << size;
    if (size % 5 != 0) {
      EXPECT_THAT(actual.back(), HasSubstr("the data ends in the middle"));
    }
  }
}

TEST(records, are_never_longer_than_the_limit) {
  const std::string longer = "\x0b\0\1\0\0\0\x40"s + std::string(64, 'x') + '\0';
  const std::string too_long = " bytes (option record_size) (byte ";
  EXPECT_THAT(lines(number(1) + longer, {.record_size = 71}),
              ElementsAre("0 @0+5 0300010100", HasSubstr("exceeds the limit of 71" + too_long + "5)")));
  EXPECT_EQ(lines(number(1) + longer, {.record_size = 72}).size(), 2u);
  EXPECT_THAT(lines("\x7f\xff\xff\xff"s, {.framing = framing::u32}), ElementsAre(HasSubstr(too_long + "0)")));
  EXPECT_THAT(lines("\0\1\0\0"s + longer, {.framing = framing::u32, .record_size = 64}),
              ElementsAre(HasSubstr(too_long + "0)")));
  EXPECT_THAT(lines("\x80\x80\x80\x80\x80\1"s, {.framing = framing::varint}),
              ElementsAre(HasSubstr("a varint is too long")));
  EXPECT_THAT(lines(std::string(100, '0'), {.framing = framing::hex, .record_size = 50}),
              ElementsAre(HasSubstr(too_long + "0)")));
}

TEST(records, are_nested_no_deeper_than_the_limit) {
  std::string deep;
  for (int i = 0; i < 8; ++i) deep += "\x0c\0\1"s;
  deep += std::string(9, '\0');
  EXPECT_EQ(lines(deep, {.limits = {.depth = 9}}).size(), 1u);
  EXPECT_THAT(lines(deep, {.limits = {.depth = 8}}), ElementsAre(HasSubstr("nested deeper")));
}

TEST(records, continue_at_an_offset) {
  const std::string bytes = number(1) + number(2) + number(3);
  tl::records first{tl::byte_view(bytes)};
  tl::record actual;
  ASSERT_TRUE(first.next(actual));
  const std::string rest = bytes.substr(static_cast<std::size_t>(first.offset()));
  EXPECT_THAT(lines(rest, {.offset = first.offset(), .number = first.number()}),
              ElementsAre("1 @5+5 0300010200", "2 @10+5 0300010300"));
}

TEST(records, can_be_iterated_over) {
  const std::string bytes = number(1) + number(2) + "\x03";
  std::vector<std::uint64_t> offsets;
  try {
    for (const tl::record& item : tl::records(tl::byte_view(bytes))) offsets.push_back(item.offset);
    FAIL() << "the third record is cut";
  } catch (const tl::error& fault) {
    EXPECT_EQ(fault.code(), tl::errc::truncated);
    EXPECT_EQ(fault.offset(), 10u);
  }
  EXPECT_THAT(offsets, ElementsAre(0, 5));
  static_assert(std::input_iterator<tl::records::iterator>);
  for (const tl::record& item : tl::records(tl::byte_view())) FAIL() << item.number;
}

TEST(records, hold_one_record_and_one_chunk) {
  tl::records in({.record_size = 1000});
  std::vector<std::string> actual;
  const std::string bytes = number(1) + "\x0b\0\1\0\0\x27\x10"s;
  in.feed(tl::byte_view(bytes));
  ASSERT_TRUE(drain(in, actual));
  const std::string chunk(100, 'x');
  int fed = 0;
  for (; fed < 100 && in.can_continue(); ++fed) {
    in.feed(tl::byte_view(chunk));
    drain(in, actual);
  }
  EXPECT_LT(fed, 25) << "twice the limit, for tries that double";
  EXPECT_THAT(actual.back(), HasSubstr("record 1: a size exceeds the limit"));
}

// Messages as Apache's own library writes them, in its buffered and its framed transport.
namespace at = apache::thrift;
template <class Protocol>
std::string apache_message(const std::string& name, at::protocol::TMessageType type, int id,
                           std::int8_t value) {
  auto memory = std::make_shared<at::transport::TMemoryBuffer>();
  Protocol out(memory);
  out.writeMessageBegin(name, type, id);
  out.writeStructBegin("args");
  out.writeFieldBegin("n", at::protocol::T_BYTE, 1);
  out.writeByte(value);
  out.writeFieldEnd();
  out.writeFieldStop();
  out.writeStructEnd();
  out.writeMessageEnd();
  return memory->getBufferAsString();
}
std::string old_message(const std::string& name, int id) {
  auto memory = std::make_shared<at::transport::TMemoryBuffer>();
  at::protocol::TBinaryProtocol out(memory, 0, 0, false, false);
  out.writeMessageBegin(name, at::protocol::T_REPLY, id);
  out.writeFieldStop();
  return memory->getBufferAsString();
}
std::string framed(const std::string& message) {
  auto memory = std::make_shared<at::transport::TMemoryBuffer>();
  at::transport::TFramedTransport out(memory);
  out.write(reinterpret_cast<const std::uint8_t*>(message.data()),
            static_cast<std::uint32_t>(message.size()));
  out.flush();
  return memory->getBufferAsString();
}

TEST(records, messages_of_apache_with_and_without_frames) {
  using at::protocol::TBinaryProtocol, at::protocol::TCompactProtocol;
  const std::string call = apache_message<TBinaryProtocol>("add", at::protocol::T_CALL, 7, 1),
                    compact = apache_message<TCompactProtocol>("add", at::protocol::T_ONEWAY, 8, 2);
  const tl::records_options options{.framing = framing::message};
  EXPECT_THAT(lines(call + compact + old_message("add", 9) + old_message("", 10), options),
              ElementsAre("0 @0+20 add/call/7/binary 0300010100", "1 @20+10 add/oneway/8/compact 130200",
                          "2 @30+13 add/reply/9/binary 00", "3 @43+10 /reply/10/binary 00"));
  EXPECT_THAT(lines(framed(call) + framed(compact) + call + framed(old_message("add", 9)), options),
              ElementsAre("0 @0+24 add/call/7/binary 0300010100", "1 @24+14 add/oneway/8/compact 130200",
                          "2 @38+20 add/call/7/binary 0300010100", "3 @58+17 add/reply/9/binary 00"));
}

TEST(records, malformed_messages) {
  using at::protocol::TBinaryProtocol;
  const std::string call = apache_message<TBinaryProtocol>("add", at::protocol::T_CALL, 7, 1);
  const tl::records_options options{.framing = framing::message};
  for (std::size_t size = 1; size < call.size(); ++size)
    EXPECT_THAT(lines(call + call.substr(0, size), options),
                ElementsAre("0 @0+20 add/call/7/binary 0300010100",
                            HasSubstr("record 1: the data ends in the middle")));
  EXPECT_THAT(lines("\x80\2\0\1\0\0\0\0"s, options),
              ElementsAre(HasSubstr("record 0: invalid message header")));
  // After an error in a frame, the stream continues.
  EXPECT_THAT(lines("\0\0\0\0"s + framed("\x80\2\0\1\0\0\0\0"s) + framed(call + "x") + framed(call), options),
              ElementsAre("record 0: the data ends in the middle of a value (byte 4)",
                          "record 1: invalid message header (byte 8)",
                          "record 2: bytes follow the end of the value (byte 40)",
                          "3 @41+24 add/call/7/binary 0300010100"));
}

}  // namespace

TEST(records, headers_of_finagle) {
  const std::string call = "\x80\1\0\1\0\0\0\1f\0\0\0\7"s + number('\1');
  const std::string request = "\x0a\0\1\0\0\0\0\0\0\0\x2a\0"s, spans = "\x0f\0\1\x0c\0\0\0\0\0"s;
  for (const std::string& header : {request, spans, "\0"s, ""s}) {
    const std::string stream = "\0\0\0"s + static_cast<char>(header.size() + call.size()) + header + call;
    tl::records in(tl::byte_view(stream), {.framing = tl::framing::message});
    tl::record actual;
    ASSERT_TRUE(in.next(actual)) << header.size();
    EXPECT_EQ(actual.header.text(), header);
    EXPECT_EQ(actual.bytes.text(), number('\1'));
    EXPECT_EQ(actual.message->name, "f");
    EXPECT_FALSE(in.next(actual));
  }
  const std::string broken = "\0\0\0\4\x0a\0\1\0"s + "\0\0\0"s + static_cast<char>(call.size()) + call;
  tl::records in(tl::byte_view(broken), {.framing = tl::framing::message});
  tl::record actual;
  EXPECT_FALSE(in.try_next(actual)) << "a header that is cut";
  EXPECT_TRUE(in.next(actual)) << "the frame says where the next one is";
}

TEST(records, prefixes_before_values) {
  const std::string led = "\0\0\0\1\xa1"s + number('\1');
  for (const tl::framing item : {tl::framing::none, tl::framing::u32}) {
    const std::string frame = item == tl::framing::none ? ""s : "\0\0\0\x0a"s;
    const std::string stream = frame + led + frame + led;
    tl::records in(tl::byte_view(stream), {.framing = item, .prefix_size = 5});
    tl::record actual;
    for (const std::uint64_t number_of : {0u, 1u}) {
      ASSERT_TRUE(in.next(actual));
      EXPECT_EQ(actual.bytes.text(), number('\1'));
      EXPECT_EQ(actual.offset, number_of * (frame.size() + led.size()));
    }
    EXPECT_FALSE(in.next(actual));
  }
  const std::string small = "\0\0\0\2\0\0"s;
  tl::records in(tl::byte_view(small), {.framing = tl::framing::u32, .prefix_size = 5});
  tl::record actual;
  EXPECT_EQ(in.try_next(actual).error().code(), tl::errc::truncated);
}

TEST(records, the_last_word_of_a_line_is_the_record) {
  const std::string log = "12:00 INFO 0300010100\n\t0300010200 \n";
  tl::records in(tl::byte_view(log), {.framing = tl::framing::hex});
  tl::record actual;
  ASSERT_TRUE(in.next(actual));
  EXPECT_EQ(hex_of(actual.bytes), "0300010100");
  ASSERT_TRUE(in.next(actual));
  EXPECT_EQ(hex_of(actual.bytes), "0300010200");
}
