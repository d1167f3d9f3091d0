// allocator: counts heap memory, and lets a test make an allocation fail.
#pragma once

#include <cstddef>

namespace thriftlens_test::memory {

/// Bytes currently allocated, and the peak since reset_peak().
[[nodiscard]] std::size_t held() noexcept;
[[nodiscard]] std::size_t peak() noexcept;
void reset_peak() noexcept;
/// Allocations (and growths) since reset_peak().
[[nodiscard]] std::size_t allocations() noexcept;

enum class failing { once, from_there_on };
/// The `number`th allocation from now (1 is the next) fails, or that and all after it. 0: none does.
void fail_at(std::size_t number, failing mode = failing::once) noexcept;
/// Allocations of at least so many bytes fail. 0: none does.
void fail_from_size(std::size_t size) noexcept;
/// Whether one has failed since fail_at() or fail_from_size().
[[nodiscard]] bool has_failed() noexcept;

}  // namespace thriftlens_test::memory
