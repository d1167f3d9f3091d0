#include <thriftlens/http/read_text.hpp>

#include "http/sample.hpp"

namespace tl = thriftlens;
using thriftlens_test::http_sample;

namespace {
const char* const every_kind = R"(
  enum Color { RED = 1, BLUE = 3 }
  struct In { 1: required i32 x }
  struct Root {
    1: bool b (api.query="b"), 2: i8 i8 (api.query="i8"), 3: i16 i16 (api.query="i16"), 4: i32 i32 (api.query="i32")
    5: i64 i64 (api.query="i64"), 6: double d (api.query="d"), 7: string s (api.query="s"), 8: binary bin (api.query="bin")
    9: Color c (api.query="c"), 10: uuid id (api.query="id"), 11: list<i32> l (api.query="l"), 12: list<bool> lb (api.query="lb")
    13: map<string, i32> m (api.query="m"), 14: In in (api.query="in"), 15: list<list<string>> ll (api.query="ll")
    16: list<string> ls (api.query="ls")
  })";
}

TEST(read_text, scalars) {
  const http_sample sample(every_kind);
  EXPECT_EQ(sample.query("b=T&i8=-128&i16=%2B7&i32=007&i64=-9223372036854775808&d=.5&s=a%22b"),
            R"({"b":true,"i8":-128,"i16":7,"i32":7,"i64":-9223372036854775808,"d":0.5,"s":"a\"b"})");
  EXPECT_EQ(sample.query("c=3&bin=aGk%3D&id=00112233-4455-6677-8899-aabbccddeeff"),
            R"({"bin":"aGk=","c":3,"id":"00112233-4455-6677-8899-aabbccddeeff"})");
  EXPECT_EQ(sample.query("c=RED&i32="), R"({"c":1})");
}
TEST(read_text, keeps_the_range_of_integers) {
  const http_sample sample(every_kind);
  EXPECT_EQ(sample.query("i8=128"), R"(an integer outside the range of i8 in query "i8" at $.i8)");
  EXPECT_EQ(sample.query("i32=4294967297"), R"(an integer outside the range of i32 in query "i32" at $.i32)");
  EXPECT_EQ(sample.query("i64=9223372036854775808"),
            R"(an integer outside the range of i64 in query "i64" at $.i64)");
  EXPECT_EQ(sample.query("i32=1.0"), R"(expected i32, found "1.0" in query "i32" at $.i32)");
  EXPECT_EQ(sample.query("i32=%0A"), R"(expected i32, found "?" in query "i32" at $.i32)");
  EXPECT_EQ(sample.query("c=GREEN").find("the name is not a member of the enum"), std::string::npos);
  EXPECT_NE(sample.query("c=GREEN").find("in query \"c\" at $.c"), std::string::npos);
  EXPECT_EQ(sample.query("b=yes"), R"(expected bool, found "yes" in query "b" at $.b)");
}
TEST(read_text, lists_are_json_or_comma_separated) {
  const http_sample sample(every_kind);
  EXPECT_EQ(sample.query("l=1,2,3"), R"({"l":[1,2,3]})");
  EXPECT_EQ(sample.query("l=[1,2]%20"), R"({"l":[1,2]})");
  EXPECT_EQ(sample.query("l=[]&lb=1,F"), R"({"l":[],"lb":[true,false]})");
  EXPECT_EQ(sample.query("ls=a,,b"), R"({"ls":["a","","b"]})");
  EXPECT_EQ(sample.query("ll=a,b"), R"({"ll":[["a"],["b"]]})");
  EXPECT_EQ(sample.query("l=1,"), R"(expected i32, found "" in query "l" at $.l[1])");
  EXPECT_EQ(sample.query("l=[\"1\"]"), R"(expected i32, found string in query "l" at $.l[0])");
}
TEST(read_text, a_repeated_key_fills_a_list) {
  const http_sample sample(every_kind);
  EXPECT_EQ(sample.query("l=1&l=2&ls=a,b&ls=c&i32=4&i32=5"), R"({"i32":4,"l":[1,2],"ls":["a,b","c"]})");
}
TEST(read_text, maps_and_structs_are_json) {
  const http_sample sample(every_kind);
  EXPECT_EQ(sample.query("m={\"a\":1}&in={\"x\":2}"), R"({"m":{"a":1},"in":{"x":2}})");
  EXPECT_EQ(sample.query("in={}"), R"(a required field is missing in query "in" at $.in.x)");
  EXPECT_EQ(sample.query("m=a"), R"(expected map, found "a" in query "m" at $.m)");
}
TEST(read_text, strings_must_be_utf8_unless_kept) {
  EXPECT_EQ(http_sample(every_kind).query("s=%ff"), R"(a string is not valid UTF-8 in query "s" at $.s)");
  const http_sample lenient(R"(struct Root { 1: binary b (api.query="b") })",
                            {.binary = tl::http_binary::raw});
  EXPECT_EQ(lenient.query("b=hi"), R"({"b":"aGk="})");
}
