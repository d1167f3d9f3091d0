// column_memory: bodies of column_memory.hpp.
#pragma once

#include <thriftlens/columns/column_memory.hpp>

#include <bit>
#include <mutex>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

struct column_memory::state {
  explicit state(std::size_t limit) : max_idle(limit) { blocks.reserve(max_blocks); }

  /// Smaller blocks are not pooled: the allocator does not return them to the system.
  static constexpr std::size_t min_pooled = std::size_t{1} << 16;
  static constexpr std::size_t max_blocks = 1024;

  mutable std::mutex lock;
  std::vector<detail::column_block> blocks;
  std::size_t max_idle;
  std::size_t idle = 0;
  std::size_t live = 0;

  /// Rounds sizes to steps of an eighth, so that blocks fit batches of similar size.
  [[nodiscard]] static std::size_t rounded(std::size_t size) noexcept {
    if (size < min_pooled) return size;
    const std::size_t step = std::bit_floor(size) / 8;
    return (size + step - 1) / step * step;
  }
  /// The smallest block of at least `size` and at most 2 x `size` bytes; without data if there is no match.
  [[nodiscard]] detail::column_block find(std::size_t size) noexcept {
    std::size_t best = blocks.size();
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      const bool fits = blocks[i].size >= size && blocks[i].size / 2 <= size;
      if (fits && (best == blocks.size() || blocks[i].size < blocks[best].size)) best = i;
    }
    if (best == blocks.size()) return {};
    const detail::column_block block = blocks[best];
    blocks[best] = blocks.back();
    blocks.pop_back();
    idle -= block.size;
    return block;
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
  for (const detail::column_block& block : state_->blocks) block.free();
  state_->blocks.clear();
  state_->idle = 0;
}

THRIFTLENS_BODY detail::column_block column_memory::take(std::size_t size) {
  const std::size_t capacity = state::rounded(size);
  const std::lock_guard<std::mutex> hold(state_->lock);
  detail::column_block block = capacity < state::min_pooled ? detail::column_block() : state_->find(capacity);
  if (block.data == nullptr) block = detail::column_block::make(capacity);
  state_->live += block.size;
  return block;
}
THRIFTLENS_BODY void column_memory::give_back(detail::column_block block) noexcept {
  const std::lock_guard<std::mutex> hold(state_->lock);
  state_->live -= block.size;
  const bool fits = block.size <= state_->max_idle - state_->idle;
  // `blocks` has its capacity reserved, so that it does not grow here.
  const bool is_pooled = fits && block.size >= state::min_pooled && state_->blocks.size() < state::max_blocks;
  if (!is_pooled) return block.free();
  state_->blocks.push_back(block);
  state_->idle += block.size;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
