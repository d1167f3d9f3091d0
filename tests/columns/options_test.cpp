#include <thriftlens/columns/options.hpp>

#include "support/test.hpp"

namespace {

TEST(options, defaults_are_strict) {
  const tl::columns_options result;
  EXPECT_EQ(result.on_error, tl::on_record_error::raise);
  EXPECT_EQ(result.leniency.missing_required, tl::on_missing::error);
  EXPECT_EQ(result, tl::columns_options{});
  EXPECT_NE(result, tl::columns_options{.extras = {.record = "n"}});
}

}  // namespace
