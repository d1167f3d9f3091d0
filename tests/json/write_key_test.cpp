#include <thriftlens/json/write_key.hpp>

#include "json/samples.hpp"

#include <gtest/gtest.h>

namespace tl = thriftlens;
using thriftlens_test::sample_type;

namespace {

const tl::type every = sample_type("Every");

// The error of writing, in Binary, a map field whose bytes stand behind its header.
tl::error fault_of(std::int16_t id, const std::string& map) {
  const std::string bytes = std::string("\x0d\x00", 2) + static_cast<char>(id) + map + std::string(1, '\0');
  const tl::result<tl::buffer> done = tl::try_to_json<tl::binary>(every, bytes);
  EXPECT_FALSE(done.has_value());
  return done ? tl::error(tl::errc::ok, "", 0, "") : done.error();
}
std::string head(char key, char value, char count) { return {key, value, 0, 0, 0, count}; }

}  // namespace

TEST(json_key_writer, keys_of_every_kind) {
  const char* const all[] = {R"({"by_name":{"":1,"é":2}})",
                             R"({"by_long":{"-7":"x"}})",
                             R"({"by_bool":{"true":1,"false":2}})",
                             R"({"by_double":{"1.5":1,"-0.0":2}})",
                             R"({"by_binary":{"AIA=":1}})",
                             R"({"by_color":{"5":1,"77":2}})",
                             R"({"by_short":{"-5":-6}})",
                             R"({"by_uuid":{"00112233-4455-6677-8899-aabbccddeeff":1}})",
                             R"({"by_point":[[{"x":1},"a"],[{},"b"]]})"};
  for (const char* json : all)
    EXPECT_EQ(tl::to_json<tl::compact>(every, tl::from_json<tl::compact>(every, json)).str(), json);
  const tl::buffer named = tl::from_json<tl::compact>(every, R"({"by_color":{"5":1,"77":2}})");
  EXPECT_EQ(tl::to_json<tl::compact>(every, named, {.enums = tl::json_enums::name}).str(),
            R"({"by_color":{"BLUE":1,"77":2}})");
}

TEST(json_key_writer, a_value_at_fault_is_named_by_its_key) {
  const std::string i16_i16 = head(6, 6, 1);
  EXPECT_EQ(fault_of(29, i16_i16 + std::string("\xff\xfb\x00", 3)).path(), "$.by_short{-5}");
  EXPECT_EQ(fault_of(18, head(2, 3, 1) + '\1').path(), "$.by_bool{true}");
  EXPECT_EQ(fault_of(19, head(4, 8, 1) + std::string("\x3f\xf8\0\0\0\0\0\0", 8)).path(), "$.by_double{1.5}");
  EXPECT_EQ(fault_of(20, head(11, 8, 1) + std::string("\0\0\0\1\x80", 5)).path(),
            "$.by_binary{x\"0000000180\"}");
  EXPECT_EQ(fault_of(14, head(11, 10, 1) + std::string("\0\0\0\1a", 5)).path(), "$.by_name{\"a\"}");
}

TEST(json_key_writer, a_key_at_fault_is_named_by_its_number) {
  const tl::error fault = fault_of(29, head(6, 6, 2) + std::string("\0\1\0\1\0", 5));
  EXPECT_EQ(fault.path(), "$.by_short{key 1}");
  EXPECT_EQ(fault.offset(), 13u);
}

TEST(json_key_writer, the_second_of_equal_keys_is_the_fault) {
  const tl::error fault = fault_of(29, head(6, 6, 3) + std::string("\0\2\0\1\0\1\0\1\0\2\0\1", 12));
  EXPECT_EQ(fault.code(), tl::errc::duplicate_key);
  EXPECT_EQ(fault.path(), "$.by_short{2}");
  EXPECT_EQ(fault.offset(), 17u);
}
