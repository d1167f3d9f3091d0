#include <thriftlens/transport/session.hpp>

#include "protocol/vectors.hpp"
#include "sessions.hpp"
#include "support/test.hpp"
#include "zlib_transform.hpp"

#include <thriftlens/transport/frame_writer.hpp>
#include <thriftlens/transport/ttheader.hpp>

using namespace thriftlens;
using namespace thriftlens_test;
using namespace std::string_literals;
using kind = session_event_kind;

namespace {

constexpr message_protocol all_protocols[] = {message_protocol::binary, message_protocol::compact,
                                              message_protocol::binary_old};
constexpr transport_id plain_transports[] = {transport_id::buffered, transport_id::framed,
                                             transport_id::http};

std::string call_of(session& from, std::string_view name, const std::string& arguments) {
  buffer out;
  from.append_call({.name = name, .arguments = byte_view(arguments)}, out);
  return out.str();
}

std::vector<seen_event> run_all(const session_options& options, const std::string& bytes) {
  session whole(options);
  const std::vector<seen_event> expected = run(whole, bytes, bytes.size() + 1);
  for (const std::size_t chunk : {std::size_t{1}, std::size_t{3}}) {
    session in(options), lent(options);
    EXPECT_EQ(run(in, bytes, chunk), expected) << "in pieces of " << chunk;
    EXPECT_EQ(run(lent, bytes, chunk, &session::lend), expected) << "lent in pieces of " << chunk;
  }
  for (std::size_t split = 0; split <= bytes.size(); ++split) {
    session in(options);
    EXPECT_EQ(run_split(in, bytes, split), expected) << "cut at " << split;
  }
  return expected;
}

struct pair_of_sessions {
  session client, server;
  pair_of_sessions(transport_id transport, message_protocol protocol)
      : client({.role = session_role::client, .transport = transport, .protocol = protocol}),
        server({.role = session_role::server, .transport = transport, .protocol = protocol}) {}
};

}  // namespace

TEST(session, a_call_and_its_reply) {
  for (const transport_id transport : plain_transports) {
    for (const message_protocol protocol : all_protocols) {
      pair_of_sessions both(transport, protocol);
      const std::string arguments = sample_struct(protocol), answer = sample_struct(protocol, 7);
      const std::string call = call_of(both.client, "ping", arguments);
      both.server.feed(byte_view(call));
      session_event event;
      ASSERT_TRUE(both.server.next(event));
      EXPECT_EQ(event.kind, kind::message);
      EXPECT_EQ(event.message.name, "ping");
      EXPECT_EQ(event.message.type, message_type::call);
      EXPECT_EQ(event.message.sequence_id, 1);
      EXPECT_EQ(event.body.text(), arguments);
      EXPECT_EQ(event.protocol, protocol);
      EXPECT_EQ(both.server.in_flight(), 1u);
      EXPECT_EQ(both.client.in_flight(), 1u);
      buffer out;
      both.server.append_reply(event, message_type::reply, byte_view(answer), out);
      EXPECT_EQ(both.server.in_flight(), 0u);
      both.client.feed(out);
      ASSERT_TRUE(both.client.next(event));
      EXPECT_EQ(event.message.type, message_type::reply);
      EXPECT_EQ(event.body.text(), answer);
      EXPECT_EQ(both.client.in_flight(), 0u);
      EXPECT_FALSE(both.client.next(event));
      both.client.finish();
      both.server.finish();
    }
  }
}

TEST(session, events_do_not_depend_on_parts) {
  for (const transport_id transport : plain_transports) {
    for (const message_protocol protocol : all_protocols) {
      session client({.transport = transport, .protocol = protocol});
      std::string bytes;
      for (const int elements : {0, 3, 20})
        bytes += call_of(client, "method" + std::to_string(elements), sample_struct(protocol, elements));
      const auto events =
          run_all({.role = session_role::server, .transport = transport, .protocol = protocol}, bytes);
      ASSERT_EQ(events.size(), 3u);
      EXPECT_EQ(events[1].name, "method3");
      EXPECT_EQ(events[1].sequence_id, 2);
      EXPECT_EQ(events[2].body, sample_struct(protocol, 20));
      session same({.transport = transport, .protocol = protocol});
      EXPECT_EQ(events[1].offset, call_of(same, "method0", sample_struct(protocol, 0)).size());
      const auto cut = run_all({.role = session_role::server, .transport = transport, .protocol = protocol},
                               bytes.substr(0, bytes.size() - 1));
      ASSERT_EQ(cut.size(), 3u);
      EXPECT_EQ(cut[2].error, "the connection ends in the middle of a message (byte " +
                                  std::to_string(events[2].offset) + ")");
    }
  }
}

TEST(session, shared_envelopes_in_any_parts) {
  int checked = 0;
  for (const auto& row : vector_rows("envelope")) {
    const std::string protocol = row.text("protocol");
    if (protocol == "json") continue;
    const std::string bytes = read_vector(row.text("file"));
    const bool is_framed = protocol.find("framed_") == 0;
    const bool is_reply = row.text("type") == "reply" || row.text("type") == "exception";
    const message_protocol spoken = protocol == "binary_old" ? message_protocol::binary_old
                                    : protocol.find("compact") != std::string::npos
                                        ? message_protocol::compact
                                        : message_protocol::binary;
    const session_options options{.role = is_reply ? session_role::client : session_role::server,
                                  .transport = is_framed ? transport_id::framed : transport_id::buffered,
                                  .protocol = spoken,
                                  .calls = 0};
    const auto events = run_all(options, bytes);
    ASSERT_EQ(events.size(), 1u) << row.text("id");
    EXPECT_EQ(events[0].error, "") << row.text("id");
    EXPECT_EQ(events[0].name, row.text("method"));
    EXPECT_EQ(to_string(events[0].kind), row.text("type"));
    EXPECT_EQ(events[0].sequence_id, row.number("seqid"));
    EXPECT_EQ(events[0].protocol, spoken);
    EXPECT_TRUE(bytes.ends_with(events[0].body));
    ++checked;
  }
  EXPECT_GE(checked, 60);
}

TEST(session, replies_are_matched) {
  const auto reply = [](std::string_view name, std::int32_t id, message_type type = message_type::reply) {
    buffer out;
    detail::append_message(message_protocol::binary, {.name = name, .type = type, .sequence_id = id}, out);
    out.push_back(0);
    return out.str();
  };
  const auto outcome = [&](const std::string& bytes) {
    session client({.transport = transport_id::buffered});
    buffer out;
    client.append_call({.name = "first"}, out);
    client.append_call({.name = "Service:second", .sequence_id = 77}, out);
    client.append_call({.name = "third", .type = message_type::oneway}, out);
    client.append_call({.name = "fourth"}, out);
    EXPECT_TRUE(client.cancel(3));
    EXPECT_FALSE(client.cancel(3));
    return run(client, bytes, 2);
  };
  // Out of order; oneway and cancelled ones skipped; without the service name.
  const auto events =
      outcome(reply("third", 2) + reply("second", 77) + reply("fourth", 3) + reply("first", 1));
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].name, "second");
  EXPECT_EQ(events[1].name, "first");
  EXPECT_EQ(outcome(reply("first", 5))[0].error, "no call waits for a reply under sequence id 5 (byte 0)");
  EXPECT_EQ(outcome(reply("second", 1))[0].error,
            "expected a reply to first, found one to 'second' (byte 0)");
  EXPECT_EQ(outcome(reply("first", 1) + reply("first", 1))[1].error,
            "no call waits for a reply under sequence id 1 (byte 18)");
  EXPECT_EQ(outcome(reply("", 1, message_type::exception))[0].kind, message_type::exception);
  EXPECT_EQ(outcome(reply("first", 1, message_type::call))[0].error, "a server sent a call (byte 0)");
  session server({.role = session_role::server, .transport = transport_id::buffered});
  EXPECT_EQ(run(server, reply("first", 1), 1)[0].error, "a client sent a reply (byte 0)");
}

TEST(session, late_replies_are_ignored) {
  for (const auto type : {message_type::oneway, message_type::call}) {
    session client({.transport = transport_id::buffered, .calls = 8});
    buffer out;
    const std::int32_t late = client.append_call({.name = "late"}, out);
    EXPECT_TRUE(client.cancel(late));
    for (int i = 0; i < 5'000; ++i) {
      const std::int32_t id = client.append_call({.name = "other", .type = type}, out);
      if (type == message_type::call && i % 2 == 0) {
        EXPECT_TRUE(client.cancel(id));
      }
      if (type == message_type::call && i % 2 != 0) {
        buffer reply;
        detail::append_message(message_protocol::binary,
                               {.name = "other", .type = message_type::reply, .sequence_id = id}, reply);
        reply.push_back(0);
        ASSERT_EQ(run(client, reply.str(), 1).size(), 1u);
      }
    }
    const std::int32_t last = client.append_call({.name = "last"}, out);
    buffer replies;
    for (const auto& [name, id] : {std::pair("late", late), std::pair("last", last)}) {
      detail::append_message(message_protocol::binary,
                             {.name = name, .type = message_type::reply, .sequence_id = id}, replies);
      replies.push_back(0);
    }
    const auto events = run(client, replies.str(), 1);
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(events[0].name, "last") << events[0].error;
  }
}

TEST(session, pending_calls_of_a_server_are_bounded) {
  session client({.calls = 10});
  session server({.role = session_role::server, .calls = 2});
  buffer sent;
  for (const auto type : {message_type::call, message_type::oneway, message_type::call, message_type::call})
    client.append_call({.name = "a", .type = type}, sent);
  server.feed(sent);
  session_event first, event;
  ASSERT_TRUE(server.next(first));
  const session_event to = first;
  ASSERT_TRUE(server.next(event) && event.message.type == message_type::oneway);
  ASSERT_TRUE(server.next(event));
  EXPECT_EQ(server.in_flight(), 2u);
  session other = server;
  EXPECT_EQ(server.try_next(event).error().code(), errc::calls_limit);
  buffer answer;
  other.append_reply(to, message_type::reply, {}, answer);
  EXPECT_TRUE(other.next(event));
}

TEST(session, calls_in_flight_are_bounded_and_expired_by_the_caller) {
  session client({.calls = 2});
  buffer out;
  EXPECT_EQ(client.append_call({.name = "a", .deadline = 10.0}, out), 1);
  EXPECT_EQ(client.append_call({.name = "b", .deadline = 20.0}, out), 2);
  const std::string before = out.str();
  EXPECT_EQ(errc_of(client.try_append_call({.name = "c"}, out)), errc::calls_limit);
  EXPECT_EQ(out.str(), before);
  std::vector<std::int32_t> ids;
  client.expired(9, ids);
  EXPECT_TRUE(ids.empty());
  client.expired(10, ids);
  EXPECT_EQ(ids, std::vector<std::int32_t>{1});
  EXPECT_TRUE(client.cancel(1));
  EXPECT_EQ(client.in_flight(), 1u);
  EXPECT_EQ(client.try_append_call({.name = "d", .sequence_id = 2}, out).error().code(), errc::bad_option);
  EXPECT_EQ(client.append_call({.name = "d"}, out), 3);
}

TEST(session, replies_in_parts_buffer_only_the_last_part) {
  for (const transport_id transport : plain_transports) {
    for (const message_protocol protocol : {message_protocol::binary, message_protocol::compact}) {
      pair_of_sessions both(transport, protocol);
      const std::string arguments = sample_struct(protocol);
      buffer out;
      both.client.append_call({.name = "get", .arguments = byte_view(arguments), .reply = delivery::parts},
                              out);
      both.server.feed(out);
      session_event event;
      ASSERT_TRUE(both.server.next(event));
      const std::string answer = sample_struct(protocol, 2000);
      buffer reply;
      both.server.append_reply(event, message_type::reply, byte_view(answer), reply);
      std::vector<seen_event> events;
      for (std::size_t at = 0; at < reply.size(); at += 64) {
        both.client.feed(byte_view(reply).part(at, at + 64 < reply.size() ? 64 : reply.size() - at));
        ASSERT_TRUE(drain(both.client, events));
        EXPECT_LT(both.client.held(), 64u);
      }
      ASSERT_EQ(events.size(), 3u);
      EXPECT_EQ(events[0].event, kind::head);
      EXPECT_EQ(events[1].body, answer);
      EXPECT_EQ(events[2].event, kind::end);
      EXPECT_EQ(both.client.in_flight(), 0u);
    }
  }
}

namespace {

/// A client that has called "get" under id 1 and "next" under id 2.
session caller(const session_options& options, delivery reply) {
  session client(options);
  buffer out;
  client.append_call({.name = "get", .reply = reply}, out);
  client.append_call({.name = "next"}, out);
  return client;
}
std::string reply_of(message_protocol protocol, std::string_view name, std::int32_t id,
                     const std::string& body) {
  session_event event{.protocol = protocol, .transport = transport_id::buffered};
  event.message = {.name = name, .type = message_type::reply, .sequence_id = id};
  event.body = byte_view(body);
  buffer out;
  EXPECT_TRUE(detail::try_append_frame(event, nullptr, out));
  return out.str();
}

/// Reads open parts with the session's own skipper, and joins what it consumes. Each piece is in memory that
/// is freed before the next one.
std::vector<seen_event> read_open(session& client, std::string_view bytes, std::size_t chunk,
                                  feed_method feed = &session::feed) {
  std::vector<seen_event> events;
  detail::struct_skip reader;
  for (std::size_t at = 0; at < bytes.size(); at += chunk) {
    const std::string piece(bytes.substr(at, chunk));
    (client.*feed)(piece);
    for (;;) {
      session_event event;
      const result<bool> found = client.try_next(event);
      if (!found) {
        events.push_back({.error = found.error().what()});
        return events;
      }
      if (!*found) break;
      if (event.kind != kind::part) {
        EXPECT_EQ(event.is_open, event.kind == kind::head);
        events.push_back(seen(event));
        continue;
      }
      EXPECT_TRUE(event.is_open);
      if (events.back().event != kind::part) {
        events.push_back(seen(event));
        events.back().body.clear();
        reader.start(detail::protocol_of(event.protocol), 64, session_options().max_frame() - event.offset);
      }
      const std::size_t used = reader.feed(event.body);
      events.back().body += event.body.part(0, used).text();
      static_cast<void>(client.try_take({used, reader.at_end() ? 0u : 1u, reader.fault()}));
    }
  }
  if (const result<void> done = client.try_finish(); !done) events.push_back({.error = done.error().what()});
  return events;
}

}  // namespace

TEST(session, open_parts_have_the_events_of_parts) {
  for (const message_protocol protocol : all_protocols) {
    const session_options options{.transport = transport_id::buffered, .protocol = protocol};
    const std::string body = sample_struct(protocol, 20);
    const std::string bytes =
        reply_of(protocol, "get", 1, body) + reply_of(protocol, "next", 2, sample_struct(protocol));
    session closed = caller(options, delivery::parts);
    const std::vector<seen_event> expected = run(closed, bytes, bytes.size());
    ASSERT_EQ(expected.size(), 4u);
    for (const feed_method feed : {&session::feed, &session::lend}) {
      for (std::size_t chunk = 1; chunk <= bytes.size(); chunk += 1 + chunk / 9) {
        session open = caller(options, delivery::open_parts);
        EXPECT_EQ(read_open(open, bytes, chunk, feed), expected) << "in pieces of " << chunk;
        EXPECT_EQ(open.in_flight(), 0u);
        EXPECT_EQ(open.fed(), bytes.size());
      }
    }
  }
}

TEST(session, open_parts_have_the_errors_of_parts) {
  for (const message_protocol protocol : {message_protocol::binary, message_protocol::compact}) {
    const session_options options{.transport = transport_id::buffered, .protocol = protocol};
    const std::string bytes = reply_of(protocol, "get", 1, sample_struct(protocol));
    const std::size_t head = bytes.size() - sample_struct(protocol).size();
    for (std::size_t at = head; at < bytes.size(); ++at) {
      for (const char byte : {'\0', '\x0f', '\x7f', '\xff'}) {
        std::string changed = bytes;
        changed[at] = byte;
        session closed = caller(options, delivery::parts);
        session open = caller(options, delivery::open_parts);
        const std::vector<seen_event> expected = run(closed, changed, 7);
        const std::vector<seen_event> found = read_open(open, changed, 7);
        EXPECT_EQ(found.back().error, expected.back().error) << "byte " << at;
        if (expected.back().error.empty()) {
          EXPECT_EQ(found, expected) << "byte " << at;
        }
        EXPECT_EQ(open.fault() == nullptr, closed.fault() == nullptr);
      }
    }
  }
}

TEST(session, a_message_in_a_frame_has_no_open_parts) {
  pair_of_sessions both(transport_id::framed, message_protocol::binary);
  buffer out, reply;
  both.client.append_call({.name = "get", .reply = delivery::open_parts}, out);
  both.server.feed(out);
  session_event event;
  ASSERT_TRUE(both.server.next(event));
  both.server.append_reply(event, message_type::reply, byte_view("\0", 1), reply);
  both.client.feed(reply);
  for (const kind expected : {kind::head, kind::part, kind::end}) {
    ASSERT_TRUE(both.client.next(event));
    EXPECT_EQ(event.kind, expected);
    EXPECT_FALSE(event.is_open);
    EXPECT_EQ(both.client.try_take({.used = 0, .least_left = 0}).error().code(), errc::bad_option);
  }
  EXPECT_FALSE(both.client.next(event));
}

TEST(session, bytes_not_consumed_from_an_open_part_are_delivered_again) {
  const message_protocol protocol = message_protocol::binary;
  session client = caller({.transport = transport_id::buffered}, delivery::open_parts);
  const std::string head = reply_of(protocol, "get", 1, "");
  const std::string first = head + "abc";
  client.feed(first);
  session_event event;
  ASSERT_TRUE(client.next(event));
  EXPECT_EQ(client.try_take({.used = 1}).error().code(), errc::bad_option);
  ASSERT_TRUE(client.next(event));
  EXPECT_EQ(event.body.text(), "abc");
  EXPECT_EQ(event.offset, head.size());
  EXPECT_EQ(client.try_take({.used = 4}).error().code(), errc::bad_option);
  client.take({.used = 2});
  EXPECT_FALSE(client.next(event));
  client.feed(byte_view("d", 1));
  ASSERT_TRUE(client.next(event));
  EXPECT_EQ(event.body.text(), "cd");
  EXPECT_EQ(event.offset, head.size() + 2);
  client.take({.used = 1, .least_left = 0});
  ASSERT_TRUE(client.next(event));
  EXPECT_EQ(event.kind, kind::end);
  EXPECT_EQ(client.held(), 1u);
  EXPECT_EQ(client.in_flight(), 1u);
}

TEST(session, open_parts_end_at_the_limit) {
  const std::string head = reply_of(message_protocol::binary, "get", 1, "");
  const session_options options{.transport = transport_id::buffered, .frame_size = head.size() + 10};
  session_event event;
  const auto begun = [&] {
    session client = caller(options, delivery::open_parts);
    const std::string first = head + "12345";
    client.feed(first);
    EXPECT_TRUE(client.next(event) && client.next(event));
    return client;
  };
  session told = begun();
  told.take({.used = 5, .least_left = 5});
  EXPECT_EQ(told.try_take({.used = 0, .least_left = 6}).error().code(), errc::size_limit);
  EXPECT_EQ(told.fault()->offset(), head.size() + 5);
  session silent = begun();  // consumes nothing
  silent.feed(byte_view("6789012", 7));
  EXPECT_TRUE(silent.next(event));
  EXPECT_EQ(event.body.size(), 10u);
  EXPECT_EQ(silent.try_next(event).error().code(), errc::size_limit);
  session wrong = begun();
  EXPECT_EQ(wrong.try_take({.used = 3, .fault = {.code = errc::bad_ttype, .offset = 2}}).error().offset(),
            head.size() + 2);
  EXPECT_EQ(wrong.try_next(event).error().code(), errc::bad_ttype);
}

TEST(session, a_cancelled_call_whose_open_parts_arrive_is_read_to_its_end) {
  const std::string body = sample_struct(message_protocol::binary);
  const std::string bytes = reply_of(message_protocol::binary, "get", 1, body);
  session client = caller({.transport = transport_id::buffered}, delivery::open_parts);
  client.feed(bytes);
  session_event event;
  ASSERT_TRUE(client.next(event));
  EXPECT_TRUE(client.cancel(1));
  EXPECT_FALSE(client.cancel(1));
  buffer out;
  EXPECT_EQ(client.try_append_call({.name = "a", .sequence_id = 1}, out).error().code(), errc::bad_option);
  ASSERT_TRUE(client.next(event));
  EXPECT_EQ(event.kind, kind::part);
  client.take({.used = body.size(), .least_left = 0});
  ASSERT_TRUE(client.next(event));
  EXPECT_EQ(event.kind, kind::end);
  EXPECT_FALSE(client.next(event));
  EXPECT_EQ(client.append_call({.name = "a", .sequence_id = 1}, out), 1);
  session earlier = caller({.transport = transport_id::buffered}, delivery::open_parts);
  EXPECT_TRUE(earlier.cancel(1));
  earlier.feed(bytes);
  EXPECT_FALSE(earlier.next(event));
  EXPECT_EQ(earlier.held(), 0u);
}

TEST(session, borrowed_bytes_are_copied_only_for_incomplete_messages) {
  for (const transport_id transport : plain_transports) {
    session client({.transport = transport});
    const std::string arguments = sample_struct(message_protocol::binary);
    const std::string call = call_of(client, "a", arguments);
    session server({.role = session_role::server, .transport = transport});
    session_event event;
    const std::string first = call + call.substr(0, 5), second = call.substr(5) + call;
    server.lend(first);
    ASSERT_TRUE(server.next(event));
    EXPECT_GE(event.body.data(), byte_view(first).begin());
    EXPECT_LE(event.body.end(), byte_view(first).end());
    EXPECT_FALSE(server.next(event));
    EXPECT_EQ(server.held(), 5u);
    server.lend(second);
    for (int i = 0; i < 2; ++i) {
      ASSERT_TRUE(server.next(event));
      EXPECT_EQ(event.body.text(), arguments);
    }
    EXPECT_EQ(event.offset, 2 * call.size());
    EXPECT_FALSE(server.next(event));
    EXPECT_EQ(server.fed(), 3 * call.size());
    server.lend(call);  // not read before more arrives
    server.lend(call);
    server.feed(byte_view(call));
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(server.next(event));
    EXPECT_EQ(event.offset, 5 * call.size());
    server.finish();
  }
}

TEST(session, a_failed_session_stays_failed) {
  session client;
  client.feed(byte_view("\xff\xff\xff\xff", 4));
  session_event event;
  const result<bool> first = client.try_next(event);
  ASSERT_EQ(errc_of(first), errc::bad_frame);
  EXPECT_EQ(first.error().offset(), 0u);
  client.feed(byte_view("more", 4));
  buffer out;
  EXPECT_EQ(client.try_next(event).error(), first.error());
  EXPECT_EQ(client.try_finish().error(), first.error());
  EXPECT_EQ(client.try_append_call({.name = "a"}, out).error(), first.error());
  EXPECT_EQ(client.try_append_reply(event, message_type::reply, {}, out).error(), first.error());
  EXPECT_EQ(*client.fault(), first.error());
  EXPECT_TRUE(out.empty());
}

TEST(session, limits) {
  const auto fault = [](const session_options& options, const std::string& bytes) {
    const auto events = run_all(options, bytes);
    return events.empty() ? std::string() : events.back().error;
  };
  session_options options{.role = session_role::server, .frame_size = 100, .header_size = 10};
  EXPECT_EQ(fault(options, "\0\0\0\x65"s),
            "a frame of 101 bytes exceeds the limit of 100 (option frame_size) (byte 0)");
  EXPECT_EQ(fault(options, "\0\0\0\x20\x80\1\0\1\0\0\0\x0b"s),
            "the name of a method exceeds the limit of 10 bytes (option header_size) (byte 8)");
  options.transport = transport_id::buffered;
  EXPECT_EQ(fault(options, "\x80\1\0\1\0\0\0\1a\0\0\0\1\x0b\0\1\0\0\0\x65"s),
            "the message exceeds the limit of 100 bytes (option frame_size) (byte 16)");
  options.limits.depth = 1;
  EXPECT_EQ(fault(options, "\x80\1\0\1\0\0\0\1a\0\0\0\1\x0c\0\1\0\0"s),
            "values are nested deeper than the limit (byte 16)");
  EXPECT_EQ(fault(options, "\x80\1\0\1\0\0\0\1a\0\0\0\1\x05\0\1\0\0"s), "invalid wire type (byte 13)");
}

TEST(session, misuse_is_an_error) {
  session client({.transport = transport_id::framed});
  session server({.role = session_role::server});
  buffer out;
  EXPECT_EQ(server.try_append_call({.name = "a"}, out).error().code(), errc::bad_option);
  const header_entry entries[] = {{.key = "k", .value = "v"}};
  EXPECT_EQ(client.try_append_call({.name = "a", .headers = entries}, out).error().code(), errc::bad_option);
  EXPECT_EQ(client.try_append_reply({}, message_type::call, {}, out).error().code(), errc::bad_option);
  EXPECT_EQ(client.in_flight(), 0u);
  EXPECT_TRUE(out.empty());
}

namespace {

constexpr transport_id headed_transports[] = {transport_id::header, transport_id::ttheader,
                                              transport_id::ttheader_framed};

}  // namespace

TEST(session, headers_round_trip_in_any_parts) {
  for (const transport_id transport : headed_transports) {
    for (const message_protocol protocol : {message_protocol::binary, message_protocol::compact}) {
      const header_entry entries[] = {{.key = "k", .value = "v"}, {.key = "empty", .value = ""}};
      const std::string arguments = sample_struct(protocol);
      session client({.transport = transport, .protocol = protocol});
      buffer out;
      client.append_call({.name = "a", .arguments = byte_view(arguments), .headers = entries}, out);
      client.append_call({.name = "b", .arguments = byte_view(arguments)}, out);
      const session_options options{
          .role = session_role::server, .transport = transport, .protocol = message_protocol::automatic};
      const auto events = run_all(options, out.str());
      ASSERT_EQ(events.size(), 2u);
      EXPECT_EQ(events[0].error + events[1].error, "");
      EXPECT_EQ(events[0].headers, (std::map<std::string, std::string>{{"k", "v"}, {"empty", ""}}));
      EXPECT_EQ(events[0].body, arguments);
      EXPECT_EQ(events[1].name, "b");
      EXPECT_TRUE(events[1].headers.empty());
      EXPECT_EQ(events[1].protocol, protocol);
      EXPECT_EQ(events[1].transport, transport);
      session_options any = options;
      any.transport = transport_id::automatic;
      EXPECT_EQ(run_all(any, out.str()), events);
    }
  }
}

TEST(session, numeric_keys_and_the_token_of_ttheader) {
  const header_entry entries[] = {
      {.value = "caller", .number = 3, .kind = header_entry::form::number},
      {.key = detail::ttheader_token_key, .value = "t", .kind = header_entry::form::token}};
  session client({.transport = transport_id::ttheader});
  buffer out;
  const std::string arguments = sample_struct(message_protocol::binary);
  client.append_call({.name = "a", .arguments = byte_view(arguments), .headers = entries}, out);
  session server({.role = session_role::server, .transport = transport_id::ttheader});
  const auto events = run(server, out.str(), 5);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].headers,
            (std::map<std::string, std::string>{{"3", "caller"}, {"RPC_TRANSIT_gdpr-token", "t"}}));
}

TEST(session, persistent_headers_apply_to_the_connection) {
  session client({.transport = transport_id::header});
  buffer out;
  const std::string arguments(1, '\0');
  const header_entry first[] = {{.key = "p", .value = "1", .kind = header_entry::form::persistent}};
  const header_entry third[] = {{.key = "p", .value = "2"}};
  client.append_call({.name = "a", .arguments = byte_view(arguments), .headers = first}, out);
  client.append_call({.name = "b", .arguments = byte_view(arguments)}, out);
  client.append_call({.name = "c", .arguments = byte_view(arguments), .headers = third}, out);
  const auto events = run_all({.role = session_role::server, .transport = transport_id::header}, out.str());
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0].headers.at("p"), "1");
  EXPECT_EQ(events[1].headers.at("p"), "1");
  EXPECT_EQ(events[2].headers.at("p"), "2");
}

TEST(session, persistent_headers_are_bounded_together) {
  session client({.transport = transport_id::header});
  session server({.role = session_role::server, .transport = transport_id::header, .header_size = 1000});
  const std::string arguments(1, '\0'), value(400, 'x');
  std::string error;
  for (const std::string_view key : {"a", "b", "b", "c"}) {
    buffer out;
    const header_entry entries[] = {{.key = key, .value = value, .kind = header_entry::form::persistent}};
    client.append_call({.name = "a", .arguments = byte_view(arguments), .headers = entries}, out);
    const auto events = run(server, out.str(), 7);
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(error, "");
    error = events[0].error;
  }
  EXPECT_EQ(error, "the persistent headers exceed the limit (byte 1322)");
}

// Apache's clients in C++, Go, Node and Rust refuse a reply under another name.
TEST(session, replies_to_multiplexed_calls_have_the_name_of_the_function) {
  for (const transport_id transport : {transport_id::buffered, transport_id::framed, transport_id::header,
                                       transport_id::ttheader, transport_id::http}) {
    session client({.transport = transport});
    buffer call, reply;
    client.append_call({.name = "Shop:get", .arguments = byte_view("\0", 1)}, call);
    session server({.role = session_role::server, .transport = transport});
    server.feed(byte_view(call));
    session_event event;
    ASSERT_TRUE(server.next(event));
    EXPECT_EQ(event.message.name, "Shop:get");
    server.append_reply(event, message_type::reply, byte_view("\0", 1), reply);
    client.feed(byte_view(reply));
    ASSERT_TRUE(client.next(event));
    EXPECT_EQ(event.message.name, "get");
  }
}

TEST(session, calls_that_get_no_reply_do_not_use_up_the_limit) {
  session client({.calls = 100});
  session server({.role = session_role::server, .calls = 2});
  for (int i = 0; i < 10; ++i) {
    buffer out;
    client.append_call({.name = "note", .arguments = byte_view("\0", 1)}, out);
    server.feed(byte_view(out));
    session_event event;
    ASSERT_TRUE(server.next(event));
    server.skip_reply(event);
    EXPECT_EQ(server.in_flight(), 0u);
  }
}

TEST(session, foreign_protocols_are_named_immediately) {
  for (const transport_id transport :
       {transport_id::buffered, transport_id::framed, transport_id::header, transport_id::ttheader,
        transport_id::ttheader_framed, transport_id::sasl, transport_id::automatic}) {
    const session_options options{.role = session_role::server, .transport = transport};
    for (const auto& [bytes, name] :
         std::map<std::string, std::string>{{"GET / HTTP", "an HTTP request"},
                                            {"\x16\3\1\2\0\1"s, "a TLS handshake"},
                                            {"[1,\"get\",1", "Apache's JSON protocol"},
                                            {"x\x9c\xed\xc1", "zlib-compressed data"},
                                            {"hello", "plain text"}}) {
      session server(options);
      server.feed(byte_view(bytes));
      session_event event;
      const result<bool> found = server.try_next(event);
      ASSERT_FALSE(found) << to_string(transport) << name;
      EXPECT_EQ(std::string(found.error().what()), "expected a Thrift message, found " + name + " (byte 0)");
    }
  }
  session client({.transport = transport_id::framed});
  client.feed(byte_view("\x15\3\1\0\2\2\x46", 7));
  session_event event;
  EXPECT_EQ(std::string(client.try_next(event).error().what()),
            "expected a Thrift message, found a TLS alert (byte 0)");
}

TEST(session, frames_with_foreign_content_are_named) {
  const auto fault = [](const std::string& payload) {
    const std::string bytes = std::string("\0\0\0", 3) + static_cast<char>(payload.size()) + payload;
    const session_options options{.role = session_role::server, .protocol = message_protocol::automatic};
    session bytewise(options);
    const std::string error = run_all(options, bytes).back().error;
    EXPECT_EQ(run(bytewise, bytes, 1).back().error, error);
    return error;
  };
  EXPECT_EQ(fault("PUT /"), "expected a Thrift message, found an HTTP request (byte 4)");
  EXPECT_EQ(fault("[1,\"get\",1,1,{}]"), "expected a Thrift message, found Apache's JSON protocol (byte 4)");
  EXPECT_EQ(fault("x\x9c\xed\xc1\x31\x01"), "expected a Thrift message, found zlib-compressed data (byte 4)");
  EXPECT_EQ(fault("hello"), "expected a Thrift message, found plain text (byte 4)");
}

TEST(session, compressed_frames_need_a_transform_and_are_bounded) {
  zlib_transform zlib;
  const std::string arguments = sample_struct(message_protocol::binary, 500);
  session client({.transport = transport_id::header, .transform = &zlib});
  buffer out;
  client.append_call({.name = "a", .arguments = byte_view(arguments), .is_compressed = true}, out);
  EXPECT_LT(out.size(), arguments.size() / 4);
  session_options options{
      .role = session_role::server, .transport = transport_id::header, .transform = &zlib};
  const auto events = run_all(options, out.str());
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].body, arguments);
  options.frame_size = arguments.size() / 2;
  EXPECT_EQ(run_all(options, out.str())[0].error, "a compressed frame is invalid or expands to more than " +
                                                      std::to_string(options.frame_size) +
                                                      " bytes (option frame_size) (byte 18)");
  options.transform = nullptr;
  EXPECT_EQ(run_all(options, out.str())[0].error, "the session has no transform for zlib (byte 18)");
  EXPECT_EQ(session({.transport = transport_id::header})
                .try_append_call({.name = "a", .is_compressed = true}, out)
                .error()
                .code(),
            errc::bad_option);
}

TEST(session, malformed_headers) {
  const auto fault = [](const std::string& bytes, transport_id transport = transport_id::header) {
    const auto events =
        run_all({.role = session_role::server, .transport = transport, .header_size = 64}, bytes);
    return events.empty() ? std::string() : events.back().error;
  };
  const std::string head = "\0\0\0\x20\x0f\xff\0\0\0\0\0\1"s;
  EXPECT_EQ(fault("\0\0\0\x20\x10\0"s), "expected a frame with the magic of THeader, 0x0fff (byte 4)");
  EXPECT_EQ(fault("\0\0\0\x20\x0f\xff"s, transport_id::ttheader),
            "expected a frame with the magic of TTHeader, 0x1000 (byte 4)");
  EXPECT_EQ(fault(head + "\0\x09"s), "the header of a frame exceeds the frame (byte 12)");
  EXPECT_EQ(fault("\0\0\1\0\x0f\xff\0\0\0\0\0\1\0\x11"s),
            "the header of a frame exceeds the limit of 64 bytes (option header_size) (byte 12)");
  EXPECT_EQ(fault(head + "\0\1\1\0\0\0"s), "protocol 1 in the header of a frame is unknown (byte 14)");
  EXPECT_EQ(fault(head + "\0\1\0\1\3\0"s + std::string(20, 'x')), "unsupported transform (byte 18)");
  EXPECT_EQ(fault(head + "\0\1\0\0\1\1"s), "the header of a frame is malformed (byte 18)");
}

TEST(session, sasl_before_frames) {
  session client({.transport = transport_id::sasl});
  session server({.role = session_role::server,
                  .transport = transport_id::automatic,
                  .protocol = message_protocol::automatic});
  buffer out, nothing;
  EXPECT_EQ(client.try_append_call({.name = "early"}, out).error().code(), errc::bad_option);
  client.start({.user = "me", .password = "pw"}, out);
  server.start({.anyone = true}, nothing);
  EXPECT_TRUE(nothing.empty());
  server.feed(out);
  session_event event;
  ASSERT_TRUE(server.next(event));
  ASSERT_EQ(event.kind, kind::send);
  client.feed(event.body);
  ASSERT_TRUE(server.next(event));
  EXPECT_EQ(event.kind, kind::ready);
  ASSERT_EQ(event.headers.size(), 2u);
  EXPECT_EQ(event.headers[0].value, "me");
  EXPECT_EQ(event.headers[1].value, "pw");
  ASSERT_TRUE(client.next(event));
  EXPECT_EQ(event.kind, kind::ready);
  const std::string arguments = sample_struct(message_protocol::binary);
  const std::string call = call_of(client, "ping", arguments);
  server.feed(byte_view(call));
  ASSERT_TRUE(server.next(event));
  EXPECT_EQ(event.message.name, "ping");
  EXPECT_EQ(event.transport, transport_id::sasl);
  EXPECT_EQ(event.body.text(), arguments);
  out.clear();
  server.append_reply(event, message_type::reply, byte_view(arguments), out);
  client.feed(out);
  ASSERT_TRUE(client.next(event));
  EXPECT_EQ(event.message.type, message_type::reply);
}

TEST(session, sasl_rejection) {
  const auto outcome = [](const session_options& options, const std::string& bytes) {
    std::string all;
    for (const seen_event& each : run_all(options, bytes))
      all += std::string(to_string(each.event)) + ":" + each.error + each.body.substr(0, 1) + ";";
    return all;
  };
  session_options options{.transport = transport_id::sasl, .header_size = 100};
  EXPECT_EQ(outcome(options, "\3\0\0\0\2no"s), "message:the server refuses: no (byte 0);");
  EXPECT_EQ(outcome(options, "HTTP/1.1 400"s),
            "message:expected a Thrift message, found an HTTP response (byte 0);");
  EXPECT_EQ(outcome(options, "\x09"s),
            "message:expected a frame of a SASL negotiation, found another first byte (byte 0);");
  EXPECT_EQ(outcome(options, "\2\0\0\0\x65"s),
            "message:a frame of the SASL negotiation exceeds the limit of 100 bytes (option header_size) "
            "(byte 1);");
  EXPECT_EQ(outcome(options, "\2\0\0\0\0\5\0\0\0\0"s), "ready:;");
  options.role = session_role::server;
  EXPECT_EQ(outcome(options, "\1\0\0\0\5PLAIN\2\0\0\0\5\0me\0p"s),
            "send:\3;message:wrong user or password (byte 10);");
  EXPECT_EQ(outcome(options, "\1\0\0\0\1X"s), "send:\3;message:unsupported mechanism X (byte 0);");
  EXPECT_EQ(outcome(options, "\2\0\0\0\0"s), "message:unexpected frame in a SASL negotiation (byte 0);");
}

TEST(session, grpc_frames_are_bare_structs) {
  const std::string body = sample_struct(message_protocol::binary);
  session client({.transport = transport_id::grpc});
  const std::string bytes = call_of(client, "unused", body) + call_of(client, "unused", "\0"s);
  EXPECT_EQ(client.in_flight(), 0u);
  const auto events = run_all({.role = session_role::server, .transport = transport_id::grpc}, bytes);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].body, body);
  EXPECT_EQ(events[0].name, "");
  EXPECT_EQ(events[1].body, "\0"s);
  EXPECT_EQ(events[1].offset, body.size() + 5);
  EXPECT_EQ(run_all({.transport = transport_id::grpc}, "\2\0\0\0\1x"s)[0].error,
            "the first byte of a gRPC frame is neither 0 nor 1 (byte 0)");
}

TEST(session, compressed_grpc_frames_are_gzip) {
  // gzip.compress(b"\x08\x00\x01\x00\x00\x00\x07\x00", mtime=0)
  const std::string zipped = "\x1f\x8b\x08\0\0\0\0\0\x02\x03\xe3``d```g\0\0\xbe\x81\xda\x32\x08\0\0\0"s;
  const std::string plain = "\x08\0\1\0\0\0\7\0"s;
  const std::string head = "\1\0\0\0"s + static_cast<char>(zipped.size());
  zlib_transform zlib;
  session_options options{.transport = transport_id::grpc, .transform = &zlib};
  const auto events = run_all(options, head + zipped + "\0\0\0\0\x08"s + plain);
  EXPECT_EQ(events[0].error, "");
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].body, plain);
  EXPECT_EQ(events[1].body, plain);
  options.frame_size = 40;
  EXPECT_EQ(run_all(options, head + std::string(zipped.size(), 'x'))[0].error,
            "a compressed frame is invalid or expands to more than 40 bytes (option frame_size) (byte 5)");
  EXPECT_EQ(run_all({.transport = transport_id::grpc}, head + zipped)[0].error,
            "the session has no transform for gzip (byte 5)");
}

TEST(session, a_server_detects_the_protocol_of_a_client) {
  for (const transport_id transport : {transport_id::buffered, transport_id::framed}) {
    for (const message_protocol protocol : all_protocols) {
      session client({.transport = transport, .protocol = protocol});
      const std::string arguments = sample_struct(protocol);
      const std::string bytes = call_of(client, "method", arguments) + call_of(client, "other", arguments);
      const auto events = run_all({.role = session_role::server,
                                   .transport = transport_id::automatic,
                                   .protocol = message_protocol::automatic},
                                  bytes);
      ASSERT_EQ(events.size(), 2u);
      EXPECT_EQ(events[0].error, "");
      EXPECT_EQ(events[0].transport, transport);
      EXPECT_EQ(events[0].protocol, protocol);
      EXPECT_EQ(events[1].name, "other");
    }
  }
  EXPECT_EQ(
      run_all({.role = session_role::server, .transport = transport_id::automatic}, "GET / HTTP/1.1\r\n")[0]
          .error,
      "expected a Thrift message, found an HTTP request (byte 0)");
}

TEST(session, a_client_needs_an_explicit_protocol) {
  buffer out;
  session client({.transport = transport_id::automatic});
  EXPECT_EQ(client.try_start({}, out).error().code(), errc::bad_option);
  EXPECT_EQ(client.try_append_call({.name = "a"}, out).error().code(), errc::bad_option);
}
