#include <thriftlens/protocol/compact.hpp>

#include <gtest/gtest.h>

#include <string>
#include <string_view>

using namespace thriftlens;
using namespace std::string_literals;

TEST(compact, bytes_as_the_specification_has_them) {
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
    bool found = !expected;
    ASSERT_TRUE(in.read_bool(found));
    EXPECT_EQ(found, expected);
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
  for (const auto& each : cases)
    for (const std::size_t behind : {0u, 40u}) {
      if (behind != 0 && each.code == errc::truncated) continue;
      const std::string bytes = each.bytes + std::string(behind, '\0');
      compact::reader skipping{byte_view(bytes)}, reading{byte_view(bytes)};
      EXPECT_EQ(skipping.skip(each.type), each.code == errc::ok);
      EXPECT_EQ(skipping.fault().code, each.code);
      std::int16_t i16 = 0;
      std::int32_t i32 = 0;
      std::int64_t i64 = 0;
      EXPECT_EQ(each.type == ttype::i16 ? reading.read_i16(i16) : each.type == ttype::i32 ? reading.read_i32(i32) : reading.read_i64(i64),
                each.code == errc::ok);
      EXPECT_EQ(reading.fault().code, each.code);
      if (each.code == errc::ok) {
        EXPECT_EQ(reading.offset(), skipping.offset());
      }
    }
}

TEST(compact, sizes_filled_in_afterwards_take_the_shortest_form) {
  for (const std::uint32_t size : {0u, 1u, 14u, 15u, 127u, 128u, 16383u, 16384u, 40000u}) {
    buffer now, later;
    compact::writer direct(now), deferred(later);
    direct.write_list({ttype::i8, size});
    const container_mark list = deferred.begin_list(ttype::i8);
    for (std::uint32_t i = 0; i < size; ++i) {
      direct.write_i8(static_cast<std::int8_t>(i));
      deferred.write_i8(static_cast<std::int8_t>(i));
    }
    deferred.end_list(list, size);
    EXPECT_EQ(later.text(), now.text()) << size;
    now.clear();
    later.clear();
    direct.write_map({ttype::i8, ttype::i8, size});
    const container_mark map = deferred.begin_map(ttype::i8, ttype::i8);
    for (std::uint32_t i = 0; i < 2 * size; ++i) {
      direct.write_i8(static_cast<std::int8_t>(i));
      deferred.write_i8(static_cast<std::int8_t>(i));
    }
    deferred.end_map(map, size);
    EXPECT_EQ(later.text(), now.text()) << size;
  }
}

TEST(compact, a_field_id_that_leaves_i16_is_refused) {
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
