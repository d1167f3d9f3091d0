#include <thriftlens/protocol/binary.hpp>

#include <thriftlens/protocol/compact.hpp>
#include "support/test.hpp"

using tl::errc;

namespace {
constexpr std::uint32_t no_limit = 0x7fffffff;
struct wire_text {
  std::string text;
  [[nodiscard]] const std::uint8_t* begin() const {
    return reinterpret_cast<const std::uint8_t*>(text.data());
  }
  [[nodiscard]] const std::uint8_t* end() const { return begin() + text.size(); }
};
// Compared with the readers of module protocol: same value, same length, same error.
template <class Protocol, class Number, class Read>
void expect_as_reader(const std::string& text, Read read) {
  const wire_text wire{text};
  typename Protocol::reader reader{tl::byte_view(wire.text)};
  Number expected{}, actual{};
  errc code = errc::ok;
  const bool ok = read(reader, expected);
  const std::uint8_t* suffix = Protocol::get_number(wire.begin(), wire.end(), actual, code);
  ASSERT_EQ(suffix != nullptr, ok);
  if (ok) {
    EXPECT_EQ(std::memcmp(&actual, &expected, sizeof actual), 0) << "bit for bit, as NaN differs from itself";
    EXPECT_EQ(suffix, reader.at());
  } else {
    EXPECT_EQ(code, reader.fault().code);
  }
}
}  // namespace

TEST(protocol_get, numbers_are_those_of_the_readers) {
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

TEST(protocol_get, headers_check_that_elements_fit) {
  errc code = errc::ok;
  tl::list_header list;
  tl::map_header map;
  const wire_text many{std::string("\x0a\x00\x00\x00\x02", 5) + std::string(15, 'x')};
  EXPECT_EQ(tl::binary::get_list(many.begin(), many.end(), no_limit, list, code), nullptr);
  EXPECT_EQ(code, errc::truncated);
  const wire_text negative{std::string("\x03\xff\xff\xff\xff", 5)};
  EXPECT_EQ(tl::binary::get_list(negative.begin(), negative.end(), no_limit, list, code), nullptr);
  EXPECT_EQ(code, errc::negative_size);
  const wire_text none{std::string("\x00\x00\x00\x00\x00\x00", 6)};
  EXPECT_EQ(tl::binary::get_list(none.begin(), none.end(), no_limit, list, code), none.begin() + 5);
  EXPECT_EQ(tl::binary::get_map(none.begin(), none.end(), no_limit, map, code), none.end());
  const wire_text broken{std::string("\x03\x05\x00\x00\x00\x01\x00\x00\x00", 9)};
  EXPECT_EQ(tl::binary::get_map(broken.begin(), broken.end(), no_limit, map, code), nullptr);
  EXPECT_EQ(code, errc::bad_ttype);
}

TEST(protocol_get, strings_are_bounded_by_the_bytes_and_the_limit) {
  errc code = errc::ok;
  tl::byte_view text;
  const wire_text four{std::string("\x00\x00\x00\x04", 4) + "abcd"};
  EXPECT_EQ(tl::binary::get_bytes(four.begin(), four.end(), 4, text, code), four.end());
  EXPECT_EQ(text.text(), "abcd");
  EXPECT_EQ(tl::binary::get_bytes(four.begin(), four.end(), 3, text, code), nullptr);
  EXPECT_EQ(code, errc::size_limit);
  EXPECT_EQ(tl::binary::get_bytes(four.begin(), four.end() - 1, 4, text, code), nullptr);
  EXPECT_EQ(code, errc::truncated);
  const wire_text compact{
      "\x03"
      "abc"};
  EXPECT_EQ(tl::compact::get_bytes(compact.begin(), compact.end(), 9, text, code), compact.end());
  EXPECT_EQ(tl::compact::get_bytes(compact.begin(), compact.end() - 1, 9, text, code), nullptr);
}

TEST(protocol_get, fields_and_stops) {
  errc code = errc::ok;
  std::int16_t last = 0;
  tl::wire_field actual;
  const wire_text field{std::string("\x08\x01\x02", 3)};
  EXPECT_EQ(tl::binary::get_field(field.begin(), field.end(), last, actual, code), field.end());
  EXPECT_EQ(actual.header, (tl::field_header{tl::ttype::i32, 0x102}));
  EXPECT_EQ(tl::binary::get_field(field.begin(), field.end() - 1, last, actual, code), nullptr);
  const wire_text stop{std::string("\0", 1)};
  EXPECT_EQ(tl::binary::get_field(stop.begin(), stop.end(), last, actual, code), stop.end());
  EXPECT_EQ(actual.header.type, tl::ttype::stop);
}
