#include "support/step_count.hpp"
#include "support/test.hpp"
#include "transport/sessions.hpp"

#include <thriftlens/edit/stream_trim.hpp>
#include <thriftlens/idl.hpp>
#include <thriftlens/schema/schema.hpp>
#include <thriftlens/transport/frame_writer.hpp>
#include <thriftlens/transport/session.hpp>

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

namespace {

/// What session and trimmer take together for a reply that is trimmed while it arrives.
std::uint64_t steps_to_trim(const tl::selection& what, tl::byte_view body, std::size_t chunk,
                            tl::delivery reply) {
  tl::session client({.transport = tl::transport_id::buffered});
  tl::buffer ignored, head, kept;
  client.append_call({.name = "get", .reply = reply}, ignored);
  tl::session_event answer{.transport = tl::transport_id::buffered};
  answer.message = {.name = "get", .type = tl::message_type::reply, .sequence_id = 1};
  EXPECT_TRUE(tl::detail::try_append_frame(answer, nullptr, head));
  client.feed(head);
  tl::stream_trimmer<tl::binary> trimmer(what);
  const auto read = [&] {
    tl::session_event event;
    while (client.next(event)) {
      if (event.kind != tl::session_event_kind::part) continue;
      const std::size_t used = trimmer.feed(event.body, kept);
      if (event.is_open) client.take({.used = used, .least_left = trimmer.least_left()});
    }
  };
  const std::uint64_t steps = steps_of([&] {
    for (std::size_t at = 0; at < body.size(); at += chunk) {
      const tl::byte_view piece = body.part(at, std::min(chunk, body.size() - at));
      reply == tl::delivery::open_parts ? client.lend(piece) : client.feed(piece);
      read();
    }
  });
  EXPECT_EQ(client.in_flight(), 0u);
  return steps;
}

}  // namespace

// One walk and no copy: the session adds to the trimmer's steps some for each piece, none for its bytes.
TEST(session, a_reply_in_open_parts_costs_what_its_trim_costs) {
  const tl::schema schema = tl::schema::parse(
      "struct Inner { 1: i64 number, 200: map<string, bool> marks } "
      "struct Outer { 1: i32 id, 2: string name, 3: list<Inner> all, 4: list<double> more, 5: bool last }");
  const tl::selection what = tl::selection::compile(schema.type("Outer"), "{ id all { number } }");
  const std::string bytes = sample_struct<tl::binary>(20000);
  const tl::byte_view body(bytes);
  for (const std::size_t chunk : {std::size_t{4096}, std::size_t{65536}}) {
    tl::stream_trimmer<tl::binary> trimmer(what);
    tl::buffer kept;
    const std::uint64_t alone = steps_of([&] {
      for (std::size_t at = 0; at < body.size(); at += chunk)
        trimmer.feed(body.part(at, std::min(chunk, body.size() - at)), kept);
    });
    const std::uint64_t more = 1000 * (body.size() / chunk + 8);
    EXPECT_LE(steps_to_trim(what, body, chunk, tl::delivery::open_parts), alone + more);
    EXPECT_GT(steps_to_trim(what, body, chunk, tl::delivery::parts), alone + body.size() / 16 + more);
  }
}
