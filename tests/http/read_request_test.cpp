#include <thriftlens/http/read_request.hpp>

#include "http/sample.hpp"

namespace tl = thriftlens;
using thriftlens_test::http_sample;

TEST(read_request, the_first_non_empty_value_wins) {
  const http_sample sample(R"(struct Root { 1: i32 a (api.query="q", api.header="h", api.body="b") })");
  const tl::http_pair headers[] = {{"H", "2"}};
  EXPECT_EQ(sample.read({.url = "/?q=1", .headers = headers}), R"({"a":1})");
  EXPECT_EQ(sample.read({.url = "/?q=", .headers = headers}), R"({"a":2})");
  EXPECT_EQ(sample.body(R"({"b":3})"), R"({"a":3})");
  EXPECT_EQ(sample.body(R"({"b":3})", "/?q=1"), R"({"a":1})");
  EXPECT_EQ(sample.read({.url = "/?q=x", .headers = headers}),
            R"(expected i32, found "x" in query "q" at $.a)");
}
TEST(read_request, api_body_parses_text_like_other_parts) {
  const http_sample sample(R"(
    struct In { 1: string n (api.body="n"), 2: i32 x }
    struct Root { 1: i32 a (api.body="k"), 2: string s (api.body="t"), 3: In in, 4: list<i32> l (api.body="l"), 5: string k2 (api.key="t2") })");
  EXPECT_EQ(sample.body(R"({"k":"12","t":12.50,"in":{"x":1},"n":"ro\u0041t","l":"1,2","t2":"x"})"),
            R"({"a":12,"s":"12.50","in":{"n":"roAt","x":1},"l":[1,2],"k2":"x"})");
  EXPECT_EQ(sample.body(R"({"t":{"a":[1, 2]},"l":[3]})"), R"({"s":"{\"a\":[1, 2]}","l":[3]})");
  EXPECT_EQ(sample.body(R"({"t":null,"k":null})"), "{}");
  EXPECT_EQ(sample.body(R"({"t":""})"), R"({"s":""})");
  EXPECT_EQ(sample.body(R"({"k":"x"})"), R"(expected i32, found "x" in body "k" at $.a)");
  EXPECT_EQ(sample.body(R"({"k":1,"u":2})").substr(0, 30), "no field 'u' in Root; did you ");
}
TEST(read_request, one_key_of_the_body_may_fill_several_fields) {
  const http_sample sample(
      R"(struct Root { 1: i32 a (api.body="k"), 2: string b (api.body="k"), 3: i64 k })");
  EXPECT_EQ(sample.body(R"({"k":7})"), R"({"k":7,"a":7,"b":"7"})");
}
TEST(read_request, raw_body_and_uri) {
  const http_sample sample(
      R"(struct Root { 1: binary raw (api.raw_body=""), 2: string uri (api.raw_uri=""), 3: i32 x })",
      {.binary = tl::http_binary::raw});
  const tl::http_pair text[] = {{"Content-Type", "text/plain"}};
  EXPECT_EQ(sample.read({.url = "/a?b=%20", .headers = text, .body = "hi"}),
            R"({"raw":"aGk=","uri":"/a?b=%20"})");
  EXPECT_EQ(sample.body(R"({"x":1})", "/"), R"({"raw":"eyJ4IjoxfQ==","uri":"/","x":1})");
}
TEST(read_request, an_annotated_field_is_not_read_from_json_without_fallback) {
  const char* const idl = R"(struct Root { 1: i32 a (api.query="q"), 2: i32 b })";
  EXPECT_EQ(http_sample(idl).body(R"({"a":1,"b":2})"), R"({"b":2})");
  const http_sample fallback(idl, {.request = {.fallback = true}});
  EXPECT_EQ(fallback.body(R"({"a":1,"b":2})"), R"({"a":1,"b":2})");
  EXPECT_EQ(fallback.body(R"({"a":1,"b":2})", "/?q=5"), R"({"a":5,"b":2})");
  EXPECT_EQ(fallback.query("b=9"), R"({"b":9})");
  const http_sample traceback(idl, {.request = {.traceback = true}});
  EXPECT_EQ(traceback.body("{}", "/?b=9"), R"({"b":9})");
}
TEST(read_request, fields_of_a_struct_in_text_are_not_read_from_the_root) {
  // A recursive one would be looked up in itself without end.
  const char* const idl = R"(struct In { 1: In in, 2: i32 n } struct Root { 1: In in, 2: i32 n })";
  const http_sample fallback(idl, {.request = {.fallback = true}});
  const http_sample both(idl, {.request = {.fallback = true, .traceback = true}});
  EXPECT_EQ(fallback.query("in={}&n=5"), R"({"in":{},"n":5})");
  EXPECT_EQ(both.query("in={}&n=5"), R"({"in":{},"n":5})");
  EXPECT_EQ(both.body(R"({"n":1})", "/?in={}&n=5"), R"({"n":1,"in":{}})");

  // Required ones are looked up at any depth: up to the limit.
  const http_sample required(R"(struct In { 1: required In in } struct Root { 1: In in })",
                             {.limits = {.depth = 20}, .request = {.traceback = true}});
  EXPECT_EQ(required.query("in={}").substr(0, 64),
            R"(values are nested deeper than the limit in query "in" at $.in.in)");
}
TEST(read_request, absent_fields) {
  const char* const idl = R"(
    struct In { 1: required i32 x }
    struct Root { 1: required string r (api.query="r"), 2: i32 d = 7 (api.query="d"), 3: optional i32 o (api.query="o"), 4: In in })";
  EXPECT_EQ(http_sample(idl).query("d=1"), "a required field is missing at $.r");
  tl::http_options options;
  options.absent = {tl::http_absent::write, tl::http_absent::write, tl::http_absent::write};
  EXPECT_EQ(http_sample(idl, options).query(""), R"({"r":"","d":7,"o":0,"in":{"x":0}})");
  options.idl.defaults = false;
  EXPECT_EQ(http_sample(idl, options).query("o=2"), R"({"o":2,"r":"","d":0,"in":{"x":0}})");
}
TEST(read_request, structs_filled_only_from_parts) {
  const http_sample sample(R"(
    struct In { 1: i32 a (api.query="a"), 2: required bool c (api.cookie="c"), 3: optional string n }
    struct Root { 1: In in (api.no_body_struct="") })");
  EXPECT_EQ(sample.query("a=3"), R"({"in":{"a":3,"c":false}})");
  EXPECT_EQ(sample.query("a=x"), R"(expected i32, found "x" in query "a" at $.in.a)");
  EXPECT_NE(http_sample(R"(struct Root { 1: Root r (api.no_body_struct="") })").query("").find("deeper"),
            std::string::npos);
}
TEST(read_request, js_conv) {
  const http_sample sample(R"(
    struct Root { 1: i64 i (api.js_conv=""), 2: double d (api.js_conv=""), 3: string s (api.js_conv=""), 4: i16 h (api.js_conv="")
      5: list<i64> l (api.js_conv="") })");
  EXPECT_EQ(sample.body(R"({"i":"5","d":"1.5","s":1.50,"h":"-7","l":["1",2]})"),
            R"({"i":5,"d":1.5,"s":"1.50","h":-7,"l":[1,2]})");
  EXPECT_EQ(sample.body(R"({"i":5,"h":""})"), R"({"i":5,"h":0})");
  EXPECT_EQ(sample.body(R"({"i":null})"), "{}");
  for (const char* each : {"\"1.9\"", "\"+5\"", "\"007\"", "\" 5\"", "\"x\"", "true", "[1]", "1.5"})
    EXPECT_NE(sample.body("{\"i\":" + std::string(each) + "}").find("$.i"), std::string::npos) << each;
  EXPECT_NE(sample.body(R"({"h":"40000"})").find("outside the range of i16"), std::string::npos);
}
TEST(read_request, body_dynamic_keeps_the_text) {
  const http_sample sample(R"(struct Root { 1: string a (agw.body_dynamic=""), 2: i32 b })");
  EXPECT_EQ(sample.body(R"({"a": {"k":[1, 2]} ,"b":1})"), R"({"a":"{\"k\":[1, 2]}","b":1})");
}
TEST(read_request, base_of_the_caller) {
  const char* const idl = "struct Root { 1: string a, 255: required base.Base b }";
  tl::load_options load;
  load.includes["base.thrift"] = "struct Base { 1: string LogID, 6: map<string, string> Extra }";
  const tl::schema schema = tl::schema::parse("include \"base.thrift\"\n" + std::string(idl), load);
  const tl::type root = schema.type("Root");
  const tl::buffer base =
      tl::from_json<tl::binary>(schema.type("base.Base"), R"({"LogID":"L","Extra":{"c":"1"}})");
  const auto read = [&](tl::http_base how) {
    const tl::http_plan plan = tl::http_plan::compile(root, {.base = how});
    const tl::buffer made = plan.request<tl::binary>(
        {.body = R"({"a":"x","b":{"LogID":"J","Extra":{"c":"2","k":"v"}}})", .base = tl::byte_view(base)});
    return tl::to_json<tl::binary>(root, made).str();
  };
  EXPECT_EQ(read(tl::http_base::context), R"({"b":{"LogID":"L","Extra":{"c":"1"}},"a":"x"})");
  EXPECT_EQ(read(tl::http_base::merge), R"({"a":"x","b":{"LogID":"L","Extra":{"c":"1","k":"v"}}})");
  EXPECT_EQ(read(tl::http_base::off), R"({"a":"x","b":{"LogID":"J","Extra":{"c":"2","k":"v"}}})");
}
TEST(read_request, faults_of_the_body_have_an_offset) {
  const http_sample sample(
      R"(struct Root { 1: i32 a, 2: i32 none (api.none=""), 3: i32 old (dynamicgo.deprecated="") })");
  EXPECT_EQ(sample.body(R"({"a":1,"a":2})").substr(0, 31), "duplicate key in an object at $");
  EXPECT_EQ(sample.body(R"({"a":1.5})"), "expected i32, found a fraction at $.a (byte 5, line 1 column 6)");
  EXPECT_EQ(sample.body("{"),
            "the text ends where a key in quotes is expected at $ (byte 1, line 1 column 2)");
  EXPECT_EQ(sample.body(R"({"none":4})"), R"({"none":4})");
  EXPECT_EQ(sample.body(R"({"old":4})").substr(0, 30), "no field 'old' in Root at $ (b");
}
