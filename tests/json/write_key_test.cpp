#include <thriftlens/json/write/write_key.hpp>

#include "json/samples.hpp"
#include "support/test.hpp"

using thriftlens_test::sample_type;

namespace {

const tl::type every_type = sample_type("Every");

// The error of writing a Binary struct with one map field, whose bytes follow its header.
tl::error fault_of(const char* type, std::int16_t id, const std::string& map) {
  const std::string bytes = std::string("\x0d\x00", 2) + static_cast<char>(id) + map + std::string(1, '\0');
  const tl::result<tl::buffer> outcome = tl::try_to_json<tl::binary>(sample_type(type), bytes);
  EXPECT_FALSE(outcome.has_value());
  return outcome ? tl::error(tl::errc::ok, "", 0, "") : outcome.error();
}
// A map's header in front of `rest`.
std::string map_of(char key, char value, char count, const std::string& rest) {
  return std::string{key, value, 0, 0, 0, count} + rest;
}
template <std::size_t Size>
std::string raw(const char (&bytes)[Size]) {
  return {bytes, Size - 1};
}
const std::string bad_text = raw("\0\0\0\1\xff");

}  // namespace

TEST(json_key_writer, keys_of_every_kind) {
  const char* const cases[] = {R"({"by_name":{"":1,"é":2}})",
                               R"({"by_long":{"-7":"x"}})",
                               R"({"by_bool":{"true":1,"false":2}})",
                               R"({"by_double":{"1.5":1,"-0.0":2}})",
                               R"({"by_binary":{"AIA=":1}})",
                               R"({"by_color":{"5":1,"77":2}})",
                               R"({"by_short":{"-5":-6}})",
                               R"({"by_uuid":{"00112233-4455-6677-8899-aabbccddeeff":1}})",
                               R"({"by_point":[[{"x":1},"a"],[{},"b"]]})"};
  for (const char* json : cases) {
    const tl::buffer bytes = tl::from_json<tl::compact>(every_type, json);
    EXPECT_EQ(tl::to_json<tl::compact>(every_type, bytes).str(), json);
  }
  const tl::buffer named = tl::from_json<tl::compact>(every_type, R"({"by_color":{"5":1,"77":2}})");
  EXPECT_EQ(tl::to_json<tl::compact>(every_type, named, {.format = {.enums = tl::enum_values::name}}).str(),
            R"({"by_color":{"BLUE":1,"77":2}})");
}

TEST(json_key_writer, an_invalid_value_is_reported_by_its_key) {
  const std::string minus_7 = raw("\xff\xff\xff\xff\xff\xff\xff\xf9");
  EXPECT_EQ(fault_of("Every", 23, map_of(10, 11, 1, minus_7 + bad_text)).path(), "$.by_long{-7}");
  EXPECT_EQ(fault_of("Every", 27, map_of(3, 15, 1, raw("\xfb\x08\0\0\0\1\0\0\0\0"))).path(), "$.picks{-5}");
  EXPECT_EQ(fault_of("Every", 15, map_of(8, 12, 1, raw("\0\0\0\3\x0b\0\1\0\0\0\0\0"))).path(),
            "$.by_id{3}.x");
  EXPECT_EQ(fault_of("Tree", 3, map_of(11, 12, 1, raw("\0\0\0\1a\x0b\0\1\0\0\0\0\0"))).path(),
            "$.named{\"a\"}.v");
  EXPECT_EQ(fault_of("Every", 16, map_of(12, 11, 1, raw("\0") + bad_text)).path(), "$.by_point{x\"00\"}");
}

TEST(json_key_writer, an_invalid_key_is_reported_by_its_number) {
  const std::string text = raw("\0\0\0\0\0\0\0\1");
  const tl::error fault = fault_of("Every", 14, map_of(11, 10, 2, raw("\0\0\0\1a") + text + bad_text + text));
  EXPECT_EQ(fault.code(), tl::errc::invalid_utf8);
  EXPECT_EQ(fault.path(), "$.by_name{key 1}");
  EXPECT_EQ(fault.offset(), 22u);
}

TEST(json_key_writer, the_second_of_equal_keys_is_reported) {
  const tl::error fault = fault_of("Every", 29, map_of(6, 6, 3, raw("\0\2\0\1\0\1\0\1\0\2\0\1")));
  EXPECT_EQ(fault.code(), tl::errc::duplicate_key);
  EXPECT_EQ(fault.path(), "$.by_short{2}");
  EXPECT_EQ(fault.offset(), 17u);
}
