#include <thriftlens/json.hpp>
#include <thriftlens/lens/view.hpp>

#include "json/samples.hpp"

#include <gtest/gtest.h>

namespace tl = thriftlens;

template <class Protocol>
class to_json_of_a_view : public testing::Test {};
using protocols = testing::Types<tl::binary, tl::compact>;
TYPED_TEST_SUITE(to_json_of_a_view, protocols);

TYPED_TEST(to_json_of_a_view, writes_the_part_it_means) {
  const tl::type every = thriftlens_test::sample_type("Every");
  const tl::buffer bytes = tl::from_json<TypeParam>(every, R"({"b":true,"points":[{"x":1},{"y":2}],"by_name":{"a":5}})");
  const tl::view<TypeParam> whole(bytes, every);
  EXPECT_EQ(tl::to_json(whole).str(), R"({"b":true,"points":[{"x":1},{"y":2}],"by_name":{"a":5}})");
  EXPECT_EQ(tl::to_json(whole["points"][1]).str(), R"({"y":2})");
  EXPECT_EQ(tl::to_json(whole["by_name"]).str(), R"({"a":5})");
  EXPECT_EQ(tl::to_json(whole["b"]).str(), "true");
  EXPECT_FALSE(tl::try_to_json(whole["d"]).has_value());
}
