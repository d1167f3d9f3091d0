#include <thriftlens/idl/options.hpp>

#include "support/test.hpp"

namespace idl = thriftlens::idl;

namespace {

TEST(load_options, defaults_are_the_documented_ones) {
  const idl::load_options options;
  EXPECT_EQ(options.mode, idl::mode::lenient);
  EXPECT_EQ(options.implicit_ids, idl::implicit_ids::apache);
  EXPECT_TRUE(options.include_dirs.empty());
  EXPECT_TRUE(options.includes.empty());
  EXPECT_FALSE(options.loader);
  EXPECT_EQ(options.limits.depth, 64u);
  EXPECT_EQ(options.limits.errors, 100u);
}

TEST(load_options, take_designated_initialisers) {
  const idl::load_options options{.include_dirs = {"idl"}, .mode = idl::mode::strict};
  EXPECT_EQ(options.include_dirs.size(), 1u);
  EXPECT_EQ(options.mode, idl::mode::strict);
}

}  // namespace
