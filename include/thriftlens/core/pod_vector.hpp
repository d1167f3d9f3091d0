// pod_vector: a vector of trivially copyable elements. Its growth is compiled once, not once for each type.
#pragma once

#include <thriftlens/core/config.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Memory of a pod_vector; sizes count elements.
struct pod_block {
  std::byte* data = nullptr;
  std::size_t size = 0;
  std::size_t capacity = 0;
};

/// Ensures capacity for `count` elements of `width` bytes in all. At least doubles what it enlarges.
THRIFTLENS_COLD inline void reserve_elements(pod_block& in, std::size_t count, std::size_t width) {
  if (count <= in.capacity) return;
  constexpr std::size_t least_bytes = 256;
  std::size_t capacity = in.capacity * 2 > least_bytes / width ? in.capacity * 2 : least_bytes / width;
  if (capacity < count) capacity = count;
  void* const moved = capacity < static_cast<std::size_t>(-1) / 2 / width
                          ? std::realloc(static_cast<void*>(in.data), capacity * width)
                          : nullptr;
  if (moved == nullptr) {
#if THRIFTLENS_EXCEPTIONS
    throw std::bad_alloc();
#else
    std::abort();
#endif
  }
  in.data = static_cast<std::byte*>(moved);
  in.capacity = capacity;
}
/// Appends elements, which may be of `to` itself.
THRIFTLENS_NOINLINE inline void append_elements(pod_block& to, const void* elements, std::size_t count,
                                                std::size_t width) {
  const auto* from = static_cast<const std::byte*>(elements);
  if (to.capacity - to.size < count) [[unlikely]] {
    const std::size_t offset = static_cast<std::size_t>(from - to.data);
    const bool is_own = to.data != nullptr && offset < to.size * width;
    detail::reserve_elements(to, to.size + count, width);
    if (is_own) from = to.data + offset;
  }
  std::memcpy(to.data + to.size * width, from, count * width);
  to.size += count;
}
/// Appends copies of an element that is not of `to`. Linear in the bytes.
THRIFTLENS_NOINLINE inline void append_copies(pod_block& to, const void* element, std::size_t count,
                                              std::size_t width) {
  if (count == 0) return;
  detail::reserve_elements(to, to.size + count, width);
  const std::size_t total = count * width;
  std::byte* const begin = to.data + to.size * width;
  std::memcpy(begin, element, width);
  for (std::size_t done = width; done < total;) {
    const std::size_t part = done < total - done ? done : total - done;
    std::memcpy(begin + done, begin, part);
    done += part;
  }
  to.size += count;
}

#if defined(NDEBUG)
constexpr void require_bounds(bool) noexcept {}
#else
[[noreturn]] THRIFTLENS_COLD inline void fail_bounds() noexcept {
  detail::assertion_failed("an index of a pod_vector is below its size", __FILE__, __LINE__);
}
/// Precondition of pod_vector; without arguments for the message at its many sites.
inline void require_bounds(bool in_bounds) noexcept {
  if (!in_bounds) [[unlikely]]
    detail::fail_bounds();
}
#endif

/// The part of std::vector that tables of nodes need. References are valid until the next call that grows it.
template <class T>
class pod_vector {
  static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= alignof(std::max_align_t));

 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;

  pod_vector() noexcept = default;
  pod_vector(const pod_vector& other) { append({other.data(), other.size()}); }
  pod_vector(pod_vector&& other) noexcept { swap(other); }
  pod_vector& operator=(pod_vector other) noexcept { return swap(other), *this; }
  ~pod_vector() { std::free(static_cast<void*>(block_.data)); }

  [[nodiscard]] std::size_t size() const noexcept { return block_.size; }
  [[nodiscard]] bool empty() const noexcept { return block_.size == 0; }
  [[nodiscard]] T* data() noexcept { return reinterpret_cast<T*>(block_.data); }
  [[nodiscard]] const T* data() const noexcept { return reinterpret_cast<const T*>(block_.data); }
  [[nodiscard]] T* begin() noexcept { return data(); }
  [[nodiscard]] T* end() noexcept { return data() + size(); }
  [[nodiscard]] const T* begin() const noexcept { return data(); }
  [[nodiscard]] const T* end() const noexcept { return data() + size(); }
  [[nodiscard]] T& operator[](std::size_t index) noexcept {
    detail::require_bounds(index < size());
    return data()[index];
  }
  [[nodiscard]] const T& operator[](std::size_t index) const noexcept {
    detail::require_bounds(index < size());
    return data()[index];
  }
  [[nodiscard]] T& back() noexcept { return (*this)[size() - 1]; }
  [[nodiscard]] const T& back() const noexcept { return (*this)[size() - 1]; }

  void reserve(std::size_t count) { detail::reserve_elements(block_, count, sizeof(T)); }
  /// Amortised O(1).
  void push_back(const T& element) {
    constexpr std::size_t max_inline = 32;
    if (sizeof(T) > max_inline || block_.size == block_.capacity)
      return detail::append_elements(block_, &element, 1, sizeof(T));
    std::memcpy(static_cast<void*>(end()), &element, sizeof(T));
    ++block_.size;
  }
  T& emplace_back() {
    push_back(T{});
    return back();
  }
  void append(std::span<const T> elements) {
    if (!elements.empty()) detail::append_elements(block_, elements.data(), elements.size(), sizeof(T));
  }
  void pop_back() noexcept { resize_down(size() - 1); }
  /// Removes elements from `count` on.
  void resize_down(std::size_t count) noexcept {
    detail::require_bounds(count <= size());
    block_.size = count;
  }
  void resize(std::size_t count, const T& value = T{}) {
    if (count <= size()) return resize_down(count);
    detail::append_copies(block_, &value, count - size(), sizeof(T));
  }
  void assign(std::size_t count, const T& value) {
    clear();
    resize(count, value);
  }
  void insert(std::size_t before, const T& element) {
    push_back(element);
    for (std::size_t i = size() - 1; i > before; --i) std::swap(data()[i], data()[i - 1]);
  }
  void erase_if(const auto& is_erased) {
    std::size_t kept = 0;
    for (const T& element : *this)
      if (!is_erased(element)) data()[kept++] = element;
    resize_down(kept);
  }
  void clear() noexcept { block_.size = 0; }
  void swap(pod_vector& other) noexcept { std::swap(block_, other.block_); }

 private:
  pod_block block_;
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
