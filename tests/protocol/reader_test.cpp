#include <thriftlens/protocol/reader.hpp>

#include "support/test.hpp"

#include <thriftlens/protocol/select.hpp>

using namespace thriftlens;

static_assert(std::is_same_v<binary::reader, wire_reader<binary>>);
static_assert(std::is_same_v<compact::reader, wire_reader<compact>>);

namespace {

template <class P>
class any_reader : public testing::Test {};
using protocols = testing::Types<binary, compact>;
TYPED_TEST_SUITE(any_reader, protocols);

}  // namespace

TYPED_TEST(any_reader, a_bool_field_is_read_or_skipped_wherever_its_value_is) {
  for (const bool truth : {false, true}) {
    buffer bytes;
    typename TypeParam::writer out(bytes);
    out.write_field(ttype::bool_, 1);
    out.write_bool(truth);
    out.write_field(ttype::bool_, 2);
    out.write_bool(!truth);
    out.write_stop();
    typename TypeParam::reader in{byte_view(bytes)};
    field_header field;
    bool actual = !truth;
    ASSERT_TRUE(in.read_field(field) && in.read_bool(actual));
    EXPECT_EQ(actual, truth);
    ASSERT_TRUE(in.read_field(field) && in.skip(ttype::bool_));
    EXPECT_EQ(field, (field_header{ttype::bool_, 2}));
    ASSERT_TRUE(in.read_field(field));
    EXPECT_EQ(field.type, ttype::stop);
    EXPECT_TRUE(in.at_end());
  }
}

TYPED_TEST(any_reader, seek_to_a_pointer_resets_the_last_field_id) {
  buffer bytes;
  typename TypeParam::writer out(bytes);
  out.write_field(ttype::i8, 5);
  out.write_i8(1);
  out.write_field(ttype::bool_, 6);
  out.write_bool(true);
  typename TypeParam::reader in{byte_view(bytes)};
  field_header field;
  ASSERT_TRUE(in.read_field(field) && in.skip(field.type) && in.read_field(field));
  in.seek(in.begin());
  ASSERT_TRUE(in.read_field(field));
  EXPECT_EQ(field, (field_header{ttype::i8, 5}));
}

TYPED_TEST(any_reader, exceeding_a_limit_is_size_limit) {
  buffer bytes;
  typename TypeParam::writer out(bytes);
  out.write_list({ttype::i8, 3});
  for (std::int8_t i = 0; i < 3; ++i) out.write_i8(i);
  list_header list;
  typename TypeParam::reader small(byte_view(bytes), {.container_size = 2});
  EXPECT_FALSE(small.read_list(list));
  EXPECT_EQ(small.fault(), (fault{.code = errc::size_limit}));
  typename TypeParam::reader enough(byte_view(bytes), {.container_size = 3});
  EXPECT_TRUE(enough.read_list(list));
}
