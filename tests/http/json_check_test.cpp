#include <thriftlens/http/json_check.hpp>

#include "http/sample.hpp"

namespace tl = thriftlens;

TEST(json_check, accepts_one_value) {
  const tl::schema schema = tl::schema::parse("struct Root {}");
  const tl::schema_image& image = *schema.type("Root").image();
  for (const char* each : {"1", " {\"a\":[null,true,\"\\u00e9\"]} ", "\"x\"", "[]"})
    EXPECT_TRUE(tl::detail::is_json(image, each, {})) << each;
  for (const char* each : {"", "{", "{}x", "01", "[1,]", "\"\\x\"", "\"\xff\"", "nul"})
    EXPECT_FALSE(tl::detail::is_json(image, each, {})) << each;
  EXPECT_FALSE(tl::detail::is_json(image, "[[[]]]", {.depth = 2}));
}
