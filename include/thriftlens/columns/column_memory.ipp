// column_memory: bodies of column_memory.hpp.
#pragma once

#include <thriftlens/columns/column_memory.hpp>

#include <bit>
#include <mutex>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

struct column_memory::state {
  explicit state(std::size_t most) : max_idle(most) { kept.reserve(max_kept); }

  /// Smaller blocks are the allocator's: it does not give those back to the system.
  static constexpr std::size_t min_kept = std::size_t{1} << 16;
  static constexpr std::size_t max_kept = 1024;

  mutable std::mutex lock;
  std::vector<detail::column_block> kept;
  std::size_t max_idle;
  std::size_t idle = 0;
  std::size_t live = 0;

  /// Sizes in steps of an eighth, so that blocks fit batches that are nearly alike.
  [[nodiscard]] static std::size_t rounded(std::size_t size) noexcept {
    if (size < min_kept) return size;
    const std::size_t step = std::bit_floor(size) / 8;
    return (size + step - 1) / step * step;
  }
  /// The smallest block that holds so many bytes and is not twice as large; without data where there is none.
  [[nodiscard]] detail::column_block find(std::size_t size) noexcept {
    std::size_t best = kept.size();
    for (std::size_t i = 0; i < kept.size(); ++i) {
      const bool fits = kept[i].size >= size && kept[i].size / 2 <= size;
      if (fits && (best == kept.size() || kept[i].size < kept[best].size)) best = i;
    }
    if (best == kept.size()) return {};
    const detail::column_block found = kept[best];
    kept[best] = kept.back();
    kept.pop_back();
    idle -= found.size;
    return found;
  }
};

THRIFTLENS_BODY column_memory::column_memory(std::size_t max_idle)
    : state_(std::make_unique<state>(max_idle)) {}
THRIFTLENS_BODY column_memory::~column_memory() { trim(); }

THRIFTLENS_BODY std::size_t column_memory::live() const noexcept {
  const std::lock_guard<std::mutex> hold(state_->lock);
  return state_->live;
}
THRIFTLENS_BODY std::size_t column_memory::idle() const noexcept {
  const std::lock_guard<std::mutex> hold(state_->lock);
  return state_->idle;
}
THRIFTLENS_BODY void column_memory::trim() noexcept {
  const std::lock_guard<std::mutex> hold(state_->lock);
  for (const detail::column_block& each : state_->kept) each.free();
  state_->kept.clear();
  state_->idle = 0;
}

THRIFTLENS_BODY detail::column_block column_memory::take(std::size_t size) {
  const std::size_t wanted = state::rounded(size);
  const std::lock_guard<std::mutex> hold(state_->lock);
  detail::column_block found = wanted < state::min_kept ? detail::column_block() : state_->find(wanted);
  if (found.data == nullptr) found = detail::column_block::make(wanted);
  state_->live += found.size;
  return found;
}
THRIFTLENS_BODY void column_memory::give_back(detail::column_block block) noexcept {
  const std::lock_guard<std::mutex> hold(state_->lock);
  state_->live -= block.size;
  const bool fits = block.size <= state_->max_idle - state_->idle;
  // The list has its memory from the start, so that it does not grow here.
  const bool is_kept = fits && block.size >= state::min_kept && state_->kept.size() < state::max_kept;
  if (!is_kept) return block.free();
  state_->kept.push_back(block);
  state_->idle += block.size;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
