#include <thriftlens/core/missing.hpp>

#include <gtest/gtest.h>

namespace {

/// As the options of an operation hold it.
struct options {
  thriftlens::missing_required missing_required = thriftlens::missing_required::error;
};

TEST(missing_required, is_an_error_where_nothing_is_said) {
  EXPECT_EQ(options().missing_required, thriftlens::missing_required::error);
  EXPECT_EQ(thriftlens::missing_required(), thriftlens::missing_required::error);
}

TEST(missing_required, is_named_in_options_as_the_type_is) {
  EXPECT_EQ((options{.missing_required = thriftlens::missing_required::omit}).missing_required,
            thriftlens::missing_required::omit);
}

}  // namespace
