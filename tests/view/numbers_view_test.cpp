#include <thriftlens/view/numbers_view.hpp>

#include "support/order.hpp"
#include "support/random_data.hpp"
#include "support/test.hpp"

#include <thriftlens/view/view.hpp>

#include <gmock/gmock.h>

#include <numeric>

using testing::ElementsAre, testing::ElementsAreArray, tl::errc;
using namespace thriftlens_test;

namespace {

enum class colour : std::int32_t { red = 1, blue = -7 };

const tl::schema& columns() {
  static const tl::schema parsed = tl::schema::parse(R"(
    enum Colour { RED = 1, BLUE = -7 }
    struct N { 1: list<i64> l, 2: list<double> d, 3: list<bool> b, 4: list<i16> s, 5: set<byte> y, 6: list<i32> i, 7: list<Colour> c, 8: list<string> t })");
  return parsed;
}
tl::type column_type() { return columns().type("N"); }

template <class P>
struct numbers_of : testing::Test {
  static constexpr bool is_binary = std::is_same_v<P, tl::binary>;
  template <class T>
  static std::vector<T> all(const tl::view<P>& from) {
    std::vector<T> items;
    for (const T number : from.template numbers<T>()) items.push_back(number);
    return items;
  }
  /// The same by elements, or nothing if that fails.
  template <class T>
  static std::pair<errc, std::vector<T>> one_by_one(const tl::view<P>& from) {
    std::vector<T> items;
    auto elements = from.try_elements();
    for (auto number : elements) {
      T value{};
      if (errc code = number.get(value); code != errc::ok) return {code, {}};
      items.push_back(value);
    }
    return {elements.code(), items};
  }
  template <class T>
  static void agrees(const tl::view<P>& from) {
    const auto [code, expected] = one_by_one<T>(from);
    auto actual = from.template try_numbers<T>();
    EXPECT_EQ(actual ? errc::ok : actual.error().code(), code);
    if (!actual) return;
    EXPECT_EQ(actual->size(), expected.size());
    const auto same = [](T lhs, T rhs) { return std::memcmp(&lhs, &rhs, sizeof lhs) == 0; };  // a NaN too
    EXPECT_TRUE(std::ranges::equal(*actual, expected, same));
    std::vector<T> copied(expected.size());
    actual->copy_to(copied.data());
    EXPECT_TRUE(std::ranges::equal(copied, expected, same));
  }
  static void all_agree(const tl::view<P>& v) {
    agrees<std::int64_t>(v[1]);
    agrees<double>(v[2]);
    agrees<std::int16_t>(v[4]);
    agrees<std::int8_t>(v[5]);
    agrees<std::int32_t>(v[6]);
    agrees<colour>(v[7]);
  }
  static tree sample(std::size_t size) {
    randomness random(5);
    tree l, d, s, y, i, c;
    const auto any = [&] { return static_cast<std::int64_t>(random.below(SIZE_MAX)) >> random.below(64); };
    for (std::size_t at = 0; at < size; ++at) {
      l.elements.push_back(i64(any()));
      d.elements.push_back(real(static_cast<double>(any() >> 12) / 8));
      s.elements.push_back(i16(static_cast<std::int16_t>(any())));
      y.elements.push_back(i8(static_cast<std::int8_t>(any())));
      i.elements.push_back(i32(static_cast<std::int32_t>(any())));
      c.elements.push_back(i32(at % 2 == 0 ? 1 : -7));
    }
    return structure({{1, list(ttype::i64, l.elements)},
                      {2, list(ttype::double_, d.elements)},
                      {4, list(ttype::i16, s.elements)},
                      {5, list(ttype::i8, y.elements, ttype::set)},
                      {6, list(ttype::i32, i.elements)},
                      {7, list(ttype::i32, c.elements)}});
  }
};
TYPED_TEST_SUITE(numbers_of, protocols);

TYPED_TEST(numbers_of, every_kind) {
  const std::string bytes =
      encode<TypeParam>(structure({{1, list(ttype::i64, {i64(INT64_MIN), i64(-1), i64(300), i64(INT64_MAX)})},
                                   {2, list(ttype::double_, {real(-0.5), real(1e300)})},
                                   {3, list(ttype::bool_, {boolean(true), boolean(false), boolean(true)})},
                                   {4, list(ttype::i16, {i16(-2), i16(INT16_MIN), i16(INT16_MAX)})},
                                   {5, list(ttype::i8, {i8(-8), i8(127)}, ttype::set)},
                                   {6, list(ttype::i32, {i32(INT32_MIN), i32(5), i32(INT32_MAX)})},
                                   {7, list(ttype::i32, {i32(1), i32(-7)})}}));
  const tl::view<TypeParam> v(bytes, column_type());
  EXPECT_THAT(this->template all<std::int64_t>(v["l"]), ElementsAre(INT64_MIN, -1, 300, INT64_MAX));
  EXPECT_THAT(this->template all<double>(v["d"]), ElementsAre(-0.5, 1e300));
  EXPECT_THAT(this->template all<bool>(v["b"]), ElementsAre(true, false, true));
  EXPECT_THAT(this->template all<std::int16_t>(v["s"]), ElementsAre(-2, INT16_MIN, INT16_MAX));
  EXPECT_THAT(this->template all<std::int8_t>(v["y"]), ElementsAre(-8, 127));
  EXPECT_THAT(this->template all<std::int32_t>(v["i"]), ElementsAre(INT32_MIN, 5, INT32_MAX));
  EXPECT_THAT(this->template all<colour>(v["c"]), ElementsAre(colour::red, colour::blue));
  EXPECT_THAT(this->template all<long long>(v["l"]), ElementsAre(INT64_MIN, -1, 300, INT64_MAX));
  std::array<long long, 4> copied{};
  v["l"].template numbers<long long>().copy_to(copied.data());
  EXPECT_EQ(copied[2], 300);
  EXPECT_EQ(v["l"].template numbers<std::int64_t>().bytes().end(), v["l"].bytes().end());
}

TYPED_TEST(numbers_of, is_a_range) {
  using varints = tl::numbers_view<TypeParam, std::int32_t>;
  using doubles = tl::numbers_view<TypeParam, double>;
  static_assert(std::ranges::view<varints> && std::ranges::borrowed_range<varints> &&
                std::ranges::sized_range<varints> && std::ranges::common_range<varints>);
  static_assert(std::ranges::forward_range<varints> && std::ranges::random_access_range<doubles>);
  static_assert(std::ranges::random_access_range<varints> == TestFixture::is_binary);
  const std::string bytes = encode<TypeParam>(this->sample(100));
  const tl::view<TypeParam> v(bytes, column_type());
  const auto numbers = v["i"].template numbers<std::int32_t>();
  const auto least = std::ranges::min_element(numbers);
  const auto full = this->template all<std::int32_t>(v["i"]);
  EXPECT_EQ(*least, *std::ranges::min_element(full));
  EXPECT_EQ(std::accumulate(numbers.begin(), numbers.end(), std::int64_t{0}),
            std::accumulate(full.begin(), full.end(), std::int64_t{0}));
  const auto reals = v["d"].template numbers<double>();
  EXPECT_EQ(reals[99], v["d"][99].template as<double>());
  EXPECT_EQ(reals.end()[-1], reals[99]);
  EXPECT_EQ(reals.end() - reals.begin(), 100);
  auto at = numbers.begin();
  EXPECT_EQ(*at++, *numbers.begin());
  EXPECT_NE(at, numbers.begin());
  EXPECT_EQ(at, std::next(numbers.begin()));
}

TYPED_TEST(numbers_of, unsupported_views) {
  const std::string bytes = encode<TypeParam>(structure(
      {{1, list(ttype::i64, {})}, {6, list(ttype::i32, {i32(1)})}, {8, list(ttype::string, {text("x")})}}));
  const tl::view<TypeParam> v(bytes, column_type());
  EXPECT_TRUE(v["l"].template numbers<std::int64_t>().empty());
  EXPECT_TRUE((tl::numbers_view<TypeParam, std::int64_t>().begin() ==
               tl::numbers_view<TypeParam, std::int64_t>().end()));
  EXPECT_EQ(v["i"].template try_numbers<std::int64_t>().error().code(), errc::wrong_type);
  EXPECT_NE(std::string(v["t"].template try_numbers<double>().error().what()).find("list<string>"),
            std::string::npos);
  EXPECT_EQ(v.template try_numbers<double>().error().code(), errc::wrong_type);
  EXPECT_EQ(v["d"].template try_numbers<double>().error().code(), errc::absent);
  EXPECT_THROW(static_cast<void>(v["d"].template numbers<double>()), tl::error);
  EXPECT_THAT((this->template all<std::int32_t>(tl::view<TypeParam>(bytes)[6])), ElementsAre(1));
}

TYPED_TEST(numbers_of, truncation_errors_equal_those_of_elements) {
  for (std::size_t count : {3u, 40u}) {
    const std::string complete = encode<TypeParam>(this->sample(count));
    for (std::size_t size = 0; size <= complete.size(); ++size) {
      // Exactly as long as the bytes, so that sanitizers see every byte read past the end.
      const std::vector<char> exact(complete.begin(), complete.begin() + static_cast<std::ptrdiff_t>(size));
      this->all_agree(tl::view<TypeParam>(tl::byte_view(exact.data(), exact.size()), column_type()));
    }
  }
}

TYPED_TEST(numbers_of, errors_of_mutated_bytes_equal_those_of_elements) {
  const std::string complete = encode<TypeParam>(this->sample(40));
  randomness random(3);
  for (int round = 0; round < 400; ++round) {
    std::vector<char> bytes(complete.begin(), complete.end());
    for (std::size_t changes = 1 + random.below(6); changes > 0; --changes)
      bytes[random.below(bytes.size())] = static_cast<char>(random.one_in(2) ? 255 : random.below(256));
    this->all_agree(tl::view<TypeParam>(tl::byte_view(bytes.data(), bytes.size()), column_type()));
  }
}

TEST(numbers_of_compact, an_overflowing_varint_has_an_offset) {
  std::string bytes = encode<tl::compact>(structure({{4, list(ttype::i16, {i16(1), i16(2), i16(3)})}}));
  // The second number becomes one of 17 bits.
  bytes.replace(bytes.find('\x04'), 1, "\x80\x80\x04");
  const auto actual = tl::view<tl::compact>(bytes, column_type())["s"].try_numbers<std::int16_t>();
  ASSERT_EQ(errc_of(actual), errc::bad_varint);
  EXPECT_EQ(actual.error().offset(), bytes.find("\x80\x80\x04"));
  EXPECT_EQ(actual.error().path(), "$.s[1]");
}

TEST(numbers_of_binary, a_bool_other_than_one_is_true) {
  std::string bytes =
      encode<tl::binary>(structure({{3, list(ttype::bool_, {boolean(true), boolean(false)})}}));
  bytes[bytes.size() - 3] = 9;
  const auto actual = tl::view<tl::binary>(bytes, column_type())["b"].numbers<bool>();
  EXPECT_THAT(std::vector<bool>(actual.begin(), actual.end()), ElementsAre(true, false));
}

}  // namespace
