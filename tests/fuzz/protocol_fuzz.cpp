// Any bytes as a struct: reading every value and skipping must accept the same and end at the same byte.
// First input byte: bit 0 the protocol, bit 1 a small depth limit.
#include <thriftlens/protocol/message.hpp>
#include <thriftlens/protocol/select.hpp>

#include "protocol/value.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace tl = thriftlens;

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

template <class Protocol>
void one(tl::byte_view bytes, const tl::limits& bounds) {
  typename Protocol::reader walking(bytes, bounds), skipping(bytes, bounds);
  const bool accepted = thriftlens_test::walk(walking, tl::ttype::struct_);
  require(skipping.skip(tl::ttype::struct_) == accepted);
  require(accepted ? walking.offset() == skipping.offset() : walking.failed() && skipping.failed());
  require(walking.fault().offset <= bytes.size() && skipping.fault().offset <= bytes.size());
  if (accepted) {
    // Values that are read and written again must read the same; bytes may differ if they were not canonical.
    typename Protocol::reader reading(bytes, bounds);
    thriftlens_test::value first, second;
    require(read_value(reading, tl::ttype::struct_, first));
    const std::string again = thriftlens_test::to_bytes<Protocol>(first);
    require(again == thriftlens_test::to_bytes<Protocol>(first, true));
    typename Protocol::reader rereading(tl::byte_view(again), bounds);
    require(read_value(rereading, tl::ttype::struct_, second) && rereading.at_end());
    require(thriftlens_test::to_bytes<Protocol>(second) == again);
  }
  typename Protocol::reader message_in(bytes, bounds);
  tl::message_header message;
  if (read_message(message_in, message)) static_cast<void>(message_in.skip(tl::ttype::struct_));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const tl::limits bounds{.depth = (data[0] & 2) != 0 ? 3u : 64u};
  const tl::byte_view bytes(data + 1, size - 1);
  if ((data[0] & 1) != 0)
    one<tl::compact>(bytes, bounds);
  else
    one<tl::binary>(bytes, bounds);
  return 0;
}
