#include <thriftlens/codec/read_struct.hpp>

#include "support/test.hpp"

#include <thriftlens/codec/decode.hpp>
#include <thriftlens/codec/encode.hpp>

#include <variant>

namespace {
struct four {
  std::int16_t a = -1;
  bool b = false;
  std::string c = "none";
  std::optional<std::int32_t> d;
  bool operator==(const four&) const = default;
};
}  // namespace
template <>
struct tl::binding<four> : tl::fields<tl::field<1, &four::a>, tl::field<2, &four::b>,
                                      tl::field<5, &four::c, tl::default_("given")>, tl::field<9, &four::d>> {
};

namespace {

struct part {
  int id;
  tl::ttype type;
};
// Fields in the order of the arguments, with values derived from id and type.
template <class Protocol>
std::string wire_of(std::span<const part> parts) {
  tl::buffer out;
  typename Protocol::writer writer(out);
  const tl::struct_mark mark = writer.begin_struct();
  for (const part& item : parts) {
    writer.write_field(item.type, static_cast<std::int16_t>(item.id));
    if (item.type == tl::ttype::i16) writer.write_i16(static_cast<std::int16_t>(item.id));
    if (item.type == tl::ttype::i32) writer.write_i32(item.id);
    if (item.type == tl::ttype::bool_) writer.write_bool(true);
    if (item.type == tl::ttype::string) writer.write_bytes(std::string_view("text"));
  }
  writer.write_stop();
  writer.end_struct(mark);
  return out.str();
}
constexpr part a{1, tl::ttype::i16}, b{2, tl::ttype::bool_}, c{5, tl::ttype::string}, d{9, tl::ttype::i32};
constexpr part unknown_low{-7, tl::ttype::string}, unknown_mid{4, tl::ttype::bool_},
    unknown_high{100, tl::ttype::i32};

template <class Protocol>
std::string wire_of(std::initializer_list<part> parts) {
  return wire_of<Protocol>(std::span(parts.begin(), parts.size()));
}

template <class Protocol>
four decoded(std::initializer_list<part> parts) {
  const std::string wire = wire_of<Protocol>(parts);
  return tl::decode<four, Protocol>(wire);
}

template <class Protocol>
void expect_orders() {
  const four full{1, true, "text", 9};
  EXPECT_EQ(decoded<Protocol>({a, b, c, d}), full);
  EXPECT_EQ(decoded<Protocol>({d, c, b, a}), full);
  EXPECT_EQ(decoded<Protocol>({c, a, d, b}), full);
  EXPECT_EQ(decoded<Protocol>({unknown_low, a, b, unknown_mid, c, unknown_mid, d, unknown_high}), full);
  EXPECT_EQ(decoded<Protocol>({unknown_high, d, unknown_high, b, a, c, unknown_low}), full);
  EXPECT_EQ(decoded<Protocol>({b}), (four{-1, true, "given", std::nullopt}));
  EXPECT_EQ(decoded<Protocol>({}), (four{-1, false, "given", std::nullopt}));
}

template <class Protocol>
tl::errc code_of(std::initializer_list<part> parts, const tl::decode_options& options = {}) {
  const std::string wire = wire_of<Protocol>(parts);
  const auto actual = tl::try_decode<four, Protocol>(wire, options);
  return actual ? tl::errc::ok : actual.error().code();
}

template <class Protocol>
void expect_twice() {
  // A duplicate is detected wherever the field first occurs.
  for (auto parts : {std::initializer_list<part>{a, a},
                     {a, b, c, d, d},
                     {d, a, d},
                     {b, a, b},
                     {c, unknown_high, c},
                     {a, b, c, d, a}}) {
    EXPECT_EQ(code_of<Protocol>(parts), tl::errc::duplicate_field);
    EXPECT_EQ(code_of<Protocol>(parts, {.duplicates = tl::on_duplicate::last}), tl::errc::ok);
  }
  const part wrong{1, tl::ttype::i32};
  EXPECT_EQ(code_of<Protocol>({wrong, b}), tl::errc::type_mismatch);
  EXPECT_EQ(code_of<Protocol>({b, wrong}), tl::errc::type_mismatch);
  EXPECT_EQ(code_of<Protocol>({wrong, a, wrong}, {.mismatch = tl::on_mismatch::drop}), tl::errc::ok);
  EXPECT_EQ(code_of<Protocol>({a, unknown_mid}, {.unknown = tl::on_unknown::error}), tl::errc::unknown_field);
  EXPECT_EQ(code_of<Protocol>({a, unknown_mid}), tl::errc::ok);
}

template <class Protocol>
void expect_few_of_many() {
  constexpr tl::ttype types[] = {tl::ttype::i32, tl::ttype::string, tl::ttype::i16, tl::ttype::bool_};
  std::vector<part> parts;
  for (int id = 10; id <= 300; ++id) parts.push_back({id, types[id % 4]});
  parts.insert(parts.begin() + 200, {c, unknown_low, d});
  const auto read = [&](const tl::decode_options& options = {}) {
    const std::string wire = wire_of<Protocol>(parts);
    return tl::try_decode<four, Protocol>(wire, options);
  };
  EXPECT_EQ(*read(), (four{-1, false, "text", 9}));
  EXPECT_EQ(read({.unknown = tl::on_unknown::error}).error().code(), tl::errc::unknown_field);
  const std::string wire = wire_of<Protocol>(parts);
  for (std::size_t size = 0; size < wire.size(); ++size) {
    const auto cut = tl::try_decode<four, Protocol>(tl::byte_view(wire).part(0, size));
    ASSERT_FALSE(cut) << size;
    ASSERT_LE(cut.error().offset(), size);
  }
  parts.insert(parts.end() - 5, c);
  EXPECT_EQ(read().error().code(), tl::errc::duplicate_field);
}

}  // namespace

TEST(codec_read_struct, fields_in_any_order_with_unknown_ones) {
  expect_orders<tl::binary>();
  expect_orders<tl::compact>();
}

TEST(codec_read_struct, duplicate_mismatched_and_unknown_fields_follow_the_options) {
  expect_twice<tl::binary>();
  expect_twice<tl::compact>();
}

TEST(codec_read_struct, a_few_members_are_found_among_many_unknown_fields) {
  expect_few_of_many<tl::binary>();
  expect_few_of_many<tl::compact>();
}

TEST(codec_read_struct, the_last_duplicate_wins_by_option) {
  std::string wire = wire_of<tl::binary>({c, c});
  wire[wire.size() - 2] = '2';
  EXPECT_EQ(tl::decode<four>(wire, {.duplicates = tl::on_duplicate::last}).c, "tex2");
}

TEST(codec_read_struct, field_bits_are_kept_beyond_one_word) {
  thriftlens::detail::codec::field_bits<130> seen;
  EXPECT_FALSE(seen.has(129));
  seen.set(129);
  seen.set(62, 66);
  EXPECT_TRUE(seen.has(129) && seen.has(62) && seen.has(65));
  EXPECT_FALSE(seen.has(61) || seen.has(66) || seen.has(128));
}

TEST(codec_read_struct, field_bits_cover_every_requested_bit) {
  thriftlens::detail::codec::field_bits<70> seen, requested;
  EXPECT_TRUE(seen.covers(requested));
  requested.set(69);
  EXPECT_FALSE(seen.covers(requested));
  seen.set(0, 70);
  EXPECT_TRUE(seen.covers(requested));
  EXPECT_TRUE(seen.covers(thriftlens::detail::codec::field_bits<70>::full()));
  EXPECT_FALSE(requested.covers(thriftlens::detail::codec::field_bits<70>::full()));
  EXPECT_TRUE(
      thriftlens::detail::codec::field_bits<0>().covers(thriftlens::detail::codec::field_bits<0>::full()));
}

// ---- unions

namespace {
using either = std::variant<std::int32_t, bool, std::string>;
struct maybe {
  std::variant<std::monostate, std::string, std::string> value;
};
}  // namespace
template <>
struct tl::binding<maybe> : tl::union_<&maybe::value, 4, 2> {};

namespace {
template <class Protocol>
void expect_back(const either& sent) {
  tl::buffer bytes;
  tl::append_encoded<Protocol>(sent, bytes);
  EXPECT_EQ((tl::decode<either, Protocol>(bytes)), sent);
  either object = std::string("before");
  tl::decode_into<Protocol>(bytes, object);
  EXPECT_EQ(object, sent);
}
tl::errc code_of(const std::string& wire, const tl::decode_options& options = {}) {
  const auto actual = tl::try_decode<maybe>(wire, options);
  return actual ? tl::errc::ok : actual.error().code();
}
const std::string four("\x0b\x00\x04\x00\x00\x00\x01x", 8), two("\x0b\x00\x02\x00\x00\x00\x01y", 8),
    nine("\x02\x00\x09\x01", 4), stop("\0", 1);
}  // namespace

TEST(codec_read_struct, the_member_that_is_set_round_trips) {
  for (const either& sent : {either(5), either(true), either(false), either("text")}) {
    expect_back<tl::binary>(sent);
    expect_back<tl::compact>(sent);
  }
  const std::string second = two + stop, first = nine + four + stop;
  EXPECT_EQ(tl::decode<maybe>(second).value.index(), 2u);
  EXPECT_EQ(tl::decode<maybe>(first).value.index(), 1u);
}

TEST(codec_read_struct, two_members_are_an_error_and_no_member_needs_monostate) {
  EXPECT_EQ(code_of(four + two + stop), tl::errc::union_members);
  EXPECT_EQ(code_of(four + four + stop), tl::errc::union_members);
  EXPECT_EQ(code_of(stop), tl::errc::ok);
  maybe object;
  object.value.emplace<1>("set");
  tl::decode_into(stop, object);
  EXPECT_EQ(object.value.index(), 0u);
  EXPECT_EQ(tl::try_decode<either>(stop).error().code(), tl::errc::unfit_value);
}

TEST(codec_read_struct, unknown_and_mismatched_members_follow_the_options) {
  EXPECT_EQ(code_of(nine + stop), tl::errc::ok);
  EXPECT_EQ(code_of(nine + stop, {.unknown = tl::on_unknown::error}), tl::errc::unknown_field);
  const std::string wrong("\x02\x00\x04\x01", 4);
  EXPECT_EQ(code_of(wrong + stop), tl::errc::type_mismatch);
  EXPECT_EQ(code_of(wrong + two + stop, {.mismatch = tl::on_mismatch::drop}), tl::errc::ok);
  EXPECT_EQ(code_of(four.substr(0, 6) + stop), tl::errc::truncated);
}
