#include <thriftlens/codec/write_container.hpp>

#include <thriftlens/codec/encode.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tl = thriftlens;

namespace {
template <class Protocol, class T>
std::string bytes_of(const T& value) {
  tl::buffer out;
  tl::encode<Protocol>(value, out);
  return out.str();
}
}  // namespace

TEST(codec_write_container, headers_say_kind_element_and_count) {
  EXPECT_EQ(bytes_of<tl::binary>(std::vector<std::int16_t>{1}), std::string("\x06\x00\x00\x00\x01\x00\x01", 7));
  EXPECT_EQ(bytes_of<tl::compact>(std::set<bool>{false, true}), "\x21\x02\x01");
  EXPECT_EQ(bytes_of<tl::compact>(std::vector<std::int8_t>(15)), "\xf3\x0f" + std::string(15, '\0'));
  EXPECT_EQ(bytes_of<tl::compact>(std::map<std::int8_t, std::string>{}), std::string("\0", 1));
  EXPECT_EQ(bytes_of<tl::compact>(std::map<std::int8_t, std::string>{{5, "v"}}), "\x01\x38\x05\x01v");
}

TEST(codec_write_container, an_empty_element_is_an_error_with_its_place) {
  tl::buffer out;
  std::vector<std::unique_ptr<std::int32_t>> list(3);
  list[0] = std::make_unique<std::int32_t>(1);
  const auto found = tl::try_encode(list, out);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code(), tl::errc::empty_value);
  EXPECT_EQ(found.error().path(), "$[1]");
  const std::map<std::string, std::optional<std::int32_t>> map{{"a", 1}, {"b", std::nullopt}};
  EXPECT_EQ(tl::try_encode(map, out).error().path(), "${\"b\"}");
  EXPECT_TRUE(out.empty());
}

TEST(codec_write_container, depth_is_bounded) {
  tl::buffer out;
  const std::vector<std::vector<std::vector<std::int32_t>>> deep{{{1}}};
  EXPECT_EQ(tl::try_encode(deep, out, {.limits = {.depth = 2}}).error().code(), tl::errc::depth_limit);
  EXPECT_TRUE(tl::try_encode(deep, out, {.limits = {.depth = 3}}));
}
