#include <thriftlens/codec/read_value.hpp>

#include "support/test.hpp"
#include "unsigned_edges.hpp"

#include <thriftlens/codec/decode.hpp>
#include <thriftlens/codec/encode.hpp>
#include <thriftlens/codec/size.hpp>

namespace {
enum class narrow_i8 : std::int8_t { low = -128, high = 127 };
enum class unsigned_ : std::uint32_t { top = 0x7fffffff };

template <class T>
void expect_back(const T& sent) {
  tl::buffer bytes;
  tl::append_encoded(sent, bytes);
  EXPECT_EQ(tl::decode<T>(bytes), sent);
  bytes.clear();
  tl::append_encoded<tl::compact>(sent, bytes);
  EXPECT_EQ((tl::decode<T, tl::compact>(bytes)), sent);
}
template <class Number>
void expect_limits() {
  expect_back(std::numeric_limits<Number>::min());
  expect_back(std::numeric_limits<Number>::max());
  expect_back(Number{});
}
}  // namespace

TEST(codec_read_value, scalars_of_the_full_range_round_trip) {
  expect_back(true);
  expect_back(false);
  expect_limits<std::int8_t>();
  expect_limits<std::int16_t>();
  expect_limits<std::int32_t>();
  expect_limits<std::int64_t>();
  expect_limits<double>();
  expect_back(std::byte{0x80});
  expect_back(std::string("text"));
  expect_back(std::array<std::byte, 16>{std::byte{1}});
  expect_back(narrow_i8::low);
  expect_back(unsigned_::top);
}

TEST(codec_read_value, an_enum_refuses_numbers_beyond_its_own_type) {
  tl::buffer bytes;
  tl::append_encoded(std::int32_t{128}, bytes);
  EXPECT_EQ(tl::try_decode<narrow_i8>(bytes).error().code(), tl::errc::unfit_value);
}

namespace {
enum class wide_enum : std::uint32_t {};

// Values of `make` at the limit are accepted; one above it is rejected both ways, with the path of the
// number.
template <class P, class N, class Make>
void expect_edge(const std::string& path, Make make) {
  namespace edges = unsigned_edges;
  using number = edges::signed_of<N>;
  SCOPED_TRACE(path + ", " + std::to_string(sizeof(N)) + " bytes, " +
               (P::id == tl::protocol_id::binary ? "Binary" : "Compact"));
  using value = decltype(make(N{}));
  const value limit = make(edges::greatest<N>()), more = make(edges::beyond<N>());
  tl::buffer bytes, same, out;
  tl::append_encoded<P>(limit, bytes);
  tl::append_encoded<P>(make(std::numeric_limits<number>::max()), same);
  EXPECT_EQ(bytes, same);
  EXPECT_EQ(tl::encoded_size<P>(limit), bytes.size());
  same.clear();
  tl::append_encoded<P>(tl::decode<value, P>(bytes), same);
  EXPECT_EQ(bytes, same) << "read and written again";

  out.push_back(1);
  const tl::result<void> written = tl::try_append_encoded<P>(more, out);
  ASSERT_EQ(errc_of(written), tl::errc::value_range);
  EXPECT_EQ(written.error().path(), path);
  EXPECT_EQ(out.size(), 1u);
  std::vector<std::uint8_t> memory(same.size() + 64);
  EXPECT_EQ(tl::try_encode_into<P>(more, std::span<std::uint8_t>(memory)).error().code(),
            tl::errc::value_range);
  tl::gather_list pieces;
  EXPECT_EQ(tl::try_append_encoded<P>(more, pieces).error().code(), tl::errc::value_range);

  for (const auto negative : {number{-1}, std::numeric_limits<number>::min()}) {
    bytes.clear();
    tl::append_encoded<P>(make(negative), bytes);
    const auto read = tl::try_decode<value, P>(bytes);
    ASSERT_EQ(errc_of(read), tl::errc::unfit_value);
    EXPECT_EQ(read.error().path(), path);
    value second = make(N{1});
    EXPECT_EQ(tl::try_decode_into<P>(bytes, second).error().code(), tl::errc::unfit_value);
  }
}
template <class N>
void expect_edges_of_runs() {
  unsigned_edges::for_each_run([](const std::string& path, auto make) {
    expect_edge<tl::binary, N>(path, make);
    expect_edge<tl::compact, N>(path, make);
  });
}
// All positions and both protocols cost the compiler 15 seconds for each type: one type has them all, the
// others those of a width, in one protocol.
template <class P, class N>
void expect_edges_of_width() {
  unsigned_edges::for_each_width_place(
      [](const std::string& path, auto make) { expect_edge<P, N>(path, make); });
  if constexpr (sizeof(N) > 1) expect_edges_of_runs<N>();
}
}  // namespace

TEST(codec_read_value, an_unsigned_number_of_1_byte_keeps_its_value_or_is_refused) {
  expect_edges_of_width<tl::binary, std::uint8_t>();
}
TEST(codec_read_value, an_unsigned_number_of_2_bytes_keeps_its_value_or_is_refused) {
  expect_edges_of_width<tl::compact, std::uint16_t>();
}
TEST(codec_read_value, an_unsigned_number_of_4_bytes_keeps_its_value_or_is_refused) {
  expect_edges_of_runs<std::uint32_t>();
  unsigned_edges::for_each_place([](const std::string& path, auto make) {
    expect_edge<tl::binary, std::uint32_t>(path, make);
    expect_edge<tl::compact, std::uint32_t>(path, make);
  });
}
TEST(codec_read_value, an_unsigned_number_of_8_bytes_keeps_its_value_or_is_refused) {
  expect_edges_of_width<tl::binary, std::uint64_t>();
}
TEST(codec_read_value, an_unsigned_enum_keeps_its_value_or_is_refused) {
  expect_edges_of_width<tl::compact, wide_enum>();
}

TEST(codec_read_value, unsigned_map_keys_keep_their_value_or_are_refused) {
  const auto item = []<class N, class P>(N, P) {
    using number = unsigned_edges::signed_of<N>;
    tl::buffer bytes, out;
    tl::append_encoded<P>(std::map<N, bool>{{unsigned_edges::greatest<N>(), true}}, bytes);
    EXPECT_EQ((tl::decode<std::map<N, bool>, P>(bytes)).begin()->first, unsigned_edges::greatest<N>());
    const tl::error fault =
        tl::try_append_encoded<P>(std::map<N, bool>{{unsigned_edges::beyond<N>(), true}}, out).error();
    EXPECT_EQ(fault.code(), tl::errc::value_range);
    EXPECT_NE(fault.path(), "$");
    EXPECT_TRUE(out.empty());
    bytes.clear();
    tl::append_encoded<P>(std::map<number, bool>{{number{-1}, true}}, bytes);
    EXPECT_EQ((tl::try_decode<std::map<N, bool>, P>(bytes)).error().code(), tl::errc::unfit_value);
    // A key that was there before, with the same bits.
    std::map<N, bool> second{{static_cast<N>(-1), true}};
    EXPECT_EQ(tl::try_decode_into<P>(bytes, second).error().code(), tl::errc::unfit_value);
  };
  item(std::uint8_t{}, tl::binary{});
  item(std::uint16_t{}, tl::compact{});
  item(std::uint32_t{}, tl::binary{});
  item(std::uint32_t{}, tl::compact{});
  item(std::uint64_t{}, tl::binary{});
}

TEST(codec_read_value, any_byte_but_zero_is_true) {
  EXPECT_TRUE(tl::decode<bool>(std::string_view("\x02")));
  EXPECT_FALSE((tl::decode<bool, tl::compact>(std::string_view("\x02"))));
}

TEST(codec_read_value, views_borrow_from_the_bytes) {
  const std::string wire(
      "\x00\x00\x00\x03"
      "abc",
      7);
  EXPECT_EQ(tl::decode<std::string_view>(wire).data(), wire.data() + 4);
}
