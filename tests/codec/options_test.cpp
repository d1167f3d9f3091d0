#include <thriftlens/codec/options.hpp>

#include "support/test.hpp"

TEST(codec_options, defaults_are_strict) {
  const thriftlens::decode_options usual;
  EXPECT_EQ(usual.mismatch, thriftlens::on_mismatch::error);
  EXPECT_EQ(usual.duplicates, thriftlens::on_duplicate::error);
  EXPECT_EQ(usual.unknown, thriftlens::on_unknown::drop);
  EXPECT_EQ(usual.trailing, thriftlens::decode_trailing::error);
  EXPECT_EQ(usual.limits, thriftlens::limits());
  EXPECT_EQ(thriftlens::encode_options().limits, thriftlens::limits());
}
