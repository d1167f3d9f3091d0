#include <thriftlens/codec/wire.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace tl = thriftlens;
namespace codec = thriftlens::codec;
using tl::errc;

namespace {
struct bytes {
  std::string text;
  [[nodiscard]] const std::uint8_t* begin() const {
    return reinterpret_cast<const std::uint8_t*>(text.data());
  }
  [[nodiscard]] const std::uint8_t* end() const { return begin() + text.size(); }
};
// The readers of the protocol room are the measure: same value, same length, same fault.
template <class Protocol, class Number, class Read>
void expect_as_reader(const std::string& text, Read read) {
  const bytes wire{text};
  typename Protocol::reader reader{tl::byte_view(wire.text)};
  Number wanted{}, found{};
  errc code = errc::ok;
  const bool ok = read(reader, wanted);
  const std::uint8_t* behind = codec::wire<Protocol>::number(wire.begin(), wire.end(), found, code);
  ASSERT_EQ(behind != nullptr, ok);
  if (ok) {
    EXPECT_EQ(std::memcmp(&found, &wanted, sizeof found), 0) << "bit for bit, as NaN differs from itself";
    EXPECT_EQ(behind, reader.at());
  } else {
    EXPECT_EQ(code, reader.fault().code);
  }
}
}  // namespace

TEST(codec_wire, numbers_are_those_of_the_readers) {
  const std::string samples[] = {"",
                                 std::string("\0", 1),
                                 "\x7f",
                                 "\xff\x01",
                                 "\x80\x80\x04",
                                 "\xff\xff\xff\xff\x0f",
                                 "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
                                 "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80",
                                 std::string(16, '\x11')};
  for (const std::string& text : samples) {
    expect_as_reader<tl::binary, std::int16_t>(text, [](auto& in, auto& to) { return in.read_i16(to); });
    expect_as_reader<tl::binary, std::int64_t>(text, [](auto& in, auto& to) { return in.read_i64(to); });
    expect_as_reader<tl::compact, std::int8_t>(text, [](auto& in, auto& to) { return in.read_i8(to); });
    expect_as_reader<tl::compact, std::int16_t>(text, [](auto& in, auto& to) { return in.read_i16(to); });
    expect_as_reader<tl::compact, std::int32_t>(text, [](auto& in, auto& to) { return in.read_i32(to); });
    expect_as_reader<tl::compact, std::int64_t>(text, [](auto& in, auto& to) { return in.read_i64(to); });
    expect_as_reader<tl::compact, double>(text, [](auto& in, auto& to) { return in.read_double(to); });
  }
}

TEST(codec_wire, headers_prove_that_their_elements_can_be_there) {
  errc code = errc::ok;
  tl::list_header list;
  tl::map_header map;
  const bytes many{std::string("\x0a\x00\x00\x00\x02", 5) + std::string(15, 'x')};
  EXPECT_EQ(codec::wire<tl::binary>::list(many.begin(), many.end(), list, code), nullptr);
  EXPECT_EQ(code, errc::truncated);
  const bytes negative{std::string("\x03\xff\xff\xff\xff", 5)};
  EXPECT_EQ(codec::wire<tl::binary>::list(negative.begin(), negative.end(), list, code), nullptr);
  EXPECT_EQ(code, errc::negative_size);
  const bytes none{std::string("\x00\x00\x00\x00\x00\x00", 6)};
  EXPECT_EQ(codec::wire<tl::binary>::list(none.begin(), none.end(), list, code), none.begin() + 5);
  EXPECT_EQ(codec::wire<tl::binary>::map(none.begin(), none.end(), map, code), none.end());
  const bytes broken{std::string("\x03\x05\x00\x00\x00\x01\x00\x00\x00", 9)};
  EXPECT_EQ(codec::wire<tl::binary>::map(broken.begin(), broken.end(), map, code), nullptr);
  EXPECT_EQ(code, errc::bad_ttype);
}

TEST(codec_wire, strings_are_bounded_by_the_bytes_and_the_limit) {
  errc code = errc::ok;
  tl::byte_view text;
  const bytes four{std::string("\x00\x00\x00\x04", 4) + "abcd"};
  EXPECT_EQ(codec::wire<tl::binary>::text(four.begin(), four.end(), text, 4, code), four.end());
  EXPECT_EQ(text.text(), "abcd");
  EXPECT_EQ(codec::wire<tl::binary>::text(four.begin(), four.end(), text, 3, code), nullptr);
  EXPECT_EQ(code, errc::size_limit);
  EXPECT_EQ(codec::wire<tl::binary>::text(four.begin(), four.end() - 1, text, 4, code), nullptr);
  EXPECT_EQ(code, errc::truncated);
  const bytes compact{
      "\x03"
      "abc"};
  EXPECT_EQ(codec::wire<tl::compact>::text(compact.begin(), compact.end(), text, 9, code), compact.end());
  EXPECT_EQ(codec::wire<tl::compact>::text(compact.begin(), compact.end() - 1, text, 9, code), nullptr);
}

TEST(codec_wire, fields_and_stops) {
  errc code = errc::ok;
  std::int16_t last = 0;
  tl::compact_field found;
  const bytes field{std::string("\x08\x01\x02", 3)};
  EXPECT_EQ(codec::wire<tl::binary>::field(field.begin(), field.end(), last, found, code), field.end());
  EXPECT_EQ(found.header, (tl::field_header{tl::ttype::i32, 0x102}));
  EXPECT_EQ(codec::wire<tl::binary>::field(field.begin(), field.end() - 1, last, found, code), nullptr);
  const bytes stop{std::string("\0", 1)};
  EXPECT_EQ(codec::wire<tl::binary>::field(stop.begin(), stop.end(), last, found, code), stop.end());
  EXPECT_EQ(found.header.type, tl::ttype::stop);
}

TEST(codec_wire, runs_of_fields_are_passed_up_to_one_that_needs_a_look) {
  tl::buffer out;
  tl::binary::writer writer(out);
  const auto add = [&](tl::ttype type, std::int16_t id) {
    return writer.write_field(type, id), out.size() - 3;
  };
  add(tl::ttype::bool_, 1), writer.write_bool(true);
  add(tl::ttype::uuid, 2), writer.write_uuid({});
  const std::size_t text = add(tl::ttype::string, 3);
  writer.write_bytes(std::string_view("twenty bytes of text"));
  const std::size_t far = add(tl::ttype::i64, 9);
  writer.write_i64(1);
  const std::size_t list = add(tl::ttype::list, 4);
  writer.write_list({tl::ttype::i64, 2}), writer.write_i64(1), writer.write_i64(1);

  const std::uint8_t* begin = out.data();
  const auto behind = [&](std::int32_t above, std::int32_t below, std::size_t size) {
    const bytes part{std::string(out.text().substr(0, size))};
    return codec::wire<tl::binary>::skip_fields(part.begin(), part.end(), above, below) - part.begin();
  };
  const auto all = out.size();
  EXPECT_EQ(behind(0, 9, all), static_cast<std::ptrdiff_t>(far));
  EXPECT_EQ(behind(-0x8001, 0x8000, all), static_cast<std::ptrdiff_t>(list));
  EXPECT_EQ(behind(1, 9, all), 0);
  EXPECT_EQ(behind(0, 3, all), static_cast<std::ptrdiff_t>(text));
  // Whatever is cut off, it does not go further than the bytes.
  for (std::size_t size = 0; size < all; ++size)
    EXPECT_LE(behind(0, 100, size), static_cast<std::ptrdiff_t>(size));
  out.data()[text + 3] = 0xff;
  EXPECT_EQ(codec::wire<tl::binary>::skip_fields(begin, begin + all, 0, 9), begin + text);
}
