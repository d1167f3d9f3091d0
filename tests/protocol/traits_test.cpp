#include <thriftlens/protocol/traits.hpp>

#include "support/test.hpp"

#include <thriftlens/protocol/convert.hpp>
#include <thriftlens/protocol/select.hpp>

using namespace thriftlens;
using namespace std::string_view_literals;

namespace {

template <class P>
class traits_of_protocol : public testing::Test {};
using protocols = testing::Types<binary, compact>;
TYPED_TEST_SUITE(traits_of_protocol, protocols);

template <class P>
std::string written(field_header header, byte_view value, std::int16_t last_id = 0) {
  buffer out;
  detail::append_raw_field<P>(out, header, value, last_id);
  return out.str();
}

constexpr ttype value_types[] = {ttype::bool_, ttype::i8,  ttype::double_, ttype::i16,
                                 ttype::i32,   ttype::i64, ttype::string,  ttype::struct_,
                                 ttype::map,   ttype::set, ttype::list,    ttype::uuid};

}  // namespace

TEST(protocol_traits, describe_binary_and_compact) {
  static_assert(binary::traits.has_fixed_layout && !compact::traits.has_fixed_layout);
  static_assert(!binary::traits.has_inline_bool && compact::traits.has_inline_bool);
  static_assert(!binary::traits.headers_are_deltas && compact::traits.headers_are_deltas);
  static_assert(detail::layout_of<binary, std::int32_t> == number_layout::big_endian);
  static_assert(detail::layout_of<compact, std::int32_t> == number_layout::varint);
  static_assert(detail::layout_of<compact, std::int8_t> == number_layout::big_endian);
  static_assert(detail::layout_of<compact, double> == number_layout::little_endian);
  EXPECT_EQ(&traits_of(protocol_id::binary), &binary::traits);
  EXPECT_EQ(&traits_of(protocol_id::compact), &compact::traits);
}

TYPED_TEST(traits_of_protocol, element_width_and_least_width_agree_with_skip) {
  const std::string zeros(64, '\0');
  for (const ttype type : value_types) {
    typename TypeParam::reader in{byte_view(zeros)};
    ASSERT_TRUE(in.skip(type)) << to_string(type);
    EXPECT_EQ(in.offset(), detail::least_width<TypeParam>(type)) << to_string(type);
    if (const std::size_t width = detail::element_width<TypeParam>(type)) {
      EXPECT_EQ(width, detail::least_width<TypeParam>(type)) << to_string(type);
    }
  }
  EXPECT_EQ(detail::element_width<TypeParam>(ttype::string), 0u);
  EXPECT_EQ(detail::element_width<TypeParam>(static_cast<ttype>(200)), 0u);
  EXPECT_EQ(detail::least_width<TypeParam>(ttype::stop), 0u);
}

TYPED_TEST(traits_of_protocol, load_number_reads_what_the_writer_wrote) {
  buffer bytes;
  typename TypeParam::writer out(bytes);
  const double numbers[] = {1.5, -2.25, 1e300};
  for (const double number : numbers) out.write_double(number);
  EXPECT_EQ((detail::load_number<TypeParam, double>(bytes.data() + 8)), -2.25);
  double loaded[3] = {};
  detail::load_array<TypeParam>(loaded, bytes.data(), 3);
  EXPECT_EQ(std::vector<double>(loaded, loaded + 3), std::vector<double>(numbers, numbers + 3));
  const std::uint8_t bools[] = {TypeParam::bool_byte(false), TypeParam::bool_byte(true), 7};
  EXPECT_FALSE((detail::load_number<TypeParam, bool>(bools)));
  EXPECT_TRUE((detail::load_number<TypeParam, bool>(bools + 1)));
  EXPECT_TRUE((detail::load_number<TypeParam, bool>(bools + 2)));
}

TYPED_TEST(traits_of_protocol, sizes_equal_written_sizes) {
  for (const std::int64_t number :
       {0ll, 1ll, -1ll, 63ll, -64ll, 64ll, 8191ll, 8192ll, 0x7fffffffffffffffll}) {
    buffer bytes;
    typename TypeParam::writer out(bytes);
    out.write_i64(number);
    EXPECT_EQ((detail::number_size<TypeParam>(number)), bytes.size()) << number;
    bytes.clear();
    out.write_i16(static_cast<std::int16_t>(number));
    EXPECT_EQ((detail::number_size<TypeParam>(static_cast<std::int16_t>(number))), bytes.size()) << number;
  }
  EXPECT_EQ((detail::number_size<TypeParam>(1.0)), 8u);
  for (const std::uint32_t count : {0u, 1u, 14u, 15u, 127u, 128u, 20000u}) {
    buffer bytes;
    typename TypeParam::writer out(bytes);
    out.write_list({ttype::i8, count});
    EXPECT_EQ(detail::header_size<TypeParam>(list_header{ttype::i8, count}), bytes.size());
    bytes.clear();
    out.write_map({ttype::i8, ttype::i8, count});
    EXPECT_EQ((detail::header_size<TypeParam>(map_header{ttype::i8, ttype::i8, count})), bytes.size());
    bytes.clear();
    const std::string text(count, 'x');
    out.write_bytes(byte_view(text));
    EXPECT_EQ(detail::size_width_of<TypeParam>(count) + count, bytes.size());
  }
}

TYPED_TEST(traits_of_protocol, put_header_writes_only_inline_bools) {
  for (const bool truth : {false, true}) {
    buffer bytes, expected;
    std::int16_t last_id = 2;
    std::uint8_t* to = detail::put_header<TypeParam>(bytes.prepare(16), {ttype::bool_, 5}, truth, last_id);
    if (!TypeParam::traits.has_inline_bool) to = TypeParam::put_bool(to, truth);
    bytes.commit(to);
    EXPECT_EQ(last_id, TypeParam::traits.headers_are_deltas ? 5 : 2);
    last_id = 2;
    expected.commit(TypeParam::put_bool_field(expected.prepare(16), 5, truth, last_id));
    EXPECT_EQ(bytes.str(), expected.str());
    EXPECT_EQ((written<TypeParam>({ttype::bool_, 5}, byte_view(&detail::bool_bytes<TypeParam>[truth], 1), 2)),
              expected.str());
  }
}

TYPED_TEST(traits_of_protocol, put_raw_field_writes_a_value_from_bytes) {
  buffer value, expected;
  typename TypeParam::writer out(value), all(expected);
  out.write_bytes(byte_view("abc"sv));
  all.write_field(ttype::string, 40);
  all.write_bytes(byte_view("abc"sv));
  EXPECT_EQ((written<TypeParam>({ttype::string, 40}, value)), expected.str());
}

TYPED_TEST(traits_of_protocol, is_empty_container_recognizes_empty_headers) {
  const auto empty = [](auto write, ttype type) {
    buffer bytes;
    typename TypeParam::writer out(bytes);
    write(out);
    return TypeParam::is_empty_container(bytes.data(), bytes.data() + bytes.size(), type);
  };
  EXPECT_TRUE(empty([](auto& out) { out.write_list({ttype::i32, 0}); }, ttype::list));
  EXPECT_TRUE(empty([](auto& out) { out.write_map({ttype::i32, ttype::i8, 0}); }, ttype::map));
  EXPECT_FALSE(empty([](auto& out) { out.write_set({ttype::i32, 1}); }, ttype::set));
  EXPECT_FALSE(empty([](auto& out) { out.write_list({ttype::i32, 300}); }, ttype::list));
  EXPECT_FALSE(empty([](auto& out) { out.write_map({ttype::i32, ttype::i8, 1}); }, ttype::map));
  EXPECT_FALSE(empty([](auto&) {}, ttype::list));
}

TEST(by_protocol, holds_one_of_each) {
  detail::by_protocol<int> numbers;
  numbers[protocol_id::binary] = 1;
  numbers[protocol_id::compact] = 2;
  int sum = 0;
  numbers.for_each(
      [&](protocol_id id, int number) { sum += number * (id == protocol_id::compact ? 10 : 1); });
  EXPECT_EQ(sum, 21);
  static_assert(detail::by_protocol<int>::holds<binary> && detail::by_protocol<int>::holds<compact>);
}

TEST(bytes_in, returns_the_bytes) {
  detail::by_protocol<byte_view> held;
  held[protocol_id::binary] = byte_view("b"sv);
  held[protocol_id::compact] = byte_view("c"sv);
  buffer spare;
  EXPECT_EQ(detail::bytes_in<binary>(held, ttype::i8, spare).text(), "b");
  EXPECT_EQ(detail::bytes_in<compact>(held, ttype::i8, spare).text(), "c");
}

TEST(try_append_converted, converts_between_run_time_protocols) {
  buffer value;
  binary::writer(value).write_i32(300);
  for (const protocol_id to : {protocol_id::binary, protocol_id::compact}) {
    buffer expected, out;
    visit_protocol(to, [&](auto tag) { typename decltype(tag)::writer(expected).write_i32(300); });
    ASSERT_TRUE(try_append_converted(protocol_id::binary, to, value, out, {}, ttype::i32));
    EXPECT_EQ(out.str(), expected.str());
  }
  buffer out;
  out.push_back(7);
  EXPECT_FALSE(try_append_converted(protocol_id::binary, protocol_id::compact, byte_view("x"sv), out));
  EXPECT_EQ(out.size(), 1u);
}
