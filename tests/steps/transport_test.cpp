// Growth of room transport: a session takes steps in proportion to its bytes, however they come.
#include "support/step_count.hpp"
#include "transport/sessions.hpp"

#include <thriftlens/transport/session.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

using namespace thriftlens_test;

std::string bytes_of(tl::transport_id transport, tl::message_protocol protocol, int messages, int elements) {
  tl::session client({.transport = transport, .protocol = protocol, .calls = 0});
  const std::string arguments = sample_struct(protocol, elements);
  tl::buffer out;
  for (int i = 0; i < messages; ++i)
    client.append_call({.name = "method", .arguments = tl::byte_view(arguments)}, out);
  return out.str();
}
std::uint64_t steps_to_read(tl::transport_id transport, tl::message_protocol protocol,
                            const std::string& bytes, std::size_t chunk) {
  tl::session server(
      {.role = tl::session_role::server, .transport = transport, .protocol = protocol, .calls = 0});
  return steps_of([&] {
    tl::session_event event;
    for (std::size_t at = 0; at < bytes.size(); at += chunk) {
      server.feed(tl::byte_view(bytes).part(at, chunk < bytes.size() - at ? chunk : bytes.size() - at));
      while (server.next(event)) {
      }
    }
    server.finish();
  });
}

constexpr tl::transport_id transports[] = {tl::transport_id::buffered, tl::transport_id::framed,
                                           tl::transport_id::header, tl::transport_id::ttheader};

}  // namespace

TEST(session, one_large_message_byte_by_byte_takes_linear_time) {
  for (const tl::transport_id transport : transports) {
    for (const tl::message_protocol protocol :
         {tl::message_protocol::binary, tl::message_protocol::compact}) {
      const auto cost = [&](std::size_t size) {
        const std::string bytes = bytes_of(transport, protocol, 1, static_cast<int>(size));
        return steps_to_read(transport, protocol, bytes, 1);
      };
      EXPECT_TRUE(grows_linearly(cost, 500)) << tl::to_string(transport);
    }
  }
}

TEST(session, many_messages_at_once_and_in_pieces_take_linear_time) {
  for (const tl::transport_id transport : transports) {
    for (const std::size_t chunk : {std::size_t{3}, std::size_t{1000}, std::size_t{1} << 24}) {
      const auto cost = [&](std::size_t count) {
        const std::string bytes =
            bytes_of(transport, tl::message_protocol::binary, static_cast<int>(count), 2);
        return steps_to_read(transport, tl::message_protocol::binary, bytes, chunk);
      };
      EXPECT_TRUE(grows_linearly(cost, 500)) << tl::to_string(transport) << " in pieces of " << chunk;
    }
  }
}
