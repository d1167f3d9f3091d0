#include <thriftlens/codec/write_struct.hpp>

#include <thriftlens/codec/decode.hpp>
#include <thriftlens/codec/encode.hpp>

#include "bytes_of.hpp"
#include "support/test.hpp"

#include <exception>
#include <variant>

using thriftlens_test::bytes_of;

namespace {
struct far_ids {
  std::optional<std::int32_t> a;
  std::vector<std::int8_t> list;
  bool flag = false;
  std::unique_ptr<far_ids> next;
};
struct omitting {
  std::string text;
  std::vector<std::int32_t> list;
  std::int32_t number = 7;
};
/// Its moves may throw, so a variant cannot restore its value.
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
struct tl::binding<far_ids> : tl::fields<tl::field<300, &far_ids::a>, tl::field<1, &far_ids::list>,
                                         tl::field<2, &far_ids::flag>, tl::field<-1, &far_ids::next>> {};
template <>
struct tl::binding<omitting>
    : tl::fields<tl::field<1, &omitting::text, tl::omit_default>,
                 tl::field<2, &omitting::list, tl::omit_default>,
                 tl::field<3, &omitting::number, tl::omit_default, tl::default_(7)>> {};

TEST(codec_write_struct, fields_are_written_in_id_order) {
  far_ids value;
  value.a = 1;
  value.list = {5};
  EXPECT_EQ(bytes_of<tl::binary>(value),
            std::string(
                "\x0f\x00\x01\x03\x00\x00\x00\x01\x05\x02\x00\x02\x00\x08\x01\x2c\x00\x00\x00\x01\x00", 21));
  EXPECT_EQ(bytes_of<tl::compact>(value), std::string("\x19\x13\x05\x12\x05\xd8\x04\x02\x00", 9));
}

TEST(codec_write_struct, empty_members_and_defaults_are_omitted) {
  EXPECT_EQ(bytes_of<tl::compact>(far_ids{}), std::string("\x19\x03\x12\x00", 4));
  EXPECT_EQ(bytes_of<tl::binary>(omitting{}), std::string("\0", 1));
  EXPECT_EQ(bytes_of<tl::compact>(omitting{"", {}, 8}), std::string("\x35\x10\x00", 3));
}

TEST(codec_write_struct, depth_is_bounded) {
  far_ids value;
  value.next = std::make_unique<far_ids>();
  tl::buffer out;
  EXPECT_EQ(tl::try_append_encoded(value, out, {.limits = {.depth = 1}}).error().code(),
            tl::errc::depth_limit);
  EXPECT_TRUE(tl::try_append_encoded(value, out, {.limits = {.depth = 3}}));
}

TEST(codec_write_struct, unions_write_the_active_member) {
  using either = std::variant<std::monostate, std::int32_t, bool>;
  EXPECT_EQ(bytes_of<tl::binary>(either()), std::string("\0", 1));
  EXPECT_EQ(bytes_of<tl::compact>(either(true)), std::string("\x21\x00", 2));
  EXPECT_EQ(bytes_of<tl::binary>(either(1)), std::string("\x08\x00\x01\x00\x00\x00\x01\x00", 8));

  std::variant<std::int32_t, fragile> broken = 1;
  EXPECT_THROW(broken.emplace<fragile>(7), std::exception);
  ASSERT_TRUE(broken.valueless_by_exception());
  tl::buffer out;
  EXPECT_EQ(tl::try_append_encoded(broken, out).error().code(), tl::errc::empty_value);
}
