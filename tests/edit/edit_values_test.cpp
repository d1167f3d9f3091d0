#include <thriftlens/edit/edit_values.hpp>

#include "support/order.hpp"
#include "support/test.hpp"

using tl::errc;
using namespace thriftlens_test;

namespace {

template <class P>
struct edit_values_of : testing::Test {};
TYPED_TEST_SUITE(edit_values_of, protocols);

TYPED_TEST(edit_values_of, equal_those_of_append_value) {
  tl::schema schema = tl::schema::parse(
      "enum E { A = 5 } struct S { 1: i32 i, 2: string t, 3: double d, 4: bool b, 5: list<i64> l, 6: E e, 7: "
      "i8 small }");
  auto type = [&](const char* name) { return schema.type("S").find_field(name).type(); };
  for (std::size_t size : {0u, 1u, 30u, 100u, 119u, 200u}) {
    tl::detail::edit_values values;
    tl::buffer expected;
    const std::string text(size, 'x');
    auto add = [&](const char* name, const auto& value) {
      const errc code = tl::detail::append_value<TypeParam>(expected, type(name), value);
      EXPECT_EQ(values.template add<TypeParam>(type(name), value), code) << name;
      EXPECT_EQ(values.bytes(), tl::byte_view(expected)) << name << ' ' << size;
    };
    add("i", 7);
    add("small", 128);  // out of range: nothing is added
    add("t", text);
    add("t", tl::byte_view(text));
    add("t", 5);
    add("e", "A");
    add("e", "B");
    add("d", 0.5);
    add("b", true);
    add("l", std::vector<std::int64_t>{1, 2, 300});
    add("l", std::vector<bool>{true});
    add("t", "end");
    for (int i = 0; i < 30; ++i) add("i", i * 1000);
    tl::detail::edit_values copy = values;
    EXPECT_EQ(copy.bytes(), tl::byte_view(expected));
  }
}

TYPED_TEST(edit_values_of, views_are_copied_as_they_are_read) {
  const tl::view<TypeParam> v(order_bytes<TypeParam>(), order_type());
  tl::detail::edit_values values;
  tl::buffer expected;
  for (int round = 0; round < 3; ++round) {
    for (const char* path : {"$.id", "$.user.name", "$.user", "$.items[0]", "$.numbers", "$.flags{true}",
                             "$.items", "$.rates"}) {
      const tl::view<TypeParam> item = v.at(path);
      const errc code = tl::detail::append_value<TypeParam>(expected, item.type(), item);
      EXPECT_EQ(values.template add<TypeParam>(item.type(), item), code) << path;
      EXPECT_EQ(values.bytes(), tl::byte_view(expected)) << path;
    }
  }
  const tl::view<TypeParam> absent = v["payment"]["card"], name = v["user"]["name"];
  EXPECT_EQ(values.template add<TypeParam>(name.type(), absent), errc::absent);
  EXPECT_EQ(values.template add<TypeParam>(v["id"].type(), name), errc::value_type);
  const std::string cut = order_bytes<TypeParam>().substr(0, name.offset() + 2);
  EXPECT_EQ(
      values.template add<TypeParam>(name.type(), tl::view<TypeParam>(cut, order_type())["user"]["name"]),
      errc::truncated);
  EXPECT_EQ(values.bytes(), tl::byte_view(expected));
}

}  // namespace
