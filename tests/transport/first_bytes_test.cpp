#include <thriftlens/transport/first_bytes.hpp>

#include <gtest/gtest.h>

#include <string>

using namespace thriftlens;
using namespace std::string_literals;

namespace {

std::string look(const std::string& bytes) {
  const detail::first_look found = detail::look_at_first_bytes(byte_view(bytes));
  if (found.transport == transport_id::automatic) return std::string(found.words);
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

TEST(first_bytes, what_is_not_thrift) {
  EXPECT_EQ(look("POST / HTTP/1.1"s), "this is an HTTP request");
  EXPECT_EQ(look("\x16\3\1\2\0\1"s), "this is a TLS handshake");
  EXPECT_EQ(look("SSH-2.0"s), "no transport of Thrift begins with these bytes");
}
