#include <thriftlens/columns/options.hpp>

#include <gtest/gtest.h>

namespace tl = thriftlens;

namespace {

TEST(options, defaults_are_strict) {
  const tl::columns_options made;
  EXPECT_EQ(made.on_error, tl::on_record_error::raise);
  EXPECT_EQ(made.leniency.missing_required, tl::on_missing::error);
  EXPECT_EQ(made, tl::columns_options{});
  EXPECT_NE(made, tl::columns_options{.extras = {.record = "n"}});
}

}  // namespace
