// element_index: positions of the elements of a list or set, computed on demand. Holds at most two times the
// square root of the number of elements.
#pragma once

#include <thriftlens/view/view.hpp>

#include <cmath>
#include <cstdint>
#include <vector>

namespace thriftlens::python {

/// A cached index of a container in a message.
struct cached_index {
  cached_index() = default;
  cached_index(const cached_index&) = delete;
  cached_index& operator=(const cached_index&) = delete;
  virtual ~cached_index() = default;
};

/// The positions of every n-th element, n being the square root of the size, and of the elements of one block
/// of n. Neighbours of the last element cost one step, others at most one block once the block is known.
template <protocol Protocol>
class element_index final : public cached_index {
 public:
  /// Shorter containers are scanned from their start.
  static constexpr std::uint32_t least = 32;

  explicit element_index(const view<Protocol>& of) {
    detail::walker<Protocol> at(of.whole(), of.image(), of.location());
    if (at.open_list(size_) != errc::ok) size_ = 0;
    first_ = at.location();
    block_size_ = static_cast<std::uint32_t>(std::sqrt(static_cast<double>(size_))) + 1;
    starts_.push_back(first_.at.at);
    inside_.push_back(first_.at.at);
  }

  /// False if `index` is not below the size or the bytes before the element are malformed.
  [[nodiscard]] bool locate(const view<Protocol>& of, std::uint32_t index, detail::wire_location& element) {
    if (index >= size_) return false;
    if (!enter_block(of, index / block_size_)) return false;
    while (inside_.size() <= index % block_size_) {
      const std::uint8_t* next = inside_.back();
      if (!pass(of, next, 1)) return false;
      inside_.push_back(next);
    }
    element = first_;
    element.at.at = inside_[index % block_size_];
    return true;
  }

 private:
  /// Makes a block the current one.
  bool enter_block(const view<Protocol>& of, std::uint32_t block) {
    while (starts_.size() <= block) {
      if (!add_start(of)) return false;
    }
    if (block == block_) return true;
    block_ = block;
    inside_.assign(1, starts_[block]);
    return true;
  }
  /// Adds the start of the next block, from the last element of the current block if that is known.
  bool add_start(const view<Protocol>& of) {
    const bool at_last = block_ + 1 == starts_.size() && inside_.size() == block_size_;
    const std::uint8_t* next = at_last ? inside_.back() : starts_.back();
    if (!pass(of, next, at_last ? 1 : block_size_)) return false;
    starts_.push_back(next);
    return true;
  }
  bool pass(const view<Protocol>& of, const std::uint8_t*& at, std::uint32_t count) const {
    detail::wire_position position = first_.at;
    position.at = at;
    typename Protocol::reader in(of.whole(), of.bounds());
    in.seek(position);
    for (; count != 0; --count) {
      if (!in.skip(first_.wire)) return false;
    }
    at = in.at();
    return true;
  }

  detail::wire_location first_;
  std::uint32_t size_ = 0;
  std::uint32_t block_size_ = 1;
  std::uint32_t block_ = 0;
  std::vector<const std::uint8_t*> starts_;  // of blocks
  std::vector<const std::uint8_t*> inside_;  // elements of block_
};

}  // namespace thriftlens::python
