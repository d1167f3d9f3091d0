// Every combination of types: our bytes against those of Apache's generated code, both ways, on both protocols.
// Built by room.cmake where the Thrift compiler and Apache's library are installed.
#include <thriftlens/codec/decode.hpp>
#include <thriftlens/codec/encode.hpp>
#include <thriftlens/codec/size.hpp>

#include "matrix_types.h"

#include <thrift/protocol/TBinaryProtocol.h>
#include <thrift/protocol/TCompactProtocol.h>
#include <thrift/transport/TBufferTransports.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace matrix {
// Apache declares these for its set and map keys and leaves them to the user.
bool Point::operator<(const Point& other) const { return x != other.x ? x < other.x : y < other.y; }
}  // namespace matrix

#include "matrix_cases.hpp"

namespace tl = thriftlens;
using apache::thrift::protocol::TBinaryProtocol;
using apache::thrift::protocol::TCompactProtocol;
using apache::thrift::transport::TMemoryBuffer;

namespace {

template <class ApacheProtocol, class Object>
std::string apache_bytes(const Object& object) {
  auto memory = std::make_shared<TMemoryBuffer>();
  ApacheProtocol protocol(memory);
  object.write(&protocol);
  return memory->getBufferAsString();
}
template <class ApacheProtocol, class Object>
Object apache_object(const std::string& bytes) {
  auto memory = std::make_shared<TMemoryBuffer>();
  memory->write(reinterpret_cast<const std::uint8_t*>(bytes.data()), static_cast<std::uint32_t>(bytes.size()));
  ApacheProtocol protocol(memory);
  Object object;
  object.read(&protocol);
  return object;
}

template <class Protocol, class ApacheProtocol, class Theirs, class Ours>
void compare() {
  Theirs theirs;
  fill(theirs);
  Ours ours;
  fill(ours);
  const std::string wanted = apache_bytes<ApacheProtocol>(theirs);
  tl::buffer out;
  tl::encode<Protocol>(ours, out);
  EXPECT_EQ(out.text(), wanted);
  EXPECT_EQ(tl::encoded_size<Protocol>(ours), wanted.size());
  EXPECT_EQ((tl::decode<Ours, Protocol>(wanted)), ours);
  EXPECT_EQ((apache_object<ApacheProtocol, Theirs>(out.str())), theirs);
  Ours over;
  tl::decode_into<Protocol>(wanted, over);
  tl::decode_into<Protocol>(wanted, over);
  EXPECT_EQ(over, ours);
}

}  // namespace

#define MATRIX_TEST(name)                                                           \
  TEST(codec_matrix, name##_binary) { compare<tl::binary, TBinaryProtocol, matrix::name, our_##name>(); } \
  TEST(codec_matrix, name##_compact) { compare<tl::compact, TCompactProtocol, matrix::name, our_##name>(); }
MATRIX_STRUCTS(MATRIX_TEST)
