// retained_memory: how much memory an idle connection keeps for its next message.
#pragma once

#include <thriftlens/core/buffer.hpp>

#include <cstddef>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Capacity that a connection's buffer may retain between messages.
inline constexpr std::size_t retained_capacity = std::size_t{64} << 10;

/// Empties a buffer, and frees its memory if that is more than a connection retains.
inline void clear_retaining(buffer& of) noexcept {
  of.clear();
  if (of.capacity() > retained_capacity) buffer().swap(of);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
