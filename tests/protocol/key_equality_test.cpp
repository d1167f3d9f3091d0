#include <thriftlens/protocol/key_equality.hpp>

#include "dom/model.hpp"
#include "protocol/equal_keys.hpp"
#include "support/test.hpp"

#include <thriftlens/protocol/converter.hpp>

namespace {

using namespace thriftlens_test;
using tl::ttype, tl::detail::find_repeated_key;

template <class P>
class key_equality : public testing::Test {};
TYPED_TEST_SUITE(key_equality, protocols);

std::string number(int value) { return std::string({0, 0, 0, static_cast<char>(value)}); }
const std::string zero(8, '\0'), minus_zero = std::string("\x80", 1) + std::string(7, '\0');
const std::string nan("\x7f\xf8\0\0\0\0\0\0", 8), other_nan("\x7f\xf8\0\0\0\0\0\1", 8);
const std::string x = std::string("\x08\0\1", 3) + number(1), y = std::string("\x08\0\2", 3) + number(2);
const std::string stop(1, '\0');

// Converts bytes in Binary.
template <class P>
std::string in(const std::string& bytes, ttype wire) {
  tl::binary::reader from(bytes);
  tl::buffer out;
  typename P::writer to(out);
  EXPECT_TRUE((tl::detail::converter<tl::binary, P>(from, to).value(wire)));
  return out.str();
}

TYPED_TEST(key_equality, keys_are_equal_by_value) {
  const auto equal = [](const std::string& lhs, const std::string& rhs, ttype wire) {
    const std::string first = in<TypeParam>(lhs, wire), second = in<TypeParam>(rhs, wire);
    return equal_keys<TypeParam>(first, second, wire);
  };
  EXPECT_TRUE(equal(zero, minus_zero, ttype::double_));
  EXPECT_TRUE(equal(nan, nan, ttype::double_));
  EXPECT_FALSE(equal(nan, other_nan, ttype::double_));
  EXPECT_TRUE(equal(x + y + stop, y + x + stop, ttype::struct_));
  EXPECT_FALSE(equal(x + stop, x + y + stop, ttype::struct_));
  const std::string two = std::string("\x04", 1) + number(2);
  EXPECT_FALSE(equal(two + zero + nan, two + nan + zero, ttype::list));
  EXPECT_TRUE(equal(two + zero + nan, two + nan + minus_zero, ttype::set));
  EXPECT_FALSE(equal(number(1), number(2), ttype::i32));
  const std::string key = in<TypeParam>(x + stop, ttype::struct_);
  const std::string longer = key + '\0';
  EXPECT_FALSE(equal_keys<TypeParam>(key, longer, ttype::struct_)) << "trailing bytes";
  EXPECT_FALSE(equal_keys<TypeParam>(longer, key, ttype::struct_)) << "trailing bytes";
}

TYPED_TEST(key_equality, the_first_repeated_key_is_found_whatever_follows) {
  std::string bytes;
  std::uint32_t count = 0;
  for (; count < 200; ++count)
    bytes += in<TypeParam>(std::string(4, '\0') + number(static_cast<int>(count)), ttype::i64);
  bytes += in<TypeParam>(std::string(8, '\0'), ttype::i64) + "\xff";
  const tl::map_header set{ttype::i64, ttype::stop, 1000};
  EXPECT_EQ(find_repeated_key<TypeParam>(typename TypeParam::reader(bytes), set), 200u);
  EXPECT_EQ(find_repeated_key<TypeParam>(typename TypeParam::reader(bytes), {ttype::i64, ttype::stop, 200}),
            tl::detail::repeated_keys::none);
}

}  // namespace
