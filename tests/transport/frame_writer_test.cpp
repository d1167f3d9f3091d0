#include <thriftlens/transport/frame_writer.hpp>

#include "support/test.hpp"

using namespace thriftlens;
using namespace std::string_literals;

namespace {

std::string written(transport_id transport, message_protocol protocol) {
  buffer out(byte_view("before", 6));
  const std::string body(1, '\0');
  const session_event what{.protocol = protocol,
                           .transport = transport,
                           .message = {.name = "f", .sequence_id = 2},
                           .body = byte_view(body)};
  EXPECT_TRUE(detail::try_append_frame(what, nullptr, out));
  EXPECT_EQ(out.str().substr(0, 6), "before");
  return out.str().substr(6);
}

}  // namespace

TEST(frame_writer, messages_with_and_without_frames) {
  const std::string strict = "\x80\1\0\1\0\0\0\1f\0\0\0\2\0"s, old = "\0\0\0\1f\1\0\0\0\2\0"s,
                    compact = "\x82\x21\2\1f\0"s;
  EXPECT_EQ(written(transport_id::buffered, message_protocol::binary), strict);
  EXPECT_EQ(written(transport_id::buffered, message_protocol::binary_old), old);
  EXPECT_EQ(written(transport_id::http, message_protocol::compact), compact);
  EXPECT_EQ(written(transport_id::framed, message_protocol::binary), "\0\0\0\x0e"s + strict);
  EXPECT_EQ(written(transport_id::sasl, message_protocol::compact), "\0\0\0\6"s + compact);
}

TEST(frame_writer, headers_need_a_transport_that_has_them) {
  buffer out;
  const header_entry entries[] = {{.key = "k", .value = "v"}};
  const session_event what{.transport = transport_id::framed, .headers = entries};
  EXPECT_EQ(errc_of(detail::try_append_frame(what, nullptr, out)), errc::bad_option);
  EXPECT_TRUE(out.empty());
}
