// element_index: where the elements of a list or set begin, as far as somebody asked. Never holds more
// than twice the square root of the number of elements.
#pragma once

#include <thriftlens/view/view.hpp>

#include <cmath>
#include <cstdint>
#include <vector>

namespace thriftlens::python {

/// What is cached with the bytes of a message for a container in it.
struct cached_index {
  cached_index() = default;
  cached_index(const cached_index&) = delete;
  cached_index& operator=(const cached_index&) = delete;
  virtual ~cached_index() = default;
};

/// The places of every n-th element so far, n being the square root of their number, and of those of one
/// block of n. An element after the one asked before costs one step, one before it too; any other at most a
/// block, and the way to it once.
template <protocol Protocol>
class element_index final : public cached_index {
 public:
  /// Shorter containers are gone over from their start.
  static constexpr std::uint32_t least = 32;

  explicit element_index(const view<Protocol>& of) {
    thriftlens::detail::walker<Protocol> at(of.whole(), of.image(), of.location());
    if (at.open_list(size_) != errc::ok) size_ = 0;
    first_ = at.location();
    block_size_ = static_cast<std::uint32_t>(std::sqrt(static_cast<double>(size_))) + 1;
    starts_.push_back(first_.at.at);
    inside_.push_back(first_.at.at);
  }

  /// The element's place; `index` is below size(). False where the bytes before it are broken.
  [[nodiscard]] bool locate(const view<Protocol>& of, std::uint32_t index,
                            thriftlens::detail::wire_location& found) {
    if (index >= size_) return false;
    const std::uint32_t block = index / block_size_;
    while (starts_.size() <= block) {
      if (!add_start(of)) return false;
    }
    if (block != block_) {
      block_ = block;
      inside_.assign(1, starts_[block]);
    }
    while (inside_.size() <= index % block_size_) {
      const std::uint8_t* next = inside_.back();
      if (!pass(of, next, 1)) return false;
      inside_.push_back(next);
    }
    found = first_;
    found.at.at = inside_[index % block_size_];
    return true;
  }

 private:
  /// The start of the next block: from the last element of the present one where that is known.
  bool add_start(const view<Protocol>& of) {
    const bool at_last = block_ + 1 == starts_.size() && inside_.size() == block_size_;
    const std::uint8_t* next = at_last ? inside_.back() : starts_.back();
    if (!pass(of, next, at_last ? 1 : block_size_)) return false;
    starts_.push_back(next);
    return true;
  }
  bool pass(const view<Protocol>& of, const std::uint8_t*& at, std::uint32_t count) const {
    thriftlens::detail::wire_position place = first_.at;
    place.at = at;
    typename Protocol::reader in(of.whole(), of.bounds());
    in.seek(place);
    for (; count != 0; --count) {
      if (!in.skip(first_.wire)) return false;
    }
    at = in.at();
    return true;
  }

  thriftlens::detail::wire_location first_;
  std::uint32_t size_ = 0;
  std::uint32_t block_size_ = 1;
  std::uint32_t block_ = 0;
  std::vector<const std::uint8_t*> starts_;  // of the blocks so far
  std::vector<const std::uint8_t*> inside_;  // of the elements of block_ so far
};

}  // namespace thriftlens::python
