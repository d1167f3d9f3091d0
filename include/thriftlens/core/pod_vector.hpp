// pod_vector: a vector of trivially copyable elements. Its growth is compiled once, not once for each type.
#pragma once

#include <thriftlens/core/buffer.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Appends `count` copies of the `size` bytes at `element`. Linear in the bytes.
THRIFTLENS_NOINLINE inline void append_copies(buffer& to, const void* element, std::size_t size,
                                              std::size_t count) {
  if (count == 0) return;
  const std::size_t total = size * count;
  std::uint8_t* const begin = to.prepare(total);
  std::memcpy(begin, element, size);
  for (std::size_t done = size; done < total;) {
    const std::size_t part = done < total - done ? done : total - done;
    std::memcpy(begin + done, begin, part);
    done += part;
  }
  to.commit(begin + total);
}
/// Appends `size` bytes, which may be of `to` itself.
THRIFTLENS_NOINLINE inline void append_element(buffer& to, const void* element, std::size_t size) {
  const auto* from = static_cast<const std::uint8_t*>(element);
  if (to.capacity() - to.size() >= size) [[likely]] {
    std::memcpy(to.end(), from, size);
    return to.commit(to.end() + size);
  }
  const std::size_t offset = static_cast<std::size_t>(from - to.data());
  std::uint8_t* const end = to.prepare(size);
  std::memcpy(end, offset < to.size() ? to.data() + offset : from, size);
  to.commit(end + size);
}

/// The part of std::vector that tables of nodes need. References are valid until the next call that grows it.
template <class T>
class pod_vector {
  static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= alignof(std::max_align_t));

 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;

  [[nodiscard]] std::size_t size() const noexcept { return bytes_.size() / sizeof(T); }
  [[nodiscard]] bool empty() const noexcept { return bytes_.empty(); }
  [[nodiscard]] T* data() noexcept { return reinterpret_cast<T*>(bytes_.data()); }
  [[nodiscard]] const T* data() const noexcept { return reinterpret_cast<const T*>(bytes_.data()); }
  [[nodiscard]] T* begin() noexcept { return data(); }
  [[nodiscard]] T* end() noexcept { return reinterpret_cast<T*>(bytes_.end()); }
  [[nodiscard]] const T* begin() const noexcept { return data(); }
  [[nodiscard]] const T* end() const noexcept { return reinterpret_cast<const T*>(bytes_.end()); }
  [[nodiscard]] T& operator[](std::size_t index) noexcept {
    THRIFTLENS_ASSERT(index < size());
    return data()[index];
  }
  [[nodiscard]] const T& operator[](std::size_t index) const noexcept {
    THRIFTLENS_ASSERT(index < size());
    return data()[index];
  }
  [[nodiscard]] T& back() noexcept {
    THRIFTLENS_ASSERT(!empty());
    return end()[-1];
  }
  [[nodiscard]] const T& back() const noexcept {
    THRIFTLENS_ASSERT(!empty());
    return end()[-1];
  }

  void reserve(std::size_t count) { bytes_.reserve(count * sizeof(T)); }
  /// Amortised O(1).
  void push_back(const T& element) {
    constexpr std::size_t max_inline = 32;
    if (sizeof(T) > max_inline || bytes_.capacity() - bytes_.size() < sizeof(T))
      return detail::append_element(bytes_, &element, sizeof(T));
    std::memcpy(bytes_.end(), &element, sizeof(T));
    bytes_.commit(bytes_.end() + sizeof(T));
  }
  T& emplace_back() {
    push_back(T{});
    return back();
  }
  void append(std::span<const T> elements) {
    if (!elements.empty()) detail::append_element(bytes_, elements.data(), elements.size_bytes());
  }
  void pop_back() noexcept { resize_down(size() - 1); }
  /// Removes elements from `count` on.
  void resize_down(std::size_t count) noexcept { bytes_.truncate(count * sizeof(T)); }
  void resize(std::size_t count, const T& value = T{}) {
    if (count <= size()) return resize_down(count);
    detail::append_copies(bytes_, &value, sizeof(T), count - size());
  }
  void assign(std::size_t count, const T& value) {
    clear();
    resize(count, value);
  }
  void clear() noexcept { bytes_.clear(); }
  void swap(pod_vector& other) noexcept { bytes_.swap(other.bytes_); }

 private:
  buffer bytes_;
};

/// Sets `order` to the positions of the keys, ascending by key; equal keys keep their order. O(n) for sorted
/// keys, else O(n log n).
THRIFTLENS_COLD inline void order_of(const pod_vector<std::uint64_t>& keys,
                                     pod_vector<std::uint32_t>& order) {
  const std::size_t size = keys.size();
  bool sorted = true;
  order.resize(size);
  for (std::size_t i = 0; i < size; ++i) {
    order[i] = static_cast<std::uint32_t>(i);
    sorted = sorted && (i == 0 || keys[i - 1] <= keys[i]);
  }
  pod_vector<std::uint32_t> merged;
  if (!sorted) merged.resize(size);
  for (std::size_t run = 1; !sorted && run < size; run *= 2) {
    for (std::size_t out = 0; out < size;) {
      std::size_t lhs = out, rhs = out + run < size ? out + run : size;
      const std::size_t middle = rhs, end = rhs + run < size ? rhs + run : size;
      for (; out < end; ++out) {
        const bool takes_rhs = lhs == middle || (rhs < end && keys[order[rhs]] < keys[order[lhs]]);
        merged[out] = order[takes_rhs ? rhs++ : lhs++];
      }
    }
    order.swap(merged);
  }
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
