#include <thriftlens/dom/value.hpp>

#include "support/test.hpp"

#include <thriftlens/dom/document.hpp>
#include <thriftlens/schema/schema.hpp>

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

TEST(value, of_an_absent_view_or_node_has_its_code) {
  const std::string empty(1, '\0');
  const tl::view<tl::binary> v(empty);
  EXPECT_EQ(tl::node_value(v).code(), tl::errc::ok);
  EXPECT_EQ(tl::node_value(v[5]).code(), tl::errc::absent);
  EXPECT_EQ(tl::node_value(tl::node()).code(), tl::errc::absent);
}

TEST(value, an_unsigned_number_keeps_its_value_or_is_refused) {
  enum class wide : std::uint32_t { most = 0xffffffff };
  enum class wider : std::uint64_t { most = ~std::uint64_t{0} };
  EXPECT_EQ(tl::node_value(3000000000u).integer(), 3000000000);
  EXPECT_EQ(tl::node_value(std::uint8_t{200}).integer(), 200);
  EXPECT_EQ(tl::node_value(std::uint64_t{1} << 63).code(), tl::errc::value_range);
  EXPECT_EQ(tl::node_value(wide::most).integer(), 0xffffffff);
  EXPECT_EQ(tl::node_value(wider::most).code(), tl::errc::value_range);
  const tl::schema schema =
      tl::schema::parse("enum E { A } struct T { 1: i32 i, 2: i64 l, 3: E e, 4: i8 y }");
  for (const tl::type of : {schema.type("T"), tl::type()}) {
    tl::document d;
    d.start<tl::binary>(of);
    const auto code = [&](std::int16_t id, tl::node_value value) {
      const tl::result<tl::node> outcome = d.root().try_set(id, value);
      return outcome ? tl::errc::ok : outcome.error().code();
    };
    EXPECT_EQ(code(1, 0x7fffffffu), tl::errc::ok);
    EXPECT_EQ(code(1, 0x80000000u), tl::errc::value_range);
    EXPECT_EQ(code(2, ~std::uint64_t{0} >> 1), tl::errc::ok);
    EXPECT_EQ(code(2, std::uint64_t{1} << 63), tl::errc::value_range);
    EXPECT_EQ(code(3, wide{0x7fffffff}), tl::errc::ok);
    EXPECT_EQ(code(3, wide::most), tl::errc::value_range);
    EXPECT_EQ(code(3, wider::most), tl::errc::value_range);
    EXPECT_EQ(code(4, std::uint8_t{127}), tl::errc::ok);
    EXPECT_EQ(code(4, std::uint8_t{128}), tl::errc::value_range);
    EXPECT_EQ(d[1].as<std::uint32_t>(), 0x7fffffffu);
    d.root().set(std::int16_t{1}, -1);
    const tl::error fault = d[1].try_as<std::uint32_t>().error();
    EXPECT_EQ(fault.code(), tl::errc::unfit_value);
    EXPECT_EQ(fault.detail(), "the number does not fit u32");
  }
}

}  // namespace
