// overlap: whether an output buffer contains the input of the same call. Growing it would move the input.
#pragma once

#include <thriftlens/core/buffer.hpp>
#include <thriftlens/core/error.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Whether the bytes begin in the memory of a buffer.
[[nodiscard]] inline bool overlaps(byte_view bytes, const buffer& out) noexcept {
  const auto begin = reinterpret_cast<std::uintptr_t>(bytes.begin());
  const auto owned = reinterpret_cast<std::uintptr_t>(out.data());
  return !bytes.empty() && begin - owned < out.capacity();
}
/// bad_option if the output holds the input.
[[nodiscard]] THRIFTLENS_COLD inline error overlap_error() {
  return error(errc::bad_option, "the output buffer contains the input; append to another buffer");
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
