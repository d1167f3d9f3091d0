#include <thriftlens/codec/size.hpp>

#include <thriftlens/codec/encode.hpp>

#include "codec/sample.hpp"
#include "support/test.hpp"

namespace {
template <class Protocol, class T>
void expect_size(const T& value) {
  tl::buffer out;
  tl::append_encoded<Protocol>(value, out);
  EXPECT_EQ(tl::encoded_size<Protocol>(value), out.size());
}
}  // namespace

TEST(codec_size, equals_the_size_of_the_encoding) {
  expect_size<tl::binary>(sample::full());
  expect_size<tl::compact>(sample::full());
  expect_size<tl::binary>(sample::leaf{1, "b"});
  expect_size<tl::compact>(sample::leaf{-300, std::string(200, 'b')});
  for (std::size_t count : {0u, 1u, 14u, 15u, 127u, 128u}) {
    expect_size<tl::compact>(std::vector<bool>(count));
    expect_size<tl::compact>(std::vector<std::int64_t>(count, -1000));
    std::vector<std::pair<std::int32_t, std::string>> map(count);
    expect_size<tl::compact>(map);
    expect_size<tl::binary>(map);
  }
}
