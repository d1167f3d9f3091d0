#include <thriftlens/codec/fast/fast_decode.hpp>

#include "support/test.hpp"

#include <thriftlens/codec/decode.hpp>
#include <thriftlens/codec/encode.hpp>

namespace codec = thriftlens::detail::codec;

namespace {
enum class shade : std::int32_t { dark = 7 };
enum class narrow : std::uint8_t { one = 1 };
template <class Text>
struct flat {
  bool truth = false;
  std::int64_t number = -1;
  Text text{};
  double real = 0;
  std::array<std::uint8_t, 16> id{};
  Text more{};
  shade colour{};
  bool operator==(const flat&) const = default;
};
struct with_list {
  std::int32_t number;
  std::vector<std::int32_t> numbers;
};
struct with_optional {
  std::optional<std::int32_t> number;
};
struct with_narrow {
  narrow kind;
};
struct kept {
  std::int32_t number = 0;
  tl::unknown_fields rest;
};
struct nothing {};
}  // namespace
template <class Text>
struct tl::binding<flat<Text>>
    : tl::fields<tl::field<1, &flat<Text>::truth>, tl::field<2, &flat<Text>::number, tl::required>,
                 tl::field<4, &flat<Text>::text>, tl::field<5, &flat<Text>::real>,
                 tl::field<6, &flat<Text>::id>, tl::field<300, &flat<Text>::more, tl::default_("given")>,
                 tl::field<301, &flat<Text>::colour>> {};
template <>
struct tl::binding<with_list> : tl::numbered {};
template <>
struct tl::binding<with_optional> : tl::numbered {};
template <>
struct tl::binding<with_narrow> : tl::numbered {};
template <>
struct tl::binding<kept> : tl::fields<tl::field<1, &kept::number>, tl::keep_unknown<&kept::rest>> {};
template <>
struct tl::binding<nothing> : tl::numbered {};

namespace {

using owning = flat<std::string>;
using borrowing = flat<std::string_view>;

static_assert(codec::reads_flat<owning> && codec::reads_flat<borrowing>);
static_assert(!codec::reads_flat<with_list> && !codec::reads_flat<with_optional> &&
              !codec::reads_flat<with_narrow> && !codec::reads_flat<kept> && !codec::reads_flat<nothing> &&
              !codec::reads_flat<std::int32_t>);

const owning full{true, INT64_MIN, "some text that is not short", 0.5, {1, 2, 3}, "", shade::dark};

std::string wire_of(const owning& from) {
  tl::buffer out;
  tl::append_encoded(from, out);
  return out.str();
}
// By the fast path alone.
bool read(std::string_view wire, owning& to, std::uint32_t max_text = 0x7fffffff) {
  const tl::byte_view bytes(wire);
  codec::flat_read_state<tl::binary, false> state{bytes.end(), max_text};
  const std::uint8_t* end = codec::read_flat(state, bytes.begin(), to);
  EXPECT_TRUE(end == nullptr || end <= bytes.end());
  return end == bytes.end() && end != nullptr;
}

}  // namespace

TEST(codec_fast_decode, all_members_round_trip) {
  const std::string wire = wire_of(full);
  owning actual;
  ASSERT_TRUE(read(wire, actual));
  EXPECT_EQ(actual, full);
  EXPECT_EQ(tl::decode<owning>(wire), full);
  EXPECT_EQ(*tl::try_decode<owning>(wire), full);
  const auto borrowed = tl::decode<borrowing>(wire);
  EXPECT_EQ(borrowed.text, full.text);
  EXPECT_EQ(borrowed.text.data(), wire.data() + wire.find("some"));
  owning over = full;
  over.text = "something else";
  tl::decode_into(wire, over);
  EXPECT_EQ(over, full);
}

TEST(codec_fast_decode, any_difference_falls_back_to_the_full_reader) {
  const std::string wire = wire_of(full);
  owning actual;
  for (std::size_t size = 0; size < wire.size(); ++size)
    EXPECT_FALSE(read(wire.substr(0, size), actual)) << size;
  // Headers and other bytes that are not values: any changed bit is detected.
  const std::size_t text = wire.find("some"), real = text + full.text.size();
  for (std::size_t at : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{4}, text - 7, text - 5,
                         real, real + 13, wire.size() - 15, wire.size() - 8, wire.size() - 1}) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string other = wire;
      other[at] = static_cast<char>(other[at] ^ (1 << bit));
      EXPECT_FALSE(read(other, actual)) << at << ' ' << bit;
    }
  }
  EXPECT_FALSE(read(wire, actual, 26));
  EXPECT_FALSE(tl::try_decode<owning>(wire, {.limits = {.string_size = 26}}));
  EXPECT_EQ(tl::try_decode<owning>(wire, {.limits = {.depth = 0}}).error().code(), tl::errc::depth_limit);
}

TEST(codec_fast_decode, values_accepted_by_the_full_reader_round_trip) {
  // Without the last field, with an unknown field, and truncated.
  const std::string wire = wire_of(full);
  owning expected = full;
  expected.colour = {};
  const std::string shorter = wire.substr(0, wire.size() - 8) + '\0';
  EXPECT_EQ(tl::decode<owning>(shorter), expected);
  EXPECT_EQ(*tl::try_decode<owning>(shorter), expected);
  owning over = full;
  tl::decode_into(shorter, over);
  EXPECT_EQ(over, expected);
  const std::string longer = wire.substr(0, wire.size() - 1) + std::string("\x03\x01\x2e\x09\x00", 5);
  EXPECT_EQ(tl::decode<owning>(longer), full);
  const std::string trailing = wire + "more";
  EXPECT_EQ(tl::try_decode<owning>(trailing).error().code(), tl::errc::trailing_bytes);
  EXPECT_EQ(*tl::try_decode<owning>(trailing, {.trailing = tl::decode_trailing::ignore}), full);
  const std::string without_more = wire_of(owning{}).substr(0, 4 + 11) + '\0';
  EXPECT_EQ(tl::decode<owning>(without_more).more, "given");
  EXPECT_EQ(tl::try_decode<owning>(std::string_view()).error().code(), tl::errc::truncated);
}
