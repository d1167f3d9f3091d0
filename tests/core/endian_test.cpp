#include <thriftlens/core/endian.hpp>

#include "support/test.hpp"

namespace {

using namespace thriftlens;

constexpr std::uint8_t bytes[] = {0xff, 0x81, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x88};

TEST(endian, loads_most_significant_byte_first_from_any_address) {
  EXPECT_EQ(detail::load_be<std::uint8_t>(bytes + 1), 0x81u);
  EXPECT_EQ(detail::load_be<std::uint16_t>(bytes + 1), 0x8102u);
  EXPECT_EQ(detail::load_be<std::uint32_t>(bytes + 1), 0x81020304u);
  EXPECT_EQ(detail::load_be<std::uint64_t>(bytes + 1), 0x8102030405060788u);
  EXPECT_EQ(detail::load_be<std::int16_t>(bytes + 1), static_cast<std::int16_t>(0x8102));
  EXPECT_LT(detail::load_be<std::int64_t>(bytes + 1), 0);
}

TEST(endian, loads_least_significant_byte_first) {
  EXPECT_EQ(detail::load_le<std::uint16_t>(bytes + 1), 0x0281u);
  EXPECT_EQ(detail::load_le<std::uint32_t>(bytes + 1), 0x04030281u);
  EXPECT_EQ(detail::load_le<std::uint64_t>(bytes + 1), 0x8807060504030281u);
}

template <class T>
void returns(T value) {
  std::array<std::uint8_t, sizeof(T) + 2> bytes{};
  bytes.fill(0xaa);
  detail::store_be(bytes.data() + 1, value);
  EXPECT_EQ(detail::load_be<T>(bytes.data() + 1), value);
  EXPECT_EQ(bytes.front(), 0xaa);
  EXPECT_EQ(bytes.back(), 0xaa);
  detail::store_le(bytes.data() + 1, value);
  EXPECT_EQ(detail::load_le<T>(bytes.data() + 1), value);
  EXPECT_EQ(bytes.front(), 0xaa);
  EXPECT_EQ(bytes.back(), 0xaa);
}

TEST(endian, stored_values_load_back) {
  for (const int shift : {0, 1, 7, 8, 15, 31, 33, 63}) {
    const auto value = static_cast<std::int64_t>(std::uint64_t{0xa5} << shift);
    returns(value);
    returns(static_cast<std::int32_t>(value));
    returns(static_cast<std::int16_t>(value));
    returns(static_cast<std::int8_t>(value));
    returns(static_cast<std::uint64_t>(value));
  }
  for (const double value : {0.0, -1.5, 1e308, std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::denorm_min()}) {
    returns(value);
  }
}

TEST(endian, double_is_ieee_754_big_endian) {
  std::array<std::uint8_t, 8> storage{};
  detail::store_be(storage.data(), 1.0);
  EXPECT_EQ(storage, (std::array<std::uint8_t, 8>{0x3f, 0xf0}));
}

TEST(endian, byte_swap_reverses_bytes) {
  static_assert(detail::byte_swap(std::uint8_t{0x12}) == 0x12);
  static_assert(detail::byte_swap(std::uint16_t{0x1234}) == 0x3412);
  static_assert(detail::byte_swap(0x12345678u) == 0x78563412u);
  EXPECT_EQ(detail::byte_swap(std::uint64_t{0x0102030405060708}), 0x0807060504030201u);
}

}  // namespace
