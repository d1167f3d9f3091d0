#include <thriftlens/http/header_text.hpp>

#include "support/test.hpp"

using namespace tl::detail;

TEST(header_text, validates_header_and_cookie_values) {
  EXPECT_TRUE(is_header_value("a b\tc \xc3\xa9"));
  EXPECT_FALSE(is_header_value("a\r\nSet-Cookie: x"));
  EXPECT_FALSE(is_header_value(std::string_view("a\0b", 3)));
  EXPECT_TRUE(is_cookie_value("a b,c"));
  for (const char* each : {"a;b", "a\"b", "a\\b", "\xc3\xa9", "a\n"}) EXPECT_FALSE(is_cookie_value(each));
  EXPECT_TRUE(is_token("X-A_1"));
  EXPECT_FALSE(is_token("a b"));
  EXPECT_FALSE(is_token(""));
}
TEST(header_text, splits_cookies) {
  std::string seen;
  const auto add = [&](std::string_view name, std::string_view value) {
    seen.append(name).append(1, '>').append(value).append(1, ' ');
  };
  EXPECT_TRUE(each_cookie("a=1; b=\"q r\";c d=2; e=\xc3\xa9; f=x=y; g", 10, add));
  EXPECT_EQ(seen, "a>1 b>q r f>x=y g> ");
  EXPECT_FALSE(each_cookie("a=1;b=2;c=3", 2, add));
}
TEST(header_text, reads_media_types) {
  EXPECT_TRUE(is_json_type("Application/JSON; charset=utf-8"));
  EXPECT_TRUE(is_json_type("application/problem+json"));
  EXPECT_FALSE(is_json_type("text/json-x"));
  EXPECT_TRUE(is_media_type(" text/plain ;x", "text/plain"));
  EXPECT_EQ(parameter_of("form-data; name=\"a\\\"b\"; filename=c", "name"), "a\"b");
  EXPECT_EQ(parameter_of("form-data; name=\"a;filename=x\"", "filename"), "");
  EXPECT_EQ(parameter_of("multipart/form-data; boundary=xx ", "boundary"), "xx");
  EXPECT_EQ(parameter_of("a;b", "b"), "");
}
