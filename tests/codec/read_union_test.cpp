#include <thriftlens/codec/read_union.hpp>

#include <thriftlens/codec/decode.hpp>
#include <thriftlens/codec/encode.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <variant>

namespace tl = thriftlens;

namespace {
using either = std::variant<std::int32_t, bool, std::string>;
struct maybe {
  std::variant<std::monostate, std::string, std::string> value;
};
}  // namespace
template <>
struct tl::binding<maybe> : tl::union_<&maybe::value, 4, 2> {};

namespace {
template <class Protocol>
void expect_back(const either& sent) {
  tl::buffer bytes;
  tl::encode<Protocol>(sent, bytes);
  EXPECT_EQ((tl::decode<either, Protocol>(bytes)), sent);
  either object = std::string("before");
  tl::decode_into<Protocol>(bytes, object);
  EXPECT_EQ(object, sent);
}
tl::errc code_of(const std::string& wire, const tl::decode_options& options = {}) {
  const auto found = tl::try_decode<maybe>(wire, options);
  return found ? tl::errc::ok : found.error().code();
}
const std::string four("\x0b\x00\x04\x00\x00\x00\x01x", 8), two("\x0b\x00\x02\x00\x00\x00\x01y", 8),
    nine("\x02\x00\x09\x01", 4), stop("\0", 1);
}  // namespace

TEST(codec_read_union, the_member_that_is_set_comes_back) {
  for (const either& sent : {either(5), either(true), either(false), either("text")}) {
    expect_back<tl::binary>(sent);
    expect_back<tl::compact>(sent);
  }
  const std::string second = two + stop, first = nine + four + stop;
  EXPECT_EQ(tl::decode<maybe>(second).value.index(), 2u);
  EXPECT_EQ(tl::decode<maybe>(first).value.index(), 1u);
}

TEST(codec_read_union, two_members_are_an_error_and_none_needs_monostate) {
  EXPECT_EQ(code_of(four + two + stop), tl::errc::union_members);
  EXPECT_EQ(code_of(four + four + stop), tl::errc::union_members);
  EXPECT_EQ(code_of(stop), tl::errc::ok);
  maybe object;
  object.value.emplace<1>("set");
  tl::decode_into(stop, object);
  EXPECT_EQ(object.value.index(), 0u);
  EXPECT_EQ(tl::try_decode<either>(stop).error().code(), tl::errc::unfit_value);
}

TEST(codec_read_union, unknown_and_wrong_members_are_what_the_options_say) {
  EXPECT_EQ(code_of(nine + stop), tl::errc::ok);
  EXPECT_EQ(code_of(nine + stop, {.unknown = tl::decode_unknown::error}), tl::errc::unknown_field);
  const std::string wrong("\x02\x00\x04\x01", 4);
  EXPECT_EQ(code_of(wrong + stop), tl::errc::type_mismatch);
  EXPECT_EQ(code_of(wrong + two + stop, {.mismatch = tl::decode_mismatch::skip}), tl::errc::ok);
  EXPECT_EQ(code_of(four.substr(0, 6) + stop), tl::errc::truncated);
}
