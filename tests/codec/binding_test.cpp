#include <thriftlens/codec/binding.hpp>

#include "support/test.hpp"

#include <thriftlens/codec/decode.hpp>
#include <thriftlens/codec/encode.hpp>

namespace {
struct point {
  std::int32_t x = 0;
  std::optional<std::string> label;
};
class account {
 public:
  account() = default;
  explicit account(std::int64_t amount) : amount_(amount) {}
  [[nodiscard]] std::int64_t amount() const { return amount_; }

 private:
  std::int64_t amount_ = 0;
  friend struct tl::binding<account>;
};
struct base {
  std::int32_t id = 0;
};
struct derived : base {
  bool flag = false;
};
struct strict {
  std::int32_t must = 0;
  std::optional<std::int32_t> maybe;
  std::int32_t five = 0;
};
}  // namespace

template <>
struct tl::binding<point> : tl::fields<tl::field<1, &point::x>, tl::field<2, &point::label>> {};
template <>
struct tl::binding<account> : tl::fields<tl::field<-3, &account::amount_>> {};
template <>
struct tl::binding<derived> : tl::fields<tl::field<7, &derived::flag>, tl::field<2, &derived::id>> {};
template <>
struct tl::binding<strict>
    : tl::fields<tl::field<1, &strict::must, tl::required>, tl::field<2, &strict::maybe, tl::required>,
                 tl::field<3, &strict::five, tl::default_(5), tl::omit_default>> {};

static_assert(tl::bound<point> && !tl::bound<base>);

TEST(codec_binding, listed_fields_round_trip) {
  tl::buffer bytes;
  tl::append_encoded(point{-2, "here"}, bytes);
  EXPECT_EQ(bytes.text(),
            std::string("\x08\x00\x01\xff\xff\xff\xfe\x0b\x00\x02\x00\x00\x00\x04here\x00", 19));
  const auto back = tl::decode<point>(bytes);
  EXPECT_EQ(back.x, -2);
  EXPECT_EQ(back.label, "here");
}

TEST(codec_binding, private_and_inherited_members_can_be_bound) {
  tl::buffer bytes;
  tl::append_encoded(account(99), bytes);
  EXPECT_EQ(tl::decode<account>(bytes).amount(), 99);
  bytes.clear();
  derived sent;
  sent.id = 4;
  sent.flag = true;
  tl::append_encoded<tl::compact>(sent, bytes);
  EXPECT_EQ(bytes.text(), std::string("\x25\x08\x51\x00", 4))
      << "ids ascend whatever the order of the binding";
  const auto back = tl::decode<derived, tl::compact>(bytes);
  EXPECT_EQ(back.id, 4);
  EXPECT_TRUE(back.flag);
}

TEST(codec_binding, required_fields_are_checked_by_encode_and_decode) {
  tl::buffer bytes;
  auto encoded = tl::try_append_encoded(strict{1, std::nullopt, 5}, bytes);
  ASSERT_EQ(errc_of(encoded), tl::errc::empty_value);
  EXPECT_EQ(encoded.error().path(), "$.maybe");
  EXPECT_TRUE(bytes.empty()) << "nothing of it is left";

  tl::append_encoded(strict{1, 2, 5}, bytes);
  EXPECT_EQ(bytes.size(), 15u) << "a default is not written";
  EXPECT_EQ(tl::decode<strict>(bytes).five, 5) << "and comes back";

  const std::string without("\x08\x00\x02\x00\x00\x00\x02\x00", 8);
  const auto decoded = tl::try_decode<strict>(without);
  ASSERT_EQ(errc_of(decoded), tl::errc::missing_required);
  EXPECT_EQ(decoded.error().path(), "$.must");
  EXPECT_EQ(decoded.error().offset(), 7u);
}

TEST(codec_binding, required_fields_that_trim_left_out_may_be_missing_by_option) {
  const tl::decode_options omit{.missing_required = tl::on_missing::omit};
  const std::string binary("\x08\x00\x02\x00\x00\x00\x02\x00", 8), compact("\x25\x04\x00", 3);
  const auto expect_partial = [](const tl::result<strict>& decoded) {
    ASSERT_TRUE(decoded) << decoded.error().what();
    EXPECT_EQ(decoded->must, strict().must) << "as a default-made struct has it";
    EXPECT_EQ(decoded->maybe, 2);
    EXPECT_EQ(decoded->five, 5);
  };
  expect_partial(tl::try_decode<strict>(binary, omit));
  expect_partial((tl::try_decode<strict, tl::compact>(compact, omit)));
  strict second{9, 9, 9};
  ASSERT_TRUE(tl::try_decode_into(binary, second, omit));
  EXPECT_EQ(second.must, strict().must) << "a member that is not there is reset, not left";
  EXPECT_EQ((tl::try_decode<strict, tl::compact>(compact).error().code()), tl::errc::missing_required);
}
