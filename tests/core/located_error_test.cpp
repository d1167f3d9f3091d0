#include <thriftlens/core/located_error.hpp>

#include "support/test.hpp"

using namespace thriftlens;

namespace {
struct place {
  [[nodiscard]] std::size_t offset() const { return 14; }
  [[nodiscard]] std::string path() const { return "$.user"; }
};
}  // namespace

TEST(located_error, path_and_offset_count_from_the_message) {
  const error inner(errc::truncated, {}, 3, "$.ids[2]");
  const error outer = detail::located_error(place(), inner);
  EXPECT_EQ(outer.code(), errc::truncated);
  EXPECT_EQ(outer.detail(), inner.detail());
  EXPECT_EQ(outer.path(), "$.user.ids[2]");
  EXPECT_EQ(outer.offset(), 17u);
  EXPECT_EQ(detail::located_error(place(), error(errc::truncated, "x")).path(), "$.user");
  const error of_json = error(errc::json_type, "x", 3, "$.a").in(error_source::json);
  EXPECT_EQ(detail::located_error(place(), of_json).offset(), 3u);
}
