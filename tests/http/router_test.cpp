#include <thriftlens/http/router.hpp>

#include "support/test.hpp"

namespace {
std::string route_of(const tl::http_router& router, const char* path, const char* method = "GET") {
  const tl::http_match match = router.find(method, path);
  if (!match.is_match) return match.allowed.empty() ? "404" : "405 " + match.allowed[0];
  std::string text = std::to_string(match.target);
  for (const auto& each : match.params) text += ' ' + each.name + '=' + each.value;
  return text;
}
tl::http_router sample() {
  tl::http_router router;
  router.try_add("GET", "/files/*rest", 1).value();
  router.try_add("GET", "/users/:id", 2).value();
  router.try_add("GET", "/users/me", 3).value();
  router.try_add("POST", "/users", 4).value();
  router.try_add("*", "/any/:a/:b", 5).value();
  router.try_add("GET", "/", 6).value();
  return router;
}
}  // namespace

TEST(http_router, literals_precede_names_and_names_precede_the_rest) {
  const tl::http_router router = sample();
  EXPECT_EQ(route_of(router, "/users/me"), "3");
  EXPECT_EQ(route_of(router, "/users/7"), "2 id=7");
  EXPECT_EQ(route_of(router, "/files/a/b"), "1 rest=a/b");
  EXPECT_EQ(route_of(router, "/files/"), "1 rest=");
  EXPECT_EQ(route_of(router, "/any/x/y", "PATCH"), "5 a=x b=y");
  EXPECT_EQ(route_of(router, "/"), "6");
  EXPECT_EQ(route_of(router, "/files"), "404");
  EXPECT_EQ(route_of(router, "/users"), "405 POST");
}
TEST(http_router, rejects_ambiguous_paths) {
  const tl::http_router router = sample();
  EXPECT_EQ(route_of(router, "/users/a%2Fb"), "2 id=a/b");
  EXPECT_EQ(route_of(router, "/users/a+b"), "2 id=a+b");
  EXPECT_EQ(route_of(router, "/users/m%65"), "3");
  for (const char* each : {"/users/..", "/users/%2e%2E", "/users/.", "/files/../users/me", "/users/a%00b",
                           "/users/", "/users//me", "/users/7/", "/users/%zz", "users/7", "", "/files/a%2Fb"})
    EXPECT_EQ(route_of(router, each), "404") << each;
  EXPECT_EQ(route_of(router, "/files//x"), "1 rest=/x");
}
TEST(http_router, rejects_invalid_and_conflicting_patterns) {
  tl::http_router router = sample();
  EXPECT_EQ(router.try_add("GET", "users", 9).error().code(), tl::errc::path_syntax);
  EXPECT_EQ(router.try_add("GET", "/a/:", 9).error().code(), tl::errc::path_syntax);
  EXPECT_EQ(router.try_add("GET", "/a/*b/c", 9).error().code(), tl::errc::path_syntax);
  EXPECT_EQ(router.try_add("GET", "/users/:other", 9).error().code(), tl::errc::already_there);
  EXPECT_TRUE(router.try_add("POST", "/users/:id", 9));
}
