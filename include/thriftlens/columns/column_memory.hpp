// column_memory: memory of columns, which released batches give back and later ones take again. Never
// frees what a batch still holds; never keeps more than it was told to.
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

/// Memory that columns share by std::shared_ptr; threads may. New pages of memory cost more than the reading
/// of the records that fill them, so what a batch gives back at its release is kept for the next ones.
///
///     auto memory = std::make_shared<tl::column_memory>();
///     rows.allocate_from(memory);
///     …                                     // batches are taken, used and released
///     assert(memory->live() == 0);
class column_memory {
 public:
  static constexpr std::size_t default_max_idle = std::size_t{64} << 20;

  /// `max_idle`: bytes that are kept at most for later batches, in 1,024 blocks at most.
  explicit column_memory(std::size_t max_idle = default_max_idle);
  ~column_memory();
  column_memory(const column_memory&) = delete;
  column_memory& operator=(const column_memory&) = delete;

  /// Bytes that columns and batches hold.
  [[nodiscard]] std::size_t live() const noexcept;
  /// Bytes that are kept for later ones.
  [[nodiscard]] std::size_t idle() const noexcept;
  /// Gives what is kept back to the system.
  void trim() noexcept;

  /// At least so many bytes. Throws std::bad_alloc. For columns.
  [[nodiscard]] detail::column_block take(std::size_t size);
  /// Takes memory back that take() gave.
  void give_back(detail::column_block block) noexcept;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/columns/column_memory.ipp>
#endif
