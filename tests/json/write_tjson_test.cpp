#include <thriftlens/json/tjson/write_tjson.hpp>

#include <thriftlens/json/tjson.hpp>

#include "json/samples.hpp"
#include "support/test.hpp"

using thriftlens_test::sample_type;

namespace {
std::string text_of(const char* type, std::string_view json, bool typed = true) {
  const tl::type of = sample_type(type);
  const tl::buffer binary = tl::from_json<tl::binary>(of, json),
                   compact = tl::from_json<tl::compact>(of, json);
  const tl::tjson_options options{.of = typed ? of : tl::type()};
  const std::string text = tl::convert<tl::binary, tl::tjson>(binary, options).str();
  EXPECT_EQ((tl::convert<tl::compact, tl::tjson>(compact, options).str()), text);
  return text;
}
tl::error fault(std::string_view bytes, const tl::tjson_options& options = {}) {
  tl::buffer out;
  out.append({"kept", 4});
  const tl::result<void> status = tl::try_append_converted<tl::binary, tl::tjson>(bytes, out, options);
  EXPECT_EQ(out.text(), "kept") << "an error must leave the buffer alone";
  return status ? tl::error() : status.error();
}
}  // namespace

TEST(write_tjson, every_type) {
  EXPECT_EQ(
      text_of(
          "Every",
          R"({"b":true,"i8":-3,"i64":-9223372036854775808,"d":-0.0,"s":"a\n","bin":"aGk=","color":"BLUE",)"
          R"("id":"00112233-4455-6677-8899-aabbccddeeff","ints":[1,2],"names":[],"by_id":{"7":{"x":1}},)"
          R"("by_bool":{"true":1},"by_double":{"2.5":1,"-1":2}})"),
      R"({"1":{"tf":1},"2":{"i8":-3},"5":{"i64":-9223372036854775808},"6":{"dbl":-0.0},"7":{"str":"a\n"},)"
      R"("8":{"str":"aGk="},"9":{"i32":5},"10":{"uid":"00112233-4455-6677-8899-aabbccddeeff"},)"
      R"("12":{"lst":["i32",2,1,2]},"13":{"set":["str",0]},"15":{"map":["i32","rec",1,{"7":{"1":{"i32":1}}}]},)"
      R"("18":{"map":["tf","i8",1,{"1":1}]},"19":{"map":["dbl","i32",2,{"2.5":1,"-1.0":2}]}})");
}

TEST(write_tjson, strings_and_binaries) {
  // Without a type bytes that are text are text.
  EXPECT_EQ(text_of("Every", R"({"s":"hi","bin":"aGk="})", false), R"({"7":{"str":"hi"},"8":{"str":"hi"}})");
  EXPECT_EQ(text_of("Every", R"({"bin":"/w=="})", false), R"({"8":{"str":"/w=="}})");
  const std::string bad("\x0b\0\x07\0\0\0\x01\xff\0", 9);
  EXPECT_EQ(fault(bad, {.of = sample_type("Every")}).code(), tl::errc::invalid_utf8);
  EXPECT_EQ(fault(bad, {.of = sample_type("Every")}).path(), "$.s");
  EXPECT_EQ((tl::convert<tl::binary, tl::tjson>(bad).str()), R"({"7":{"str":"/w=="}})");
}

TEST(write_tjson, empty_maps_have_the_types_of_the_idl_or_of_their_header) {
  const tl::type every = sample_type("Every");
  const std::string compact("\xeb\0\0", 3);
  EXPECT_EQ((tl::convert<tl::compact, tl::tjson>(compact, {.of = every}).str()),
            R"({"14":{"map":["str","i64",0,{}]}})");
  EXPECT_EQ((tl::convert<tl::compact, tl::tjson>(compact).str()), R"({"14":{"map":["str","str",0,{}]}})");
}

TEST(write_tjson, values_that_contradict_the_idl_are_written_unchanged) {
  const std::string bytes("\x0f\0\x0c\x0b\0\0\0\x01\0\0\0\x01x\0", 14);
  EXPECT_EQ((tl::convert<tl::binary, tl::tjson>(bytes, {.of = sample_type("Every")}).str()),
            R"({"12":{"lst":["str",1,"x"]}})");
}

TEST(write_tjson, faults) {
  EXPECT_EQ(fault("").code(), tl::errc::truncated);
  EXPECT_EQ(fault(std::string("\0\0", 2)).code(), tl::errc::trailing_bytes);
  EXPECT_EQ(fault(std::string("\x0c\0\x01\0\0", 5), {.limits = {.depth = 1}}).code(), tl::errc::depth_limit);
  EXPECT_EQ(fault(std::string("\x08\0\x01\0\0\0\x01\0", 8), {.limits = {.output_size = 10}}).code(),
            tl::errc::output_limit);
  const tl::error cut =
      fault(std::string("\x0d\0\x0f\x08\x0c\0\0\0\x01\0\0\0\x07\x08", 14), {.of = sample_type("Every")});
  EXPECT_EQ(cut.path(), "$.by_id{7}");
}
