// zlib_transform: a session's transform by zlib itself.
#pragma once

#include <thriftlens/transport/payload_transform.hpp>

#include <zlib.h>

#include <cstddef>
#include <cstdint>

namespace thriftlens_test {

class zlib_transform : public thriftlens::payload_transform {
 public:
  bool undo(std::uint32_t which, thriftlens::byte_view in, std::size_t max_size,
            thriftlens::buffer& out) override {
    z_stream stream{};
    if (which != zlib && which != gzip) return false;
    constexpr int with_gzip_head = 16;
    if (inflateInit2(&stream, which == gzip ? MAX_WBITS + with_gzip_head : MAX_WBITS) != Z_OK) return false;
    stream.next_in = const_cast<Bytef*>(in.data());
    stream.avail_in = static_cast<uInt>(in.size());
    const std::size_t before = out.size();
    int done = Z_OK;
    while (done == Z_OK && out.size() - before <= max_size) {
      constexpr unsigned piece = 512;
      stream.next_out = out.prepare(piece);
      stream.avail_out = piece;
      done = inflate(&stream, Z_NO_FLUSH);
      out.commit(stream.next_out);
    }
    inflateEnd(&stream);
    return done == Z_STREAM_END && stream.avail_in == 0 && out.size() - before <= max_size;
  }
  bool apply(std::uint32_t which, thriftlens::byte_view in, thriftlens::buffer& out) override {
    if (which != zlib) return false;
    uLongf size = compressBound(static_cast<uLong>(in.size()));
    std::uint8_t* const to = out.prepare(size);
    if (compress(to, &size, in.data(), static_cast<uLong>(in.size())) != Z_OK) return false;
    out.commit(to + size);
    return true;
  }
};

}  // namespace thriftlens_test
