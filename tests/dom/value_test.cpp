#include <thriftlens/dom/value.hpp>

#include <thriftlens/dom/document.hpp>

#include <gtest/gtest.h>

namespace tl = thriftlens;

namespace {

using form = tl::node_value::form;
enum class shade : std::int32_t { dark = 7 };

TEST(value, remembers_form_and_wire_type) {
  EXPECT_EQ(tl::node_value(std::int8_t{1}).wire(), tl::ttype::i8);
  EXPECT_EQ(tl::node_value(std::int16_t{1}).wire(), tl::ttype::i16);
  EXPECT_EQ(tl::node_value(1).wire(), tl::ttype::i32);
  EXPECT_EQ(tl::node_value(std::int64_t{1}).wire(), tl::ttype::i64);
  EXPECT_EQ(tl::node_value(true).kind(), form::boolean);
  EXPECT_EQ(tl::node_value(1.5).real(), 1.5);
  EXPECT_EQ(tl::node_value(shade::dark).integer(), 7);
  EXPECT_EQ(tl::node_value("text").bytes().text(), "text");
  EXPECT_EQ(tl::node_value(tl::uuid_bytes{}).kind(), form::uuid);
  EXPECT_EQ(tl::node_value(tl::empty_value{tl::ttype::set}).wire(), tl::ttype::set);
  EXPECT_EQ((tl::node_value::wire<tl::compact>({}, tl::ttype::map).protocol()), tl::protocol_id::compact);
}

TEST(value, of_a_view_or_node_that_is_not_there_carries_its_code) {
  const std::string empty(1, '\0');
  const tl::view<tl::binary> v(empty);
  EXPECT_EQ(tl::node_value(v).code(), tl::errc::ok);
  EXPECT_EQ(tl::node_value(v[5]).code(), tl::errc::absent);
  EXPECT_EQ(tl::node_value(tl::node()).code(), tl::errc::absent);
}

}  // namespace
