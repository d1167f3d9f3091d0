// frame_head_fuzz: a frame head that is read, written and read again stays the same.
#pragma once

#include <thriftlens/core/buffer.hpp>
#include <thriftlens/transport/frame_head.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace thriftlens_test {

/// One input of a fuzzer; `append` writes a header.
template <class Reader>
int fuzz_frame_head(const std::uint8_t* data, std::size_t size, auto append) {
  const auto is_inside = [&](std::string_view text) {
    const auto* const begin = reinterpret_cast<const std::uint8_t*>(text.data());
    return text.empty() || (begin >= data && begin + text.size() <= data + size);
  };
  thriftlens::detail::frame_head head, again;
  if (Reader(thriftlens::byte_view(data, size)).read(head)) return 0;
  for (const thriftlens::header_entry& entry : head.entries)
    if (!is_inside(entry.value) ||
        (entry.kind != thriftlens::header_entry::form::token && !is_inside(entry.key)))
      std::abort();
  thriftlens::buffer out, twice;
  if (!append(head, head.entries, out) || Reader(out).read(again) || !append(again, again.entries, twice) ||
      again.protocol != head.protocol || again.entries.size() != head.entries.size() ||
      out.text() != twice.text())
    std::abort();
  return 0;
}

}  // namespace thriftlens_test
