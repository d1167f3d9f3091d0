#include <thriftlens/json/read/read_skip.hpp>

#include "json/samples.hpp"
#include "support/test.hpp"

namespace {

tl::result<tl::buffer> with_unknown(const std::string& value) {
  tl::from_json_options options;
  options.leniency.unknown = tl::on_unknown::drop;
  return tl::try_from_json<tl::binary>(thriftlens_test::sample_type("Point"),
                                       "{\"nobody\": " + value + " ,\"x\":1}", options);
}

}  // namespace

TEST(json_skipper, skips_values_of_every_kind) {
  const std::string plain =
      tl::from_json<tl::binary>(thriftlens_test::sample_type("Point"), "{\"x\":1}").str();
  for (const char* value : {"null", "true", "false", "-1.5e3", "\"a\\u00e9\"", "[]", "{}", "[ 1 , [ ] ]",
                            "{ \"a\" : { \"b\" : [ null ] } , \"c\":2}"}) {
    const tl::result<tl::buffer> outcome = with_unknown(value);
    ASSERT_TRUE(outcome.has_value()) << value << ": " << outcome.error().what();
    EXPECT_EQ(outcome->str(), plain) << value;
  }
}

TEST(json_skipper, rejects_invalid_json) {
  for (const char* value : {"nul", "01", "+1", "\"\\x\"", "\"\t\"", "[1,]", "[1 2]", "{\"a\"}", "{\"a\":}",
                            "{a:1}", "{1:1}", "tru", "1.", "\"\\ud800\"", ""}) {
    const tl::result<tl::buffer> outcome = with_unknown(value);
    ASSERT_EQ(errc_of(outcome), tl::errc::json_syntax) << value;
  }
}

TEST(json_skipper, counts_depth) {
  EXPECT_EQ(errc_of(with_unknown(std::string(1000, '[') + std::string(1000, ']'))), tl::errc::depth_limit);
}
