#include <thriftlens/codec/write_container.hpp>

#include <thriftlens/codec/decode.hpp>
#include <thriftlens/codec/encode.hpp>

#include "bytes_of.hpp"
#include "support/test.hpp"

using thriftlens_test::bytes_of;

TEST(codec_write_container, headers_contain_kind_element_type_and_count) {
  EXPECT_EQ(bytes_of<tl::binary>(std::vector<std::int16_t>{1}),
            std::string("\x06\x00\x00\x00\x01\x00\x01", 7));
  EXPECT_EQ(bytes_of<tl::compact>(std::set<bool>{false, true}), "\x21\x02\x01");
  EXPECT_EQ(bytes_of<tl::compact>(std::vector<std::int8_t>(15)), "\xf3\x0f" + std::string(15, '\0'));
  EXPECT_EQ(bytes_of<tl::compact>(std::map<std::int8_t, std::string>{}), std::string("\0", 1));
  EXPECT_EQ(bytes_of<tl::compact>(std::map<std::int8_t, std::string>{{5, "v"}}), "\x01\x38\x05\x01v");
}

TEST(codec_write_container, an_empty_element_is_an_error_with_its_path) {
  tl::buffer out;
  std::vector<std::unique_ptr<std::int32_t>> list(3);
  list[0] = std::make_unique<std::int32_t>(1);
  const auto actual = tl::try_append_encoded(list, out);
  ASSERT_EQ(errc_of(actual), tl::errc::empty_value);
  EXPECT_EQ(actual.error().path(), "$[1]");
  const std::map<std::string, std::optional<std::int32_t>> map{{"a", 1}, {"b", std::nullopt}};
  EXPECT_EQ(tl::try_append_encoded(map, out).error().path(), "${\"b\"}");
  EXPECT_TRUE(out.empty());
}

TEST(codec_write_container, depth_is_bounded) {
  tl::buffer out;
  const std::vector<std::vector<std::vector<std::int32_t>>> deep{{{1}}};
  EXPECT_EQ(tl::try_append_encoded(deep, out, {.limits = {.depth = 2}}).error().code(),
            tl::errc::depth_limit);
  EXPECT_TRUE(tl::try_append_encoded(deep, out, {.limits = {.depth = 3}}));
}

namespace {

// Lists in lists, `Depth` of them.
template <std::size_t Depth>
struct nested {
  using type = std::vector<typename nested<Depth - 1>::type>;
  static type make() { return {nested<Depth - 1>::make()}; }
};
template <>
struct nested<1> {
  using type = std::vector<std::int32_t>;
  static type make() { return {7}; }
};

// Reads and writes with the limits `bounds`; both must have the same result.
template <class Protocol, class T>
tl::errc under(const T& value, const tl::limits& bounds) {
  tl::buffer bytes;
  tl::append_encoded<Protocol>(value, bytes);
  const auto read = tl::try_decode<T, Protocol>(bytes, {.limits = bounds});
  return read ? tl::errc::ok : read.error().code();
}
template <class Protocol>
void limits_at_their_edges() {
  for (std::uint32_t size : {1u, 2u, 14u, 15u, 16u, 127u, 128u, 1000u}) {
    const std::vector<std::int32_t> numbers(size, 5);
    const std::vector<std::string> texts(size, "t");
    std::set<std::int16_t> set;
    std::map<std::int32_t, std::string> map;
    for (std::uint32_t i = 0; i < size; ++i) {
      set.insert(static_cast<std::int16_t>(i));
      map[static_cast<std::int32_t>(i)] = "v";
    }
    tl::limits bounds;
    for (const std::uint32_t limit : {size - 1, size, size + 1}) {
      bounds.container_size = limit;
      const tl::errc expected = limit < size ? tl::errc::size_limit : tl::errc::ok;
      EXPECT_EQ((under<Protocol>(numbers, bounds)), expected) << size << ' ' << limit;
      EXPECT_EQ((under<Protocol>(texts, bounds)), expected) << size << ' ' << limit;
      EXPECT_EQ((under<Protocol>(set, bounds)), expected) << size << ' ' << limit;
      EXPECT_EQ((under<Protocol>(map, bounds)), expected) << size << ' ' << limit;
      tl::limits text;
      text.string_size = limit;
      EXPECT_EQ((under<Protocol>(std::vector<std::string>{std::string(size, 'x')}, text)), expected)
          << size << ' ' << limit;
    }
  }
  const auto deep = nested<5>::make();
  for (std::uint32_t depth = 0; depth <= 7; ++depth) {
    const tl::errc expected = depth < 5 ? tl::errc::depth_limit : tl::errc::ok;
    tl::limits bounds;
    bounds.depth = depth;
    EXPECT_EQ((under<Protocol>(deep, bounds)), expected) << depth;
    tl::buffer out;
    const auto written = tl::try_append_encoded<Protocol>(deep, out, {.limits = bounds});
    EXPECT_EQ(written ? tl::errc::ok : written.error().code(), expected) << depth;
    EXPECT_EQ(out.empty(), expected != tl::errc::ok) << depth;
  }
}

}  // namespace

TEST(codec_write_container, limits_of_depth_and_size_are_exact) {
  limits_at_their_edges<tl::binary>();
  limits_at_their_edges<tl::compact>();
}
