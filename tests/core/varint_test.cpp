#include <thriftlens/core/varint.hpp>

#include "support/test.hpp"

using namespace thriftlens;
using namespace std::string_literals;

namespace {

template <class T>
void goes_both_ways(T value) {
  std::uint8_t storage[detail::max_varint_size<T> + 16];
  const std::uint8_t* end = detail::put_varint(storage, value);
  // Bytes after it must not matter, near the end of the input and far from it.
  for (const int suffix : {0x00, 0x7f, 0xff}) {
    std::fill(const_cast<std::uint8_t*>(end), storage + sizeof storage, static_cast<std::uint8_t>(suffix));
    T far = 0;
    EXPECT_EQ(detail::get_varint(storage, storage + sizeof storage, far), end);
    EXPECT_EQ(far, value);
    EXPECT_EQ(detail::skip_varint<T>(storage, storage + sizeof storage), end);
  }
  EXPECT_EQ(static_cast<std::size_t>(end - storage), detail::varint_size(value));
  T actual = 0;
  EXPECT_EQ(detail::get_varint(storage, end, actual), end);
  EXPECT_EQ(actual, value);
  EXPECT_EQ(detail::skip_varint<T>(storage, end), end);
  for (const std::uint8_t* cut = storage; cut != end; ++cut) {
    EXPECT_EQ(detail::get_varint(storage, cut, actual), nullptr);
    EXPECT_EQ(detail::skip_varint<T>(storage, cut), nullptr);
    EXPECT_EQ(detail::varint_fault<T>(storage, cut), errc::truncated);
  }
}

template <class T>
const std::uint8_t* get(const std::string& bytes, T& value) {
  const auto* from = reinterpret_cast<const std::uint8_t*>(bytes.data());
  const std::uint8_t* actual = detail::get_varint(from, from + bytes.size(), value);
  EXPECT_EQ(detail::skip_varint<T>(from, from + bytes.size()), actual);
  const std::string longer = bytes + std::string(16, '\xff');
  const auto* longer_from = reinterpret_cast<const std::uint8_t*>(longer.data());
  T far = 0;
  const std::uint8_t* far_end = detail::get_varint(longer_from, longer_from + longer.size(), far);
  EXPECT_EQ(detail::skip_varint<T>(longer_from, longer_from + longer.size()), far_end);
  EXPECT_EQ(far_end == nullptr, actual == nullptr);
  if (actual != nullptr) {
    EXPECT_EQ(far_end - longer_from, actual - from);
    EXPECT_EQ(far, value);
  }
  return actual;
}

}  // namespace

TEST(varint, every_width_round_trips) {
  for (unsigned bits = 0; bits < 64; ++bits)
    for (const std::uint64_t low : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}}) {
      const std::uint64_t value = (std::uint64_t{1} << bits) + low;
      goes_both_ways(value);
      goes_both_ways(static_cast<std::uint32_t>(value));
    }
}

TEST(varint, zigzag_round_trips) {
  for (const std::int64_t value :
       {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1}, std::numeric_limits<std::int64_t>::min(),
        std::numeric_limits<std::int64_t>::max()})
    EXPECT_EQ(detail::from_zigzag(detail::to_zigzag(value)), value);
  for (const std::int32_t value :
       {0, -1, 1, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()})
    EXPECT_EQ(detail::from_zigzag(detail::to_zigzag(value)), value);
  EXPECT_EQ(detail::to_zigzag(-1), 1u);
  EXPECT_EQ(detail::to_zigzag(1), 2u);
}

TEST(varint, overlong_forms_are_accepted_if_the_value_fits) {
  std::uint32_t narrow = 1;
  EXPECT_NE(get("\x80\x80\x80\x80\x00"s, narrow), nullptr);
  EXPECT_EQ(narrow, 0u);
  EXPECT_NE(get("\x80\x80\x80\x80\x00\x00\x00\x00"s, narrow), nullptr);
  EXPECT_EQ(get("\x80\x80\x80\x80\x80\x00\x00\x00"s, narrow), nullptr);
  EXPECT_EQ(get("\x80\x80\x80\x80\x10\x00\x00\x00"s, narrow), nullptr);
  std::uint64_t wide = 1;
  EXPECT_NE(get("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00"s, wide), nullptr);
  EXPECT_EQ(wide, 0u);
  EXPECT_EQ(get("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x02"s, wide), nullptr);
  EXPECT_EQ(get("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00"s, wide), nullptr);
}

TEST(varint, errors_tell_truncated_from_malformed) {
  const std::uint8_t bytes[11] = {0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80};
  EXPECT_EQ(detail::varint_fault<std::uint32_t>(bytes, bytes + 4), errc::truncated);
  EXPECT_EQ(detail::varint_fault<std::uint32_t>(bytes, bytes + 5), errc::bad_varint);
  EXPECT_EQ(detail::varint_fault<std::uint64_t>(bytes, bytes + 9), errc::truncated);
  EXPECT_EQ(detail::varint_fault<std::uint64_t>(bytes, bytes + 10), errc::bad_varint);
}

// Every width, with exactly as many bytes as the fast paths require, and one less: the results near the end
// are the same. The byte after the end would change the result if it were read.
template <class T>
void at_every_distance_from_the_end() {
  constexpr std::size_t longest = detail::max_varint_size<T>;
  for (std::size_t width = 1; width <= longest + 2; ++width) {
    for (const unsigned last : {0x00u, 0x01u, 0x02u, 0x0fu, 0x10u, 0x7fu}) {
      std::string bytes(width - 1, '\x80');
      bytes += static_cast<char>(last);
      const bool too_long = width > longest || (width == longest && last > (sizeof(T) == 4 ? 0x0fu : 0x01u));
      const T expected = width > longest ? T{0} : static_cast<T>(static_cast<T>(last) << (7 * (width - 1)));
      for (std::size_t size = 0; size <= width + 12; ++size) {
        std::string text = bytes + std::string(12, '\xff');
        const auto* from = reinterpret_cast<const std::uint8_t*>(text.data());
        const bool complete = size >= width;
        const std::uint8_t* suffix = complete && !too_long ? from + width : nullptr;
        T actual = 0;
        EXPECT_EQ(detail::get_varint(from, from + size, actual), suffix)
            << width << ' ' << last << ' ' << size;
        if (suffix != nullptr) {
          EXPECT_EQ(actual, expected) << width << ' ' << last << ' ' << size;
        }
        EXPECT_EQ(detail::skip_varint<T>(from, from + size), suffix) << width << ' ' << last << ' ' << size;
        if (suffix == nullptr) {
          EXPECT_EQ(detail::varint_fault<T>(from, from + size),
                    size >= longest ? errc::bad_varint : errc::truncated)
              << width << ' ' << size;
        }
      }
    }
  }
}

TEST(varint, every_width_at_every_distance_from_the_end) {
  at_every_distance_from_the_end<std::uint32_t>();
  at_every_distance_from_the_end<std::uint64_t>();
}

TEST(varint, sizes_at_each_power_of_128) {
  for (unsigned power = 1; power <= 9; ++power) {
    const std::uint64_t first = std::uint64_t{1} << (7 * power);
    EXPECT_EQ(detail::varint_size(first - 1), power);
    EXPECT_EQ(detail::varint_size(first), power + 1);
    std::uint8_t storage[detail::max_varint_size<std::uint64_t>];
    EXPECT_EQ(detail::put_varint(storage, first - 1), storage + power);
    EXPECT_EQ(detail::put_varint(storage, first), storage + power + 1);
  }
}
