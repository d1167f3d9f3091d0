#include <thriftlens/codec/write_struct.hpp>

#include <thriftlens/codec/decode.hpp>
#include <thriftlens/codec/encode.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tl = thriftlens;

namespace {
struct mixed {
  std::optional<std::int32_t> a;
  std::vector<std::int8_t> list;
  bool flag = false;
  std::unique_ptr<mixed> next;
};
struct omitting {
  std::string text;
  std::vector<std::int32_t> list;
  std::int32_t number = 7;
};
/// Its moves may throw, so a variant cannot go back to what it held.
struct fragile {
  fragile() = default;
  fragile(const fragile&) {}
  fragile& operator=(const fragile&) { return *this; }
  explicit fragile(int) { throw std::exception(); }
  std::int32_t value = 0;
};
}  // namespace
template <>
struct tl::binding<fragile> : tl::fields<tl::field<1, &fragile::value>> {};
template <>
struct tl::binding<mixed> : tl::fields<tl::field<300, &mixed::a>, tl::field<1, &mixed::list>,
                                       tl::field<2, &mixed::flag>, tl::field<-1, &mixed::next>> {};
template <>
struct tl::binding<omitting>
    : tl::fields<tl::field<1, &omitting::text, tl::omit_default>,
                 tl::field<2, &omitting::list, tl::omit_default>,
                 tl::field<3, &omitting::number, tl::omit_default, tl::default_(7)>> {};

namespace {
template <class Protocol, class T>
std::string bytes_of(const T& value) {
  tl::buffer out;
  tl::encode<Protocol>(value, out);
  return out.str();
}
}  // namespace

TEST(codec_write_struct, fields_stand_in_order_of_ids) {
  mixed value;
  value.a = 1;
  value.list = {5};
  EXPECT_EQ(bytes_of<tl::binary>(value),
            std::string(
                "\x0f\x00\x01\x03\x00\x00\x00\x01\x05\x02\x00\x02\x00\x08\x01\x2c\x00\x00\x00\x01\x00", 21));
  EXPECT_EQ(bytes_of<tl::compact>(value), std::string("\x19\x13\x05\x12\x05\xd8\x04\x02\x00", 9));
}

TEST(codec_write_struct, empty_ones_and_defaults_are_left_out) {
  EXPECT_EQ(bytes_of<tl::compact>(mixed{}), std::string("\x19\x03\x12\x00", 4));
  EXPECT_EQ(bytes_of<tl::binary>(omitting{}), std::string("\0", 1));
  EXPECT_EQ(bytes_of<tl::compact>(omitting{"", {}, 8}), std::string("\x35\x10\x00", 3));
}

TEST(codec_write_struct, depth_is_bounded) {
  mixed value;
  value.next = std::make_unique<mixed>();
  tl::buffer out;
  EXPECT_EQ(tl::try_encode(value, out, {.limits = {.depth = 1}}).error().code(), tl::errc::depth_limit);
  EXPECT_TRUE(tl::try_encode(value, out, {.limits = {.depth = 3}}));
}

TEST(codec_write_struct, unions_write_what_is_set) {
  using either = std::variant<std::monostate, std::int32_t, bool>;
  EXPECT_EQ(bytes_of<tl::binary>(either()), std::string("\0", 1));
  EXPECT_EQ(bytes_of<tl::compact>(either(true)), std::string("\x21\x00", 2));
  EXPECT_EQ(bytes_of<tl::binary>(either(1)), std::string("\x08\x00\x01\x00\x00\x00\x01\x00", 8));

  std::variant<std::int32_t, fragile> broken = 1;
  EXPECT_THROW(broken.emplace<fragile>(7), std::exception);
  ASSERT_TRUE(broken.valueless_by_exception());
  tl::buffer out;
  EXPECT_EQ(tl::try_encode(broken, out).error().code(), tl::errc::empty_value);
}
