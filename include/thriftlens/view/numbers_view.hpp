// numbers_view: the elements of a list or set of numbers, decoded on access. Never allocates, copies or
// fails: the bytes were validated before.
#pragma once

#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/core/endian.hpp>
#include <thriftlens/protocol/binary.hpp>
#include <thriftlens/protocol/compact.hpp>
#include <thriftlens/simd/byteswap.hpp>
#include <thriftlens/simd/varint.hpp>
#include <thriftlens/view/scalar.hpp>

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

/// C++ types of elements: integers exactly as wide, double, bool, and enums of 32 bits or more for elements
/// of an enum (or i32).
template <class T>
concept number_value = integer_value<T> || std::same_as<T, double> || std::same_as<T, bool> ||
                       (std::is_enum_v<T> && sizeof(T) >= 4);

/// Contiguous memory of numbers: a vector, array or span of integers, enums, doubles or bools.
template <class Range>
concept number_range = std::ranges::contiguous_range<Range> && std::ranges::sized_range<Range> &&
                       number_value<std::ranges::range_value_t<Range>>;

namespace detail {

/// Stops compilation with one message.
template <class T>
constexpr bool check_number() noexcept {
  static_assert(
      number_value<T>,
      "thriftlens: numbers<T>: T is an integer as wide as the elements, double, bool, or an enum of 32 "
      "bits or more");
  return number_value<T>;
}

/// The wire type of Ts.
template <number_value T>
inline constexpr ttype number_wire = std::is_same_v<T, bool>     ? ttype::bool_
                                     : std::is_same_v<T, double> ? ttype::double_
                                     : std::is_enum_v<T>         ? ttype::i32
                                     : sizeof(T) == 1            ? ttype::i8
                                     : sizeof(T) == 2            ? ttype::i16
                                     : sizeof(T) == 4            ? ttype::i32
                                                                 : ttype::i64;
/// The wire integer of a T.
template <number_value T>
using wire_number =
    std::conditional_t<number_wire<T> == ttype::i64, std::int64_t,
                       std::conditional_t<number_wire<T> == ttype::i32, std::int32_t, std::int16_t>>;
/// Size of an element, 0 if it varies.
template <protocol P, number_value T>
inline constexpr std::size_t number_width = element_width<P>(number_wire<T>);

/// The number at `from`, of fixed width.
template <protocol P, number_value T>
[[nodiscard]] THRIFTLENS_INLINE T fixed_number(const std::uint8_t* from) noexcept {
  if constexpr (std::is_enum_v<T>)
    return static_cast<T>(load_number<P, std::int32_t>(from));
  else
    return load_number<P, T>(from);
}

/// Reads up to the broken number, so that the reader has the fault. Always false.
template <class Reader>
THRIFTLENS_COLD bool fail_numbers(Reader& in, ttype wire) noexcept {
  for (std::int64_t unused = 0; read_integer(in, wire, unused);) {
  }
  return false;
}
/// Steps over `count` elements, whose bytes become `elements`. False: the reader has the fault.
template <protocol P, number_value T>
[[nodiscard]] inline bool read_numbers(typename P::reader& in, std::size_t count,
                                       byte_view& elements) noexcept {
  if constexpr (number_width<P, T> != 0) {
    return in.read_raw(number_width<P, T> * count,
                       elements);  // the size was checked against the bytes left: no overflow
  } else {
    const auto* const begin = in.at();
    const auto* const end = simd::skip_varints<wire_number<T>>(begin, in.end(), count);
    if (end == nullptr) [[unlikely]]
      return fail_numbers(in, number_wire<T>);
    return in.read_raw(static_cast<std::size_t>(end - begin), elements);
  }
}

template <protocol P, number_value T>
class fixed_number_iterator {
 public:
  using value_type = T;
  using difference_type = std::ptrdiff_t;
  using iterator_concept = std::random_access_iterator_tag;

  fixed_number_iterator() noexcept = default;
  explicit fixed_number_iterator(const std::uint8_t* at) noexcept : at_(at) {}
  [[nodiscard]] THRIFTLENS_INLINE T operator*() const noexcept { return load_number<P, T>(at_); }
  [[nodiscard]] T operator[](difference_type by) const noexcept { return *(*this + by); }
  THRIFTLENS_INLINE fixed_number_iterator& operator++() noexcept { return *this += 1; }
  fixed_number_iterator& operator--() noexcept { return *this -= 1; }
  fixed_number_iterator operator++(int) noexcept {
    return fixed_number_iterator(std::exchange(at_, at_ + step));
  }
  fixed_number_iterator operator--(int) noexcept {
    return fixed_number_iterator(std::exchange(at_, at_ - step));
  }
  THRIFTLENS_INLINE fixed_number_iterator& operator+=(difference_type by) noexcept {
    return at_ += by * step, *this;
  }
  fixed_number_iterator& operator-=(difference_type by) noexcept { return at_ -= by * step, *this; }
  friend fixed_number_iterator operator+(fixed_number_iterator at, difference_type by) noexcept {
    return at += by;
  }
  friend fixed_number_iterator operator+(difference_type by, fixed_number_iterator at) noexcept {
    return at += by;
  }
  friend fixed_number_iterator operator-(fixed_number_iterator at, difference_type by) noexcept {
    return at -= by;
  }
  friend difference_type operator-(fixed_number_iterator lhs, fixed_number_iterator rhs) noexcept {
    return (lhs.at_ - rhs.at_) / step;
  }
  friend bool operator==(fixed_number_iterator, fixed_number_iterator) noexcept = default;
  friend std::strong_ordering operator<=>(fixed_number_iterator lhs, fixed_number_iterator rhs) noexcept {
    return lhs.at_ <=> rhs.at_;
  }

 private:
  static constexpr difference_type step = number_width<P, T>;
  const std::uint8_t* at_ = nullptr;
};

template <number_value T>
class varint_iterator {
 public:
  using value_type = T;
  using difference_type = std::ptrdiff_t;
  using iterator_concept = std::forward_iterator_tag;

  varint_iterator() noexcept = default;
  varint_iterator(const std::uint8_t* at, const std::uint8_t* end, std::size_t remaining) noexcept
      : at_(at), end_(end), remaining_(remaining) {
    read();
  }
  [[nodiscard]] THRIFTLENS_INLINE T operator*() const noexcept { return static_cast<T>(number_); }
  THRIFTLENS_INLINE varint_iterator& operator++() noexcept {
    --remaining_;
    read();
    return *this;
  }
  varint_iterator operator++(int) noexcept {
    varint_iterator previous = *this;
    ++*this;
    return previous;
  }
  friend bool operator==(const varint_iterator& lhs, const varint_iterator& rhs) noexcept {
    return lhs.remaining_ == rhs.remaining_;
  }

 private:
  // Decodes the varint at `at_` immediately, so that its end is searched only once.
  THRIFTLENS_INLINE void read() noexcept {
    if (remaining_ == 0) [[unlikely]]
      return;
    at_ = simd::detail::get_number(at_, end_, number_);
    THRIFTLENS_ASSERT(at_ != nullptr);
  }

  const std::uint8_t* at_ = nullptr;  // after the number
  const std::uint8_t* end_ = nullptr;
  std::size_t remaining_ = 0;  // including the current one
  wire_number<T> number_{};
};

}  // namespace detail

/// The numbers of a list or set. 24 bytes, by value; a std::ranges::view. Valid while the bytes are
/// unchanged; so are its iterators.
template <protocol P, number_value T>
class numbers_view : public std::ranges::view_base {
  static constexpr std::size_t width = detail::number_width<P, T>;

 public:
  using value_type = T;
  /// Random access; forward for varints (i16, i32 and i64 of Compact), which are decoded by increments.
  using iterator =
      std::conditional_t<width != 0, detail::fixed_number_iterator<P, T>, detail::varint_iterator<T>>;

  numbers_view() noexcept = default;
  /// From validated element bytes: use view::numbers().
  numbers_view(byte_view elements, std::size_t count) noexcept
      : begin_(elements.begin()), end_(elements.end()), count_(count) {}

  [[nodiscard]] iterator begin() const noexcept {
    if constexpr (width != 0)
      return iterator(begin_);
    else
      return iterator(begin_, end_, count_);
  }
  [[nodiscard]] iterator end() const noexcept {
    if constexpr (width != 0)
      return iterator(end_);
    else
      return iterator();
  }
  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  [[nodiscard]] bool empty() const noexcept { return count_ == 0; }
  /// O(1); not for varints.
  [[nodiscard]] T operator[](std::size_t at) const noexcept
    requires(width != 0)
  {
    THRIFTLENS_ASSERT(at < count_);
    return detail::fixed_number<P, T>(begin_ + at * width);
  }
  /// The wire bytes of all elements.
  [[nodiscard]] byte_view bytes() const noexcept { return {begin_, static_cast<std::size_t>(end_ - begin_)}; }
  /// Decodes all of them to `to`, in bulk; `to` needs capacity for size().
  void copy_to(T* to) const noexcept {
    if (count_ == 0) return;
    if constexpr (!std::is_same_v<T, bool> && !std::is_enum_v<T> && sizeof(T) == width)
      detail::load_array<P>(to, begin_, count_);
    else if constexpr (std::is_same_v<T, detail::wire_number<T>> && width == 0)
      static_cast<void>(detail::simd::read_varints(begin_, end_, to, count_));
    else
      for (const T number : *this) *to++ = number;
  }

 private:
  const std::uint8_t* begin_ = nullptr;
  const std::uint8_t* end_ = nullptr;
  std::size_t count_ = 0;
};

namespace detail {
/// T cannot represent some of the numbers with its wire type.
template <number_value T>
inline constexpr bool may_not_fit = integer_value<T> && std::is_unsigned_v<T>;
template <number_value T>
  requires std::is_enum_v<T>
inline constexpr bool may_not_fit<T> = std::is_unsigned_v<std::underlying_type_t<T>>;

/// Index of the first number that T cannot represent; their count if all fit. O(1) for signed types, else
/// O(count).
template <protocol P, number_value T>
[[nodiscard]] std::size_t first_unfit_number(const numbers_view<P, T>& numbers) noexcept {
  if constexpr (may_not_fit<T>) {
    using travels_as = std::conditional_t<number_wire<T> == ttype::i8, std::int8_t, wire_number<T>>;
    std::size_t at = 0;
    for (const travels_as number : numbers_view<P, travels_as>(numbers.bytes(), numbers.size())) {
      if (number < 0) return at;
      ++at;
    }
  }
  return numbers.size();
}
}  // namespace detail

}  // namespace thriftlens::inline THRIFTLENS_ABI

/// Iterators point into the message.
template <thriftlens::protocol P, thriftlens::number_value T>
inline constexpr bool std::ranges::enable_borrowed_range<thriftlens::numbers_view<P, T>> = true;
