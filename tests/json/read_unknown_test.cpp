#include <thriftlens/json/read/read_unknown.hpp>

#include "support/test.hpp"

#include <thriftlens/json.hpp>
#include <thriftlens/schema/schema.hpp>

namespace {

const tl::schema& idl() {
  static const tl::schema loaded = tl::schema::parse(
      "struct None {}  struct Known { 1: i32 x  5: string name }  union Pick { 1: i32 i  2: string s }"
      "struct Need { 1: required i32 i  2: required list<Known> l  3: required string s = \"d\"  4: required "
      "Known k }"
      "struct Loop { 1: required Loop loop }");
  return loaded;
}
constexpr tl::from_json_options keep{.leniency = {.unknown = tl::on_unknown::keep}};

tl::error fault_of_unknown(std::string_view json, tl::from_json_options options = keep,
                           const char* type = "Known") {
  tl::buffer out;
  out.append({"kept", 4});
  const tl::result<void> status = tl::try_append_from_json<tl::binary>(idl().type(type), json, out, options);
  EXPECT_EQ(out.text(), "kept") << "an error must leave the buffer alone: " << json;
  return status ? tl::error() : status.error();
}

template <class P>
struct unknown_in : testing::Test {
  // The JSON that the bytes of `json` make again.
  static std::string again(std::string_view json, const char* type = "None",
                           tl::from_json_options options = keep) {
    const tl::buffer bytes = tl::from_json<P>(idl().type(type), json, options);
    return tl::to_json<P>(idl().type(type), bytes, {.leniency = {.unknown = tl::on_unknown::keep}}).str();
  }
};
TYPED_TEST_SUITE(unknown_in, protocols);

}  // namespace

TYPED_TEST(unknown_in, round_trips) {
  for (
      const char* json :
      {R"({})", R"({"#-32768":{"bool":true},"#-1":{"bool":false},"#0":{"i8":-128},"#32767":{"i16":32767}})",
       R"({"#9":{"i32":-2147483648},"#3":{"i64":9223372036854775807},"#4":{"double":1e-300}})",
       R"({"#1":{"double":"NaN"},"#2":{"double":"NaN:fff8000000000001"},"#3":{"double":"-Infinity"}})",
       R"({"#1":{"string":""},"#2":{"string":"/////w=="},"#3":{"uuid":"00112233-4455-6677-8899-aabbccddeeff"}})",
       R"({"#1":{"list":["i8",[]]},"#2":{"set":["bool",[true,false,true]]},"#3":{"map":["stop","stop",[]]}})",
       R"({"#1":{"map":["list","map",[[["i8",[1]],["i8","i8",[[1,2],[1,3]]]]]]}})",
       R"({"#1":{"struct":{}},"#2":{"list":["struct",[{},{"#7":{"struct":{"#7":{"bool":true}}}}]]}})"})
    EXPECT_EQ(TestFixture::again(json), json);
}

TYPED_TEST(unknown_in, fields_keep_the_order_of_the_text) {
  for (const char* json : {R"({"#9":{"i8":1},"name":"n","#2":{"bool":true},"x":5,"#1000":{"i8":2}})",
                           R"({"#2":{"i8":1},"x":5,"#3":{"bool":true},"name":"n"})"})
    EXPECT_EQ(TestFixture::again(json, "Known"), json);
}

TYPED_TEST(unknown_in, accepts_whitespace_escapes_and_null) {
  EXPECT_EQ(TestFixture::again("{ \"\\u00231\" : { \"i\\u0038\" : 7 } , \"#2\" : null,\n\"#3\": {\"list\": [ "
                               "\"i8\" , [ 1 , 2 ] ] } }"),
            R"({"#1":{"i8":7},"#3":{"list":["i8",[1,2]]}})");
}

TYPED_TEST(unknown_in, the_last_of_equal_keys_counts_by_option) {
  tl::from_json_options last = keep;
  last.leniency.duplicates = tl::on_duplicate::last;
  EXPECT_EQ(
      TestFixture::again(
          R"({"#7":{"i8":1},"x":1,"#5000":{"i32":7},"#5000":{"bool":true},"name":"a","x":2,"name":null})",
          "Known", last),
      R"({"#7":{"i8":1},"#5000":{"bool":true},"x":2})");
  EXPECT_EQ(
      TestFixture::again(
          R"({"#1":{"struct":{"#1":{"bool":true},"#2":{"i8":4},"#1":{"string":"YQ=="},"#20":{"i8":5}}},"#2":{"i8":1}})",
          "None", last),
      R"({"#1":{"struct":{"#2":{"i8":4},"#1":{"string":"YQ=="},"#20":{"i8":5}}},"#2":{"i8":1}})");
}

TYPED_TEST(unknown_in, containers_may_be_long) {
  std::string json = R"({"#1":{"list":["i8",[0)";
  for (int i = 0; i < 300; ++i) json += ",1";
  json += R"(]]},"#2":{"map":["i8","bool",[[0,true])";
  for (int i = 0; i < 300; ++i) json += ",[1,false]";
  json += "]]}}";
  EXPECT_EQ(TestFixture::again(json), json);
}

TYPED_TEST(unknown_in, a_union_may_have_an_unknown_member) {
  EXPECT_EQ(TestFixture::again(R"({"#9":{"i8":1}})", "Pick"), R"({"#9":{"i8":1}})");
}
TYPED_TEST(unknown_in, a_union_has_one_member_known_or_not) {
  for (const char* json :
       {R"({"#9":{"i8":1},"i":3})", R"({"i":3,"#9":{"i8":1}})", R"({"#8":{"i8":1},"#9":{"i8":1}})"}) {
    EXPECT_EQ(fault_of_unknown(json, keep, "Pick").code(), tl::errc::union_members) << json;
  }
}

TEST(read_unknown, errors_have_a_location) {
  struct {
    const char* json;
    tl::errc code;
    const char* path;
    std::size_t offset;
  } const cases[] = {
      {R"({"#7":{"i8":1},"#7":{"i8":1}})", tl::errc::duplicate_key, "$.#7", 15},
      {R"({"#5":{"i8":1}})", tl::errc::unknown_key, "$", 1},
      {R"({"#05":{"i8":1}})", tl::errc::unknown_key, "$", 1},
      {R"({"#40000":{"i8":1}})", tl::errc::unknown_key, "$", 1},
      {R"({"other":1})", tl::errc::unknown_key, "$", 1},
      {R"({"#7":1})", tl::errc::json_type, "$.#7", 6},
      {R"({"#7":{}})", tl::errc::json_type, "$.#7", 7},
      {R"({"#7":{"i33":1}})", tl::errc::json_type, "$.#7", 7},
      {R"({"#7":{"stop":1}})", tl::errc::json_type, "$.#7", 7},
      {R"({"#7":{1:1}})", tl::errc::json_type, "$.#7", 7},
      {R"({"#7":{"i8" 1}})", tl::errc::json_syntax, "$.#7", 12},
      {R"({"#7":{"i8":1,"i8":1}})", tl::errc::json_syntax, "$.#7", 13},
      {R"({"#7":{"i8":128}})", tl::errc::integer_range, "$.#7", 12},
      {R"({"#7":{"i64":9223372036854775808}})", tl::errc::integer_range, "$.#7", 13},
      {R"({"#7":{"i8":1.5}})", tl::errc::json_type, "$.#7", 12},
      {R"({"#7":{"i8":"1"}})", tl::errc::json_type, "$.#7", 12},
      {R"({"#7":{"bool":1}})", tl::errc::json_type, "$.#7", 14},
      {R"({"#7":{"double":"nan"}})", tl::errc::json_type, "$.#7", 16},
      {R"({"#7":{"double":"NaN:3ff0000000000000"}})", tl::errc::json_type, "$.#7", 16},
      {R"({"#7":{"double":"NaN:7ff800000000000g"}})", tl::errc::json_type, "$.#7", 16},
      {R"({"#7":{"string":"a"}})", tl::errc::bad_base64, "$.#7", 16},
      {R"({"#7":{"uuid":"a"}})", tl::errc::bad_uuid, "$.#7", 14},
      {R"({"#7":{"list":[1]}})", tl::errc::json_type, "$.#7", 15},
      {R"({"#7":{"list":{}}})", tl::errc::json_type, "$.#7", 14},
      {R"({"#7":{"list":["i8"]}})", tl::errc::json_syntax, "$.#7", 19},
      {R"({"#7":{"list":["i8",1]}})", tl::errc::json_type, "$.#7", 20},
      {R"({"#7":{"list":["i8",[1],2]}})", tl::errc::json_syntax, "$.#7", 23},
      {R"({"#7":{"list":["i8",[1,null]]}})", tl::errc::json_type, "$.#7[1]", 23},
      {R"({"#7":{"list":["stop",[1]]}})", tl::errc::json_type, "$.#7[0]", 23},
      {R"({"#7":{"map":["i8","i8",[1]]}})", tl::errc::json_type, "$.#7{key 0}", 25},
      {R"({"#7":{"map":["i8","i8",[[1]]]}})", tl::errc::json_syntax, "$.#7{1}", 27},
      {R"({"#7":{"map":["i8","i8",[[1,2,3]]]}})", tl::errc::json_syntax, "$.#7{1}", 29},
      {R"({"#7":{"map":["i8","i8",[["x",2]]]}})", tl::errc::json_type, "$.#7{key 0}", 26},
      {R"({"#7":{"struct":{"a":1}}})", tl::errc::unknown_key, "$.#7", 17},
      {R"({"#7":{"struct":{"#1":{"i8":1},"#1":{"i8":1}}}})", tl::errc::duplicate_key, "$.#7.#1", 31},
      {R"({"#7":{"i8":1)", tl::errc::json_syntax, "$.#7", 13},
      {R"({"#7":{"struct":{"#1":)", tl::errc::json_syntax, "$.#7.#1", 22},
  };
  for (const auto& case_ : cases) {
    const tl::error fault = fault_of_unknown(case_.json);
    EXPECT_EQ(fault.code(), case_.code) << case_.json << ": " << fault.what();
    EXPECT_EQ(fault.path(), case_.path) << case_.json;
    EXPECT_EQ(fault.offset(), case_.offset) << case_.json;
  }
}

TEST(read_unknown, is_bounded) {
  std::string deep = "{";
  for (int i = 0; i < 100; ++i) deep += R"("#7":{"struct":{)";
  EXPECT_EQ(fault_of_unknown(deep).code(), tl::errc::depth_limit);
  tl::from_json_options options = keep;
  options.limits.container_size = 2;
  EXPECT_EQ(fault_of_unknown(R"({"#7":{"list":["i8",[1,2,3]]}})", options).code(), tl::errc::size_limit);
  options = keep;
  options.limits.string_size = 2;
  EXPECT_EQ(fault_of_unknown(R"({"#7":{"string":"YWJj"}})", options).code(), tl::errc::size_limit);
  options = keep;
  options.limits.output_size = 4;
  EXPECT_EQ(fault_of_unknown(R"({"#7":{"i64":1}})", options).code(), tl::errc::output_limit);
}

TEST(read_unknown, is_an_unknown_key_unless_kept) {
  const tl::error fault = fault_of_unknown(R"({"#7":{"i8":1}})", {});
  EXPECT_EQ(fault.code(), tl::errc::unknown_key);
  EXPECT_NE(std::string(fault.what()).find("such a key needs the option unknown=keep"), std::string::npos)
      << fault.what();
  EXPECT_EQ(tl::from_json<tl::binary>(idl().type("Known"), R"({"#7":{"i8":1}})",
                                      {.leniency = {.unknown = tl::on_unknown::drop}})
                .size(),
            1u);
}

TYPED_TEST(unknown_in, missing_values_become_zero_by_option) {
  const tl::from_json_options zero{.leniency = {.missing = tl::on_missing::zero}};
  EXPECT_EQ(TestFixture::again("{}", "Need", zero), R"({"i":0,"l":[],"s":"d","k":{}})");
  EXPECT_EQ(TestFixture::again(R"({"k":{"x":1},"i":null})", "Need", zero),
            R"({"k":{"x":1},"i":0,"l":[],"s":"d"})");
  tl::from_json_options both = zero;
  both.defaults = tl::on_absent::write;
  both.leniency.duplicates = tl::on_duplicate::last;
  EXPECT_EQ(TestFixture::again(R"({"i":1,"i":2})", "Need", both), R"({"i":2,"l":[],"s":"d","k":{}})");
  EXPECT_EQ(fault_of_unknown("{}", {}, "Need").code(), tl::errc::missing_required);
  const tl::error endless = fault_of_unknown("{}", zero, "Loop");
  EXPECT_EQ(endless.code(), tl::errc::missing_required);
  EXPECT_EQ(endless.path(), "$.loop.loop");
}
