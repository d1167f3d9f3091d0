// slice: non-owning contiguous elements in an arena, of a possibly incomplete type.
#pragma once

#include <thriftlens/core/config.hpp>

#include <concepts>
#include <cstddef>
#include <span>

namespace thriftlens::inline THRIFTLENS_ABI::idl {

template <class T>
class slice {
 public:
  constexpr slice() noexcept = default;
  // A template, so that a copy of a slice does not ask whether a slice is a span.
  template <std::same_as<std::span<T>> Span>
  constexpr slice(Span elements) noexcept : data_(elements.data()), size_(elements.size()) {}

  [[nodiscard]] constexpr T* data() const noexcept { return data_; }
  [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }
  [[nodiscard]] constexpr bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] constexpr T* begin() const noexcept { return data_; }
  [[nodiscard]] constexpr T* end() const noexcept { return data_ + size_; }
  [[nodiscard]] constexpr T& operator[](std::size_t index) const noexcept { return data_[index]; }
  [[nodiscard]] constexpr T& front() const noexcept { return data_[0]; }
  [[nodiscard]] constexpr T& back() const noexcept { return data_[size_ - 1]; }
  /// The first `count` elements. Precondition: count <= size().
  [[nodiscard]] constexpr slice first(std::size_t count) const noexcept {
    slice some = *this;
    some.size_ = count;
    return some;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::idl
