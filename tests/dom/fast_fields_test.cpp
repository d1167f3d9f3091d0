#include <thriftlens/dom/fast/fast_fields.hpp>

#include "support/test.hpp"

#include <thriftlens/protocol/binary.hpp>
#include <thriftlens/schema/schema.hpp>

namespace {

namespace dom = thriftlens::detail::dom;
using tl::ttype;

const tl::schema& idl() {
  static const tl::schema full = tl::schema::parse(
      "struct S { 1: bool a, 2: i64 b, 3: optional string c, 5: uuid d, 6: list<i32> e, 7: i32 f }");
  return full;
}

struct written_values {
  tl::buffer bytes;
  tl::binary::writer out{bytes};

  void number(std::int16_t id) {
    out.write_field(ttype::i64, id);
    out.write_i64(-1);
  }
  void text(std::int16_t id, std::string_view value) {
    out.write_field(ttype::string, id);
    out.write_bytes(value);
  }
  void start() {
    out.write_field(ttype::bool_, 1);
    out.write_bool(true);
    number(2);
  }
};

struct answer {
  std::vector<dom::slot> slots;
  std::size_t end = 0;
};
answer ask(tl::byte_view bytes, std::uint32_t string_size = 0x7fffffff) {
  dom::tree of;
  of.image = idl().type("S").image();
  answer result;
  const auto fields = of.fields(*of.structure(idl().type("S").index()));
  result.end =
      static_cast<std::size_t>(dom::fast_fields(bytes, fields, string_size, result.slots) - bytes.begin());
  return result;
}

TEST(fast_fields, numbers_and_strings_become_slots_up_to_the_first_container) {
  written_values in;
  in.start();
  in.text(3, "abc");
  in.out.write_field(ttype::uuid, 5);
  in.out.write_uuid({});
  const std::size_t list = in.bytes.size();
  in.out.write_field(ttype::list, 6);
  in.out.write_list({ttype::i32, 0});
  in.out.write_stop();
  const answer actual = ask(in.bytes);
  EXPECT_EQ(actual.end, list);
  ASSERT_EQ(actual.slots.size(), 4u);
  EXPECT_EQ(actual.slots[0].size, 1u);
  EXPECT_EQ(actual.slots[1].id, 2);
  EXPECT_EQ(actual.slots[2].wire, ttype::string);
  EXPECT_EQ(actual.slots[2].size, 7u);
  EXPECT_EQ(actual.slots[2].bytes, in.bytes.data() + 18);
  EXPECT_EQ(actual.slots[3].size, 16u);
}

TEST(fast_fields, stop_in_front_of_a_field_that_is_left_out_or_of_another_type) {
  written_values left_out, other;
  left_out.start();
  other.start();
  const std::size_t end = other.bytes.size();
  left_out.number(4);
  other.number(3);
  for (written_values* item : {&left_out, &other}) {
    item->out.write_stop();
    EXPECT_EQ(ask(item->bytes).end, end);
  }
}

TEST(fast_fields, stop_in_front_of_a_text_that_is_too_long_or_of_negative_size) {
  written_values in;
  in.start();
  const std::size_t end = in.bytes.size();
  in.text(3, "abc");
  EXPECT_EQ(ask(in.bytes, 3).slots.size(), 3u);
  EXPECT_EQ(ask(in.bytes, 2).end, end);
  in.bytes.data()[end + 3] = 0xff;
  EXPECT_EQ(ask(in.bytes).end, end);
}

TEST(fast_fields, take_only_complete_values) {
  written_values in;
  in.start();
  in.text(3, "abc");
  for (std::size_t size = 0; size < in.bytes.size(); ++size) {
    const std::vector<std::uint8_t> part(in.bytes.data(), in.bytes.data() + size);  // its end is the memory's
    const answer actual = ask(tl::byte_view(part.data(), part.size()));
    EXPECT_LE(actual.end, size);
    EXPECT_LT(actual.slots.size(), 3u);
  }
}

}  // namespace
