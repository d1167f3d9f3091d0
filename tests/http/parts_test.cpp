#include <thriftlens/http/parts.hpp>

#include "http/sample.hpp"

namespace tl = thriftlens;

TEST(http_parts, limits_for_hostile_requests) {
  const char* const idl = R"(struct Root { 1: string a (api.query="a"), 2: string c (api.cookie="c") })";
  tl::http_options options;
  options.bounds = {.body_size = 4, .url_size = 20, .header_size = 10, .headers = 1, .parameters = 1};
  const thriftlens_test::http_sample sample(idl, options);
  const tl::http_pair two[] = {{"a", "b"}, {"c", "d"}};
  const tl::http_pair large[] = {{"name", "longer than 10"}};
  const tl::http_pair cookies[] = {{"Cookie", "a;b"}};
  EXPECT_EQ(sample.read({.body = "12345"}), "the body exceeds the limit");
  EXPECT_EQ(sample.read({.url = "/12345678901234567890"}), "the URL exceeds the limit");
  EXPECT_EQ(sample.read({.headers = two}), "too many headers");
  EXPECT_EQ(sample.read({.headers = large}), "a header exceeds the limit");
  EXPECT_EQ(sample.read({.headers = cookies}), "too many parameters");
  EXPECT_EQ(sample.query("a&b"), "too many parameters");
  EXPECT_EQ(sample.query("a=1"), R"({"a":"1"})");
}
TEST(http_parts, forms_are_read_by_their_media_type) {
  const thriftlens_test::http_sample sample(
      R"(struct Root { 1: string a (api.form="a"), 2: i32 b (api.body="b"), 3: list<i32> l (api.form="l") })");
  const tl::http_pair url[] = {{"content-type", "application/x-www-form-urlencoded; charset=utf-8"}};
  EXPECT_EQ(sample.read({.method = "POST", .headers = url, .body = "a=x+y&b=5&l=1&l=2"}),
            R"({"a":"x y","b":5,"l":[1,2]})");
  const tl::http_pair many[] = {{"content-type", "multipart/form-data; boundary=B"}};
  EXPECT_EQ(sample.read({.method = "PUT",
                         .headers = many,
                         .body = "--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--B--"}),
            R"({"a":"1"})");
  EXPECT_EQ(sample.read({.method = "PUT", .headers = many, .body = "--B"}),
            "the body is not a valid multipart form, or has too many parts");
  EXPECT_EQ(sample.query("a=query"), "{}");
}
TEST(http_parts, cookies_follow_the_rules_of_their_header) {
  const thriftlens_test::http_sample sample(
      R"(struct Root { 1: string a (api.cookie="a"), 2: string h (api.header="Host") })");
  const tl::http_pair quoted[] = {{"a", "\"q\""}};
  const tl::http_pair bad[] = {{"a", "\xc3\xa9"}};
  const tl::http_pair header[] = {{"cookie", "b=1; a=2"}, {"Cookie", "a=3"}, {"host", "x"}};
  EXPECT_EQ(sample.read({.cookies = quoted}), R"({"a":"q"})");
  EXPECT_EQ(sample.read({.cookies = bad}), "{}");
  EXPECT_EQ(sample.read({.headers = header}), R"({"a":"2"})");
}
