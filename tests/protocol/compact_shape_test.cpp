#include <thriftlens/protocol/compact_shape.hpp>

#include <thriftlens/protocol/compact.hpp>

#include "support/cases.hpp"
#include "support/test.hpp"
#include "value.hpp"

using namespace thriftlens;
using thriftlens_test::random_values, thriftlens_test::value;

namespace {

const std::uint8_t* first_byte_of(const std::string& text) {
  return reinterpret_cast<const std::uint8_t*>(text.data());
}

/// Rows of structs that are mostly like the one before.
struct alike_rows {
  random_values rng{std::mt19937_64(5)};

  /// Other numbers and texts in the same fields.
  void vary(value& of) {
    if (of.type == ttype::i32) of.number = rng.integer(32);
    if (of.type == ttype::i64) of.number = rng.integer(64);
    if (of.type == ttype::i16) of.number = rng.integer(16);
    if (of.type == ttype::string && rng.below(3) == 0) of.bytes = rng.string(rng.below(200));
    for (value& item : of.items) vary(item);
  }
  /// A list of structs, of `kinds` kinds.
  value list(std::size_t kinds, std::size_t count) {
    std::vector<value> item;
    for (; kinds != 0; --kinds) item.push_back(rng.make(ttype::struct_, 2));
    value full;
    full.type = ttype::list;
    full.element = ttype::struct_;
    for (std::size_t i = 0; i < count; ++i) {
      value& next = item[rng.below(4) == 0 ? rng.below(item.size()) : i % item.size()];
      if (rng.below(3) == 0) vary(next);
      full.items.push_back(next);
    }
    return full;
  }
};

/// The end of a list of structs, walked without memory; `found` has the error.
byte_ptr skip_one_by_one(byte_ptr from, byte_ptr end, std::uint32_t depth, detail::compact_skipper& actual) {
  list_header list;
  byte_ptr at = compact::get_list(from, end, 0xffffffffu, list, actual.code);
  if (at == nullptr) {
    actual.at = from;
    return nullptr;
  }
  for (; at != nullptr && list.size != 0; --list.size) at = actual.skip(at, list.element, depth - 1);
  return at;
}

std::string number_and_text(std::int32_t number, const std::string& text) {
  buffer bytes;
  compact::writer out(bytes);
  out.write_field(ttype::i32, 1);
  out.write_i32(number);
  out.write_field(ttype::string, 2);
  out.write_bytes(std::string_view(text));
  out.write_stop();
  return bytes.str();
}

/// The same of a struct of lists and maps of structs.
byte_ptr skip_fields_one_by_one(byte_ptr from, byte_ptr end, std::uint32_t depth,
                                detail::compact_skipper& actual) {
  std::int16_t last_id = 0;
  for (;;) {
    wire_field field;
    byte_ptr at = compact::get_field(from, end, last_id, field, actual.code);
    if (at == nullptr) return actual.at = from, nullptr;
    if (field.header.type == ttype::stop) return at;
    map_header map;
    if (field.inline_bool >= 0) {
      from = at;
    } else if (field.header.type == ttype::list) {
      from = skip_one_by_one(at, end, depth - 1, actual);
    } else if (field.header.type != ttype::map) {
      from = actual.skip(at, field.header.type, depth - 1);
    } else if ((from = compact::get_map(at, end, 0xffffffffu, map, actual.code)) == nullptr) {
      actual.at = at;
    } else {
      for (; from != nullptr && map.size != 0; --map.size) {
        from = actual.skip(from, map.key, depth - 2);
        if (from != nullptr) from = actual.skip(from, map.value, depth - 2);
      }
    }
    if (from == nullptr) return nullptr;
  }
}

/// A struct of a list of structs and a map of the same structs by text.
std::string list_and_map(alike_rows& source) {
  const value list = source.list(1 + source.rng.below(3), 20 + source.rng.below(40));
  std::string bytes = "\x19" + thriftlens_test::to_bytes<compact>(list);
  bytes += "\x1b" + std::string(1, static_cast<char>(list.items.size())) + "\x8c";
  for (const value& item : list.items) bytes += "\x03key" + thriftlens_test::to_bytes<compact>(item);
  return bytes + std::string(1, '\0');
}

}  // namespace

TEST(compact_shape, matches_the_same_fields_and_widths_whatever_the_values) {
  const std::string first = number_and_text(5, "abc") + std::string(64, '\x7f');
  detail::compact_survey survey;
  detail::compact_shape shape;
  ASSERT_TRUE(survey.take(first_byte_of(first), first_byte_of(first) + first.size()));
  ASSERT_EQ(survey.parts().size(), 2u);
  ASSERT_TRUE(shape.take(first_byte_of(first), survey, 7, false));
  const auto matches = [&](const std::string& bytes) {
    const std::string storage = bytes + std::string(64, '\x7f');
    return shape.match(first_byte_of(storage), first_byte_of(storage) + storage.size()) ==
           first_byte_of(storage) + bytes.size();
  };
  EXPECT_TRUE(matches(number_and_text(-7, "xyz")));
  EXPECT_FALSE(matches(number_and_text(70, "xyz"))) << "a longer number";
  EXPECT_FALSE(matches(number_and_text(7, "xyzz"))) << "a longer text";
  for (const std::size_t at : {0u, 2u, 3u, 7u}) {
    std::string changed = number_and_text(5, "abc");
    changed[at] = static_cast<char>(changed[at] ^ 0x20);
    EXPECT_FALSE(matches(changed)) << at;
  }
}

TEST(compact_shape, a_value_that_often_changes_its_width_may_have_any) {
  detail::compact_survey survey;
  detail::compact_shape shape;
  for (const int size : {1, 2, 3, 4}) {
    const std::string next =
        number_and_text(1 << (7 * size), std::string(static_cast<std::size_t>(size), 'x'));
    ASSERT_TRUE(survey.take(first_byte_of(next), first_byte_of(next) + next.size()));
    ASSERT_TRUE(shape.take(first_byte_of(next), survey, 7, size != 1));
  }
  for (const std::size_t size : {0u, 1u, 127u, 128u, 16383u}) {
    const std::string next = number_and_text(static_cast<std::int32_t>(size), std::string(size, 'y'));
    const std::string storage = next + std::string(64, '\0');
    EXPECT_EQ(shape.match(first_byte_of(storage), first_byte_of(storage) + storage.size()),
              first_byte_of(storage) + next.size());
    EXPECT_EQ(shape.match(first_byte_of(storage), first_byte_of(storage) + next.size() / 2), nullptr);
  }
}

TEST(compact_shape, structs_with_too_many_values_or_bytes_have_none) {
  const auto is_taken = [](const std::string& bytes) {
    detail::compact_survey survey;
    return survey.take(first_byte_of(bytes), first_byte_of(bytes) + bytes.size());
  };
  EXPECT_TRUE(is_taken(number_and_text(1, std::string(1000, 'x'))));
  EXPECT_FALSE(is_taken(number_and_text(1, std::string(1024, 'x'))));
  std::string many("\x19\xf5\x11", 3);  // a list of 17 numbers
  EXPECT_FALSE(is_taken(many + std::string(18, '\0')));
  std::string wide;
  for (int i = 0; i < 65; ++i) wide += "\x15\x02";
  EXPECT_FALSE(is_taken(wide + std::string(1, '\0')));
}

TEST(compact_shape, rows_end_where_a_walk_ends) {
  alike_rows result;
  for (int round = 0; round < 400; ++round) {
    const value list = result.list(1 + result.rng.below(6), 4 + result.rng.below(60));
    const std::string bytes = thriftlens_test::to_bytes<compact>(list);
    detail::compact_skipper skipper(first_byte_of(bytes) + bytes.size());
    ASSERT_EQ(skipper.skip(first_byte_of(bytes), ttype::list, 64), first_byte_of(bytes) + bytes.size())
        << round;
  }
}

TEST(compact_shape, errors_equal_those_without_shapes) {
  alike_rows result;
  for (int round = 0; round < thriftlens_test::cases(4000); ++round) {
    const value list = result.list(1 + result.rng.below(3), 4 + result.rng.below(40));
    std::string bytes = thriftlens_test::to_bytes<compact>(list);
    for (std::size_t n = result.rng.below(3); n != 0; --n)
      bytes[result.rng.below(bytes.size())] = static_cast<char>(result.rng.random());
    bytes.resize(bytes.size() - (result.rng.below(4) == 0 ? result.rng.below(bytes.size()) : 0));
    const auto depth = static_cast<std::uint32_t>(1 + result.rng.below(6));
    byte_ptr from = first_byte_of(bytes), end = from + bytes.size();
    detail::compact_skipper with(end), without(end);
    byte_ptr expected = skip_one_by_one(from, end, depth, without);
    ASSERT_EQ(with.skip(from, ttype::list, depth), expected) << round;
    if (expected != nullptr) continue;
    ASSERT_EQ(with.code, without.code) << round;
    ASSERT_EQ(with.at, without.at) << round;
  }
}

TEST(compact_shape, maps_share_the_shapes_of_lists_and_find_what_is_broken) {
  alike_rows result;
  int intact = 0;
  for (int round = 0; round < thriftlens_test::cases(1500); ++round) {
    std::string bytes = list_and_map(result);
    for (std::size_t n = result.rng.below(3); n != 0; --n)
      bytes[result.rng.below(bytes.size())] = static_cast<char>(result.rng.random());
    bytes.resize(bytes.size() - (result.rng.below(4) == 0 ? result.rng.below(bytes.size()) : 0));
    const auto depth = static_cast<std::uint32_t>(3 + result.rng.below(6));
    byte_ptr from = first_byte_of(bytes), end = from + bytes.size();
    detail::compact_skipper with(end), without(end);
    byte_ptr expected = skip_fields_one_by_one(from, end, depth, without);
    ASSERT_EQ(with.skip_outermost(from, ttype::struct_, depth), expected) << round;
    intact += expected == end;
    if (expected != nullptr) continue;
    ASSERT_EQ(with.code, without.code) << round;
    ASSERT_EQ(with.at, without.at) << round;
  }
  EXPECT_GT(intact, thriftlens_test::cases(300));
}
