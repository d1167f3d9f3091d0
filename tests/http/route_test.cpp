#include <thriftlens/http/route.hpp>

#include "http/sample.hpp"

namespace tl = thriftlens;

TEST(http_route, verbs_and_paths_of_functions) {
  const tl::schema schema = tl::schema::parse(
      R"(service S { void f() (api.get="/a/:id", api.post="/a", api.get="/b", api.any="/c", API.PUT="/d", api.base_url="x") })");
  const auto routes = tl::detail::routes_of(schema.service("S").function("f").annotations());
  const std::vector<tl::http_route> expected = {{"GET", "/a/:id"}, {"POST", "/a"}, {"*", "/c"}};
  EXPECT_EQ(routes, expected);
}
