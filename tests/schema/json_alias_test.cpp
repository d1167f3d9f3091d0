#include <thriftlens/schema/json_alias.hpp>

#include "support/test.hpp"

namespace {

std::string_view alias(std::vector<tl::idl::annotation> annotations) {
  return tl::detail::alias_of(annotations);
}

}  // namespace

TEST(json_alias, api_key_precedes_go_tag) {
  EXPECT_EQ(alias({}), "");
  EXPECT_EQ(alias({{.key = "go.tag", .value = "json:\"b\""}, {.key = "api.key", .value = "a"}}), "a");
  EXPECT_EQ(alias({{.key = "go.tag", .value = "json:\"b,omitempty\""}, {.key = "api.key", .value = ""}}),
            "b");
}

TEST(json_alias, reads_go_tags_however_they_are_quoted) {
  EXPECT_EQ(tl::detail::go_tag_value("`form:\"f\" json:\"j\"`", "json"), "j");
  EXPECT_EQ(tl::detail::go_tag_value("json:\\\"j\\\" form:\\\"f\\\"", "form"), "f");
  EXPECT_EQ(tl::detail::go_tag_value("json", "json"), "");
  EXPECT_EQ(alias({{.key = "go.tag", .value = "json:\"-\""}}), "");
  EXPECT_EQ(alias({{.key = "go.tag", .value = "json:\",omitempty\""}}), "");
}
