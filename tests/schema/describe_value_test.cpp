#include <thriftlens/schema/describe_value.hpp>

#include "support/test.hpp"

#include <thriftlens/schema/schema.hpp>

TEST(append_described_value, writes_every_form) {
  const tl::schema schema = tl::schema::parse(R"(
    enum E { A = 3 }
    struct P { 1: i32 x, 2: list<string> names }
    const bool b = true
    const i8 i = -8
    const i64 l = 9223372036854775807
    const double d = 0.1
    const double whole = 3
    const string s = "a\"b"
    const binary raw = "xyz"
    const E e = E.A
    const uuid u = "{00112233-4455-6677-8899-aaBBccDDeeFF}"
    const list<i32> li = [1, 2]
    const set<string> se = ["x"]
    const map<i32, bool> m = { 1: true, 2: false }
    const map<string, list<i32>> none = {}
    const list<uuid> us = ["00112233-4455-6677-8899-AABBCCDDEEFF", "00112233-4455-6677-8899-aabbccddeeff"]
    const P p = { "names": ["n"], "x": 1 }
  )");
  auto described = [&](std::string_view name) {
    const tl::schema_image& image = *schema.image();
    std::string out;
    for (const tl::detail::image::const_node& node : image.consts) {
      if (image.view(node.name) == name)
        tl::detail::append_described_value(out, image, node.type, node.value);
    }
    return out;
  };
  EXPECT_EQ(described("b"), "true");
  EXPECT_EQ(described("i"), "-8");
  EXPECT_EQ(described("l"), "9223372036854775807");
  EXPECT_EQ(described("d"), "0.1");
  EXPECT_EQ(described("whole"), "3");
  EXPECT_EQ(described("s"), R"("a\"b")");
  EXPECT_EQ(described("raw"), R"("xyz")");
  EXPECT_EQ(described("e"), "3");
  EXPECT_EQ(described("u"), R"("00112233-4455-6677-8899-aaBBccDDeeFF")");
  EXPECT_EQ(described("us"),
            R"(["00112233-4455-6677-8899-AABBCCDDEEFF","00112233-4455-6677-8899-aabbccddeeff"])");
  EXPECT_EQ(described("li"), "[1,2]");
  EXPECT_EQ(described("se"), R"(["x"])");
  EXPECT_EQ(described("m"), "[[1,true],[2,false]]");
  EXPECT_EQ(described("none"), "[]");
  EXPECT_EQ(described("p"), R"({"names":["n"],"x":1})");
}

TEST(append_described_value, writes_a_wrapped_default_as_in_the_idl) {
  const tl::schema schema = tl::schema::parse("struct S { 1: i8 a = 200, 2: i16 b = 33000, 3: i8 c = 100 }");
  const tl::type s = schema.type("S");
  auto described = [&](std::string_view field) {
    std::string out;
    tl::detail::append_described_value(out, *schema.image(), s.find_field(field).type().index(),
                                       s.find_field(field).texts().default_binary);
    return out;
  };
  EXPECT_EQ(described("a"), "200");
  EXPECT_EQ(described("b"), "33000");
  EXPECT_EQ(described("c"), "100");
  EXPECT_EQ(s.find_field("a").default_binary().text(), "\xc8");
}
