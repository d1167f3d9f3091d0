#include <thriftlens/core/leniency.hpp>

#include <gtest/gtest.h>

namespace {

/// As the options of an operation hold it.
struct options {
  on_missing missing_required = on_missing::error;
};

TEST(missing_required, is_an_error_where_nothing_is_said) {
  EXPECT_EQ(options().missing_required, thriftlens::on_missing::error);
  EXPECT_EQ(thriftlens::on_missing(), thriftlens::on_missing::error);
}

TEST(missing_required, is_named_in_options_as_the_type_is) {
  EXPECT_EQ((options{.missing_required = thriftlens::on_missing::omit}).missing_required,
            thriftlens::on_missing::omit);
}

}  // namespace
