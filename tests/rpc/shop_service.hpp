// shop_service: a service for tests of calls and answers, and messages by Apache's library.
#pragma once

#include "support/tree.hpp"

#include <thrift/TApplicationException.h>
#include <thriftlens/protocol/message.hpp>
#include <thriftlens/schema/schema.hpp>

namespace thriftlens_test {

inline const thriftlens::schema& shop_idl() {
  static const thriftlens::schema schema = thriftlens::schema::parse(R"(
    struct Item { 1: i64 id, 2: string name, 3: optional bool sold }
    exception NotFound { 1: string what }
    service Base { string ping() }
    service Shop extends Base {
      Item find(1: i64 id, 2: bool deep) throws (1: NotFound missing)
      bool has(1: i64 id)
      void clear()
      oneway void log(1: string line)
      Item watch(1: i64 id) (streaming.mode = "server")
    }
  )");
  return schema;
}
inline thriftlens::service_info shop_service() { return shop_idl().service("Shop"); }
inline thriftlens::function_info shop_function(std::string_view name) {
  return shop_service().function(name);
}

template <class P>
using apache_protocol =
    std::conditional_t<std::is_same_v<P, thriftlens::binary>,
                       apache::thrift::protocol::TBinaryProtocolT<apache::thrift::transport::TMemoryBuffer>,
                       apache::thrift::protocol::TCompactProtocolT<apache::thrift::transport::TMemoryBuffer>>;

/// A message header by Apache's library, followed by the struct.
template <class P>
std::string apache_message(const std::string& name, apache::thrift::protocol::TMessageType type,
                           std::int32_t id, const std::string& body) {
  const auto memory = std::make_shared<apache::thrift::transport::TMemoryBuffer>();
  apache_protocol<P> out(memory);
  out.writeMessageBegin(name, type, id);
  return memory->getBufferAsString() + body;
}
template <class P>
std::string apache_exception(const std::string& name, std::int32_t id,
                             const apache::thrift::TApplicationException& why) {
  const auto memory = std::make_shared<apache::thrift::transport::TMemoryBuffer>();
  apache_protocol<P> out(memory);
  out.writeMessageBegin(name, apache::thrift::protocol::T_EXCEPTION, id);
  why.write(&out);
  return memory->getBufferAsString();
}
/// Valid for the full expression.
inline thriftlens::byte_view bytes_of(const std::string& text) {
  return thriftlens::byte_view(std::string_view(text));
}
inline std::string in_frame(const std::string& message) {
  const auto size = static_cast<std::uint32_t>(message.size());
  std::string frame;
  for (int shift = 24; shift >= 0; shift -= 8) frame += static_cast<char>(size >> shift & 0xff);
  return frame + message;
}

}  // namespace thriftlens_test
