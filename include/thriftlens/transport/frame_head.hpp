// frame_head: what THeader and TTHeader have in common.
#pragma once

#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/core/endian.hpp>
#include <thriftlens/transport/header_entry.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Size (4), magic (2), flags (2), sequence id (4), size of the header in words (2).
inline constexpr std::size_t fixed_head_size = 14;
/// The part that the frame size counts.
inline constexpr std::size_t counted_head_size = 10;
/// Maximum header size in words; Apache's THeader requires that the size in bytes fits two bytes.
inline constexpr std::size_t max_header_words = 16383;

inline constexpr std::uint16_t theader_magic = 0x0fff;
inline constexpr std::uint16_t ttheader_magic = 0x1000;

[[nodiscard]] inline std::uint16_t magic_of(byte_view front) noexcept {
  return load_be<std::uint16_t>(front.data() + 4);
}
[[nodiscard]] inline std::size_t header_size_of(byte_view front) noexcept {
  return std::size_t{load_be<std::uint16_t>(front.data() + 12)} * 4;
}

/// A parsed header. The entries borrow from its bytes.
struct frame_head {
  std::uint32_t protocol = 0;
  std::vector<std::uint32_t> transforms = {};  ///< in the order in which they were applied
  std::vector<header_entry> entries = {};
};

/// Number of a protocol in the headers of both.
inline constexpr std::uint32_t head_binary = 0, head_compact = 2;

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
