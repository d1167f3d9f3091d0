#include <thriftlens/codec/write_value.hpp>

#include <thriftlens/codec/encode.hpp>

#include "bytes_of.hpp"
#include "support/test.hpp"

using thriftlens_test::bytes_of;

TEST(codec_write_value, a_pointer_is_written_as_its_value) {
  EXPECT_EQ(bytes_of(std::make_shared<std::int16_t>(std::int16_t{258})), "\x01\x02");
  EXPECT_EQ(bytes_of(std::optional<bool>(true)), "\x01");
  tl::buffer out;
  EXPECT_EQ(tl::try_append_encoded(std::optional<bool>(), out).error().code(), tl::errc::empty_value);
}

TEST(codec_write_value, enums_are_i32_whatever_their_own_type) {
  enum class narrow : std::int8_t { minus = -1 };
  EXPECT_EQ(bytes_of(narrow::minus), "\xff\xff\xff\xff");
}
