// index_range: the range of numbers [begin, end), for loops and algorithms.
#pragma once

#include <thriftlens/core/config.hpp>

#include <cstddef>
#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI {

class index_range {
 public:
  class iterator {
   public:
    using value_type = std::uint32_t;
    using difference_type = std::ptrdiff_t;

    constexpr iterator() noexcept = default;
    explicit constexpr iterator(std::uint32_t at) noexcept : at_(at) {}
    [[nodiscard]] constexpr std::uint32_t operator*() const noexcept { return at_; }
    constexpr iterator& operator++() noexcept {
      ++at_;
      return *this;
    }
    constexpr iterator operator++(int) noexcept { return iterator(at_++); }
    [[nodiscard]] friend constexpr bool operator==(iterator, iterator) noexcept = default;

   private:
    std::uint32_t at_ = 0;
  };

  constexpr index_range(std::uint32_t begin, std::uint32_t end) noexcept : begin_(begin), end_(end) {}
  [[nodiscard]] constexpr iterator begin() const noexcept { return begin_; }
  [[nodiscard]] constexpr iterator end() const noexcept { return end_; }

 private:
  iterator begin_, end_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
