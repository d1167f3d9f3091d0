#include <thriftlens/core/choice.hpp>

#include "support/test.hpp"

#include <thriftlens/core/leniency.hpp>

namespace {

using namespace thriftlens;

using either = choice<on_unknown::drop, on_unknown::error>;

TEST(choice, defaults_to_the_first_value) {
  static_assert(either() == on_unknown::drop);
  static_assert(either(on_unknown::error) == on_unknown::error);
  static_assert(sizeof(either) == sizeof(on_unknown) && std::is_trivially_copyable_v<either>);
  constexpr on_unknown back = either();
  EXPECT_EQ(back, on_unknown::drop);
  EXPECT_EQ(either::values[1], on_unknown::error);
}

}  // namespace
