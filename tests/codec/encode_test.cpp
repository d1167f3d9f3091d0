#include <thriftlens/codec/encode.hpp>

#include <thriftlens/codec/decode.hpp>

#include "codec/sample.hpp"
#include "support/test.hpp"

namespace {
struct borrowed_text {
  std::string_view text;
};
struct borrowed_texts {
  std::vector<std::string_view> texts;
};
}  // namespace
template <>
struct tl::binding<borrowed_text> : tl::numbered {};
template <>
struct tl::binding<borrowed_texts> : tl::numbered {};

TEST(codec_encode, appends_to_a_buffer) {
  tl::buffer out;
  out.append(std::string_view("before"));
  tl::append_encoded(sample::leaf{1, "b"}, out);
  EXPECT_EQ(out.text(), std::string("before\x06\x00\x01\x00\x01\x0b\x00\x02\x00\x00\x00\x01"
                                    "b\x00",
                                    20));
  out.clear();
  tl::append_encoded<tl::compact>(sample::leaf{1, "b"}, out);
  EXPECT_EQ(out.text(), std::string("\x14\x02\x18\x01"
                                    "b\x00",
                                    6));
}

TEST(codec_encode, fills_the_callers_memory_exactly) {
  tl::buffer complete;
  tl::append_encoded<tl::compact>(sample::full(), complete);
  std::vector<std::uint8_t> exact(complete.size());
  EXPECT_EQ(tl::encode_into<tl::compact>(sample::full(), std::span<std::uint8_t>(exact)), complete.size());
  EXPECT_EQ(tl::byte_view(exact), tl::byte_view(complete));
  for (std::size_t size = 0; size < exact.size(); ++size) {
    std::vector<std::uint8_t> less(size);
    const auto actual = tl::try_encode_into<tl::compact>(sample::full(), std::span<std::uint8_t>(less));
    ASSERT_EQ(errc_of(actual), tl::errc::buffer_too_small);
  }
}

TEST(codec_encode, gather_borrows_long_strings_only) {
  sample::tree value = sample::full();
  value.text.assign(4096, 'x');
  value.leaves[1].b.assign(10000, 'y');
  value.named["short"].b.assign(4095, 'z');
  tl::buffer complete, joined;
  tl::append_encoded(value, complete);
  tl::gather_list pieces;
  tl::append_encoded(value, pieces);
  EXPECT_EQ(pieces.link_count(), 2u);
  EXPECT_EQ(pieces.size(), complete.size());
  pieces.append_to(joined);
  EXPECT_EQ(joined.text(), complete.text());
  EXPECT_EQ(pieces.pieces()[1].data(), reinterpret_cast<const std::uint8_t*>(value.text.data()));
}

TEST(codec_encode, an_error_leaves_the_output_unchanged) {
  sample::tree deep = sample::full();
  sample::chain(deep, 80);
  tl::buffer out;
  out.append(std::string_view("before"));
  const auto actual = tl::try_append_encoded(deep, out);
  ASSERT_EQ(errc_of(actual), tl::errc::depth_limit);
  EXPECT_EQ(actual.error().path().substr(0, 12), "$.next.next.");
  EXPECT_EQ(out.text(), "before");
  EXPECT_THROW(tl::append_encoded(deep, out), tl::error);

  tl::gather_list pieces;
  deep.text.assign(5000, 'x');
  EXPECT_FALSE(tl::try_append_encoded(deep, pieces));
  EXPECT_TRUE(pieces.empty());

  const auto limited = tl::try_append_encoded(sample::full(), out, {.limits = {.output_size = 50}});
  ASSERT_EQ(errc_of(limited), tl::errc::output_limit);
  EXPECT_EQ(out.text(), "before");
}

TEST(codec_encode, flat_structs_have_the_same_limits) {
  tl::buffer out;
  out.append(std::string_view("before"));
  const sample::leaf value{-2, "text"};  // 5 + 7 + 4 + 1 bytes
  EXPECT_EQ(tl::try_append_encoded(value, out, {.limits = {.output_size = 16}}).error().code(),
            tl::errc::output_limit);
  EXPECT_EQ(tl::try_append_encoded(value, out, {.limits = {.depth = 0}}).error().code(),
            tl::errc::depth_limit);
  EXPECT_EQ(out.text(), "before");
  EXPECT_TRUE(tl::try_append_encoded(value, out, {.limits = {.depth = 1, .output_size = 17}}));
  EXPECT_EQ(out.text().substr(6),
            std::string_view("\x06\x00\x01\xff\xfe\x0b\x00\x02\x00\x00\x00\x04text\x00", 17));
}

TEST(codec_encode, any_bound_value_can_be_the_root) {
  tl::buffer out;
  tl::append_encoded(std::vector<std::int32_t>{1}, out);
  EXPECT_EQ(out.text(), std::string("\x08\x00\x00\x00\x01\x00\x00\x00\x01", 9));
  EXPECT_EQ(tl::decode<std::vector<std::int32_t>>(out), std::vector<std::int32_t>{1});
  out.clear();
  tl::append_encoded(std::span<const double>(), out);
  EXPECT_EQ(out.size(), 5u) << "a span of numbers can be encoded";
}

TEST(codec_encode, strings_may_be_in_the_output_buffer) {
  const std::string text(1000, 'x');
  const auto append = [&](const auto& borrowing) {
    tl::buffer out;
    out.append(tl::byte_view(text));
    const std::string_view part = out.text().substr(10, 900);
    using value = decltype(borrowing(part));
    const std::string expected = text + tl::encode(borrowing(std::string_view(text).substr(10, 900))).str();
    tl::append_encoded(borrowing(part), out);
    EXPECT_EQ(out.text(), expected);
    static_assert(tl::detail::codec::refers_to_bytes<value>);
  };
  append([](std::string_view part) { return borrowed_text{part}; });
  append([](std::string_view part) { return borrowed_texts{std::vector<std::string_view>(100, part)}; });
}
