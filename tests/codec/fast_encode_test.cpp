#include <thriftlens/codec/fast/fast_encode.hpp>

#include <thriftlens/codec/encode.hpp>

#include "codec/sample.hpp"
#include "support/test.hpp"

namespace codec = thriftlens::detail::codec;

namespace {

template <class Protocol, class T>
void expect_as_general(const T& value) {
  tl::buffer fast, general;
  fast.append(std::string_view("before"));
  general.append(std::string_view("before"));
  ASSERT_TRUE((codec::fast_encode<Protocol>(value, fast, {})));
  ASSERT_TRUE((codec::encode_any<Protocol>(value, general, {})));
  EXPECT_EQ(fast, general);
}
template <class T>
void expect_declined(const T& value, const tl::encode_options& options = {}) {
  tl::buffer out;
  out.append(std::string_view("before"));
  EXPECT_FALSE(codec::fast_encode<tl::binary>(value, out, options));
  EXPECT_EQ(out.text(), "before");
}

}  // namespace

TEST(codec_fast_encode, writes_the_same_as_the_general_encoder) {
  for (const std::size_t size : {0u, 1u, 3u, 4u, 7u, 8u, 15u, 16u, 32u, 33u, 64u, 65u, 127u, 128u, 5000u}) {
    const sample::leaf leaf{static_cast<std::int16_t>(size), std::string(size, 't')};
    expect_as_general<tl::binary>(leaf);
    expect_as_general<tl::compact>(leaf);
    expect_as_general<tl::binary>(leaf.b);
  }
  expect_as_general<tl::binary>(true);
  expect_as_general<tl::compact>(-1.5);
  expect_as_general<tl::compact>(INT64_MIN);
}

TEST(codec_fast_encode, declines_unsupported_types) {
  expect_declined(std::vector<std::int32_t>{1});
  expect_declined(std::optional<std::int32_t>(1));
  expect_declined(std::uint32_t{0x80000000});
  expect_declined(sample::leaf{1, "b"}, {.limits = {.depth = 0}});
  expect_declined(sample::leaf{1, "b"}, {.limits = {.output_size = 5}});
}
