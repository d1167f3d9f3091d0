#include <thriftlens/http/plan_image.hpp>

#include "support/test.hpp"

TEST(plan_image, part_names_equal_annotation_names) {
  EXPECT_EQ(tl::to_string(tl::http_part::query), "query");
  EXPECT_EQ(tl::to_string(tl::http_part::status), "http_code");
  EXPECT_EQ(tl::to_string(tl::http_part::no_body_struct), "no_body_struct");
  EXPECT_FALSE(tl::detail::http_field().is_mapped());
}
