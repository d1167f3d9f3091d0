#include <thriftlens/simd/byteswap.hpp>

#include "bodies.hpp"
#include "guarded.hpp"
#include "support/test.hpp"

namespace simd = thriftlens::detail::simd;

namespace {

template <class T>
using bits_of = std::conditional_t<std::is_floating_point_v<T>, std::uint64_t, T>;

template <class T>
class simd_byteswap : public testing::Test {};
using swapped_numbers = testing::Types<std::int8_t, std::int16_t, std::int32_t, std::int64_t, double>;
TYPED_TEST_SUITE(simd_byteswap, swapped_numbers);

std::string random_bytes(std::size_t size) {
  std::mt19937 random(static_cast<unsigned>(size));
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

}  // namespace

TYPED_TEST(simd_byteswap, loads_what_single_loads_give_at_every_length_and_alignment) {
  using bits = bits_of<TypeParam>;
  thriftlens_test::guarded memory;
  for (std::size_t count = 0; count <= thriftlens_test::longest; ++count) {
    const std::string bytes = random_bytes(count * sizeof(TypeParam));
    for (std::size_t shift = 0; shift < 17; ++shift) {
      const std::uint8_t* from = memory.hold(bytes + std::string(shift, 'x'));
      std::vector<TypeParam> actual(count + 1);
      simd::load_be_array(actual.data(), from, count);
      for (std::size_t i = 0; i < count; ++i) {
        // Numbers, not doubles: a signalling NaN is another one after it was in a register of x87.
        const auto expected = thriftlens::detail::load_be<bits>(from + i * sizeof(bits));
        ASSERT_EQ(std::memcmp(&actual[i], &expected, sizeof expected), 0) << count << ' ' << i;
      }
      EXPECT_EQ(actual[count], TypeParam{});
    }
  }
}

TYPED_TEST(simd_byteswap, stores_what_it_loads) {
  thriftlens_test::guarded memory;
  for (std::size_t count = 0; count <= thriftlens_test::longest; ++count) {
    const std::string bytes = random_bytes(count * sizeof(TypeParam));
    std::vector<TypeParam> values(count);
    simd::load_be_array(values.data(), reinterpret_cast<const std::uint8_t*>(bytes.data()), count);
    std::uint8_t* to = memory.storage(bytes.size());
    simd::store_be_array(to, values.data(), count);
    EXPECT_EQ(std::string(reinterpret_cast<char*>(to), bytes.size()), bytes);
  }
}

template <std::size_t Width>
void try_every_body() {
  thriftlens_test::guarded memory, target;
  for (std::size_t count = 0; count <= thriftlens_test::longest; ++count) {
    const std::string bytes = random_bytes(count * Width);
    for (std::size_t suffix = 0; suffix < thriftlens_test::alignments; ++suffix) {
      const std::uint8_t* from = memory.hold(bytes + std::string(suffix, 'x'));
      std::string expected(bytes.size(), '\0');
      for (std::size_t i = 0; i < bytes.size(); ++i)
        expected[i] = bytes[i / Width * Width + (Width - 1 - i % Width)];
      thriftlens_test::for_each_body(simd::detail::swap_bodies<Width>, [&](auto run, const char* name) {
        std::uint8_t* to = target.storage(bytes.size() + suffix / 8);
        run(to, from, bytes.size());
        ASSERT_EQ(std::string(to, to + bytes.size()), expected) << name << ' ' << count << ' ' << suffix;
      });
    }
  }
}

TEST(simd_byteswap_bodies, every_body_at_every_length_and_alignment) {
  try_every_body<2>();
  try_every_body<4>();
  try_every_body<8>();
}
