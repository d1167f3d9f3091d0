#include <thriftlens/codec/write_state.hpp>

#include "support/test.hpp"

#include <thriftlens/protocol/binary.hpp>

namespace codec = thriftlens::detail::codec;

namespace {
template <class Protocol>
using state_of = codec::write_state<Protocol, codec::buffer_sink, false>;

template <class Protocol, class T>
std::string flat_bytes(const T& value) {
  tl::buffer out;
  state_of<Protocol> state(out, 1000u);
  EXPECT_TRUE(state.sink.finish(codec::write_flat(state, state.sink.start(), value, 9)));
  return out.str();
}
}  // namespace

TEST(codec_write_state, a_failure_has_code_and_path) {
  tl::buffer out;
  state_of<tl::binary> state(out, 1000u);
  EXPECT_EQ(state.reject(tl::errc::empty_value), nullptr);
  state.in_element(3);
  state.in_field("list", 1);
  EXPECT_STREQ(state.to_error().what(), "a required value is an empty optional or pointer at $.list[3]");
}

TEST(codec_write_state, failing_without_a_code_is_internal) {
  tl::buffer out;
  state_of<tl::binary> state(out, 1000u);
  EXPECT_EQ(state.reject(tl::errc::ok), nullptr);
  EXPECT_EQ(state.to_error().code(), tl::errc::internal);
}

TEST(codec_write_state, flat_values_are_written_after_one_check) {
  EXPECT_EQ(flat_bytes<tl::binary>(std::int32_t{258}), std::string("\0\0\1\2", 4));
  EXPECT_EQ(flat_bytes<tl::compact>(std::int32_t{-1}), "\x01");
  EXPECT_EQ(flat_bytes<tl::compact>(std::string("abc")),
            "\x03"
            "abc");
  EXPECT_EQ(flat_bytes<tl::binary>(true), "\x01");
}

TEST(codec_write_state, empty_flat_fields_are_omitted) {
  tl::buffer out;
  state_of<tl::compact> state(out, 1000u);
  std::uint8_t* at = state.reserve(state.sink.start(), 50);
  std::int16_t last = 0;
  at = codec::put_flat_field<state_of<tl::compact>, tl::ttype::bool_>(state, at, 3, last,
                                                                      std::optional<bool>());
  EXPECT_EQ(last, 0);
  at = codec::put_flat_field<state_of<tl::compact>, tl::ttype::bool_>(state, at, 4, last,
                                                                      std::optional<bool>(false));
  EXPECT_TRUE(state.sink.finish(at));
  EXPECT_EQ(out.text(), "\x42");
}
