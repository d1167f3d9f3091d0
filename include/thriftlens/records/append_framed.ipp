// append_framed: bodies of append_framed.hpp.
#pragma once

#include <thriftlens/core/endian.hpp>
#include <thriftlens/core/overlap.hpp>
#include <thriftlens/core/varint.hpp>
#include <thriftlens/records/append_framed.hpp>
#include <thriftlens/simd/base64.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {

/// The size in front of a record; nothing for framings without one.
[[nodiscard]] inline std::uint8_t* put_frame_size(std::uint8_t* to, framing with,
                                                  std::uint32_t size) noexcept {
  if (with == framing::varint) return put_varint(to, size);
  if (with == framing::u32le)
    store_le(to, size);
  else if (with == framing::u32 || with == framing::kafka)
    store_be(to, size);
  else
    return to;
  return to + 4;
}
inline void append_hex_line(byte_view record, buffer& out) {
  std::uint8_t* to = out.prepare(2 * record.size() + 1);
  for (const std::uint8_t byte : record) {
    *to++ = static_cast<std::uint8_t>("0123456789abcdef"[byte >> 4]);
    *to++ = static_cast<std::uint8_t>("0123456789abcdef"[byte & 15]);
  }
  *to = '\n';
  out.commit(to + 1);
}
inline void append_base64_line(byte_view record, buffer& out) {
  out.commit(simd::encode_base64(out.prepare(simd::base64_text_room(record.size())), record));
  out.push_back('\n');
}

}  // namespace detail

THRIFTLENS_BODY result<void> try_append_framed(input_bytes record, framing with, buffer& out) {
  if (detail::overlaps(record, out)) return detail::overlap_error();
  if (record.size() > 0x7fffffffu) return error(errc::size_limit);
  if (with == framing::hex) return detail::append_hex_line(record, out), result<void>();
  if (with == framing::base64) return detail::append_base64_line(record, out), result<void>();
  std::uint8_t* const to = out.prepare(detail::varint_room<std::uint32_t> + record.size());
  out.commit(detail::put_frame_size(to, with, static_cast<std::uint32_t>(record.size())));
  out.append(record);
  return {};
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
