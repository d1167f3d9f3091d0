#include <thriftlens/json/write/write_unknown.hpp>

#include "json/samples.hpp"
#include "support/test.hpp"

namespace {

const tl::schema& idl() {
  static const tl::schema loaded = tl::schema::parse(
      "struct None {}  struct Half { 2: i8 i8 (go.tag = 'json:\"#9\"')  11: None point  15: map<i32, None> "
      "by_id  25: list<None> points }");
  return loaded;
}
constexpr tl::to_json_options keep{.leniency = {.unknown = tl::on_unknown::keep}};
const char* const every =
    R"({"b":true,"i8":-3,"i16":300,"i32":-5,"i64":-9223372036854775808,"d":1.5,"s":"aé","bin":"//4=","color":5,)"
    R"("id":"00112233-4455-6677-8899-aabbccddeeff","point":{"x":1,"y":2},"ints":[1,2],"names":["x"],"by_name":{"k":7},)"
    R"("by_id":{"7":{"x":1}},"by_point":[[{"x":1},"one"]],"bits":[[true,false],[]],"points":[{"x":3},{}]})";

template <class P>
struct unknown_out : testing::Test {
  tl::buffer bytes = tl::from_json<P>(thriftlens_test::sample_type("Every"), every);
};
TYPED_TEST_SUITE(unknown_out, protocols);

}  // namespace

TYPED_TEST(unknown_out, writes_wire_types) {
  EXPECT_EQ(
      tl::to_json<TypeParam>(idl().type("None"), this->bytes, keep).str(),
      R"({"#1":{"bool":true},"#2":{"i8":-3},"#3":{"i16":300},"#4":{"i32":-5},"#5":{"i64":-9223372036854775808},)"
      R"("#6":{"double":1.5},"#7":{"string":"YcOp"},"#8":{"string":"//4="},"#9":{"i32":5},)"
      R"("#10":{"uuid":"00112233-4455-6677-8899-aabbccddeeff"},"#11":{"struct":{"#1":{"i32":1},"#2":{"i32":2}}},)"
      R"("#12":{"list":["i32",[1,2]]},"#13":{"set":["string",["eA=="]]},"#14":{"map":["string","i64",[["aw==",7]]]},)"
      R"("#15":{"map":["i32","struct",[[7,{"#1":{"i32":1}}]]]},"#16":{"map":["struct","string",[[{"#1":{"i32":1}},"b25l"]]]},)"
      R"("#17":{"list":["list",[["bool",[true,false]],["bool",[]]]]},"#25":{"list":["struct",[{"#1":{"i32":3}},{}]]}})");
}

TYPED_TEST(unknown_out, is_written_between_known_fields_at_any_depth) {
  const std::string json = tl::to_json<TypeParam>(idl().type("Half"), this->bytes, keep).str();
  EXPECT_NE(json.find(R"("#1":{"bool":true},"i8":-3,"#3":{"i16":300})"), std::string::npos) << json;
  EXPECT_NE(json.find(R"("point":{"#1":{"i32":1},"#2":{"i32":2}})"), std::string::npos) << json;
  EXPECT_NE(json.find(R"("by_id":{"7":{"#1":{"i32":1}}})"), std::string::npos) << json;
  EXPECT_NE(json.find(R"("points":[{"#1":{"i32":3}},{}])"), std::string::npos) << json;
}

TYPED_TEST(unknown_out, is_indented) {
  tl::to_json_options options = keep;
  options.format.pretty = 1;
  const tl::buffer bytes = tl::from_json<TypeParam>(thriftlens_test::sample_type("Every"), R"({"ints":[1]})");
  EXPECT_EQ(tl::to_json<TypeParam>(idl().type("None"), bytes, options).str(),
            "{\n \"#12\": {\n  \"list\": [\n   \"i32\",\n   [\n    1\n   ]\n  ]\n }\n}");
}

TYPED_TEST(unknown_out, follows_a_selection_that_keeps_it) {
  tl::to_json_options options = keep;
  const tl::selection all_but = tl::selection::compile(idl().type("Half"), "{ * -by_id -points -point }");
  options.select = &all_but;
  const std::string json = tl::to_json<TypeParam>(idl().type("Half"), this->bytes, options).str();
  EXPECT_TRUE(json.starts_with(R"({"#1":{"bool":true},"i8":-3,)")) << json;
  const tl::selection named = tl::selection::compile(idl().type("Half"), "{ i8 }");
  options.select = &named;
  EXPECT_EQ(tl::to_json<TypeParam>(idl().type("Half"), this->bytes, options).str(), R"({"i8":-3})");
}

TYPED_TEST(unknown_out, writes_i64_by_option) {
  tl::to_json_options options = keep;
  options.format.int64 = tl::json_int64::string;
  const tl::buffer bytes =
      tl::from_json<TypeParam>(thriftlens_test::sample_type("Every"), R"({"i64":9007199254740993})");
  EXPECT_EQ(tl::to_json<TypeParam>(idl().type("None"), bytes, options).str(),
            R"({"#5":{"i64":"9007199254740993"}})");
}

namespace {
tl::error fault_when_keeping(std::string_view bytes, tl::to_json_options options = keep) {
  const tl::result<tl::buffer> outcome = tl::try_to_json<tl::binary>(idl().type("Half"), bytes, options);
  return outcome ? tl::error() : outcome.error();
}
std::string_view text(const char* bytes, std::size_t size) { return {bytes, size}; }
}  // namespace

TEST(write_unknown, a_duplicate_is_an_error_or_the_last_counts) {
  const std::string_view two = text("\3\0\1\7\3\0\1\x8\0", 9),
                         inner = text("\14\0\1\3\0\1\7\3\0\1\x8\0\0", 13);
  EXPECT_EQ(fault_when_keeping(two).code(), tl::errc::duplicate_field);
  EXPECT_EQ(fault_when_keeping(two).path(), "$.#1");
  EXPECT_EQ(fault_when_keeping(two).offset(), 4u);
  EXPECT_EQ(fault_when_keeping(inner).code(), tl::errc::duplicate_field);
  EXPECT_EQ(fault_when_keeping(inner).path(), "$.#1.#1");
  tl::to_json_options last = keep;
  last.leniency.duplicates = tl::on_duplicate::last;
  EXPECT_EQ(tl::to_json<tl::binary>(idl().type("Half"), two, last).str(), R"({"#1":{"i8":8}})");
  EXPECT_EQ(tl::to_json<tl::binary>(idl().type("Half"), inner, last).str(),
            R"({"#1":{"struct":{"#1":{"i8":8}}}})");
}

TEST(write_unknown, errors_inside_have_a_path) {
  // A map of i32 to struct, whose second value is truncated.
  const std::string_view cut = text("\15\0\1\10\14\0\0\0\2\0\0\0\1\0\0\0\0\2\3\0", 20);
  EXPECT_EQ(fault_when_keeping(cut).code(), tl::errc::truncated);
  EXPECT_EQ(fault_when_keeping(cut).path(), "$.#1{2}");
  EXPECT_EQ(fault_when_keeping(text("\17\0\1\21\0\0\0\1\0\0", 10)).code(), tl::errc::bad_ttype);
  std::string deep;
  for (int i = 0; i < 100; ++i) deep += std::string("\14\0\1", 3);
  EXPECT_EQ(fault_when_keeping(deep).code(), tl::errc::depth_limit);
}

TEST(write_unknown, a_nonfinite_double_keeps_its_bits) {
#if defined(__i386__) && !defined(__SSE2_MATH__)
  GTEST_SKIP() << "a register of x87 makes a signalling NaN a quiet one";
#endif
  const auto json_of = [](const char* bits) {
    const std::string bytes = std::string("\4\0\1", 3) + std::string(bits, 8) + '\0';
    return tl::to_json<tl::binary>(idl().type("None"), bytes, keep).str();
  };
  EXPECT_EQ(json_of("\x7f\xf8\0\0\0\0\0\0"), R"({"#1":{"double":"NaN"}})");
  EXPECT_EQ(json_of("\x7f\xf0\0\0\0\0\0\1"), R"({"#1":{"double":"NaN:7ff0000000000001"}})");
  EXPECT_EQ(json_of("\xff\xf0\0\0\0\0\0\0"), R"({"#1":{"double":"-Infinity"}})");
  EXPECT_EQ(json_of("\x80\0\0\0\0\0\0\0"), R"({"#1":{"double":-0.0}})");
}

TEST(write_unknown, rejects_a_key_that_is_an_alias) {
  tl::to_json_options options = keep;
  EXPECT_EQ(fault_when_keeping(text("\3\0\11\7\0", 5), options).code(), tl::errc::ok);
  options.names = tl::json_names::alias;
  EXPECT_EQ(fault_when_keeping(text("\3\0\11\7\0", 5), options).code(), tl::errc::duplicate_field);
}

TEST(write_unknown, output_is_bounded) {
  tl::to_json_options options = keep;
  options.limits.output_size = 10;
  EXPECT_EQ(fault_when_keeping(text("\3\0\1\7\0", 5), options).code(), tl::errc::output_limit);
}
