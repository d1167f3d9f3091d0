#include <thriftlens/protocol/binary_header.hpp>

#include "support/test.hpp"

#include <thriftlens/protocol/binary.hpp>

using namespace thriftlens;
using namespace std::string_literals;

namespace {

template <class Get>
errc code_of(const std::string& bytes, Get get) {
  const auto* from = reinterpret_cast<const std::uint8_t*>(bytes.data());
  errc code = errc::ok;
  const std::uint8_t* next = get(from, from + bytes.size(), code);
  EXPECT_EQ(next == nullptr, code != errc::ok);
  return code;
}
errc list_code(const std::string& bytes, std::uint32_t limit = 0xffffffffu) {
  return code_of(bytes, [limit](const std::uint8_t* from, const std::uint8_t* end, errc& code) {
    list_header list;
    return binary::get_list(from, end, limit, list, code);
  });
}
errc map_code(const std::string& bytes, std::uint32_t limit = 0xffffffffu) {
  return code_of(bytes, [limit](const std::uint8_t* from, const std::uint8_t* end, errc& code) {
    map_header map;
    return binary::get_map(from, end, limit, map, code);
  });
}

}  // namespace

TEST(binary_header, only_a_stop_may_be_the_last_byte) {
  const auto field = [](const std::string& bytes) {
    return code_of(bytes, [](const std::uint8_t* from, const std::uint8_t* end, errc& code) {
      std::int16_t last_id = 0;
      wire_field actual{{ttype::i32, 7}, 1};
      const std::uint8_t* next = binary::get_field(from, end, last_id, actual, code);
      if (next != nullptr) {
        EXPECT_EQ(actual.inline_bool, -1);
        EXPECT_EQ(next - from, actual.header.type == ttype::stop ? 1 : 3);
      }
      return next;
    });
  };
  EXPECT_EQ(field("\0"s), errc::ok);
  EXPECT_EQ(field("\x08\0\x01"s), errc::ok);
  EXPECT_EQ(field(""s), errc::truncated);
  EXPECT_EQ(field("\x08\0"s), errc::truncated);
  EXPECT_EQ(field("\x07\0"s), errc::bad_ttype);
  EXPECT_EQ(field("\x07\0\0\0"s), errc::bad_ttype);
}

TEST(binary_header, impossible_sizes_have_their_code) {
  EXPECT_EQ(list_code("\x03\0\0\0\x01\0"s), errc::ok);
  EXPECT_EQ(list_code("\x03\0\0\0\x02\0"s), errc::truncated);
  EXPECT_EQ(list_code("\x03\0\0\0\x02\0\0"s, 1), errc::size_limit);
  EXPECT_EQ(list_code("\x03\x80\0\0\0\0"s), errc::negative_size);
  EXPECT_EQ(list_code("\x05\x80\0\0\0\0"s), errc::negative_size);
  EXPECT_EQ(list_code("\x05\0\0\0\x01\0"s), errc::bad_ttype);
  EXPECT_EQ(list_code("\x05\0\0\0\0"s), errc::bad_ttype);
  EXPECT_EQ(list_code("\0\0\0\0\0"s), errc::ok) << "stop in front of nothing";
  EXPECT_EQ(list_code("\x03\0\0\0"s), errc::truncated);
  EXPECT_EQ(map_code("\x03\x03\0\0\0\x01\0\0"s), errc::ok);
  EXPECT_EQ(map_code("\x03\x03\0\0\0\x01\0"s), errc::truncated);
  EXPECT_EQ(map_code("\x03\x05\0\0\0\x01\0\0"s), errc::bad_ttype);
  EXPECT_EQ(map_code("\x03\x05\xff\0\0\x01\0\0"s), errc::negative_size);
  EXPECT_EQ(map_code("\x03\x03\0\0\0\x02\0\0\0\0"s, 1), errc::size_limit);
  EXPECT_EQ(map_code("\x05\x03\0\0\0\0"s), errc::bad_ttype);
  EXPECT_EQ(map_code("\x03\x05\0\0\0\0"s), errc::bad_ttype);
  EXPECT_EQ(map_code("\0\0\0\0\0\0"s), errc::ok) << "stop in front of nothing";
}

TEST(binary_header, limits_are_inclusive) {
  const auto text_code = [](std::uint32_t limit) {
    return code_of(
        "\0\0\0\x03"
        "abc"s,
        [limit](const std::uint8_t* from, const std::uint8_t* end, errc& code) {
          byte_view value;
          return binary::get_bytes(from, end, limit, value, code);
        });
  };
  EXPECT_EQ(text_code(3), errc::ok);
  EXPECT_EQ(text_code(2), errc::size_limit);
  EXPECT_EQ(list_code("\x03\0\0\0\x02\0\0"s, 2), errc::ok);
  EXPECT_EQ(map_code("\x03\x03\0\0\0\x02\0\0\0\0"s, 2), errc::ok);
}
