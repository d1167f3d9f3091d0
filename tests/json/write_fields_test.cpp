#include <thriftlens/json/write/write_fields.hpp>

#include "json/samples.hpp"
#include "support/test.hpp"

using thriftlens_test::sample_type;

namespace {

std::string written(const char* type, const std::string& bytes, const tl::to_json_options& options = {}) {
  const tl::result<tl::buffer> outcome = tl::try_to_json<tl::binary>(sample_type(type), bytes, options);
  return outcome ? outcome->str() : outcome.error().what();
}
const std::string x1("\x08\x00\x01\x00\x00\x00\x01", 7), x2("\x08\x00\x01\x00\x00\x00\x02", 7), stop(1, '\0');
const std::string unknown("\x03\x00\x63\x07", 4), as_bool("\x02\x00\x01\x01", 4);

}  // namespace

TEST(json_field_filter, selects_fields) {
  EXPECT_NE(written("Point", x1 + x2 + stop).find("at $.x (byte 7)"), std::string::npos);
  EXPECT_NE(written("Point", x1 + unknown + stop, {.leniency = {.unknown = tl::on_unknown::error}})
                .find("at $.#99 (byte 7)"),
            std::string::npos);
  EXPECT_NE(written("Point", as_bool + stop).find("expected i32, found bool at $.x (byte 0)"),
            std::string::npos);
  EXPECT_NE(written("Strict", x1 + stop).find("at $.also (byte 7)"), std::string::npos);
}

TEST(json_field_filter, follows_the_options) {
  EXPECT_EQ(written("Point", x1 + unknown + stop), R"({"x":1})");
  EXPECT_EQ(written("Point", as_bool + stop, {.leniency = {.mismatch = tl::on_mismatch::drop}}), "{}");
  EXPECT_EQ(written("Point", x1 + x2 + stop, {.leniency = {.duplicates = tl::on_duplicate::last}}),
            R"({"x":2})");
  EXPECT_EQ(written("Strict", x1 + stop, {.leniency = {.missing_required = tl::on_missing::omit}}),
            R"({"must":1})");
  EXPECT_EQ(written("Defaults", x2 + stop, {.defaults = tl::on_absent::write}),
            R"({"a":2,"s":"x\"y","l":[1,2],"b":true,"p":{"x":1}})");
}
