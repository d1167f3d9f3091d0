#include <thriftlens/codec/read_state.hpp>

#include "support/test.hpp"

#include <thriftlens/protocol/binary.hpp>

namespace codec = thriftlens::detail::codec;

TEST(codec_read_state, a_failure_has_code_offset_and_path) {
  const std::string wire = "0123456789";
  const tl::decode_options options;
  codec::read_state<tl::binary, false, false> state(wire, options);
  const auto* begin = reinterpret_cast<const std::uint8_t*>(wire.data());
  EXPECT_EQ(state.mismatch(tl::ttype::i32, tl::ttype::map, begin + 4), nullptr);
  EXPECT_EQ(state.in_element(2), nullptr);
  EXPECT_EQ(state.in_entry(tl::byte_view(std::string_view("\0\0\0\1k", 5)), tl::ttype::string), nullptr);
  EXPECT_EQ(state.in_field("f", 1), nullptr);
  const tl::error error = state.to_error(begin);
  EXPECT_EQ(error.code(), tl::errc::type_mismatch);
  EXPECT_STREQ(error.what(), "expected i32, found map at $.f{\"k\"}[2] (byte 4)");
}

TEST(codec_read_state, steps_are_collected_from_the_inside) {
  const tl::decode_options options;
  codec::read_state<tl::binary, false, false> state({}, options);
  const auto entry = [&](std::string_view key, tl::ttype wire) { state.in_entry(key, wire); };
  state.reject(tl::errc::truncated, nullptr);
  EXPECT_EQ(state.to_error(nullptr).path(), "$");
  state.in_element(3);
  state.in_key(2);
  entry({"\xff\xf9", 2}, tl::ttype::i16);
  entry({"\0\0\0\3a\"b", 7}, tl::ttype::string);
  entry({"\x3f\xf8\0\0\0\0\0\0", 8}, tl::ttype::double_);
  entry({"\1", 1}, tl::ttype::bool_);
  entry({"\3\0\0\0\0", 5}, tl::ttype::list);
  state.in_field({}, 12);
  state.in_field("user", 1);
  EXPECT_EQ(state.to_error(nullptr).path(),
            "$.user.#12{x\"0300000000\"}{true}{1.5}{\"a\\\"b\"}{-7}{key 2}[3]");
}

TEST(codec_read_state, long_keys_are_cut) {
  const tl::decode_options options;
  codec::read_state<tl::compact, false, false> state({}, options);
  state.reject(tl::errc::truncated, nullptr);
  const std::string key = "\x43" + std::string(63, 'k') + "\xc3\xa9..";
  state.in_entry(key, tl::ttype::string);
  EXPECT_EQ(state.to_error(nullptr).path(), "${\"" + std::string(63, 'k') + "\"…}");
}

TEST(codec_read_state, objects_are_counted_against_their_limit) {
  const tl::decode_options options{.limits = {.output_size = 100}};
  codec::read_state<tl::binary, false, false> state({}, options);
  EXPECT_TRUE(state.spend(9, 10));
  EXPECT_FALSE(state.spend(1, 11));
  EXPECT_TRUE(state.spend(1, 10)) << "what was refused does not count";
  EXPECT_FALSE(state.spend(0x7fffffff, SIZE_MAX / 2));
}

TEST(codec_read_state, failing_without_a_code_is_internal) {
  const tl::decode_options options;
  codec::read_state<tl::binary, false, false> state({}, options);
  EXPECT_EQ(state.fail_at(nullptr), nullptr);
  EXPECT_EQ(state.code, tl::errc::internal);
}

TEST(codec_read_state, skip_skips_a_value_or_fails) {
  const std::string wire("\x00\x00\x00\x02xy", 6);
  const tl::decode_options options;
  codec::read_state<tl::binary, false, false> state(wire, options);
  const auto* begin = reinterpret_cast<const std::uint8_t*>(wire.data());
  EXPECT_EQ(state.skip(begin, tl::ttype::string, -1, 1), begin + 6);
  EXPECT_EQ(state.skip(begin, tl::ttype::bool_, 1, 1), begin) << "the value was in the header";
  EXPECT_EQ(state.skip(begin, tl::ttype::double_, -1, 1), nullptr);
  EXPECT_EQ(state.code, tl::errc::truncated);
}

TEST(codec_read_state, a_scope_is_part_of_a_shape) {
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
