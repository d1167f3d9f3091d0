// small_vector: a vector that stores the first objects in place.
#pragma once

#include <thriftlens/core/config.hpp>

#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Stores up to `Inline` objects in place; moves all to a vector beyond that. References are valid until the
/// next push_back().
template <class T, std::size_t Inline>
class small_vector {
 public:
  small_vector() noexcept {}
  small_vector(const small_vector& other) : many_(other.many_) {
    for (const T& item : other.own()) push_back(item);
  }
  small_vector(small_vector&& other) noexcept : many_(std::move(other.many_)) {
    for (T& item : other.own()) push_back(std::move(item));
    other.clear_own();
  }
  small_vector& operator=(small_vector other) noexcept {
    clear_own();
    many_ = std::move(other.many_);
    for (T& item : other.own()) push_back(std::move(item));
    return *this;
  }
  ~small_vector() { clear_own(); }

  template <class... Args>
  THRIFTLENS_INLINE T& emplace_back(Args&&... args) {
    if (count_ >= Inline || !many_.empty()) [[unlikely]]
      return add_to_many(T(std::forward<Args>(args)...));
    T* added = new (static_cast<void*>(&storage_[count_ * sizeof(T)])) T(std::forward<Args>(args)...);
    ++count_;
    return *added;
  }
  void push_back(T value) { emplace_back(std::move(value)); }
  [[nodiscard]] std::size_t size() const noexcept { return many_.empty() ? count_ : many_.size(); }
  [[nodiscard]] const T& operator[](std::size_t at) const noexcept { return span()[at]; }
  [[nodiscard]] std::span<const T> span() const noexcept {
    return many_.empty() ? own() : std::span<const T>(many_);
  }

 private:
  [[nodiscard]] std::span<const T> own() const noexcept {
    return {std::launder(reinterpret_cast<const T*>(storage_)), count_};
  }
  [[nodiscard]] std::span<T> own() noexcept { return {std::launder(reinterpret_cast<T*>(storage_)), count_}; }
  THRIFTLENS_NOINLINE T& add_to_many(T&& next) {
    for (T& item : own()) many_.push_back(std::move(item));
    clear_own();
    return many_.emplace_back(std::move(next));
  }
  void clear_own() noexcept {
    std::destroy_n(own().data(), count_);
    count_ = 0;
  }

  std::size_t count_ = 0;  // number in storage_; 0 after moving them to many_
  alignas(T) unsigned char storage_[Inline * sizeof(T)];
  std::vector<T> many_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
