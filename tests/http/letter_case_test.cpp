#include <thriftlens/http/letter_case.hpp>

#include "support/test.hpp"

using thriftlens::detail::lower_camel_case, thriftlens::detail::snake_case;

TEST(letter_case, snake) {
  EXPECT_EQ(snake_case("fooBarBaz"), "foo_bar_baz");
  EXPECT_EQ(snake_case("myKey2D"), "my_key_2_d");
  EXPECT_EQ(snake_case("JSONData"), "json_data");
  EXPECT_EQ(snake_case("some_key"), "some_key");
  EXPECT_EQ(snake_case("a-b c.d"), "a_b_c_d");
  EXPECT_EQ(snake_case(""), "");
}
TEST(letter_case, lower_camel) {
  EXPECT_EQ(lower_camel_case("some_key"), "someKey");
  EXPECT_EQ(lower_camel_case("SomeKey"), "someKey");
  EXPECT_EQ(lower_camel_case("ID"), "id");
  EXPECT_EQ(lower_camel_case("a1b"), "a1B");
  EXPECT_EQ(lower_camel_case(""), "");
}
