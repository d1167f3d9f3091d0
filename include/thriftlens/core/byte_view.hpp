// byte_view: non-owning view of constant bytes, the parameter type for wire data. Does not bind to
// temporaries that own their bytes; input_bytes, the parameter type of functions whose result owns its data,
// does.
#pragma once

#include <thriftlens/core/config.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace thriftlens::inline THRIFTLENS_ABI {

class byte_view;

/// A position in borrowed bytes.
using byte_ptr = const std::uint8_t*;

/// A contiguous, sized range of one-byte elements, except character arrays, because of their final NUL.
template <class Range>
concept byte_range =
    std::ranges::contiguous_range<Range> && std::ranges::sized_range<Range> &&
    !std::is_array_v<std::remove_cvref_t<Range>> && !std::is_same_v<std::remove_cvref_t<Range>, byte_view> &&
    sizeof(std::ranges::range_value_t<Range>) == 1 &&
    std::is_trivially_copyable_v<std::ranges::range_value_t<Range>> &&
    !std::is_same_v<std::ranges::range_value_t<Range>, bool>;

namespace detail {
/// Ranges that own their bytes, so that views must not outlive them; not spans and string views.
template <class Range>
concept byte_owner = byte_range<Range> && !std::ranges::borrowed_range<std::remove_cvref_t<Range>>;
template <class Range>
concept wide_range = std::ranges::contiguous_range<Range> && (sizeof(std::ranges::range_value_t<Range>) > 1);
}  // namespace detail

/// Borrows bytes; the caller keeps them alive and unchanged while the view is used. 16 bytes, pass by value.
class byte_view {
 public:
  constexpr byte_view() noexcept = default;
  byte_view(const void* data THRIFTLENS_LIFETIMEBOUND, std::size_t size) noexcept
      : data_(static_cast<const std::uint8_t*>(data)), size_(size) {}

  template <byte_range Range>
    requires(!detail::byte_owner<Range>)
  byte_view(Range&& range) noexcept  // NOLINT: implicit on purpose, as std::span
      : byte_view(static_cast<const void*>(std::ranges::data(range)), std::ranges::size(range)) {}
  template <detail::byte_owner Range>
    requires std::is_lvalue_reference_v<Range>
  byte_view(Range&& range THRIFTLENS_LIFETIMEBOUND) noexcept  // NOLINT: implicit on purpose
      : byte_view(static_cast<const void*>(std::ranges::data(range)), std::ranges::size(range)) {}

  /// Whether the final NUL counts is not clear: give the size, or a std::string_view.
  template <std::size_t Size>
  explicit byte_view(const char (&text)[Size]) = delete;
  /// Deleted: a temporary container would not outlive the view.
  template <detail::byte_owner Range>
    requires(!std::is_lvalue_reference_v<Range>)
  byte_view(Range&& range) = delete;

  [[nodiscard]] constexpr const std::uint8_t* data() const noexcept { return data_; }
  [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }
  [[nodiscard]] constexpr bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] constexpr const std::uint8_t* begin() const noexcept { return data_; }
  [[nodiscard]] constexpr const std::uint8_t* end() const noexcept { return data_ + size_; }
  [[nodiscard]] std::uint8_t operator[](std::size_t index) const noexcept {
    THRIFTLENS_ASSERT(index < size_);
    return data_[index];
  }

  /// The part [offset, offset + count). Precondition: within bounds.
  [[nodiscard]] byte_view part(std::size_t offset, std::size_t count) const noexcept {
    THRIFTLENS_ASSERT(offset <= size_ && count <= size_ - offset);
    return {data_ + offset, count};
  }
  /// The bytes as characters; does not check the encoding.
  [[nodiscard]] std::string_view text() const noexcept {
    return {reinterpret_cast<const char*>(data_), size_};
  }

  friend bool operator==(byte_view lhs, byte_view rhs) noexcept {
    return lhs.size_ == rhs.size_ && (lhs.size_ == 0 || std::memcmp(lhs.data_, rhs.data_, lhs.size_) == 0);
  }

 private:
  const std::uint8_t* data_ = nullptr;
  std::size_t size_ = 0;
};

/// A byte_view that also binds to temporaries. Only for parameters of functions whose result does not refer
/// to the bytes: a temporary lives until the call has returned.
class input_bytes : public byte_view {
 public:
  input_bytes(const void* data, std::size_t size) noexcept : byte_view(data, size) {}
  template <class Range>
    requires std::convertible_to<Range&, byte_view>
  input_bytes(Range&& range) noexcept : byte_view(range) {}  // NOLINT: implicit on purpose
};

}  // namespace thriftlens::inline THRIFTLENS_ABI

template <>
inline constexpr bool std::ranges::enable_borrowed_range<thriftlens::byte_view> = true;
template <>
inline constexpr bool std::ranges::enable_borrowed_range<thriftlens::input_bytes> = true;
template <>
inline constexpr bool std::ranges::enable_view<thriftlens::byte_view> = true;

/// Hash of the content, consistent with operator==. Not for keys from untrusted senders (hash_flood).
template <>
struct std::hash<thriftlens::byte_view> {
  [[nodiscard]] std::size_t operator()(thriftlens::byte_view of) const noexcept {
    return std::hash<std::string_view>()(of.text());
  }
};
