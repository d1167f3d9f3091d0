#include <thriftlens/records/score.hpp>

#include "support/test.hpp"

#include <thriftlens/protocol/binary.hpp>
#include <thriftlens/protocol/compact.hpp>

using tl::detail::text_bits;

namespace {
template <class P>
tl::detail::score score_of(const std::string& bytes) {
  return tl::detail::score_struct<P>(bytes, {});
}
const std::string point("\x08\0\x01\0\0\0\x05\0", 8);
}  // namespace

TEST(score_of, text_scores_higher_than_bytes) {
  EXPECT_GT(text_bits("order"), text_bits("abc"));
  EXPECT_LT(text_bits(std::string("\0\x01\x02", 3)), 0);
  EXPECT_EQ(text_bits(std::string(5000, 'a')), tl::detail::max_text_bits);
  EXPECT_GE(text_bits(std::string(5000, '\0')), -4);
}

TEST(score_of, distinguishes_complete_truncated_and_invalid_structs) {
  EXPECT_TRUE(score_of<tl::binary>(point).is_complete);
  EXPECT_EQ(score_of<tl::binary>(point).size, 8u);
  EXPECT_TRUE(score_of<tl::binary>(point.substr(0, 5)).is_truncated);
  const tl::detail::score longer = score_of<tl::binary>(point + "x");
  EXPECT_FALSE(longer.is_complete || longer.is_truncated);
  EXPECT_EQ(longer.size, 8u);
  const tl::detail::score none = score_of<tl::binary>("\x63");
  EXPECT_FALSE(none.is_complete || none.is_truncated);
}

TEST(score_of, more_fields_score_higher_and_binary_higher_than_compact) {
  const std::string compact("\x15\x0a\0", 3), two("\x15\x0a\x15\x0a\0", 5);
  EXPECT_GT(score_of<tl::compact>(two).bits, score_of<tl::compact>(compact).bits);
  EXPECT_GT(score_of<tl::binary>(point).bits, score_of<tl::compact>(compact).bits);
}
