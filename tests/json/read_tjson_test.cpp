#include <thriftlens/json/tjson/read_tjson.hpp>

#include <thriftlens/json/tjson.hpp>

#include "json/samples.hpp"
#include "support/test.hpp"

using thriftlens_test::sample_type;

namespace {
tl::error fault(std::string_view text, const tl::tjson_options& options = {}) {
  tl::buffer out;
  out.append({"kept", 4});
  const tl::result<void> status = tl::try_append_converted<tl::tjson, tl::binary>(text, out, options);
  EXPECT_EQ(out.text(), "kept") << "an error must leave the buffer alone: " << text;
  return status ? tl::error() : status.error();
}
std::string json_of(std::string_view text, const char* type) {
  const tl::type of = sample_type(type);
  const tl::buffer bytes = tl::convert<tl::tjson, tl::compact>(text, {.of = of});
  return tl::to_json<tl::compact>(of, bytes).str();
}
}  // namespace

TEST(read_tjson, every_type) {
  EXPECT_EQ(
      json_of(
          R"({"1":{"tf":1},"2":{"i8":-3},"3":{"i16":300},"4":{"i32":-5},"5":{"i64":-9223372036854775808},)"
          R"("6":{"dbl":-0.0},"7":{"str":"a\u00e9\"\/"},"8":{"str":"aGk="},"9":{"i32":5},)"
          R"("10":{"uid":"00112233-4455-6677-8899-aabbccddeeff"},"12":{"lst":["i32",2,1,2]},)"
          R"("13":{"set":["str",1,"x"]},"15":{"map":["i32","rec",1,{"7":{"1":{"i32":1}}}]},)"
          R"("18":{"map":["tf","i8",2,{"1":1,"0":2}]},"19":{"map":["dbl","i32",1,{"2.5":1}]}})",
          "Every"),
      R"({"b":true,"i8":-3,"i16":300,"i32":-5,"i64":-9223372036854775808,"d":-0.0,"s":"aé\"/","bin":"aGk=",)"
      R"("color":5,"id":"00112233-4455-6677-8899-aabbccddeeff","ints":[1,2],"names":["x"],)"
      R"("by_id":{"7":{"x":1}},"by_bool":{"true":1,"false":2},"by_double":{"2.5":1}})");
}

TEST(read_tjson, accepts_whitespace_unpadded_base64_and_a_byte_order_mark) {
  EXPECT_EQ(
      json_of("\xef\xbb\xbf { \"8\" : { \"str\" : \"aGk\" } ,\n\"12\":{\"lst\":[ \"i32\" , 1 , 7 ] } } ",
              "Every"),
      R"({"bin":"aGk=","ints":[7]})");
}

TEST(read_tjson, without_a_type_strings_are_their_bytes) {
  const tl::buffer bytes = tl::convert<tl::tjson, tl::binary>(std::string_view(R"({"8":{"str":"aGk="}})"));
  EXPECT_EQ(bytes.text(), std::string_view("\x0b\0\x08\0\0\0\x04"
                                           "aGk=\0",
                                           12));
}

TEST(read_tjson, invalid_keys) {
  // As Apache's library writes a map of structs.
  EXPECT_EQ(json_of(R"({"16":{"map":["rec","str",1,{{"1":{"i32":1}}:"one"}]}})", "Every"),
            R"({"by_point":[[{"x":1},"one"]]})");
}

TEST(read_tjson, errors_have_a_location) {
  struct {
    const char* text;
    tl::errc code;
    const char* path;
    std::size_t offset;
  } const cases[] = {
      {"", tl::errc::json_syntax, "$", 0},
      {"[]", tl::errc::json_syntax, "$", 0},
      {R"({"4":{"i32":1})", tl::errc::json_syntax, "$", 14},
      {R"({"4":{"i32":1,"i32":2}})", tl::errc::json_syntax, "$.i32", 13},
      {R"({"4":{"i32":"1"}})", tl::errc::json_syntax, "$.i32", 12},
      {R"({"4":{"i32":2147483648}})", tl::errc::integer_range, "$.i32", 12},
      {R"({"4":{"i32":1.5}})", tl::errc::json_type, "$.i32", 12},
      {R"({"5":{"i64":9223372036854775808}})", tl::errc::integer_range, "$.i64", 12},
      {R"({"1":{"tf":2}})", tl::errc::json_type, "$.b", 11},
      {R"({"6":{"dbl":"x"}})", tl::errc::json_type, "$.d", 12},
      {R"({"6":{"dbl":1e999}})", tl::errc::double_range, "$.d", 12},
      {R"({"7":{"str":"\ud800"}})", tl::errc::json_syntax, "$.s", 13},
      {R"({"8":{"str":"A"}})", tl::errc::bad_base64, "$.bin", 12},
      {R"({"10":{"uid":"A"}})", tl::errc::bad_uuid, "$.id", 13},
      {R"({"x":{"i32":1}})", tl::errc::bad_field_id, "$", 1},
      {R"({"40000":{"i32":1}})", tl::errc::bad_field_id, "$", 1},
      {R"({"4":{"zzz":1}})", tl::errc::bad_ttype, "$.i32", 6},
      {R"({"12":{"lst":["zzz",1,1]}})", tl::errc::bad_ttype, "$.ints", 14},
      {R"({"12":{"lst":["i32",-1]}})", tl::errc::negative_size, "$.ints", 20},
      {R"({"12":{"lst":["i32",99999999999999999999,1]}})", tl::errc::integer_range, "$.ints", 20},
      {R"({"12":{"lst":["i32",4000000000,1]}})", tl::errc::size_limit, "$.ints", 20},
      {R"({"12":{"lst":["i32",1000000000,1]}})", tl::errc::json_syntax, "$.ints[1]", 32},
      {R"({"12":{"lst":["i32",1,1,2]}})", tl::errc::json_syntax, "$.ints", 23},
      {R"({"15":{"map":["i32","rec",1,{7:{}}]}})", tl::errc::json_syntax, "$.by_id{key 0}", 29},
      {R"({"15":{"map":["i32","rec",1,{"7x":{}}]}})", tl::errc::json_type, "$.by_id{key 0}", 29},
      {R"({"15":{"map":["i32","rec",1,{"7":{"1":{"i32":x}}}]}})", tl::errc::json_syntax, "$.by_id{7}.x", 45},
      {R"({"4":{"i32":1}}x)", tl::errc::trailing_bytes, "$", 15},
      {"{\"7\":{\"str\":\"\xff\"}}", tl::errc::invalid_utf8, "$.s", 13},
  };
  for (const auto& case_ : cases) {
    const tl::error actual = fault(case_.text, {.of = sample_type("Every")});
    EXPECT_EQ(actual.code(), case_.code) << case_.text << ": " << actual.what();
    EXPECT_EQ(actual.path(), case_.path) << case_.text;
    EXPECT_EQ(actual.offset(), case_.offset) << case_.text;
  }
}

TEST(read_tjson, limits) {
  std::string deep;
  for (int i = 0; i < 100; ++i) deep += R"({"2":{"rec":)";
  EXPECT_EQ(fault(deep).code(), tl::errc::depth_limit);
  EXPECT_EQ(fault(R"({"2":{"rec":{}}})", {.limits = {.depth = 1}}).code(), tl::errc::depth_limit);
  EXPECT_EQ(fault(R"({"7":{"str":"abc"}})", {.limits = {.string_size = 2}}).code(), tl::errc::size_limit);
  EXPECT_EQ(
      fault(R"({"8":{"str":"YWJj"}})", {.limits = {.string_size = 2}, .of = sample_type("Every")}).code(),
      tl::errc::size_limit);
  EXPECT_EQ(fault(R"({"12":{"lst":["i32",3,1,2,3]}})", {.limits = {.container_size = 2}}).code(),
            tl::errc::size_limit);
  EXPECT_EQ(fault(R"({"12":{"lst":["i32",3,1,2,3]}})", {.limits = {.output_size = 12}}).code(),
            tl::errc::output_limit);
}
