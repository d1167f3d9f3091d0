// counted_memory: peak memory of a call, in operator new and in the buffer it filled.
#pragma once

#include <cstddef>

namespace thriftlens_test {

/// Bytes currently allocated with operator new, and the peak since reset_peak().
[[nodiscard]] std::size_t held_bytes() noexcept;
[[nodiscard]] std::size_t peak_bytes() noexcept;
void reset_peak() noexcept;

}  // namespace thriftlens_test
