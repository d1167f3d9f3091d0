#include <thriftlens/protocol/convert.hpp>

#include "support/cases.hpp"
#include "support/test.hpp"
#include "support/vectors.hpp"

#include <gmock/gmock.h>

namespace {

std::string bytes(std::initializer_list<int> list) {
  std::string text;
  for (int number : list) text += static_cast<char>(number);
  return text;
}
template <class From, class To>
std::string converted(const std::string& from, tl::ttype type = tl::ttype::struct_) {
  tl::buffer out;
  tl::result<void> status = tl::try_append_converted<From, To>(from, out, {}, type);
  EXPECT_TRUE(status) << status.error().what();
  return out.str();
}
template <class From, class To>
tl::error refused(const std::string& from, const tl::limits& bounds = {},
                  tl::ttype type = tl::ttype::struct_) {
  tl::buffer out;
  out.append(tl::byte_view("keep", 4));
  tl::result<void> status = tl::try_append_converted<From, To>(from, out, bounds, type);
  EXPECT_EQ(out.text(), "keep");
  return status ? tl::error() : status.error();
}

TEST(convert, scalars_of_every_type) {
  EXPECT_EQ((converted<tl::binary, tl::compact>(bytes({1}), tl::ttype::bool_)), bytes({1}));
  EXPECT_EQ((converted<tl::binary, tl::compact>(bytes({0}), tl::ttype::bool_)), bytes({2}));
  EXPECT_EQ((converted<tl::compact, tl::binary>(bytes({2}), tl::ttype::bool_)), bytes({0}));
  EXPECT_EQ((converted<tl::binary, tl::compact>(bytes({0xff}), tl::ttype::i8)), bytes({0xff}));
  EXPECT_EQ((converted<tl::binary, tl::compact>(bytes({0xff, 0xfe}), tl::ttype::i16)), bytes({3}));
  EXPECT_EQ((converted<tl::compact, tl::binary>(bytes({4}), tl::ttype::i32)), bytes({0, 0, 0, 2}));
  EXPECT_EQ((converted<tl::compact, tl::binary>(bytes({3}), tl::ttype::i64)),
            std::string("\xff\xff\xff\xff\xff\xff\xff\xfe", 8));
  EXPECT_EQ((converted<tl::binary, tl::compact>(std::string("\x3f\xf0\0\0\0\0\0\0", 8), tl::ttype::double_)),
            std::string("\0\0\0\0\0\0\xf0\x3f", 8));
  EXPECT_EQ((converted<tl::binary, tl::compact>(bytes({0, 0, 0, 2, 'h', 'i'}), tl::ttype::string)),
            bytes({2, 'h', 'i'}));
  const std::string id = "0123456789abcdef";
  EXPECT_EQ((converted<tl::binary, tl::compact>(id, tl::ttype::uuid)), id);
}

TEST(convert, bool_fields_move_between_header_and_value) {
  const std::string binary = bytes({2, 0, 1, 1, 2, 0, 2, 0, 0}), compact = bytes({0x11, 0x12, 0});
  EXPECT_EQ((converted<tl::binary, tl::compact>(binary)), compact);
  EXPECT_EQ((converted<tl::compact, tl::binary>(compact)), binary);
}

TEST(convert, empty_map_of_compact_gets_the_type_stop_in_binary) {
  EXPECT_EQ((converted<tl::compact, tl::binary>(bytes({0x1b, 0, 0}))),
            bytes({13, 0, 1, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ((converted<tl::binary, tl::compact>(bytes({13, 0, 1, 0, 0, 0, 0, 0, 0, 0}))),
            bytes({0x1b, 0, 0}));
  EXPECT_EQ((converted<tl::binary, tl::compact>(bytes({13, 0, 1, 11, 8, 0, 0, 0, 0, 0}))),
            bytes({0x1b, 0, 0}));
}

TEST(convert, overlong_forms_become_canonical) {
  EXPECT_EQ((converted<tl::compact, tl::compact>(bytes({0x05, 0x02, 0x84, 0x00, 0}))),
            bytes({0x15, 0x04, 0}));
  EXPECT_EQ((converted<tl::binary, tl::binary>(bytes({2, 0, 1, 7, 0}))), bytes({2, 0, 1, 1, 0}));
}

TEST(convert, errors_keep_the_output_and_have_offset_and_path) {
  const tl::error cut = refused<tl::binary, tl::compact>(bytes({15, 0, 3, 8, 0, 0, 0, 1, 0, 0}));
  EXPECT_EQ(cut.code(), tl::errc::truncated);
  EXPECT_EQ(cut.path(), "$.#3");
  EXPECT_EQ(cut.offset(), 3u);
  const tl::error inside = refused<tl::binary, tl::compact>(bytes({15, 0, 3, 12, 0, 0, 0, 2, 0, 99}));
  EXPECT_EQ(inside.code(), tl::errc::bad_ttype);
  EXPECT_EQ(inside.path(), "$.#3[1]");
  EXPECT_EQ(inside.offset(), 9u);
  EXPECT_EQ((refused<tl::compact, tl::binary>(bytes({0, 0})).code()), tl::errc::trailing_bytes);
  EXPECT_EQ((refused<tl::compact, tl::binary>("", {}, tl::ttype::stop).code()), tl::errc::bad_ttype);
  tl::limits tight;
  tight.output_size = 7;  // of the output, which is one byte more; "keep" is not counted
  EXPECT_EQ((refused<tl::compact, tl::binary>(bytes({0x15, 2, 0}), tight).code()), tl::errc::output_limit);
  EXPECT_EQ((converted<tl::compact, tl::binary>(bytes({0x15, 2, 0})).size()), 8u);
}

TEST(convert, depth_is_bounded) {
  for (std::uint32_t depth : {1u, 5u, 64u}) {
    std::string nested;
    for (std::uint32_t i = 1; i < depth; ++i) nested += bytes({12, 0, 1});
    nested += std::string(depth, '\0');
    tl::limits bounds;
    bounds.depth = depth;
    tl::buffer out;
    EXPECT_TRUE((tl::try_append_converted<tl::binary, tl::compact>(nested, out, bounds)));
    bounds.depth = depth - 1;
    EXPECT_EQ((refused<tl::binary, tl::compact>(nested, bounds).code()), tl::errc::depth_limit);
  }
}

// Whether there are empty maps: Compact loses their types, so that Binary cannot be compared by bytes.
bool has_empty_map(const std::string& binary) {
  struct finder {
    tl::binary::reader in;
    bool actual = false;
    void value(tl::ttype type) {
      if (type == tl::ttype::struct_) {
        tl::struct_mark outer = in.begin_struct();
        tl::field_header field;
        while (in.read_field(field) && field.type != tl::ttype::stop) value(field.type);
        in.end_struct(outer);
      } else if (type == tl::ttype::list || type == tl::ttype::set) {
        tl::list_header list;
        if (!in.read_list(list)) return;
        for (std::uint32_t i = 0; i < list.size; ++i) value(list.element);
      } else if (type == tl::ttype::map) {
        tl::map_header map;
        if (!in.read_map(map)) return;
        actual = actual || map.size == 0;
        for (std::uint32_t i = 0; i < map.size; ++i) {
          value(map.key);
          value(map.value);
        }
      } else {
        static_cast<void>(in.skip(type));
      }
    }
  } work{tl::binary::reader(binary)};
  work.value(tl::ttype::struct_);
  return work.actual;
}

TEST(convert, shared_vectors_equal_the_other_encoding) {
  std::size_t with_empty_map = 0;
  for (const thriftlens_test::valid_vector& vector : thriftlens_test::valid_vectors()) {
    SCOPED_TRACE(vector.id);
    ASSERT_EQ((converted<tl::binary, tl::compact>(vector.binary)), vector.compact);
    const std::string back = converted<tl::compact, tl::binary>(vector.compact);
    if (has_empty_map(vector.binary)) {
      ++with_empty_map;
      EXPECT_EQ(back.size(), vector.binary.size());
      EXPECT_EQ((converted<tl::binary, tl::compact>(back)), vector.compact);
    } else {
      ASSERT_EQ(back, vector.binary);
    }
  }
  EXPECT_EQ(thriftlens_test::valid_vectors().size(), thriftlens_test::vector_count("valid"));
  EXPECT_GE(with_empty_map, 5u);
  EXPECT_LT(with_empty_map, 60u);
}

TEST(convert, malicious_vectors_are_refused_or_survive_a_round_trip) {
  // These contradict the IDL only, which a conversion does not see.
  const std::map<std::string, bool> of_schema = {{"required", true}, {"wire_mismatch", true}, {"union", true},
                                                 {"dup", true},      {"enum", true},          {"utf8", true}};
  std::size_t seen = 0;
  for (const thriftlens_test::malicious_vector& vector : thriftlens_test::malicious_vectors()) {
    SCOPED_TRACE(vector.id);
    ++seen;
    tl::buffer out, back;
    const bool binary = vector.protocol == "binary";
    tl::result<void> status = binary ? tl::try_append_converted<tl::binary, tl::compact>(vector.bytes, out)
                                     : tl::try_append_converted<tl::compact, tl::binary>(vector.bytes, out);
    if (vector.expect == "error" && !of_schema.contains(vector.cat)) {
      EXPECT_FALSE(status);
    }
    if (vector.expect == "ok") {
      EXPECT_TRUE(status) << status.error().what();
    }
    if (!status) {
      EXPECT_EQ(out.size(), 0u);
      EXPECT_LE(status.error().offset(), vector.bytes.size());
      continue;
    }
    EXPECT_LE(out.size(), 8 * vector.bytes.size() + 16);
    EXPECT_TRUE((binary ? tl::try_append_converted<tl::compact, tl::binary>(out, back)
                        : tl::try_append_converted<tl::binary, tl::compact>(out, back)));
  }
  EXPECT_GT(seen, 150u);
}

TEST(convert, truncation_at_every_byte_is_refused) {
  for (const thriftlens_test::valid_vector& vector : thriftlens_test::valid_vectors()) {
    if (vector.binary.size() > 700) continue;
    SCOPED_TRACE(vector.id);
    for (std::size_t cut = 0; cut < vector.binary.size(); ++cut) {
      tl::buffer out;
      const std::string part =
          vector.binary.substr(0, cut);  // its own allocation: the sanitizer sees each byte too far
      ASSERT_FALSE((tl::try_append_converted<tl::binary, tl::compact>(part, out)));
    }
    for (std::size_t cut = 0; cut < vector.compact.size(); ++cut) {
      tl::buffer out;
      const std::string part = vector.compact.substr(0, cut);
      ASSERT_FALSE((tl::try_append_converted<tl::compact, tl::binary>(part, out)));
    }
  }
}

TEST(convert, mutated_bytes_are_handled) {
  std::mt19937 random(20261121);
  const std::string seed = bytes({15, 0, 3, 12, 0,  0, 0, 2, 2, 0, 1, 1, 0, 11, 0, 7, 0, 0, 0, 1, 'x', 0,
                                  13, 0, 4, 8,  10, 0, 0, 0, 1, 0, 0, 0, 9, 0,  0, 0, 0, 0, 0, 0, 1,   0});
  for (int round = 0; round < thriftlens_test::cases(20000); ++round) {
    std::string changed = seed;
    for (int flips = 0; flips < 3; ++flips) changed[random() % changed.size()] = static_cast<char>(random());
    tl::buffer there, back, again;
    if (!tl::try_append_converted<tl::binary, tl::compact>(changed, there)) continue;
    ASSERT_TRUE((tl::try_append_converted<tl::compact, tl::binary>(there, back)));
    ASSERT_TRUE((tl::try_append_converted<tl::binary, tl::compact>(back, again)));
    ASSERT_EQ(there.text(), again.text());
  }
}

}  // namespace
