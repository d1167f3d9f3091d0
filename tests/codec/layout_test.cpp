#include <thriftlens/codec/layout.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace tl = thriftlens;
namespace codec = thriftlens::codec;

namespace {
struct mixed {
  bool a = false;
  std::int64_t b = 0;
  std::string c;
  double d = 0;
};
}  // namespace
template <>
struct tl::binding<mixed> : tl::fields<tl::field<1, &mixed::a>, tl::field<2, &mixed::b>,
                                       tl::field<3, &mixed::c>, tl::field<0x1234, &mixed::d>> {};

TEST(codec_layout, headers_are_the_bytes_that_binary_writes) {
  EXPECT_EQ((codec::member_header<mixed, 0>), 0x010002u);
  EXPECT_EQ((codec::member_header<mixed, 3>), 0x341204u);
  EXPECT_EQ(codec::binary_header(tl::ttype::i32, -1), 0xffff08u);
}

TEST(codec_layout, runs_of_fixed_fields_are_grouped) {
  static_assert(codec::field_groups<mixed>.size() == 3);
  EXPECT_EQ(codec::field_groups<mixed>[0].end, 2u);
  EXPECT_EQ(codec::field_groups<mixed>[1].end, 3u);
  EXPECT_EQ((codec::run_size<mixed, 0, 2>), 4 + 11u);
  EXPECT_EQ((codec::field_reach<mixed, 2>), 7u);
  EXPECT_EQ((codec::fixed_field_size<mixed, 2>), 0u);
}
