// message: reads an RPC message.
#pragma once

#include <thriftlens/core/result.hpp>
#include <thriftlens/protocol/message.hpp>

namespace thriftlens::inline THRIFTLENS_ABI {

/// A message. Borrows its bytes.
struct message {
  message_header header;
  byte_view body;  ///< the struct: arguments of calls, result of replies, application exception
};

/// Reads the message that `bytes` consists of. The struct is skipped, so that a malformed one is an error.
/// Errors: bad_message, malformed bytes (offsets count from the start of the message), trailing_bytes.
template <protocol P>
[[nodiscard]] result<message> try_read_message(byte_view bytes, const limits& bounds = {}) {
  typename P::reader in(bytes, bounds);
  message read;
  byte_ptr body = nullptr;
  if (read_message(in, read.header)) {
    body = in.at();
    static_cast<void>(in.skip(ttype::struct_));
  }
  if (!in.failed() && !in.at_end()) static_cast<void>(in.reject(errc::trailing_bytes));
  if (!in.failed()) {
    read.body = {body, static_cast<std::size_t>(bytes.end() - body)};
    return read;
  }
  return error(in.fault().code, {}, in.fault().offset);
}
template <protocol P>
[[nodiscard]] message read_message(byte_view bytes, const limits& bounds = {}) {
  return try_read_message<P>(bytes, bounds).value();
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
