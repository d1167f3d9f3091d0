#include <thriftlens/codec/adapter.hpp>

#include "support/test.hpp"

#include <thriftlens/codec/decode.hpp>
#include <thriftlens/codec/encode.hpp>
#include <thriftlens/codec/size.hpp>

#include <chrono>

namespace {
using instant = std::chrono::sys_time<std::chrono::milliseconds>;
struct even {
  int value = 0;
};
struct words {
  std::string joined;
};
struct event {
  instant at;
  even number;
  words text;
  std::vector<instant> all;
};
}  // namespace

template <>
struct tl::adapter<instant> {
  using wire = std::int64_t;
  static wire to_wire(instant value) { return value.time_since_epoch().count(); }
  static instant from_wire(wire value) { return instant(std::chrono::milliseconds(value)); }
};
template <>
struct tl::adapter<even> {
  using wire = std::int32_t;
  static wire to_wire(even value) { return value.value; }
  static bool from_wire(wire value, even& to) { return to.value = value, value % 2 == 0; }
};
template <>
struct tl::adapter<words> {
  using wire = std::vector<std::string>;
  static wire to_wire(const words& value) { return {value.joined, "end"}; }
  static words from_wire(const wire& value) { return {value.at(0)}; }
};
template <>
struct tl::binding<event> : tl::numbered {};

static_assert(tl::has_adapter<instant> && !tl::has_adapter<int>);

TEST(codec_adapter, round_trips_as_its_wire_type_in_both_protocols) {
  const event sent{instant(std::chrono::milliseconds(1234)),
                   {4},
                   {"x"},
                   {instant(std::chrono::milliseconds(-1)), instant()}};
  tl::buffer bytes;
  tl::append_encoded(sent, bytes);
  EXPECT_EQ(bytes.size(), tl::encoded_size(sent));
  auto received = tl::decode<event>(bytes);
  EXPECT_EQ(received.at, sent.at);
  EXPECT_EQ(received.number.value, 4);
  EXPECT_EQ(received.text.joined, "x");
  EXPECT_EQ(received.all, sent.all);
  bytes.clear();
  tl::append_encoded<tl::compact>(sent, bytes);
  EXPECT_EQ(bytes.size(), tl::encoded_size<tl::compact>(sent));
  received = tl::decode<event, tl::compact>(bytes);
  EXPECT_EQ(received.all, sent.all);
}

TEST(codec_adapter, refuses_by_returning_false) {
  const std::string odd("\x08\x00\x02\x00\x00\x00\x03\x00", 8);
  const auto received = tl::try_decode<event>(odd);
  ASSERT_EQ(errc_of(received), tl::errc::unfit_value);
  EXPECT_EQ(received.error().path(), "$.number");
  EXPECT_EQ(received.error().offset(), 3u);
}
