// Random values between this library and Apache Thrift's C++ library: bytes equal, values equal, both ways.
#include <thriftlens/protocol/select.hpp>

#include "value.hpp"

#include <gtest/gtest.h>

#if defined(THRIFTLENS_HAVE_APACHE)
#include <thriftlens/protocol/message.hpp>

#include <thrift/protocol/TBinaryProtocol.h>
#include <thrift/protocol/TCompactProtocol.h>
#include <thrift/transport/TBufferTransports.h>

#include <memory>
#include <string>

namespace tl = thriftlens;
using apache::thrift::protocol::TProtocol, apache::thrift::protocol::TType,
    apache::thrift::transport::TMemoryBuffer, thriftlens_test::random_values, thriftlens_test::value,
    tl::ttype;

namespace {

// The numbers of both enumerations are those of the Binary protocol.
TType their(ttype type) { return static_cast<TType>(type); }
ttype our(TType type) { return static_cast<ttype>(type); }

void write(TProtocol& out, const value& from) {
  const auto size = static_cast<std::uint32_t>(from.items.size());
  switch (from.type) {
    case ttype::bool_:
      out.writeBool(from.number != 0);
      return;
    case ttype::i8:
      out.writeByte(static_cast<std::int8_t>(from.number));
      return;
    case ttype::i16:
      out.writeI16(static_cast<std::int16_t>(from.number));
      return;
    case ttype::i32:
      out.writeI32(static_cast<std::int32_t>(from.number));
      return;
    case ttype::i64:
      out.writeI64(from.number);
      return;
    case ttype::double_:
      out.writeDouble(std::bit_cast<double>(from.number));
      return;
    case ttype::string:
      out.writeBinary(from.bytes);
      return;
    case ttype::struct_:
      out.writeStructBegin("");
      for (std::size_t i = 0; i < size; ++i) {
        out.writeFieldBegin("", their(from.items[i].type), from.ids[i]);
        write(out, from.items[i]);
        out.writeFieldEnd();
      }
      out.writeFieldStop();
      out.writeStructEnd();
      return;
    case ttype::map:
      out.writeMapBegin(their(from.key), their(from.element), size / 2);
      break;
    case ttype::set:
      out.writeSetBegin(their(from.element), size);
      break;
    default:
      out.writeListBegin(their(from.element), size);
      break;
  }
  for (const value& item : from.items) write(out, item);
  if (from.type == ttype::map)
    out.writeMapEnd();
  else if (from.type == ttype::set)
    out.writeSetEnd();
  else
    out.writeListEnd();
}

value read(TProtocol& in, ttype type) {
  value actual;
  actual.type = type;
  const auto integer = [&](auto number, auto get) {
    (in.*get)(number);
    actual.number = static_cast<std::int64_t>(number);
  };
  switch (type) {
    case ttype::bool_:
      integer(false, static_cast<std::uint32_t (TProtocol::*)(bool&)>(&TProtocol::readBool));
      return actual;
    case ttype::i8:
      integer(std::int8_t{}, &TProtocol::readByte);
      return actual;
    case ttype::i16:
      integer(std::int16_t{}, &TProtocol::readI16);
      return actual;
    case ttype::i32:
      integer(std::int32_t{}, &TProtocol::readI32);
      return actual;
    case ttype::i64:
      integer(std::int64_t{}, &TProtocol::readI64);
      return actual;
    case ttype::double_: {
      double number = 0;
      in.readDouble(number);
      actual.number = std::bit_cast<std::int64_t>(number);
      return actual;
    }
    case ttype::string:
      in.readBinary(actual.bytes);
      return actual;
    case ttype::struct_: {
      std::string name;
      in.readStructBegin(name);
      for (;;) {
        TType field = apache::thrift::protocol::T_STOP;
        std::int16_t id = 0;
        in.readFieldBegin(name, field, id);
        if (field == apache::thrift::protocol::T_STOP) break;
        actual.ids.push_back(id);
        actual.items.push_back(read(in, our(field)));
        in.readFieldEnd();
      }
      in.readStructEnd();
      return actual;
    }
    default:
      break;
  }
  TType key = apache::thrift::protocol::T_STOP, element = apache::thrift::protocol::T_STOP;
  std::uint32_t size = 0;
  if (type == ttype::map)
    in.readMapBegin(key, element, size);
  else if (type == ttype::set)
    in.readSetBegin(element, size);
  else
    in.readListBegin(element, size);
  actual.element = our(element);
  actual.key = our(key);
  for (std::uint32_t i = 0; i < size; ++i) {
    if (type == ttype::map) actual.items.push_back(read(in, actual.key));
    actual.items.push_back(read(in, actual.element));
  }
  if (type == ttype::map)
    in.readMapEnd();
  else if (type == ttype::set)
    in.readSetEnd();
  else
    in.readListEnd();
  // An empty map has no types in Compact; the variables of Apache's library are undefined then.
  if (type == ttype::map && size == 0) actual.key = actual.element = ttype::stop;
  return actual;
}

struct over_binary {
  using ours = tl::binary;
  using theirs = apache::thrift::protocol::TBinaryProtocolT<TMemoryBuffer>;
};
struct over_compact {
  using ours = tl::compact;
  using theirs = apache::thrift::protocol::TCompactProtocolT<TMemoryBuffer>;
};

template <class Pair>
class interop_apache : public testing::Test {
 public:
  using theirs = typename Pair::theirs;
  static std::string written_by_apache(const value& from) {
    auto memory = std::make_shared<TMemoryBuffer>();
    theirs out(memory);
    write(out, from);
    return memory->getBufferAsString();
  }
  static std::shared_ptr<TMemoryBuffer> memory_over(std::string& bytes) {
    return std::make_shared<TMemoryBuffer>(reinterpret_cast<std::uint8_t*>(bytes.data()),
                                           static_cast<std::uint32_t>(bytes.size()));
  }
};
using pairs = testing::Types<over_binary, over_compact>;
TYPED_TEST_SUITE(interop_apache, pairs);

}  // namespace

TYPED_TEST(interop_apache, random_values_have_the_same_bytes_and_read_the_same_both_ways) {
  random_values result{std::mt19937_64(2026), false};
  for (int round = 0; round < 400; ++round) {
    const value expected = result.make(ttype::struct_, 1 + round % 6);
    std::string bytes = TestFixture::written_by_apache(expected);
    ASSERT_EQ(thriftlens_test::to_bytes<typename TypeParam::ours>(expected), bytes) << round;
    ASSERT_EQ(thriftlens_test::to_bytes<typename TypeParam::ours>(expected, true), bytes) << round;

    typename TypeParam::ours::reader in{tl::byte_view(bytes)};
    value actual;
    ASSERT_TRUE(read_value(in, ttype::struct_, actual));
    ASSERT_TRUE(in.at_end());
    ASSERT_TRUE(actual == expected) << round;

    auto memory = TestFixture::memory_over(bytes);
    typename TypeParam::theirs their_in(memory);
    ASSERT_TRUE(read(their_in, ttype::struct_) == expected) << round;
    ASSERT_EQ(memory->available_read(), 0u);
  }
}

TYPED_TEST(interop_apache, message_headers_are_the_same) {
  using apache::thrift::protocol::TMessageType;
  for (int type = 1; type <= 4; ++type)
    for (const std::int32_t id : {0, 1, -1, 77777, 0x7fffffff, -0x7fffffff - 1}) {
      auto memory = std::make_shared<TMemoryBuffer>();
      typename TypeParam::theirs out(memory);
      out.writeMessageBegin("getOrder", static_cast<TMessageType>(type), id);
      std::string bytes = memory->getBufferAsString();
      const tl::message_header expected{
          .name = "getOrder", .type = static_cast<tl::message_type>(type), .sequence_id = id};
      tl::buffer ours;
      typename TypeParam::ours::writer writer(ours);
      write_message(writer, expected);
      EXPECT_EQ(ours.text(), bytes);
      typename TypeParam::ours::reader in{tl::byte_view(bytes)};
      tl::message_header actual;
      ASSERT_TRUE(read_message(in, actual));
      EXPECT_EQ(actual, expected);
    }
}

TEST(interop_apache_binary, old_message_headers_are_the_same) {
  auto memory = std::make_shared<TMemoryBuffer>();
  apache::thrift::protocol::TBinaryProtocol out(memory, 0, 0, false, false);
  out.writeMessageBegin("getOrder", apache::thrift::protocol::T_REPLY, -5);
  tl::buffer ours;
  tl::binary::writer writer(ours);
  write_message(writer,
                {.name = "getOrder", .type = tl::message_type::reply, .sequence_id = -5, .strict = false});
  EXPECT_EQ(ours.text(), memory->getBufferAsString());
}

#else

TEST(interop_apache, needs_apache_thrift) { GTEST_SKIP() << "built without Apache Thrift's C++ library"; }

#endif
