#include <thriftlens/codec/sink.hpp>

#include "support/test.hpp"

namespace codec = thriftlens::detail::codec;

namespace {
template <class Sink>
std::uint8_t* put(Sink& sink, std::uint8_t* at, std::string_view text, std::size_t request) {
  at = sink.reserve(at, request);
  if (at == nullptr) return nullptr;
  std::memcpy(at, text.data(), text.size());
  return at + text.size();
}
}  // namespace

TEST(codec_sink, a_buffer_grows_and_undoes) {
  tl::buffer out;
  out.append(std::string_view("x"));
  codec::buffer_sink sink(out, 2000);
  std::uint8_t* at = sink.start();
  for (int i = 0; i < 500; ++i) at = put(sink, at, "abc", 3);
  EXPECT_TRUE(sink.finish(at));
  EXPECT_EQ(out.size(), 1501u);
  sink.undo();
  EXPECT_EQ(out.text(), "x");
}

TEST(codec_sink, a_buffer_is_bounded) {
  tl::buffer out;
  codec::buffer_sink sink(out, 4);
  EXPECT_FALSE(sink.finish(put(sink, sink.start(), "12345", 5)));
  EXPECT_EQ(sink.code(), tl::errc::output_limit);
}

TEST(codec_sink, memory_is_filled_even_if_more_was_reserved) {
  std::array<std::uint8_t, 6> memory{};
  codec::span_sink sink(memory);
  std::uint8_t* at = put(sink, sink.start(), "abc", 5);
  at = put(sink, at, "def", 100);
  EXPECT_TRUE(sink.finish(at));
  EXPECT_EQ(sink.written(), 6u);
  EXPECT_EQ(std::memcmp(memory.data(), "abcdef", 6), 0);

  codec::span_sink small(std::span<std::uint8_t>(memory).first(5));
  at = put(small, small.start(), "abc", 5);
  EXPECT_FALSE(small.finish(put(small, at, "def", 100)));
  codec::span_sink none{std::span<std::uint8_t>()};
  EXPECT_TRUE(none.finish(none.start()));
}

TEST(codec_sink, a_gather_list_links_in_between) {
  tl::gather_list list;
  const std::string lent(5000, 'l');
  codec::gather_sink sink(list, 10000);
  std::uint8_t* at = put(sink, sink.start(), "a", 1);
  sink.link(at, lent);
  at = put(sink, at, "b", 1);
  EXPECT_TRUE(sink.finish(at));
  EXPECT_EQ(list.size(), 5002u);
  EXPECT_EQ(list.pieces().size(), 3u);
  sink.undo();
  EXPECT_TRUE(list.empty());
}
