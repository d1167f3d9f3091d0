// column_memory: a pool of column memory, reused after batches are released. Never frees memory that a batch
// holds; retains no more than its limit.
#pragma once

#include <thriftlens/core/config.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {

/// Memory with its size.
struct column_block {
  std::uint8_t* data = nullptr;
  std::size_t size = 0;

  static constexpr std::align_val_t alignment{64};
  [[nodiscard]] static column_block make(std::size_t size) {
    return {static_cast<std::uint8_t*>(::operator new(size, alignment)), size};
  }
  void free() const noexcept { ::operator delete(data, alignment); }
};

}  // namespace detail

/// Memory shared by columns through std::shared_ptr, also across threads. New pages of memory cost more than
/// reading the records that fill them, so memory of released batches is retained for the next ones.
///
///     auto memory = std::make_shared<tl::column_memory>();
///     rows.allocate_from(memory);
///     …                                     // batches are taken, used and released
///     assert(memory->live() == 0);
class column_memory {
 public:
  static constexpr std::size_t default_max_idle = std::size_t{64} << 20;

  /// `max_idle`: maximum number of bytes retained for later batches, in at most 1,024 blocks.
  explicit column_memory(std::size_t max_idle = default_max_idle);
  ~column_memory();
  column_memory(const column_memory&) = delete;
  column_memory& operator=(const column_memory&) = delete;

  /// Bytes that columns and batches hold.
  [[nodiscard]] std::size_t live() const noexcept;
  /// Bytes that are retained.
  [[nodiscard]] std::size_t idle() const noexcept;
  /// Returns retained memory to the system.
  void trim() noexcept;

  /// Returns at least `size` bytes. Throws std::bad_alloc. For columns.
  [[nodiscard]] detail::column_block take(std::size_t size);
  /// Takes back memory of take().
  void give_back(detail::column_block block) noexcept;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/columns/column_memory.ipp>
#endif
