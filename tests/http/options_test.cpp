#include <thriftlens/http/options.hpp>

#include "support/test.hpp"

TEST(http_options, defaults_are_strict) {
  const tl::http_options options;
  EXPECT_EQ(options.request.unknown, tl::on_unknown::error);
  EXPECT_EQ(options.request.invalid_utf8, tl::on_invalid_utf8::error);
  EXPECT_EQ(options.request.fallback, false);
  EXPECT_EQ(options.response.unfit, tl::http_unplaced::error);
  EXPECT_EQ(options.bounds, tl::http_limits());
}
