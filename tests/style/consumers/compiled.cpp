// Declarations alone: nothing here compiles a body.
#include "compiled.hpp"

#include <thriftlens/json.hpp>
#include <thriftlens/thriftlens.hpp>

#include <iostream>

#if !defined(THRIFTLENS_COMPILED)
#error "the target says it"
#endif

namespace tl = thriftlens;

template <tl::protocol P>
bool works(tl::type order, const tl::buffer& bytes) {
  const tl::view<P> view(bytes, order);
  const tl::buffer set = tl::edit(view).set("$.tags[0]", "x").create("$.note", "long").apply();
  const tl::buffer cut = tl::trim(tl::view<P>(set, order), "{ id note }");
  const tl::buffer hidden = tl::redact(view, tl::redaction::compile(order, {.paths = {{"$.note", "drop"}}}));
  const tl::buffer all = tl::rewrite(tl::view<P>(set, order)).trim("{ id note }").set("$.id", 9).apply();
  tl::document document;
  document.load(view);
  document["note"].set("changed");
  tl::buffer written;
  document.append_to(written);
  return tl::to_json(tl::view<P>(cut, order)).str() == R"({"id":7,"note":"long"})" &&
         !tl::view<P>(hidden, order)["note"] &&
         tl::view<P>(all, order)["id"].template as<std::int64_t>() == 9 &&
         tl::view<P>(written, order)["note"].template as<std::string_view>() == "changed" &&
         tl::get_many(view, {"$.id", "$.tags[1]"})[1].template as<std::string_view>() == "b" &&
         !tl::equal(view, tl::view<P>(set, order)) &&
         !tl::differences(view, tl::view<P>(set, order)).empty() && !tl::inspect<P>(bytes).empty() &&
         tl::try_validate(view).has_value() && !tl::describe(order).empty();
}

int main() {
  const tl::schema schema = other_unit_schema();
  const tl::type order = schema.type("Order");
  constexpr std::string_view json = R"({"id":7,"note":"n","tags":["a","b"]})";
  const bool good = works<tl::binary>(order, tl::from_json<tl::binary>(order, json)) &&
                    works<tl::compact>(order, tl::from_json<tl::compact>(order, json));
  std::cout << (good ? "good\n" : "bad\n");
  return good ? 0 : 1;
}
