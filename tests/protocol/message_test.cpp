#include <thriftlens/protocol/message.hpp>

#include "support/shared.hpp"
#include "support/test.hpp"
#include "vectors.hpp"

using namespace thriftlens;
using namespace std::string_literals;

namespace {

template <class Protocol>
errc fault_of(const std::string& bytes) {
  typename Protocol::reader in{byte_view(bytes)};
  message_header message;
  return read_message(in, message) ? errc::ok : in.fault().code;
}

template <class Protocol>
void goes_both_ways(bool strict) {
  for (const message_type type :
       {message_type::call, message_type::reply, message_type::exception, message_type::oneway})
    for (const std::int32_t id : {0, 1, -1, 0x7fffffff, -0x7fffffff - 1}) {
      const message_header expected{.name = "getOrder", .type = type, .sequence_id = id, .strict = strict};
      buffer bytes;
      typename Protocol::writer out(bytes);
      write_message(out, expected);
      typename Protocol::reader in{bytes};
      message_header actual;
      ASSERT_TRUE(read_message(in, actual));
      EXPECT_EQ(actual, expected);
      EXPECT_TRUE(in.at_end());
      for (std::size_t size = 0; size < bytes.size(); ++size)
        EXPECT_EQ(fault_of<Protocol>(bytes.str().substr(0, size)), errc::truncated);
    }
}

template <class Protocol>
void check_envelope(const thriftlens_test::vector_row& row, bool strict) {
  const std::string bytes = thriftlens_test::read_vector(row.text("file"));
  typename Protocol::reader in{byte_view(bytes)};
  message_header message;
  ASSERT_TRUE(read_message(in, message)) << row.text("id");
  EXPECT_EQ(message.name, row.text("method"));
  EXPECT_EQ(to_string(message.type), row.text("type"));
  EXPECT_EQ(message.sequence_id, row.number("seqid"));
  EXPECT_EQ(message.strict, strict);
  buffer second;
  typename Protocol::writer out(second);
  write_message(out, message);
  EXPECT_EQ(second.text(), bytes.substr(0, in.offset()));
  EXPECT_TRUE(in.skip(ttype::struct_));
  EXPECT_TRUE(in.at_end()) << row.text("id");
}

}  // namespace

TEST(message, round_trips_in_every_protocol) {
  goes_both_ways<binary>(true);
  goes_both_ways<binary>(false);
  goes_both_ways<compact>(true);
}

TEST(message, names_of_types) {
  EXPECT_EQ(to_string(message_type::oneway), "oneway");
  EXPECT_EQ(to_string(static_cast<message_type>(9)), "?");
  EXPECT_FALSE(is_message_type(0) || is_message_type(5));
}

TEST(message, faults) {
  EXPECT_EQ(fault_of<binary>("\x80\x02\0\x01\0\0\0\0\0\0\0\0"s), errc::bad_message);
  EXPECT_EQ(fault_of<binary>("\x80\x01\0\x05\0\0\0\0\0\0\0\0"s), errc::bad_message);
  EXPECT_EQ(fault_of<binary>("\x80\x01\0\0\0\0\0\0\0\0\0\0"s), errc::bad_message);
  EXPECT_EQ(fault_of<binary>("\0\0\0\x01x\x09\0\0\0\0"s), errc::bad_message);
  EXPECT_EQ(fault_of<binary>("\x80\x01\0\x01\xff\xff\xff\xff\0\0\0\0"s), errc::negative_size);
  EXPECT_EQ(fault_of<binary>("\x7f\xff\xff\xff\0\0\0\0\0"s), errc::truncated);
  EXPECT_EQ(fault_of<compact>("\x83\x21\0\0"s), errc::bad_message);
  EXPECT_EQ(fault_of<compact>("\x82\x22\0\0"s), errc::bad_message);
  EXPECT_EQ(fault_of<compact>("\x82\x01\0\0"s), errc::bad_message);
  EXPECT_EQ(fault_of<compact>("\x82\xa1\0\0"s), errc::bad_message);
  EXPECT_EQ(fault_of<compact>("\x82\x21\xff\xff\xff\xff\x7f\0"s), errc::bad_varint);
}

TEST(message, shared_envelopes) {
  int checked = 0;
  for (const auto& row : thriftlens_test::vector_rows("envelope")) {
    const std::string protocol = row.text("protocol");
    if (protocol == "binary_strict")
      check_envelope<binary>(row, true);
    else if (protocol == "binary_old")
      check_envelope<binary>(row, false);
    else if (protocol == "compact")
      check_envelope<compact>(row, true);
    else
      continue;
    ++checked;
  }
  EXPECT_GE(checked, 60);
}

TEST(message_type, is_printed_by_name) { EXPECT_EQ(testing::PrintToString(message_type::oneway), "oneway"); }
