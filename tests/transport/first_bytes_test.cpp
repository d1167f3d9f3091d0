#include <thriftlens/transport/first_bytes.hpp>

#include "support/test.hpp"

using namespace thriftlens;
using namespace std::literals;

namespace {

std::string look(const std::string& bytes) {
  const detail::first_look found = detail::look_at_first_bytes(byte_view(bytes), std::size_t{16} << 20);
  if (found.needs_more_bytes) return "more";
  if (found.transport == transport_id::automatic) return std::string(found.foreign);
  return std::string(to_string(found.transport)) + " " + std::string(to_string(found.protocol));
}

}  // namespace

TEST(first_bytes, each_transport) {
  EXPECT_EQ(look("\x80\1\0\1\0\0"s), "buffered binary");
  EXPECT_EQ(look("\x82\x21\1\1x\0"s), "buffered compact");
  EXPECT_EQ(look("\0\0\0\4ping\1"s), "buffered binary_old");
  EXPECT_EQ(look("\0\0\0\x20\x80\1"s), "framed binary");
  EXPECT_EQ(look("\0\0\0\x20\x82\x21"s), "framed compact");
  EXPECT_EQ(look("\0\0\0\x20\0\0\0\4ping"s), "framed binary_old");
  EXPECT_EQ(look("\0\0\0\x20\x0f\xff"s), "header auto");
  EXPECT_EQ(look("\0\0\0\x20\x10\0"s), "ttheader auto");
  EXPECT_EQ(look("\1\0\0\0\5PLAIN"s), "sasl auto");
  EXPECT_EQ(look("\1\0\0\0\x80\1"s), "framed binary");
}

TEST(first_bytes, foreign_protocols) {
  EXPECT_EQ(look("POST / HTTP/1.1"s), "an HTTP request");
  EXPECT_EQ(look("HTTP/1.1 200 OK"s), "an HTTP response");
  EXPECT_EQ(look("\x16\3\1\2\0\1"s), "a TLS handshake");
  EXPECT_EQ(look("\x15\3\1\0\2\2"s), "a TLS alert");
  EXPECT_EQ(look("[1,\"get\",1"s), "Apache's JSON protocol");
  EXPECT_EQ(look("\0\0\0\x2b[1,\"get\""s), "Apache's JSON protocol");
  EXPECT_EQ(look("x\x9c\xed\xc1"s), "zlib-compressed data");
  for (const std::string& level : {"x\1"s, "x\x5e"s, "x\x9c"s, "x\xda"s})
    EXPECT_EQ(look("\0\0\0\x2b"s + level), "zlib-compressed data");
  EXPECT_EQ(look("\x1f\x8b\x08"s), "gzip-compressed data");
  EXPECT_EQ(look("<html>"s), "an HTML page");
  EXPECT_EQ(look("SSH-2.0"s), "plain text");
  EXPECT_EQ(look("\xff\xff\xff\xff\xff\xff"s), "");
}

TEST(first_bytes, detection_needs_the_fewest_bytes) {
  EXPECT_EQ(look(""s), "more");
  EXPECT_EQ(look("G"s), "more");
  EXPECT_EQ(look("GET"s), "more");
  EXPECT_EQ(look("GEt"s), "plain text");
  EXPECT_EQ(look("h"s), "plain text");
  EXPECT_EQ(look("h\xff\xff\xff\xff\xff"s), "plain text");  // as of its first byte alone
  EXPECT_EQ(look("\x16"s), "more");
  EXPECT_EQ(look("\x80"s), "buffered binary");
  EXPECT_EQ(look("\x82"s), "buffered compact");
  EXPECT_EQ(look("\xff"s), "");
  EXPECT_EQ(look("\0\0\0\4p"s), "more");
}

// A frame with the size of these bytes, if the limit allows it.
TEST(first_bytes, frame_sizes_within_the_limit) {
  constexpr std::size_t most = std::size_t{1} << 31;
  EXPECT_EQ(detail::look_for_foreign(byte_view("GET /"sv), most).name, "");
  EXPECT_EQ(detail::look_for_foreign(byte_view("GET /"sv), most / 2).name, "an HTTP request");
  EXPECT_EQ(detail::look_at_first_bytes(byte_view("GET \x80\1"sv), most).transport, transport_id::framed);
}

TEST(first_bytes, names_of_binary_without_a_version) {
  const auto is_name = [](const std::string& bytes) { return detail::is_old_name(byte_view(bytes)); };
  EXPECT_TRUE(is_name("\0\0\0\4ping"s));
  EXPECT_TRUE(is_name("\0\0\0\4pi"s));
  EXPECT_TRUE(is_name("\0\0\0\1p\1\0\0"s));
  EXPECT_TRUE(is_name("\0\0\0\x09Shop:ping"s));
  EXPECT_FALSE(is_name("\0\0\0\x0bhello there"s));
  EXPECT_FALSE(is_name("\0\0\0\4p\0ng"s));
}
