#include <thriftlens/protocol/writer.hpp>

#include "support/test.hpp"

#include <thriftlens/protocol/select.hpp>

using namespace thriftlens;

namespace {

template <class P>
class any_writer : public testing::Test {};
using protocols = testing::Types<binary, compact>;
TYPED_TEST_SUITE(any_writer, protocols);

}  // namespace

TYPED_TEST(any_writer, backpatched_sizes_equal_known_ones) {
  for (const std::uint32_t size : {0u, 1u, 14u, 15u, 127u, 128u, 20000u}) {
    buffer current, later;
    typename TypeParam::writer direct(current), deferred(later);
    direct.write_list({ttype::i8, size});
    const container_mark list = deferred.begin_set(ttype::i8);
    for (std::uint32_t i = 0; i < size; ++i) {
      direct.write_i8(static_cast<std::int8_t>(i));
      deferred.write_i8(static_cast<std::int8_t>(i));
    }
    deferred.end_set(list, size);
    direct.write_map({ttype::i8, ttype::bool_, size});
    const container_mark map = deferred.begin_map(ttype::i8, ttype::bool_);
    for (std::uint32_t i = 0; i < size; ++i) {
      direct.write_i8(1);
      direct.write_bool(i % 2 == 0);
      deferred.write_i8(1);
      deferred.write_bool(i % 2 == 0);
    }
    deferred.end_map(map, size);
    EXPECT_TRUE(later.text() == current.text()) << size;
  }
}

TYPED_TEST(any_writer, structs_within_structs_have_their_own_last_id) {
  buffer bytes;
  typename TypeParam::writer out(bytes);
  const struct_mark outer = out.begin_struct();
  out.write_field(ttype::struct_, 7);
  const struct_mark inner = out.begin_struct();
  out.write_field(ttype::bool_, 3);
  out.write_bool(true);
  out.write_stop();
  out.end_struct(inner);
  out.write_field(ttype::i8, 8);
  out.write_i8(-1);
  out.write_stop();
  out.end_struct(outer);
  typename TypeParam::reader in{byte_view(bytes)};
  field_header field;
  const struct_mark outer_in = in.begin_struct();
  ASSERT_TRUE(in.read_field(field));
  EXPECT_EQ(field, (field_header{ttype::struct_, 7}));
  const struct_mark inner_in = in.begin_struct();
  ASSERT_TRUE(in.read_field(field));
  EXPECT_EQ(field, (field_header{ttype::bool_, 3}));
  ASSERT_TRUE(in.skip(field.type) && in.read_field(field));
  in.end_struct(inner_in);
  ASSERT_TRUE(in.read_field(field));
  EXPECT_EQ(field, (field_header{ttype::i8, 8}));
  ASSERT_TRUE(in.skip(field.type) && in.read_field(field));
  in.end_struct(outer_in);
  EXPECT_TRUE(in.at_end());
}
