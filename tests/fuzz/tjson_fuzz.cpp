// Any text as Apache's JSON protocol: accepted text is one struct, and converts back to text with the same
// bytes. Any bytes as Binary and Compact: their text is accepted again. First input byte: which of these.
#include <thriftlens/json/tjson.hpp>
#include <thriftlens/protocol/binary.hpp>
#include <thriftlens/protocol/compact.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace tl = thriftlens;

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

template <class P>
void text_first(tl::byte_view input) {
  const tl::result<tl::buffer> bytes = tl::try_convert<tl::tjson, P>(input.text());
  if (!bytes) return require(bytes.error().code() != tl::errc::ok);
  typename P::reader in(*bytes);
  require(in.skip(tl::ttype::struct_) && in.at_end());
  const tl::buffer text = tl::convert<P, tl::tjson>(*bytes);
  const tl::buffer again = tl::convert<tl::tjson, P>(text);
  require(again == *bytes);
}
template <class P>
void bytes_first(tl::byte_view input) {
  const tl::result<tl::buffer> text = tl::try_convert<P, tl::tjson>(input);
  if (text) require(static_cast<bool>(tl::try_convert<tl::tjson, P>(*text)));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const tl::byte_view input(data + 1, size - 1);
  switch (data[0] & 3) {
    case 0:
      text_first<tl::binary>(input);
      break;
    case 1:
      text_first<tl::compact>(input);
      break;
    case 2:
      bytes_first<tl::binary>(input);
      break;
    default:
      bytes_first<tl::compact>(input);
  }
  static_cast<void>(tl::tjson::try_read_message(input.text()));
  return 0;
}
