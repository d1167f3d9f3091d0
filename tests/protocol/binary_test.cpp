#include <thriftlens/protocol/binary.hpp>

#include "support/test.hpp"

using namespace thriftlens;
using namespace std::string_literals;

namespace {

fault fault_of(const std::string& bytes, ttype type) {
  binary::reader in{byte_view(bytes)};
  EXPECT_FALSE(in.skip(type));
  return in.fault();
}

}  // namespace

TEST(binary, bytes_equal_the_specification) {
  buffer bytes;
  binary::writer out(bytes);
  out.write_field(ttype::i32, 1);
  out.write_i32(-2);
  out.write_field(ttype::map, -2);
  out.write_map({ttype::string, ttype::bool_, 1});
  out.write_bytes(std::string_view("k"));
  out.write_bool(true);
  out.write_stop();
  EXPECT_EQ(bytes.str(),
            "\x08\x00\x01\xff\xff\xff\xfe\x0d\xff\xfe\x0b\x02\x00\x00\x00\x01\x00\x00\x00\x01k\x01\x00"s);
}

TEST(binary, any_byte_but_zero_is_true) {
  const std::string bytes = "\x00\x01\x02\xff"s;
  binary::reader in{byte_view(bytes)};
  for (const bool expected : {false, true, true, true}) {
    bool actual = !expected;
    ASSERT_TRUE(in.read_bool(actual));
    EXPECT_EQ(actual, expected);
  }
  bool none = false;
  EXPECT_FALSE(in.read_bool(none));
}

TEST(binary, negative_sizes) {
  const std::string string = "\xff\xff\xff\xff"s, list = "\x08\x80\x00\x00\x00"s,
                    map = "\x08\x08\xff\xff\x00\x00"s;
  binary::reader in{byte_view(string)};
  byte_view value;
  EXPECT_FALSE(in.read_bytes(value));
  EXPECT_EQ(in.fault(), (fault{.code = errc::negative_size}));
  list_header list_found;
  binary::reader list_in{byte_view(list)};
  EXPECT_FALSE(list_in.read_list(list_found));
  EXPECT_EQ(list_in.fault().code, errc::negative_size);
  map_header map_found;
  binary::reader map_in{byte_view(map)};
  EXPECT_FALSE(map_in.read_map(map_found));
  EXPECT_EQ(map_in.fault().code, errc::negative_size);
  EXPECT_EQ(fault_of(string, ttype::string).code, errc::negative_size);
  EXPECT_EQ(fault_of(list, ttype::list).code, errc::negative_size);
  EXPECT_EQ(fault_of(map, ttype::map).code, errc::negative_size);
}

TEST(binary, empty_containers_may_have_no_type_but_not_an_undefined_one) {
  for (const std::string& types : {"\x00"s, "\x01"s, "\x05"s, "\xff"s}) {
    const bool is_defined = types[0] == 0 || types[0] == 1;  // stop and void
    const std::string empty = types + "\0\0\0\0"s, full = types + "\0\0\0\x01\0\0\0"s;
    binary::reader in{byte_view(empty)}, bad{byte_view(full)}, skipping{byte_view(empty)};
    list_header list;
    ASSERT_EQ(in.read_list(list), is_defined);
    EXPECT_EQ(list, list_header{});
    EXPECT_EQ(skipping.skip(ttype::list), is_defined);
    EXPECT_FALSE(bad.read_list(list));
    EXPECT_EQ(bad.fault().code, errc::bad_ttype);
    EXPECT_EQ(fault_of(full, ttype::list).code, errc::bad_ttype);
    const std::string empty_map = types + "\x08\0\0\0\0"s, full_map = "\x08" + types + "\0\0\0\x01\0\0\0\0"s;
    binary::reader map_in{byte_view(empty_map)}, map_bad{byte_view(full_map)};
    map_header map;
    ASSERT_EQ(map_in.read_map(map), is_defined);
    EXPECT_EQ(map, (map_header{ttype::stop, ttype::i32, 0}));
    EXPECT_FALSE(map_bad.read_map(map));
    EXPECT_EQ(map_bad.fault().code, errc::bad_ttype);
    EXPECT_EQ(fault_of(full_map, ttype::map).code, errc::bad_ttype);
  }
}

TEST(binary, undefined_field_types_have_an_offset) {
  for (unsigned type = 1; type < 256; ++type) {
    if (is_value_type(static_cast<std::uint8_t>(type))) continue;
    for (const std::size_t suffix : {0u, 2u, 60u}) {
      const std::string bytes = "\x03\0\x01\0"s + static_cast<char>(type) + std::string(suffix, '\0');
      EXPECT_EQ(fault_of(bytes, ttype::struct_), (fault{.code = errc::bad_ttype, .offset = 4})) << type;
      binary::reader in{byte_view(bytes)};
      field_header field;
      ASSERT_TRUE(in.read_field(field) && in.skip(field.type));
      EXPECT_FALSE(in.read_field(field));
      EXPECT_EQ(in.fault(), (fault{.code = errc::bad_ttype, .offset = 4}));
    }
  }
  EXPECT_EQ(fault_of("\0\0\0\0"s, static_cast<ttype>(200)).code, errc::bad_ttype);
  EXPECT_EQ(fault_of("\0\0\0\0"s, ttype::stop).code, errc::bad_ttype);
}

TEST(binary, sizes_are_patched_in_place) {
  buffer bytes;
  binary::writer out(bytes);
  const container_mark list = out.begin_list(ttype::map);
  for (int i = 0; i < 3; ++i) {
    const container_mark map = out.begin_map(ttype::i8, ttype::i8);
    out.end_map(map, 0);
  }
  out.end_list(list, 3);
  EXPECT_EQ(bytes.str(), "\x0d\0\0\0\x03"s + "\x03\x03\0\0\0\0\x03\x03\0\0\0\0\x03\x03\0\0\0\0"s);
}
