// codec_fuzz: decodes any bytes into bound structs; accepted ones encode again, decode to the same value and
// have the computed size.
#include "codec/open_structs.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace tl = thriftlens;

namespace {

void expect(bool holds) {
  if (!holds) std::abort();
}

template <class T, class Protocol>
void round_trip(tl::byte_view bytes, const tl::decode_options& options) {
  auto object = tl::try_decode<T, Protocol>(bytes, options);
  if (!object) {
    expect(object.error().offset() <= bytes.size() && !object.error().path().empty() &&
           object.error().code() != tl::errc::internal);
    return;
  }
  tl::buffer first, second;
  tl::append_encoded<Protocol>(*object, first);
  expect(tl::encoded_size<Protocol>(*object) == first.size());
  T again = tl::decode<T, Protocol>(first, options);
  tl::append_encoded<Protocol>(again, second);
  expect(first.text() == second.text());
  // Decoding into an object with another value has the same result.
  tl::decode_into<Protocol>(first, *object, options);
  second.clear();
  tl::append_encoded<Protocol>(*object, second);
  expect(first.text() == second.text());
}

template <class T>
void both(bool compact, tl::byte_view bytes, const tl::decode_options& options) {
  if (compact)
    round_trip<T, tl::compact>(bytes, options);
  else
    round_trip<T, tl::binary>(bytes, options);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const bool compact = (*data & 0x80) != 0;
  tl::decode_options options;
  if ((*data & 0x40) != 0) {
    options.mismatch = tl::on_mismatch::drop;
    options.duplicates = tl::on_duplicate::last;
  }
  const tl::byte_view bytes(data + 1, size - 1);
  switch (*data & 7) {
    case 0:
      both<open_structs::scalars>(compact, bytes, options);
      break;
    case 1:
      both<open_structs::lists>(compact, bytes, options);
      break;
    case 2:
      both<open_structs::nested>(compact, bytes, options);
      break;
    case 3:
      both<open_structs::tree>(compact, bytes, options);
      break;
    case 4:
      both<open_structs::uni_holder>(compact, bytes, options);
      break;
    case 5:
      both<open_structs::map_keys>(compact, bytes, options);
      break;
    case 6:
      both<open_structs::sparse>(compact, bytes, options);
      break;
    default:
      both<open_structs::req_scalars>(compact, bytes, options);
      break;
  }
  return 0;
}
