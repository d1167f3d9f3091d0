#include <thriftlens/json/read/read_key.hpp>

#include "json/samples.hpp"
#include "support/test.hpp"

namespace {

const tl::type all_types = thriftlens_test::sample_type("Every");

void expect_fault(const char* json, tl::errc code, const char* path, std::size_t offset) {
  const auto refuses = [&](auto protocol) {
    const tl::result<tl::buffer> outcome = tl::try_from_json<decltype(protocol)>(all_types, json);
    ASSERT_EQ(errc_of(outcome), code) << json;
    EXPECT_EQ(outcome.error().path(), path) << json;
    EXPECT_EQ(outcome.error().offset(), offset) << json;
  };
  refuses(tl::binary{});
  refuses(tl::compact{});
}

}  // namespace

TEST(json_key_reader, an_invalid_value_is_reported_by_its_key) {
  expect_fault(R"({"by_name":{"a":1,"\u0062":"x"}})", tl::errc::json_type, "$.by_name{\"b\"}", 27);
  expect_fault(R"({"by_long":{"-7":1}})", tl::errc::json_type, "$.by_long{-7}", 17);
  expect_fault(R"({"by_bool":{"true":"x"}})", tl::errc::json_type, "$.by_bool{true}", 19);
  expect_fault(R"({"by_double":{"15e-1":"x"}})", tl::errc::json_type, "$.by_double{1.5}", 22);
  expect_fault(R"({"by_color":{"BLUE":"x"}})", tl::errc::json_type, "$.by_color{5}", 20);
  expect_fault(R"({"by_binary":{"QUE=":"x"}})", tl::errc::json_type, "$.by_binary{\"AA\"}", 21);
  expect_fault(R"({"by_uuid":{"00112233-4455-6677-8899-AABBCCDDEEFF":"x"}})", tl::errc::json_type,
               "$.by_uuid{\"00112233-4455-6677-8899-aabbccddeeff\"}", 51);
}

TEST(json_key_reader, an_invalid_key_is_reported_by_its_number) {
  expect_fault(R"({"by_id":{"1":{},"x":{}}})", tl::errc::bad_map_key, "$.by_id{key 1}", 17);
  expect_fault(R"({"by_short":{"40000":1}})", tl::errc::integer_range, "$.by_short{key 0}", 13);
  expect_fault(R"({"by_color":{"PINK":1}})", tl::errc::unknown_enum_name, "$.by_color{key 0}", 13);
  expect_fault(R"({"by_point":[[{"x":1},"a"],[7,"b"]]})", tl::errc::json_type, "$.by_point{key 1}", 28);
}

TEST(json_key_reader, the_second_of_equal_keys_is_reported) {
  expect_fault(R"({"by_name":{"a":1,"b":2,"a":3}})", tl::errc::duplicate_key, "$.by_name{\"a\"}", 24);
  expect_fault(R"({"by_double":{"1":1,"1.0":2}})", tl::errc::duplicate_key, "$.by_double{1.0}", 20);
}
