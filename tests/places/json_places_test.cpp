#include "places/places.hpp"

#include <thriftlens/json/to_json.hpp>

namespace {

using namespace thriftlens_test::places;

template <class P>
struct json_places : testing::Test {};
using protocols = testing::Types<tl::binary, tl::compact>;
TYPED_TEST_SUITE(json_places, protocols);

TYPED_TEST(json_places, to_json) {
  expect_places<TypeParam>(
      "to_json",
      [](const sample& of) {
        const tl::result<tl::buffer> made = tl::try_to_json<TypeParam>(box_type(), of.bytes);
        return made ? tl::error() : made.error();
      },
      sees_all);
}

}  // namespace
