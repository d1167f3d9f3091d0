#include <thriftlens/core/leniency.hpp>

#include "support/test.hpp"

namespace {

using namespace thriftlens;

// Python and the command line know the words by these numbers.
TEST(leniency, enum_values_are_stable) {
  static_assert(on_unknown{} == on_unknown::error && on_mismatch{} == on_mismatch::error);
  static_assert(on_duplicate{} == on_duplicate::error && on_missing{} == on_missing::error);
  static_assert(on_absent{} == on_absent::omit && on_invalid_utf8{} == on_invalid_utf8::error);
  EXPECT_EQ(static_cast<int>(on_unknown::selected), 3);
  EXPECT_EQ(static_cast<int>(on_mismatch::keep), 2);
  EXPECT_EQ(static_cast<int>(on_invalid_utf8::keep), 2);
}

}  // namespace
