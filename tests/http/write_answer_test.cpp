#include <thriftlens/http/write_answer.hpp>

#include "http/sample.hpp"

namespace tl = thriftlens;
using thriftlens_test::http_sample;

TEST(write_answer, parts_and_body) {
  const http_sample sample(R"(
    struct In { 1: string h (api.header="X-In"), 2: i32 y }
    struct Root { 1: i32 st (api.http_code=""), 2: string s (api.header="X-S"), 3: list<i32> l (api.header="X-L"), 4: i64 n (api.cookie="n")
      5: In in, 6: list<In> many, 7: string k (api.body="kk"), 8: string gone (api.none=""), 9: string sp (api.cookie="sp") })");
  EXPECT_EQ(
      sample.answer(
          R"({"st":201,"s":"x","l":[1,2],"n":5,"in":{"h":"v","y":1},"many":[{"h":"w","y":2}],"k":"z","gone":"g","sp":"a b"})"),
      "201|X-S: x|X-L: [1,2]|X-In: v|n=5|sp=\"a b\"|"
      R"({"in":{"y":1},"many":[{"h":"w","y":2}],"kk":"z"})");
  EXPECT_EQ(sample.answer("{}"), "0|{}");
}
TEST(write_answer, header_injection_is_rejected) {
  const http_sample sample(
      R"(struct Root { 1: string h (api.header="H"), 2: string c (api.cookie="c"), 3: i32 st (api.http_code=""), 4: string b (api.cookie="b d") })");
  EXPECT_EQ(sample.answer(R"({"h":"a\r\nSet-Cookie: x=1"})").substr(0, 64),
            "a header cannot contain line breaks or control characters at $.h");
  EXPECT_EQ(sample.answer(R"({"c":"a;b"})").substr(0, 47), "a cookie cannot contain these characters at $.c");
  EXPECT_EQ(sample.answer(R"({"st":99})").substr(0, 51),
            "an HTTP status is a number from 100 to 599 at $.st ");
  EXPECT_EQ(sample.answer(R"({"b":"x"})").substr(0, 38), "\"b d\" is not a valid name of a cookie ");
  const http_sample lenient(R"(struct Root { 1: string h (api.header="H", api.cookie="c") })",
                            {.response = {.unfit = tl::http_unplaced::body}});
  EXPECT_EQ(lenient.answer(R"({"h":"a\nb"})"), R"(0|{"h":"a\nb"})");
  const http_sample dropping(R"(struct Root { 1: string h (api.header="H") })",
                             {.response = {.unfit = tl::http_unplaced::drop}});
  EXPECT_EQ(dropping.answer(R"({"h":"a\nb"})"), "0|{}");
}
TEST(write_answer, trimmed_replies) {
  const char* const idl = "struct Root { 1: required i32 a, 2: optional i32 b }";
  const tl::buffer empty = [] {
    tl::buffer made;
    made.push_back(std::uint8_t{0});
    return made;
  }();
  const auto schema = tl::schema::parse(idl);
  const auto strict = tl::http_plan::compile(schema.type("Root")).try_response<tl::binary>(empty);
  EXPECT_EQ(strict.error().code(), tl::errc::missing_required);
  const auto plan =
      tl::http_plan::compile(schema.type("Root"), {.response = {.missing_required = tl::on_missing::omit}});
  const auto body = plan.response<tl::binary>(empty).body;
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(body.data()), body.size()), "{}");
}
TEST(write_answer, annotations_of_requests) {
  const char* const idl = R"(struct Root { 1: i32 q (api.query="q"), 2: string u (api.raw_uri="") })";
  EXPECT_EQ(http_sample(idl).answer(R"({"q":1,"u":"x"})"), R"(0|{"q":1,"u":"x"})");
  EXPECT_EQ(http_sample(idl, {.response = {.unplaced = tl::http_unplaced::error}})
                .answer(R"({"q":1})")
                .substr(0, 47),
            "api.query is not supported in a response at $.q");
}
TEST(write_answer, raw_body) {
  const http_sample sample(
      R"(struct Root { 1: binary b (api.raw_body=""), 2: string t (api.header="Content-Type") })");
  EXPECT_EQ(sample.answer(R"({"b":"aGk=","t":"text/plain"})"), "0|Content-Type: text/plain|hi");
}
TEST(write_answer, numbers_as_kitex_writes_them) {
  const http_sample sample(R"(
    struct In { 1: i32 x, 2: list<string> y }
    struct Root { 1: list<string> l (api.header="L"), 2: map<string, i32> m (api.header="M"), 3: In in (api.header="I") })",
                           {.response = {.text = tl::http_text::kitex}});
  EXPECT_EQ(sample.answer(R"({"l":["x","y z"],"m":{"k":1},"in":{"x":1,"y":["a","b"]}})"),
            "0|L: x,y z|M: map[k:1]|I: map[x:1 y:[a b]]|{}");
}
TEST(write_answer, forms_of_numbers) {
  const char* const idl =
      R"(struct Root { 1: i8 b, 2: i64 i (api.js_conv=""), 3: list<i64> l (api.js_conv=""), 4: i8 h (api.header="H")
    5: map<i8, bool> m, 6: i64 plain, 7: string s (api.js_conv="") })";
  EXPECT_EQ(http_sample(idl).answer(R"({"b":-1,"i":5,"l":[1],"h":-1,"m":{"-1":true},"plain":6,"s":"q\""})"),
            R"(0|H: -1|{"b":-1,"i":"5","l":["1"],"m":{"-1":true},"plain":6,"s":"q\""})");
  const http_sample other(idl, {.response = {.int64 = tl::json_int64::string, .unsigned_bytes = true}});
  EXPECT_EQ(other.answer(R"({"b":-1,"h":-1,"m":{"-1":true},"plain":6})"),
            R"(0|H: 255|{"b":255,"m":{"255":true},"plain":"6"})");
}
TEST(write_answer, absent_fields) {
  tl::http_options options;
  options.absent = {tl::http_absent::write, tl::http_absent::write, tl::http_absent::as_declared};
  const http_sample sample(
      R"(struct Root { 1: string h = "dv" (api.header="H"), 2: i32 st (api.http_code=""), 3: i32 k (api.key="kk"), 4: optional i32 o })",
      options);
  EXPECT_EQ(sample.answer("{}"), R"(0|H: dv|{"kk":0})");
}
TEST(write_answer, body_dynamic_must_be_json) {
  const http_sample sample(R"(struct Root { 1: string a (agw.body_dynamic="") })");
  EXPECT_EQ(sample.answer(R"({"a":"{\"k\":[1, 2]}"})"), R"(0|{"a":{"k":[1, 2]}})");
  EXPECT_EQ(sample.answer(R"({"a":"{\"k\""})").substr(0, 16), "invalid JSON at ");
}
TEST(write_answer, absent_recursive_structs_are_filled_once) {
  tl::http_options options;
  options.absent = {tl::http_absent::write, tl::http_absent::write, tl::http_absent::write, true};
  const http_sample sample("struct Root { 1: Root r, 2: i32 n, 3: list<Root> l }", options);
  EXPECT_EQ(sample.answer("{}"), R"(0|{"r":{},"n":0,"l":[]})");
  EXPECT_EQ(sample.answer(R"({"r":{"n":1}})"), R"(0|{"r":{"n":1,"r":{},"l":[]},"n":0,"l":[]})");
}
