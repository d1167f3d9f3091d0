// route: verbs and paths of functions, and the sources of their fields.
#pragma once

#include <thriftlens/core/joined.hpp>
#include <thriftlens/http/plan_image.hpp>
#include <thriftlens/schema/service.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

/// One verb and path that a function answers. `method` "*" is any.
struct http_route {
  std::string method;
  std::string path;

  friend bool operator==(const http_route&, const http_route&) = default;
};

/// One annotated field: "user.id" is found in these parts, in that order.
struct http_field_source {
  struct location {
    http_part part;
    std::string key;
  };
  std::string field;
  bool required = false;
  std::vector<location> places;
};

namespace detail {

/// The routes of a function in the order of the IDL; the first of a repeated verb counts.
[[nodiscard]] inline std::vector<http_route> routes_of(const annotation_range& annotations) {
  static constexpr std::string_view verbs[] = {"get",  "post",    "put",     "delete", "patch",
                                               "head", "options", "connect", "trace",  "any"};
  std::vector<http_route> routes;
  std::vector<std::string_view> seen;
  for (const annotation_info annotation : annotations) {
    for (const std::string_view verb : verbs) {
      if (annotation.key() != joined({"api.", verb})) continue;
      bool repeated = false;
      for (const std::string_view known : seen) repeated |= known == verb;
      if (repeated) continue;
      seen.push_back(verb);
      std::string method(verb);
      for (char& letter : method) letter = static_cast<char>(letter & ~0x20);
      routes.push_back({verb == "any" ? "*" : method, std::string(annotation.value())});
    }
  }
  return routes;
}

}  // namespace detail

}  // namespace thriftlens::inline THRIFTLENS_ABI
