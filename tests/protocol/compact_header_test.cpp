#include <thriftlens/protocol/compact_header.hpp>

#include "support/test.hpp"

using namespace thriftlens;
using namespace std::string_literals;

namespace {

struct outcome {
  errc code;
  field_header header;
  int inline_bool;
  std::ptrdiff_t length;
};
outcome field(const std::string& bytes, std::int16_t last_id = 0) {
  const auto* from = reinterpret_cast<const std::uint8_t*>(bytes.data());
  errc code = errc::ok;
  wire_field actual;
  const std::uint8_t* next =
      detail::compact_gets::get_field(from, from + bytes.size(), last_id, actual, code);
  return {code, actual.header, actual.inline_bool, next == nullptr ? -1 : next - from};
}

}  // namespace

TEST(compact_header, nibbles_and_types_are_inverse) {
  for (unsigned raw = 0; raw <= 16; ++raw)
    if (is_value_type(static_cast<std::uint8_t>(raw))) {
      EXPECT_EQ(detail::from_compact_nibble(detail::compact_nibble(static_cast<ttype>(raw))),
                static_cast<ttype>(raw));
    }
  EXPECT_EQ(detail::from_compact_nibble(1), ttype::bool_);
  EXPECT_EQ(detail::from_compact_nibble(2), ttype::bool_);
  for (unsigned nibble : {0u, 14u, 15u}) EXPECT_EQ(detail::from_compact_nibble(nibble), ttype::stop);
}

TEST(compact_header, fields_by_delta_and_by_id) {
  EXPECT_EQ(field("\x15"s).header, (field_header{ttype::i32, 1}));
  EXPECT_EQ(field("\xf8"s, 10).header, (field_header{ttype::string, 25}));
  EXPECT_EQ(field("\x05\x09"s).header, (field_header{ttype::i32, -5}));
  EXPECT_EQ(field("\x05\xfe\xff\x03"s).header, (field_header{ttype::i32, 32767}));
  EXPECT_EQ(field("\x05\xff\xff\x03"s).header, (field_header{ttype::i32, -32768}));
  EXPECT_EQ(field("\x11"s).inline_bool, 1);
  EXPECT_EQ(field("\x12"s).inline_bool, 0);
  EXPECT_EQ(field("\x13"s).inline_bool, -1);
  EXPECT_EQ(field("\0"s).header.type, ttype::stop);
  EXPECT_EQ(field("\0"s).length, 1);
}

TEST(compact_header, field_faults) {
  EXPECT_EQ(field(""s).code, errc::truncated);
  EXPECT_EQ(field("\x05"s).code, errc::truncated);
  EXPECT_EQ(field("\x1e"s).code, errc::bad_ttype);
  EXPECT_EQ(field("\x1f"s).code, errc::bad_ttype);
  EXPECT_EQ(field("\x10"s).code, errc::bad_ttype);
  EXPECT_EQ(field("\x15"s, 32767).code, errc::bad_field_id);
  EXPECT_EQ(field("\x05\x80\x80\x04"s).code, errc::bad_field_id);
  EXPECT_EQ(field("\x05\xff\xff\xff\xff\xff"s).code, errc::bad_varint);
}

TEST(compact_header, fields_written_are_read_back_for_every_pair_of_ids) {
  for (const int previous_size : {-32768, -5, 0, 1, 100, 32752, 32767})
    for (const int id : {-32768, -1, 0, 1, 2, 14, 15, 16, 17, 101, 115, 116, 32767}) {
      std::uint8_t storage[4];
      auto last_id = static_cast<std::int16_t>(previous_size);
      const std::uint8_t* end = detail::put_compact_field(storage, 6, static_cast<std::int16_t>(id), last_id);
      EXPECT_EQ(last_id, id);
      const std::string bytes(reinterpret_cast<char*>(storage), static_cast<std::size_t>(end - storage));
      const outcome actual = field(bytes, static_cast<std::int16_t>(previous_size));
      EXPECT_EQ(actual.header, (field_header{ttype::i64, static_cast<std::int16_t>(id)}))
          << previous_size << ' ' << id;
      EXPECT_EQ(actual.length, end - storage);
    }
}

TEST(compact_header, lists_and_maps) {
  const auto list = [](const std::string& bytes, list_header& actual) {
    const auto* from = reinterpret_cast<const std::uint8_t*>(bytes.data());
    errc code = errc::ok;
    static_cast<void>(detail::compact_gets::get_list(from, from + bytes.size(), 0xffffffffu, actual, code));
    return code;
  };
  list_header actual;
  EXPECT_EQ(list("\x23\0\0"s, actual), errc::ok);
  EXPECT_EQ(actual, (list_header{ttype::i8, 2}));
  EXPECT_EQ(list("\xf3\x02\0\0"s, actual), errc::ok);
  EXPECT_EQ(actual, (list_header{ttype::i8, 2}));
  EXPECT_EQ(list("\x0e"s, actual), errc::bad_ttype);
  EXPECT_EQ(list("\0"s, actual), errc::ok) << "no type in front of nothing";
  EXPECT_EQ(list("\x1e\0"s, actual), errc::bad_ttype);
  EXPECT_EQ(list("\x27\0"s, actual), errc::truncated);
  EXPECT_EQ(list("\xf3"s, actual), errc::truncated);
  EXPECT_EQ(list(""s, actual), errc::truncated);
  EXPECT_EQ(list("\xf3\xff\xff\xff\xff\x0f"s, actual), errc::negative_size);
  EXPECT_EQ(list("\xf3\xff\xff\xff\xff\x1f"s, actual), errc::bad_varint);
  const auto map = [](const std::string& bytes) {
    const auto* from = reinterpret_cast<const std::uint8_t*>(bytes.data());
    errc code = errc::ok;
    map_header entries;
    static_cast<void>(detail::compact_gets::get_map(from, from + bytes.size(), 0xffffffffu, entries, code));
    return code;
  };
  EXPECT_EQ(map("\0"s), errc::ok);
  EXPECT_EQ(map("\x80\0"s), errc::ok);
  EXPECT_EQ(map("\x01\x33\0\0"s), errc::ok);
  EXPECT_EQ(map("\x01\x30\0\0"s), errc::bad_ttype);
  EXPECT_EQ(map("\x01"s), errc::truncated);
  EXPECT_EQ(map("\x02\x33\0\0\0"s), errc::truncated);
  EXPECT_EQ(map("\x81\x80\x80\x80\x08\x33"s), errc::negative_size);
}

TEST(compact_header, limits_are_inclusive) {
  const auto code_of = [](const std::string& bytes, auto get) {
    const auto* from = reinterpret_cast<const std::uint8_t*>(bytes.data());
    errc code = errc::ok;
    const bool refused = get(from, from + bytes.size(), code) == nullptr;
    EXPECT_EQ(refused, code != errc::ok);
    return code;
  };
  for (const std::uint32_t limit : {2u, 3u}) {
    const errc expected = limit == 3 ? errc::ok : errc::size_limit;
    EXPECT_EQ(code_of("\x03"
                      "abc"s,
                      [limit](const std::uint8_t* from, const std::uint8_t* end, errc& code) {
                        byte_view value;
                        return detail::compact_gets::get_bytes(from, end, limit, value, code);
                      }),
              expected);
    EXPECT_EQ(code_of("\x33\0\0\0"s,
                      [limit](const std::uint8_t* from, const std::uint8_t* end, errc& code) {
                        list_header list;
                        return detail::compact_gets::get_list(from, end, limit, list, code);
                      }),
              expected);
    EXPECT_EQ(code_of("\x03\x33\0\0\0\0\0\0"s,
                      [limit](const std::uint8_t* from, const std::uint8_t* end, errc& code) {
                        map_header map;
                        return detail::compact_gets::get_map(from, end, limit, map, code);
                      }),
              expected);
  }
}
