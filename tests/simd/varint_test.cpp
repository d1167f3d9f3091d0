#include <thriftlens/simd/varint.hpp>

#include "bodies.hpp"
#include "guarded.hpp"
#include "support/cases.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <string>
#include <vector>
#include "support/test.hpp"

namespace simd = thriftlens::detail::simd;

namespace {

template <class T>
class simd_varint : public testing::Test {
 public:
  using raw = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

  static T number(std::mt19937_64& random, int kind) {
    const auto bits = random() % (sizeof(T) * 8) + 1;
    const std::uint64_t wide = random() >> (64 - bits);
    if (kind == 0) return static_cast<T>(wide & 0x3f);          // one byte each
    if (kind == 1) return static_cast<T>(random());             // of any length
    return static_cast<T>((random() & 1) != 0 ? wide : ~wide);  // all lengths
  }
  static std::string encode(const std::vector<T>& numbers) {
    std::string bytes;
    for (T item : numbers) {
      std::uint8_t storage[10];
      const auto zigzag = [&] {
        if constexpr (sizeof(T) == 8)
          return thriftlens::detail::to_zigzag(item);
        else
          return thriftlens::detail::to_zigzag(std::int32_t{item});
      }();
      bytes.append(reinterpret_cast<char*>(storage),
                   static_cast<std::size_t>(thriftlens::detail::put_varint(storage, zigzag) - storage));
    }
    return bytes;
  }
  // All kernels on the same bytes: the same end, or all nullptr.
  static const std::uint8_t* skip(const std::uint8_t* from, const std::uint8_t* end, std::size_t count) {
    const std::uint8_t* expected = simd::detail::skip_varints_scalar<T>(from, end, count);
    EXPECT_EQ(simd::skip_varints<T>(from, end, count), expected);
    thriftlens_test::for_each_body(simd::detail::skip_varints_bodies<T>, [&](auto run, const char* name) {
      EXPECT_EQ(run(from, end, count), expected) << name;
    });
    std::vector<T> slow(count), fast(count);
    EXPECT_EQ(simd::read_varints<T>(from, end, slow.data(), count), expected);
    thriftlens_test::for_each_body(simd::detail::read_varints_bodies<T>, [&](auto run, const char* name) {
      EXPECT_EQ(run(from, end, fast.data(), count), expected) << name;
      if (expected != nullptr) {
        EXPECT_EQ(fast, slow) << name;
      }
    });
    return expected;
  }
};
using numbers = testing::Types<std::int16_t, std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(simd_varint, numbers);

}  // namespace

TYPED_TEST(simd_varint, skip_and_read_agree_at_every_length) {
  thriftlens_test::guarded memory;
  std::mt19937_64 random(1);
  for (std::size_t count = 0; count <= thriftlens_test::longest; ++count)
    for (int round = 0; round < 12; ++round) {
      std::vector<TypeParam> values(count);
      for (TypeParam& value : values) value = TestFixture::number(random, round % 3);
      const std::string bytes = TestFixture::encode(values);
      // Bytes after the run must not matter.
      const std::string suffix(static_cast<std::size_t>(round), static_cast<char>(round % 2 == 0 ? 0xff : 0));
      const std::uint8_t* from = memory.hold(bytes + suffix);
      const std::uint8_t* end = from + bytes.size() + suffix.size();
      ASSERT_EQ(TestFixture::skip(from, end, count), from + bytes.size()) << count << ' ' << round;
      std::vector<TypeParam> actual(count);
      ASSERT_NE(simd::read_varints<TypeParam>(from, end, actual.data(), count), nullptr);
      ASSERT_EQ(actual, values);
    }
}

TYPED_TEST(simd_varint, extremes) {
  using bounds = std::numeric_limits<TypeParam>;
  const auto least_but_one = static_cast<TypeParam>(bounds::min() + 1);
  const std::vector<TypeParam> values = {
      bounds::min(), bounds::max(), 0, -1, 1, least_but_one, 63, 64, -64, -65};
  std::vector<TypeParam> many;
  for (int i = 0; i < 9; ++i) many.insert(many.end(), values.begin(), values.end());
  const std::string bytes = TestFixture::encode(many);
  thriftlens_test::guarded memory;
  const std::uint8_t* from = memory.hold(bytes);
  std::vector<TypeParam> actual(many.size());
  ASSERT_EQ(simd::read_varints<TypeParam>(from, from + bytes.size(), actual.data(), many.size()),
            from + bytes.size());
  EXPECT_EQ(actual, many);
  EXPECT_EQ(TestFixture::skip(from, from + bytes.size(), many.size()), from + bytes.size());
}

TYPED_TEST(simd_varint, truncation_at_any_byte_fails) {
  thriftlens_test::guarded memory;
  std::mt19937_64 random(2);
  std::vector<TypeParam> values(70);
  for (TypeParam& value : values) value = TestFixture::number(random, 2);
  const std::string bytes = TestFixture::encode(values);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const std::uint8_t* from = memory.hold(bytes.substr(0, size));
    ASSERT_EQ(TestFixture::skip(from, from + size, values.size()), nullptr) << size;
  }
}

TYPED_TEST(simd_varint, overlong_and_overflowing_forms_are_distinguished_at_every_position) {
  thriftlens_test::guarded memory;
  std::mt19937_64 random(3);
  const auto below = [&random](std::size_t limit) { return static_cast<std::size_t>(random() % limit); };
  for (int round = 0; round < thriftlens_test::cases(40000); ++round) {
    std::vector<TypeParam> values(20 + below(120));
    for (TypeParam& value : values) value = TestFixture::number(random, static_cast<int>(below(3)));
    std::string bytes = TestFixture::encode(values);
    // Setting and clearing top bits makes overlong, overflowing and merged varints of every kind.
    for (std::size_t n = below(4); n != 0; --n) {
      const std::size_t at = below(bytes.size());
      bytes.replace(
          at, 1,
          std::string(below(11), static_cast<char>(random() | 0x80)) + static_cast<char>(random() & 0x1f));
    }
    const std::uint8_t* from = memory.hold(bytes);
    TestFixture::skip(from, from + bytes.size(), values.size());
    if (testing::Test::HasFailure()) FAIL() << round;
  }
}

TYPED_TEST(simd_varint, every_body_at_every_count_and_alignment) {
  thriftlens_test::guarded memory;
  std::mt19937_64 random(4);
  for (std::size_t count = 0; count <= thriftlens_test::longest; ++count)
    for (std::size_t suffix = 0; suffix < thriftlens_test::alignments; suffix += 1 + count / 32) {
      std::vector<TypeParam> values(count);
      for (TypeParam& value : values) value = TestFixture::number(random, static_cast<int>(suffix % 3));
      const std::string bytes = TestFixture::encode(values);
      const std::uint8_t* from = memory.hold(bytes + std::string(suffix, '\x80'));
      ASSERT_EQ(TestFixture::skip(from, from + bytes.size() + suffix, count), from + bytes.size())
          << count << ' ' << suffix;
    }
}
