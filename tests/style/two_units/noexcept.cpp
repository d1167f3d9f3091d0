#include "units.hpp"

#include <thriftlens/thriftlens.hpp>
#ifdef STYLE_WITH_JSON
#include <thriftlens/json.hpp>
#endif

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

const void* shared_table_of_noexcept() { return static_cast<const void*>(thriftlens::detail::errc_table); }

namespace {

struct point {
  std::int32_t x = 0;
  std::vector<std::string> names;
};

}  // namespace
template <>
struct thriftlens::binding<point> : thriftlens::numbered {};

// Uses every module without exceptions: errors are results.
int works_without_exceptions() {
  namespace tl = thriftlens;
  tl::buffer bytes;
  if (!tl::try_append_encoded(point{5, {"a", "b"}}, bytes)) return 10;
  const auto back = tl::try_decode<point>(bytes);
  if (!back || back->x != 5 || back->names.size() != 2) return 11;
  const std::string_view cut = bytes.text().substr(0, 9);
  const auto broken = tl::try_decode<point>(cut);
  if (broken || broken.error().code() != tl::errc::truncated) return 12;

  const auto schema = tl::schema::try_parse("struct Point { 1: i32 x, 2: list<string> names }");
  if (!schema) return 13;
  const tl::view<tl::binary> view(bytes, schema->type("Point"));
  const auto name = view["names"][1].try_as<std::string_view>();
  if (!name || *name != "b") return 14;
  const auto changed = tl::edit(view).set("$.x", 6).try_apply();
  if (!changed) return 15;
  const auto refused = tl::edit(view).set("$.nope", 6).try_apply();
  if (refused || refused.error().code() != tl::errc::no_such_field) return 16;
#ifdef STYLE_WITH_JSON
  const auto json = tl::try_to_json<tl::binary>(schema->type("Point"), *changed);
  if (!json || json->text() != R"({"x":6,"names":["a","b"]})") return 17;
  const auto wrong = tl::try_from_json<tl::binary>(schema->type("Point"), "{");
  if (wrong || wrong.error().code() != tl::errc::json_syntax) return 18;
#endif
  return 0;
}
