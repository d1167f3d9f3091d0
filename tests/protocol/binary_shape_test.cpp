#include <thriftlens/protocol/binary_shape.hpp>

#include <thriftlens/protocol/binary.hpp>

#include "support/cases.hpp"
#include "support/test.hpp"
#include "value.hpp"

using namespace thriftlens;
using thriftlens_test::random_values, thriftlens_test::value;

namespace {

const std::uint8_t* bytes_of(const std::string& text) {
  return reinterpret_cast<const std::uint8_t*>(text.data());
}

struct fields {
  buffer bytes;
  binary::writer out{bytes};
  template <class... Text>
  std::string text(std::int32_t number, Text... texts) {
    bytes.clear();
    out.write_field(ttype::i32, 1);
    out.write_i32(number);
    std::int16_t id = 2;
    ((out.write_field(ttype::string, id++), out.write_bytes(std::string_view(texts))), ...);
    out.write_stop();
    return bytes.str();
  }
};

}  // namespace

TEST(binary_shape, a_struct_of_the_same_shape_matches_with_any_values) {
  fields result;
  const std::string first = result.text(1, "abc", "");
  detail::binary_shape shape;
  ASSERT_TRUE(shape.learn(bytes_of(first)));
  for (const std::string& next :
       {result.text(-1, "", "x"), result.text(7, std::string(1000, 'y').c_str(), "z"), first}) {
    const std::string storage = next + std::string(32, '\xff');
    EXPECT_EQ(shape.match(bytes_of(storage), bytes_of(storage) + storage.size()),
              bytes_of(storage) + next.size());
  }
}

TEST(binary_shape, any_changed_header_byte_is_a_difference) {
  fields result;
  const std::string first = result.text(0x01010101, "", "");
  detail::binary_shape shape;
  ASSERT_TRUE(shape.learn(bytes_of(first)));
  for (const std::size_t at : {0u, 1u, 2u, 7u, 8u, 9u, 14u, 15u, 16u, 21u}) {
    std::string storage = first + std::string(32, '\0');
    storage[at] = static_cast<char>(storage[at] ^ 0x20);
    EXPECT_EQ(shape.match(bytes_of(storage), bytes_of(storage) + storage.size()), nullptr) << at;
  }
}

TEST(binary_shape, the_same_fields_are_those_of_the_same_ids_and_types) {
  fields result;
  const std::string first = result.text(1, "abc", ""), other = result.text(7, "", "xy");
  const std::string fewer = result.text(1, "abc");
  EXPECT_TRUE(detail::binary_shape::same_fields(bytes_of(first), bytes_of(other)));
  EXPECT_FALSE(detail::binary_shape::same_fields(bytes_of(first), bytes_of(fewer)));
  EXPECT_FALSE(detail::binary_shape::same_fields(bytes_of(fewer), bytes_of(first)));
  std::string changed = first;
  changed[9] = '\x05';  // id of the second field
  EXPECT_FALSE(detail::binary_shape::same_fields(bytes_of(first), bytes_of(changed)));
}

TEST(binary_shape, wrong_sizes_do_not_match) {
  fields result;
  const std::string first = result.text(1, "abc");
  detail::binary_shape shape;
  ASSERT_TRUE(shape.learn(bytes_of(first)));
  for (const std::uint32_t size : {0xffffffffu, 0x80000000u, 0x7fffffffu, 40u}) {
    std::string storage = first + std::string(28, '\0');
    detail::store_be(reinterpret_cast<std::uint8_t*>(storage.data()) + 10, size);
    EXPECT_EQ(shape.match(bytes_of(storage), bytes_of(storage) + storage.size()), nullptr) << size;
  }
}

TEST(binary_shape, containers_of_strings_or_structs_have_none) {
  buffer bytes;
  binary::writer out(bytes);
  out.write_field(ttype::list, 1);
  out.write_list({ttype::string, 0});
  out.write_stop();
  detail::binary_shape shape;
  EXPECT_FALSE(shape.learn(bytes.data()));
  bytes.clear();
  for (std::int16_t id = 1; id < 200; ++id) {
    out.write_field(ttype::string, id);
    out.write_bytes(std::string_view());
  }
  out.write_stop();
  EXPECT_FALSE(shape.learn(bytes.data())) << "too many fields";
}

TEST(binary_shape, a_shape_learned_at_one_depth_respects_the_limit_at_another) {
  // A list of structs that hold a struct, once directly and once in a deeper list.
  buffer bytes;
  binary::writer out(bytes);
  const auto list = [&] {
    out.write_list({ttype::struct_, 6});
    for (int i = 0; i < 6; ++i) {
      out.write_field(ttype::struct_, 1);
      out.write_stop();
      out.write_stop();
    }
  };
  out.write_field(ttype::list, 1);
  list();
  out.write_field(ttype::list, 2);
  out.write_list({ttype::list, 1});
  list();
  out.write_stop();
  bytes.append(std::string_view("0123456789012345678901234567890123456789"));
  for (const std::uint32_t depth : {3u, 4u, 5u, 6u}) {
    binary::reader walking(bytes, {.depth = depth}), skipping(bytes, {.depth = depth});
    EXPECT_EQ(thriftlens_test::walk(walking, ttype::struct_), depth >= 5) << depth;
    EXPECT_EQ(skipping.skip(ttype::struct_), depth >= 5) << depth;
  }
}

TEST(binary_shape, a_shape_that_a_nested_container_failed_to_learn_is_not_used_outside) {
  buffer bytes;
  binary::writer out(bytes);
  // Equal elements, then one with a list of structs without a layout, then one like the partly learned
  // layout.
  out.write_list({ttype::struct_, 12});
  for (int i = 0; i < 12; ++i) {
    if (i == 6) {
      out.write_field(ttype::list, 9);
      out.write_list({ttype::struct_, 5});
      for (int k = 0; k < 5; ++k) {
        out.write_field(ttype::string, 1);
        out.write_bytes(std::string_view());
        out.write_field(ttype::list, 2);
        out.write_list({ttype::string, 0});
        out.write_stop();
      }
    } else {
      out.write_field(ttype::string, 1);
      out.write_bytes(std::string_view("x"));
    }
    out.write_stop();
  }
  const std::size_t size = bytes.size();
  bytes.append(std::string_view("0123456789012345678901234567890123456789"));
  binary::reader skipping{bytes};
  ASSERT_TRUE(skipping.skip(ttype::list));
  EXPECT_EQ(skipping.offset(), size);
}

TEST(binary_shape, random_structs_that_have_a_shape_match_themselves_and_never_overrun) {
  random_values result{std::mt19937_64(5)};
  int learned = 0;
  for (int round = 0; round < thriftlens_test::cases(20000); ++round) {
    const std::string bytes = thriftlens_test::to_bytes<binary>(result.make(ttype::struct_, 1 + round % 3));
    detail::binary_shape shape;
    if (!shape.learn(bytes_of(bytes))) continue;
    ++learned;
    std::string storage = bytes + std::string(24, '\x0c');
    ASSERT_EQ(shape.match(bytes_of(storage), bytes_of(storage) + storage.size()),
              bytes_of(storage) + bytes.size());
    // Truncated or changed bytes: no match, or the same end as skipping.
    storage.resize(result.below(storage.size() + 1));
    if (!storage.empty() && round % 2 == 0)
      storage[result.below(storage.size())] = static_cast<char>(result.random());
    const std::string exact(storage);
    if (const std::uint8_t* actual = shape.match(bytes_of(exact), bytes_of(exact) + exact.size())) {
      detail::binary_skipper skipper(bytes_of(exact) + exact.size());
      ASSERT_EQ(skipper.skip_struct(bytes_of(exact), 64), actual);
    }
  }
  EXPECT_GT(learned, thriftlens_test::cases(5000));
}

TEST(binary_shape, skipping_lists_of_similar_structs_equals_walking_them) {
  random_values result{std::mt19937_64(6)};
  for (int round = 0; round < thriftlens_test::cases(3000); ++round) {
    value list;
    list.type = round % 2 == 0 ? ttype::list : ttype::map;
    list.key = result.below(2) == 0 ? ttype::string : ttype::i16;
    list.element = ttype::struct_;
    const value alike = result.make(ttype::struct_, 2);
    for (std::uint64_t n = result.below(30); n != 0; --n) {
      if (list.type == ttype::map) list.items.push_back(result.make(list.key, 0));
      list.items.push_back(result.below(5) == 0 ? result.make(ttype::struct_, 2) : alike);
    }
    std::string bytes = thriftlens_test::to_bytes<binary>(list);
    for (int copy = 0; copy < 3; ++copy) {
      binary::reader walking{byte_view(bytes)}, skipping{byte_view(bytes)};
      const bool accepted = thriftlens_test::walk(walking, list.type);
      ASSERT_EQ(skipping.skip(list.type), accepted) << round;
      if (accepted) {
        ASSERT_EQ(skipping.offset(), walking.offset());
      } else {
        ASSERT_EQ(skipping.fault().code, walking.fault().code) << round;
      }
      bytes[result.below(bytes.size())] = static_cast<char>(result.random());
    }
  }
}
