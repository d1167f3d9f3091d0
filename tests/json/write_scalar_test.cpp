#include <thriftlens/json/write/write_scalar.hpp>

#include "json/samples.hpp"
#include "support/test.hpp"

using thriftlens_test::sample_type;

namespace {

std::string written(const char* type, const char* json, const tl::to_json_options& options = {}) {
  const tl::type of = sample_type(type);
  tl::from_json_options in;
  in.leniency.nonfinite = tl::json_nonfinite::string;
  const tl::buffer bytes = tl::from_json<tl::compact>(of, json, in);
  const tl::result<tl::buffer> outcome = tl::try_to_json<tl::compact>(of, bytes, options);
  return outcome ? outcome->str() : outcome.error().what();
}

}  // namespace

TEST(json_scalar_writer, every_kind) {
  const char* const cases[][2] = {
      {"bool", "true"},       {"bool", "false"},  {"i8", "-128"},
      {"i16", "32767"},       {"i32", "-1"},      {"i64", "-9223372036854775808"},
      {"double", "1e-07"},    {"double", "-0.0"}, {"string", "\"é\\n\""},
      {"binary", "\"AQI=\""}, {"Color", "5"},     {"uuid", "\"00112233-4455-6677-8899-aabbccddeeff\""}};
  for (const auto& [type, json] : cases) EXPECT_EQ(written(type, json), json);
}

TEST(json_scalar_writer, forms_by_option) {
  EXPECT_EQ(written("i64", "7", {.format = {.int64 = tl::json_int64::string}}), "\"7\"");
  EXPECT_EQ(written("Color", "5", {.format = {.enums = tl::enum_values::name}}), "\"BLUE\"");
  EXPECT_EQ(written("Color", "6", {.format = {.enums = tl::enum_values::name}}), "6");
  EXPECT_EQ(written("double", "\"-Infinity\"", {.leniency = {.nonfinite = tl::json_nonfinite::string}}),
            "\"-Infinity\"");
  EXPECT_NE(written("double", "\"NaN\"").find("(byte 0)"), std::string::npos);
}
