// counted_memory: how many bytes a call held at its peak, in operator new and in the buffer it filled.
#pragma once

#include <cstddef>

namespace thriftlens_test {

/// Bytes from operator new that are held now, and the most held since reset_peak().
[[nodiscard]] std::size_t held_bytes() noexcept;
[[nodiscard]] std::size_t peak_bytes() noexcept;
void reset_peak() noexcept;

}  // namespace thriftlens_test
