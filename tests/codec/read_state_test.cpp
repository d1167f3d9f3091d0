#include <thriftlens/codec/read_state.hpp>

#include <gtest/gtest.h>

#include <string>

namespace tl = thriftlens;
namespace codec = thriftlens::codec;

TEST(codec_read_state, a_failure_has_code_place_and_path) {
  const std::string wire = "0123456789";
  const tl::decode_options options;
  codec::read_state<tl::binary, false, false> state(wire, options);
  const auto* begin = reinterpret_cast<const std::uint8_t*>(wire.data());
  EXPECT_EQ(state.mismatch(tl::ttype::i32, tl::ttype::map, begin + 4), nullptr);
  EXPECT_EQ(state.in_element(2), nullptr);
  EXPECT_EQ(state.in_entry(std::string("k"), 0), nullptr);
  EXPECT_EQ(state.in_field("f", 1), nullptr);
  const tl::error error = state.to_error(begin);
  EXPECT_EQ(error.code(), tl::errc::type_mismatch);
  EXPECT_STREQ(error.what(), "expected i32, found map at $.f{\"k\"}[2] (byte 4)");
}

TEST(codec_read_state, failing_without_a_code_is_internal) {
  const tl::decode_options options;
  codec::read_state<tl::binary, false, false> state({}, options);
  EXPECT_EQ(state.fail_at(nullptr), nullptr);
  EXPECT_EQ(state.code, tl::errc::internal);
}

TEST(codec_read_state, skip_passes_a_value_or_says_why_not) {
  const std::string wire("\x00\x00\x00\x02xy", 6);
  const tl::decode_options options;
  codec::read_state<tl::binary, false, false> state(wire, options);
  const auto* begin = reinterpret_cast<const std::uint8_t*>(wire.data());
  EXPECT_EQ(state.skip(begin, tl::ttype::string, -1, 1), begin + 6);
  EXPECT_EQ(state.skip(begin, tl::ttype::bool_, 1, 1), begin) << "the value was in the header";
  EXPECT_EQ(state.skip(begin, tl::ttype::double_, -1, 1), nullptr);
  EXPECT_EQ(state.code, tl::errc::truncated);
}

TEST(codec_read_state, a_scope_shows_a_part_of_a_shape) {
  const tl::decode_options options;
  codec::shape inner, outer;
  outer.first = &inner;
  codec::read_state<tl::binary, false, true> state({}, options);
  state.at = &outer;
  {
    const codec::shape_scope<codec::read_state<tl::binary, false, true>> scope(state,
                                                                               codec::first_part(state));
    EXPECT_EQ(state.at, &inner);
  }
  EXPECT_EQ(state.at, &outer);
  EXPECT_EQ(codec::second_part(state), nullptr);
}
