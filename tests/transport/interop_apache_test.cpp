// THeader, framed and buffered messages between sessions and Apache Thrift's own C++ transports, both ways.
#include <thriftlens/transport/session.hpp>

#include "sessions.hpp"
#include "zlib_transform.hpp"

#include <gtest/gtest.h>

#if defined(THRIFTLENS_HAVE_APACHE_HEADER)
#include <thrift/protocol/THeaderProtocol.h>
#include <thrift/transport/TBufferTransports.h>

#include <memory>
#include <random>
#include <string>
#include <string_view>

namespace tl = thriftlens;
using apache::thrift::protocol::T_BINARY_PROTOCOL, apache::thrift::protocol::T_COMPACT_PROTOCOL,
    apache::thrift::protocol::THeaderProtocol, apache::thrift::protocol::TMessageType,
    apache::thrift::protocol::TType, apache::thrift::transport::THeaderTransport,
    apache::thrift::transport::TMemoryBuffer;

namespace {

// {1: i32, 2: string} by Apache's writer and reader.
void write_struct(THeaderProtocol& out, std::int32_t number, const std::string& text) {
  out.writeStructBegin("Args");
  out.writeFieldBegin("a", apache::thrift::protocol::T_I32, 1);
  out.writeI32(number);
  out.writeFieldEnd();
  out.writeFieldBegin("b", apache::thrift::protocol::T_STRING, 2);
  out.writeString(text);
  out.writeFieldEnd();
  out.writeFieldStop();
  out.writeStructEnd();
}
struct read_values {
  std::string name, text;
  TMessageType type = apache::thrift::protocol::T_CALL;
  std::int32_t sequence_id = 0, number = 0;
};
read_values read_message(THeaderProtocol& in) {
  read_values values;
  std::string ignored;
  TType type = apache::thrift::protocol::T_STOP;
  std::int16_t id = 0;
  in.readMessageBegin(values.name, values.type, values.sequence_id);
  in.readStructBegin(ignored);
  in.readFieldBegin(ignored, type, id);
  in.readI32(values.number);
  in.readFieldEnd();
  in.readFieldBegin(ignored, type, id);
  in.readString(values.text);
  in.readFieldEnd();
  in.readFieldBegin(ignored, type, id);
  in.readStructEnd();
  in.readMessageEnd();
  return values;
}

template <class P>
std::string our_struct(std::int32_t number, std::string_view text) {
  tl::buffer bytes;
  typename P::writer out(bytes);
  const auto mark = out.begin_struct();
  out.write_field(tl::ttype::i32, 1);
  out.write_i32(number);
  out.write_field(tl::ttype::string, 2);
  out.write_bytes(tl::byte_view(text));
  out.write_stop();
  out.end_struct(mark);
  return bytes.str();
}
std::string our_struct(bool is_compact, std::int32_t number, std::string_view text) {
  return is_compact ? our_struct<tl::compact>(number, text) : our_struct<tl::binary>(number, text);
}

// Apache's 0.17 decompresses a frame into the frame's own memory and past its end if it is longer: use a text
// that zlib does not shorten.
std::string unfoldable_text() {
  std::mt19937 engine(1);
  std::string text(300, '\0');
  for (char& each : text) each = static_cast<char>(engine());
  return text;
}

// A connection in memory whose other side is Apache's THeader.
struct apache_peer {
  std::shared_ptr<TMemoryBuffer> to_peer = std::make_shared<TMemoryBuffer>();
  std::shared_ptr<TMemoryBuffer> from_peer = std::make_shared<TMemoryBuffer>();
  THeaderProtocol protocol;

  explicit apache_peer(bool is_compact)
      : protocol(to_peer, from_peer, is_compact ? T_COMPACT_PROTOCOL : T_BINARY_PROTOCOL) {}

  THeaderTransport& transport() { return dynamic_cast<THeaderTransport&>(*protocol.getTransport()); }
  void send(std::string_view bytes) {
    to_peer->write(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                   static_cast<std::uint32_t>(bytes.size()));
  }
  std::string take() {
    std::string bytes = from_peer->getBufferAsString();
    from_peer->resetBuffer();
    return bytes;
  }
};

}  // namespace

TEST(interop_apache, our_client_calls_apaches_server) {
  thriftlens_test::zlib_transform zlib;
  for (const bool is_compact : {false, true}) {
    for (const bool is_compressed : {false, true}) {
      apache_peer server(is_compact);
      tl::session client(
          {.transport = tl::transport_id::header,
           .protocol = is_compact ? tl::message_protocol::compact : tl::message_protocol::binary,
           .transform = &zlib});
      const std::string text = unfoldable_text(), arguments = our_struct(is_compact, 5, text);
      const tl::header_entry headers[] = {{.key = "trace", .value = "abc"},
                                          {.key = "", .value = std::string_view("\0\1", 2)}};
      tl::buffer out;
      const std::int32_t id = client.append_call({.name = "echo",
                                                  .arguments = tl::byte_view(arguments),
                                                  .is_compressed = is_compressed,
                                                  .headers = headers},
                                                 out);
      EXPECT_EQ(out.data()[15], is_compressed ? 1 : 0);  // transforms
      server.send(out.text());
      const read_values values = read_message(server.protocol);
      EXPECT_EQ(values.name, "echo");
      EXPECT_EQ(values.sequence_id, id);
      EXPECT_EQ(values.number, 5);
      EXPECT_EQ(values.text, text);
      EXPECT_EQ(server.transport().getSequenceNumber(), id);
      EXPECT_EQ(server.protocol.getHeaders(),
                (THeaderProtocol::StringToStringMap{{"trace", "abc"}, {"", std::string("\0\1", 2)}}));

      server.protocol.setHeader("load", "0.5");
      if (is_compressed) server.transport().setTransform(THeaderTransport::ZLIB_TRANSFORM);
      server.protocol.writeMessageBegin("echo", apache::thrift::protocol::T_REPLY, id);
      write_struct(server.protocol, -9, text);
      server.protocol.writeMessageEnd();
      server.transport().flush();
      const auto events = thriftlens_test::run(client, server.take(), 1);
      ASSERT_EQ(events.size(), 1u);
      EXPECT_EQ(events[0].error, "");
      EXPECT_EQ(events[0].kind, tl::message_type::reply);
      EXPECT_EQ(events[0].body, our_struct(is_compact, -9, text));
      EXPECT_EQ(events[0].headers, (std::map<std::string, std::string>{{"load", "0.5"}}));
      EXPECT_EQ(client.in_flight(), 0u);
    }
  }
}

TEST(interop_apache, apaches_client_calls_our_server) {
  thriftlens_test::zlib_transform zlib;
  for (const bool is_compact : {false, true}) {
    for (const bool is_compressed : {false, true}) {
      apache_peer client(is_compact);
      tl::session server({.role = tl::session_role::server,
                          .transport = tl::transport_id::automatic,
                          .protocol = tl::message_protocol::automatic,
                          .transform = &zlib});
      client.protocol.setHeader("user", "me");
      if (is_compressed) client.transport().setTransform(THeaderTransport::ZLIB_TRANSFORM);
      client.protocol.writeMessageBegin("echo", apache::thrift::protocol::T_CALL, 77);
      write_struct(client.protocol, 5, "text");
      client.protocol.writeMessageEnd();
      client.transport().flush();
      const std::string bytes = client.take();
      server.feed(tl::byte_view(bytes));
      tl::session_event event;
      ASSERT_TRUE(server.next(event));
      EXPECT_EQ(server.transport(), tl::transport_id::header);
      EXPECT_EQ(event.message.name, "echo");
      EXPECT_EQ(event.message.sequence_id, 77);
      EXPECT_EQ(event.body.text(), our_struct(is_compact, 5, "text"));
      EXPECT_EQ(event.is_compressed, is_compressed);
      ASSERT_EQ(event.headers.size(), 1u);
      EXPECT_EQ(event.headers[0].key, "user");
      EXPECT_EQ(event.headers[0].value, "me");

      const std::string answer = our_struct(is_compact, 6, "answer");
      tl::buffer out;
      const tl::header_entry headers[] = {{.key = "load", .value = "1"}};
      server.append_reply(event, tl::message_type::reply, tl::byte_view(answer), out, headers);
      client.send(out.text());
      const read_values values = read_message(client.protocol);
      EXPECT_EQ(values.type, apache::thrift::protocol::T_REPLY);
      EXPECT_EQ(values.sequence_id, 77);
      EXPECT_EQ(values.number, 6);
      EXPECT_EQ(values.text, "answer");
      EXPECT_EQ(client.protocol.getHeaders(), (THeaderProtocol::StringToStringMap{{"load", "1"}}));
    }
  }
}

TEST(interop_apache, apaches_server_detects_our_framing) {
  for (const bool is_compact : {false, true}) {
    for (const tl::transport_id transport : {tl::transport_id::framed, tl::transport_id::buffered}) {
      apache_peer server(is_compact);
      tl::session client(
          {.transport = transport,
           .protocol = is_compact ? tl::message_protocol::compact : tl::message_protocol::binary});
      const std::string arguments = our_struct(is_compact, 5, "text");
      tl::buffer out;
      client.append_call({.name = "echo", .arguments = tl::byte_view(arguments)}, out);
      server.send(out.text());
      EXPECT_EQ(read_message(server.protocol).text, "text");
      server.protocol.writeMessageBegin("echo", apache::thrift::protocol::T_REPLY, 1);
      write_struct(server.protocol, 1, "answer");
      server.protocol.writeMessageEnd();
      server.transport().flush();
      const auto events = thriftlens_test::run(client, server.take(), 3);
      ASSERT_EQ(events.size(), 1u);
      EXPECT_EQ(events[0].body, our_struct(is_compact, 1, "answer"));
    }
  }
}

#else
TEST(interop_apache, library) { GTEST_SKIP() << "Apache Thrift's THeader for C++ was not found"; }
#endif
