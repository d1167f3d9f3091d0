#include <thriftlens/protocol/compact.hpp>

#include "support/test.hpp"

using namespace thriftlens;
using namespace std::string_literals;

TEST(compact, bytes_equal_the_specification) {
  buffer bytes;
  compact::writer out(bytes);
  const struct_mark outer = out.begin_struct();
  out.write_field(ttype::i32, 1);
  out.write_i32(-2);
  out.write_field(ttype::bool_, 2);
  out.write_bool(true);
  out.write_field(ttype::bool_, 20);
  out.write_bool(false);
  out.write_field(ttype::map, 21);
  out.write_map({ttype::string, ttype::bool_, 1});
  out.write_bytes(std::string_view("k"));
  out.write_bool(true);
  out.write_field(ttype::double_, 22);
  out.write_double(1.0);
  out.write_stop();
  out.end_struct(outer);
  EXPECT_EQ(bytes.str(), "\x15\x03\x11\x02\x28\x1b\x01\x81\x01k\x01\x17\0\0\0\0\0\0\xf0\x3f\0"s);
}

TEST(compact, bool_elements_of_both_historical_forms) {
  const std::string bytes = "\x01\x02\x00\x03"s;
  compact::reader in{byte_view(bytes)};
  for (const bool expected : {true, false, false, true}) {
    bool actual = !expected;
    ASSERT_TRUE(in.read_bool(actual));
    EXPECT_EQ(actual, expected);
  }
}

TEST(compact, varints_must_fit_their_type) {
  struct {
    ttype type;
    std::string bytes;
    errc code;
  } const cases[] = {
      {ttype::i16, "\xff\xff\x03"s, errc::ok},
      {ttype::i16, "\x80\x80\x80\x80\x00"s, errc::ok},
      {ttype::i16, "\xff\xff\x04"s, errc::bad_varint},
      {ttype::i32, "\xff\xff\xff\xff\x0f"s, errc::ok},
      {ttype::i32, "\xff\xff\xff\xff\x1f"s, errc::bad_varint},
      {ttype::i32, "\xff\xff\xff\xff\x8f\x00"s, errc::bad_varint},
      {ttype::i64, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"s, errc::ok},
      {ttype::i64, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"s, errc::bad_varint},
      {ttype::i64, "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00"s, errc::bad_varint},
      {ttype::i64, "\x80\x80"s, errc::truncated},
      {ttype::i32, "\x80"s, errc::truncated},
      {ttype::i16, ""s, errc::truncated},
  };
  for (const auto& case_ : cases)
    for (const std::size_t suffix : {0u, 40u}) {
      if (suffix != 0 && case_.code == errc::truncated) continue;
      const std::string bytes = case_.bytes + std::string(suffix, '\0');
      compact::reader skipping{byte_view(bytes)}, reading{byte_view(bytes)};
      EXPECT_EQ(skipping.skip(case_.type), case_.code == errc::ok);
      EXPECT_EQ(skipping.fault().code, case_.code);
      std::int16_t i16 = 0;
      std::int32_t i32 = 0;
      std::int64_t i64 = 0;
      EXPECT_EQ(case_.type == ttype::i16   ? reading.read_i16(i16)
                : case_.type == ttype::i32 ? reading.read_i32(i32)
                                           : reading.read_i64(i64),
                case_.code == errc::ok);
      EXPECT_EQ(reading.fault().code, case_.code);
      if (case_.code == errc::ok) {
        EXPECT_EQ(reading.offset(), skipping.offset());
      }
    }
}

TEST(compact, backpatched_sizes_have_the_shortest_form) {
  for (const std::uint32_t size : {0u, 1u, 14u, 15u, 127u, 128u, 16383u, 16384u, 40000u}) {
    buffer current, later;
    compact::writer direct(current), deferred(later);
    direct.write_list({ttype::i8, size});
    const container_mark list = deferred.begin_list(ttype::i8);
    for (std::uint32_t i = 0; i < size; ++i) {
      direct.write_i8(static_cast<std::int8_t>(i));
      deferred.write_i8(static_cast<std::int8_t>(i));
    }
    deferred.end_list(list, size);
    EXPECT_EQ(later.text(), current.text()) << size;
    current.clear();
    later.clear();
    direct.write_map({ttype::i8, ttype::i8, size});
    const container_mark map = deferred.begin_map(ttype::i8, ttype::i8);
    for (std::uint32_t i = 0; i < 2 * size; ++i) {
      direct.write_i8(static_cast<std::int8_t>(i));
      deferred.write_i8(static_cast<std::int8_t>(i));
    }
    deferred.end_map(map, size);
    EXPECT_EQ(later.text(), current.text()) << size;
  }
}

TEST(compact, a_field_id_beyond_i16_is_an_error) {
  const std::string bytes = "\x05\xfe\xff\x03\x02\xf5\x04\x00"s;
  compact::reader in{byte_view(bytes)}, skipping{byte_view(bytes)};
  field_header field;
  ASSERT_TRUE(in.read_field(field));
  EXPECT_EQ(field.id, 32767);
  ASSERT_TRUE(in.skip(field.type));
  EXPECT_FALSE(in.read_field(field));
  EXPECT_EQ(in.fault(), (fault{.code = errc::bad_field_id, .offset = 5}));
  EXPECT_FALSE(skipping.skip(ttype::struct_));
  EXPECT_EQ(skipping.fault(), in.fault());
}

// Sizes at which their encoding grows by a byte, written before and after the elements, which are moved then.
TEST(compact, sizes_at_every_change_of_their_length) {
  for (const std::uint32_t size :
       {0u, 1u, 14u, 15u, 16u, 126u, 127u, 128u, 129u, 16382u, 16383u, 16384u, 16385u, 2097151u, 2097152u}) {
    const std::string body(size, '\x05');
    std::string varint;
    for (std::uint32_t remaining = size;; remaining >>= 7) {
      varint += static_cast<char>(remaining >= 0x80 ? (remaining & 0x7f) | 0x80 : remaining);
      if (remaining < 0x80) break;
    }
    const std::string list = size < 15 ? std::string(1, static_cast<char>(size << 4 | 3)) : '\xf3' + varint;
    const std::string map = size == 0 ? std::string(1, '\0') : varint + '\x33';
    buffer known, later;
    compact::writer first(known), second(later);
    first.write_list({ttype::i8, size});
    known.append(std::string_view(body));
    const container_mark mark = second.begin_list(ttype::i8);
    later.append(std::string_view(body));
    second.end_list(mark, size);
    EXPECT_TRUE(known.text() == list + body) << size;
    EXPECT_TRUE(later.text() == list + body) << size;
    known.clear();
    later.clear();
    first.write_map({ttype::i8, ttype::i8, size});
    known.append(std::string_view(body));
    const container_mark map_mark = second.begin_map(ttype::i8, ttype::i8);
    later.append(std::string_view(body));
    second.end_map(map_mark, size);
    EXPECT_TRUE(known.text() == map + body) << size;
    if (size != 0) {
      EXPECT_TRUE(later.text() == map + body) << size;
    }
    known.clear();
    first.write_bytes(std::string_view(body));
    EXPECT_TRUE(known.text() == varint + body) << size;
    // Read: with the last byte there and without it.
    const std::string text = varint + body;
    for (const std::size_t cut : {std::size_t{0}, std::size_t{1}}) {
      if (cut > size) continue;
      const std::string some = text.substr(0, text.size() - cut),
                        elements = (list + body).substr(0, (list + body).size() - cut);
      compact::reader in{byte_view(some)}, of{byte_view(elements)};
      byte_view actual;
      EXPECT_EQ(in.read_bytes(actual), cut == 0) << size;
      list_header header;
      EXPECT_EQ(of.read_list(header), cut == 0) << size;
      if (cut != 0) continue;
      EXPECT_EQ(actual.size(), size);
      EXPECT_EQ(header.size, size);
      EXPECT_EQ(of.offset(), list.size());
    }
  }
}

TEST(compact, sizes_beyond_31_bits_are_negative) {
  for (const char* bytes : {"\xff\xff\xff\xff\x07", "\x80\x80\x80\x80\x08", "\xff\xff\xff\xff\x0f"}) {
    const std::string text(bytes, 5);
    compact::reader in{byte_view(text)};
    byte_view actual;
    EXPECT_FALSE(in.read_bytes(actual));
    EXPECT_EQ(in.fault().code, text[4] == '\x07' ? errc::truncated : errc::negative_size);
  }
}
