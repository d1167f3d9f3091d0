#include <thriftlens/rewrite/value_in.hpp>

#include "support/order.hpp"
#include "support/test.hpp"

using tl::errc;
using namespace thriftlens_test;

namespace {

template <class P>
struct value_in_of : testing::Test {
  tl::schema schema = tl::schema::parse(
      "enum E { A = 1, B = 9 } struct T { 1: bool b, 2: i8 y, 3: i16 s, 4: i32 i, 5: i64 l, 6: double d, 7: "
      "string t, 8: binary n, 9: E e, 10: uuid u, "
      "11: list<i16> li, 12: set<string> st, 13: map<string, list<double>> m, 14: map<E, bool> em }");
  tl::buffer out;

  tl::type type(const char* field) { return schema.type("T").find_field(field).type(); }
  template <class T>
  errc put(const char* field, const T& value) {
    out.clear();
    out.append(std::string_view("x"));
    errc code = tl::detail::append_value<P>(out, type(field), value);
    EXPECT_TRUE(code == errc::ok || out.text() == "x") << field;
    return code;
  }
  template <class T>
  tree round(const char* field, const T& value) {
    EXPECT_EQ(put(field, value), errc::ok) << field;
    return decode<P>(out.text().substr(1), type(field).wire());
  }
};
TYPED_TEST_SUITE(value_in_of, protocols);

enum class Letter : int { a = 1, b = 9 };

TYPED_TEST(value_in_of, scalars) {
  EXPECT_EQ(this->round("b", true), boolean(true));
  EXPECT_EQ(this->round("y", -128), i8(-128));
  EXPECT_EQ(this->round("s", std::uint16_t{32767}), i16(32767));
  EXPECT_EQ(this->round("i", std::int8_t{-1}), i32(-1));
  EXPECT_EQ(this->round("l", INT64_MIN), i64(INT64_MIN));
  EXPECT_EQ(this->round("d", 0.5f), real(0.5));
  EXPECT_EQ(this->round("d", 7), real(7));
  EXPECT_EQ(this->round("t", "text"), text("text"));
  EXPECT_EQ(this->round("n", std::vector<std::uint8_t>{0, 255}), text(std::string("\0\xff", 2)));
  EXPECT_EQ(this->round("e", "B"), i32(9));
  EXPECT_EQ(this->round("e", Letter::a), i32(1));
  EXPECT_EQ(this->round("e", 77), i32(77));
  EXPECT_EQ(this->put("u", tl::uuid_bytes{}), errc::ok);
  EXPECT_EQ(this->out.size(), 17u);
}

TYPED_TEST(value_in_of, ranges_and_maps) {
  EXPECT_EQ(this->round("li", std::vector<int>{1, -2}), list(ttype::i16, {i16(1), i16(-2)}));
  EXPECT_EQ(this->round("li", std::vector<std::uint8_t>{3}), list(ttype::i16, {i16(3)}));
  EXPECT_EQ(this->round("li", std::vector<int>{}), list(ttype::i16, {}));
  EXPECT_EQ(this->round("st", std::vector<std::string>{"a", "b"}),
            list(ttype::string, {text("a"), text("b")}, ttype::set));
  EXPECT_EQ(this->round("m", std::map<std::string, std::vector<double>>{{"k", {1.5}}}),
            map(ttype::string, ttype::list, {{text("k"), list(ttype::double_, {real(1.5)})}}));
  EXPECT_EQ(this->round("em", std::map<std::string, bool>{{"A", true}}),
            map(ttype::i32, ttype::bool_, {{i32(1), boolean(true)}}));
  std::vector<int> many(40, 7);
  EXPECT_EQ(this->round("li", many).elements.size(), 40u);
  EXPECT_EQ(this->round("st", std::vector<bool>{}).elements.size(), 0u);
}

TYPED_TEST(value_in_of, values_are_not_coerced) {
  EXPECT_EQ(this->put("y", 128), errc::value_range);
  EXPECT_EQ(this->put("s", -32769), errc::value_range);
  EXPECT_EQ(this->put("i", std::int64_t{1} << 31), errc::value_range);
  EXPECT_EQ(this->put("l", UINT64_MAX), errc::value_range);
  EXPECT_EQ(this->put("d", (std::int64_t{1} << 53) + 1), errc::value_range);
  EXPECT_EQ(this->put("i", 1.0), errc::value_type);
  EXPECT_EQ(this->put("i", true), errc::value_type);
  EXPECT_EQ(this->put("b", 1), errc::value_type);
  EXPECT_EQ(this->put("t", 1), errc::value_type);
  EXPECT_EQ(this->put("i", "1"), errc::value_type);
  EXPECT_EQ(this->put("e", "C"), errc::unknown_enum_name);
  EXPECT_EQ(this->put("u", "text"), errc::value_type);
  EXPECT_EQ(this->put("li", std::vector<int>{1, 40000}), errc::value_range);
  EXPECT_EQ(this->put("li", std::vector<std::string>{"a"}), errc::value_type);
  EXPECT_EQ(this->put("m", std::vector<int>{1}), errc::value_type);
  EXPECT_EQ(this->put("t", std::vector<int>{1}), errc::value_type);
}

TYPED_TEST(value_in_of, wire_bytes_and_views_are_checked) {
  std::string good = encode<TypeParam>(list(ttype::i16, {i16(5)})),
              bad = encode<TypeParam>(list(ttype::i32, {i32(5)}));
  EXPECT_EQ(this->round("li", tl::wire_bytes{good}), list(ttype::i16, {i16(5)}));
  EXPECT_EQ(this->put("li", tl::wire_bytes{bad}), errc::type_mismatch);
  tl::view<TypeParam> order(order_bytes<TypeParam>(), order_type());
  EXPECT_EQ(this->round("t", order["user"]["name"]), text("Ann"));
  EXPECT_EQ(this->put("t", order["id"]), errc::value_type);
  EXPECT_EQ(this->put("t", order["nope"]), errc::no_such_field);
}

TYPED_TEST(value_in_of, map_keys) {
  EXPECT_EQ(this->round("t", tl::map_key("k")), text("k"));
  EXPECT_EQ(this->round("i", tl::map_key(5)), i32(5));
  EXPECT_EQ(this->round("b", tl::map_key(true)), boolean(true));
  EXPECT_EQ(this->round("d", tl::map_key(0.5)), real(0.5));
  EXPECT_EQ(this->round("e", tl::map_key::name("B")), i32(9));
}

TYPED_TEST(value_in_of, unsigned_numbers_and_enums_keep_their_value_or_are_refused) {
  enum class wide : std::uint32_t { greatest = 0xffffffff };
  enum class wider : std::uint64_t { greatest = ~std::uint64_t{0} };
  EXPECT_EQ(this->round("i", 0x7fffffffu), i32(0x7fffffff));
  EXPECT_EQ(this->put("i", 0x80000000u), errc::value_range);
  EXPECT_EQ(this->round("l", ~std::uint64_t{0} >> 1), i64(0x7fffffffffffffff));
  EXPECT_EQ(this->put("l", std::uint64_t{1} << 63), errc::value_range);
  EXPECT_EQ(this->round("e", wide{0x7fffffff}), i32(0x7fffffff));
  EXPECT_EQ(this->put("e", wide::greatest), errc::value_range);
  EXPECT_EQ(this->put("e", wider::greatest), errc::value_range) << "not -1";
  EXPECT_EQ(this->put("li", std::vector<std::uint16_t>{1, 0x8000}), errc::value_range);
}

}  // namespace
