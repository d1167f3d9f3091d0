#include <thriftlens/codec/field_bits.hpp>

#include <gtest/gtest.h>

using thriftlens::codec::field_bits;

TEST(codec_field_bits, bits_are_kept_beyond_one_word) {
  field_bits<130> seen;
  EXPECT_FALSE(seen.test(129));
  seen.set(129);
  seen.set(62, 66);
  EXPECT_TRUE(seen.test(129) && seen.test(62) && seen.test(65));
  EXPECT_FALSE(seen.test(61) || seen.test(66) || seen.test(128));
}

TEST(codec_field_bits, covers_asks_for_every_wanted_bit) {
  field_bits<70> seen, wanted;
  EXPECT_TRUE(seen.covers(wanted));
  wanted.set(69);
  EXPECT_FALSE(seen.covers(wanted));
  seen.set(0, 70);
  EXPECT_TRUE(seen.covers(wanted));
  EXPECT_TRUE(seen.covers(field_bits<70>::all()));
  EXPECT_FALSE(wanted.covers(field_bits<70>::all()));
  EXPECT_TRUE(field_bits<0>().covers(field_bits<0>::all()));
}
