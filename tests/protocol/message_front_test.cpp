#include <thriftlens/protocol/message_front.hpp>

#include "support/test.hpp"

using namespace thriftlens;
using namespace std::string_literals;

namespace {

detail::message_front front_of(const std::string& bytes,
                               message_protocol spoken = message_protocol::automatic) {
  return detail::read_message_front(byte_view(bytes), spoken, 100);
}

}  // namespace

TEST(message_front, round_trips_and_needs_every_byte) {
  for (const message_protocol which :
       {message_protocol::binary, message_protocol::compact, message_protocol::binary_old}) {
    buffer bytes;
    detail::append_message(which, {.name = "getOrder", .type = message_type::reply, .sequence_id = -3},
                           bytes);
    const std::string text = bytes.str();
    for (const message_protocol spoken : {which, message_protocol::automatic}) {
      const std::string complete = text + "struct";
      const detail::message_front actual = front_of(complete, spoken);
      ASSERT_EQ(actual.fault.code, errc::ok);
      EXPECT_EQ(actual.size, text.size());
      EXPECT_EQ(actual.message.name, "getOrder");
      EXPECT_EQ(actual.message.type, message_type::reply);
      EXPECT_EQ(actual.message.sequence_id, -3);
      EXPECT_EQ(actual.protocol, detail::protocol_of(which));
      EXPECT_EQ(detail::message_protocol_of(actual.protocol, actual.message.strict), which);
      for (std::size_t size = 0; size < text.size(); ++size)
        EXPECT_EQ(front_of(text.substr(0, size), spoken).fault.code, errc::truncated);
    }
  }
}

TEST(message_front, faults) {
  EXPECT_EQ(front_of("HTTP/1.1 400"s).fault.code, errc::bad_message);
  EXPECT_EQ(front_of("\x80\x01\0\1\0\0\1\0"s).fault.code, errc::size_limit);
  EXPECT_EQ(front_of("\x82\x21\0\x65"s).fault.code, errc::size_limit);
  EXPECT_EQ(front_of("\x82\x21\0\1x"s, message_protocol::binary).fault.code, errc::bad_message);
  EXPECT_EQ(front_of("\x80\x01\0\1"s, message_protocol::compact).fault.code, errc::bad_message);
}

TEST(message_front, names) {
  EXPECT_EQ(to_string(message_protocol::binary), "binary");
  EXPECT_EQ(to_string(message_protocol::compact), "compact");
  EXPECT_EQ(to_string(message_protocol::binary_old), "binary_old");
  EXPECT_EQ(to_string(message_protocol::automatic), "auto");
}
