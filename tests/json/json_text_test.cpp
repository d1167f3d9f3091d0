#include <thriftlens/json/json_text.hpp>

#include "json/samples.hpp"

#include <thriftlens/edit/edit.hpp>
#include <thriftlens/json.hpp>

#include <gtest/gtest.h>

namespace tl = thriftlens;

template <class Protocol>
class json_text : public testing::Test {
 protected:
  tl::type every = thriftlens_test::sample_type("Every");
  tl::buffer bytes =
      tl::from_json<Protocol>(every, R"({"b":true,"points":[{"x":1},{"y":2}],"by_name":{"a":5}})");
};
using protocols = testing::Types<tl::binary, tl::compact>;
TYPED_TEST_SUITE(json_text, protocols);

TYPED_TEST(json_text, is_read_as_the_type_of_its_place) {
  const tl::view<TypeParam> v(this->bytes, this->every);
  const tl::buffer out = tl::edit(v)
                             .set("$.points[0]", tl::json_text{R"({"x":7,"y":8})"})
                             .append("$.points", tl::json_text{R"({})"})
                             .set("$.by_name", tl::json_text{R"({"b":1,"c":2})"})
                             .set("$.b", tl::json_text{" false "})
                             .apply();
  EXPECT_EQ(tl::to_json<TypeParam>(this->every, out).str(),
            R"({"b":false,"points":[{"x":7,"y":8},{"y":2},{}],"by_name":{"b":1,"c":2}})");
}

TYPED_TEST(json_text, that_does_not_fit_changes_nothing) {
  const tl::view<TypeParam> v(this->bytes, this->every);
  const auto refused = [&](const char* path, const char* text) {
    tl::buffer out;
    const auto done = tl::edit(v).set(path, tl::json_text{text}).try_append_to(out);
    EXPECT_EQ(out.size(), 0u);
    return done ? tl::errc::ok : done.error().code();
  };
  EXPECT_EQ(refused("$.points[0]", "[1]"), tl::errc::json_type);
  EXPECT_EQ(refused("$.points[0]", R"({"z":1})"), tl::errc::unknown_key);
  EXPECT_EQ(refused("$.b", "true false"), tl::errc::json_syntax);
  EXPECT_EQ(refused("$.b", ""), tl::errc::json_syntax);
  EXPECT_EQ(tl::edit(v).set("$.b", tl::json_text{"1.5"}).try_apply().error().path(), "$.b");
}
