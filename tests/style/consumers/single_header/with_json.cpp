#include <thriftlens_json.hpp>

bool other_unit_works() {
  namespace tl = thriftlens;
  const tl::schema idl = tl::schema::parse("struct Item { 1: i64 id }");
  const tl::buffer data = tl::from_json<tl::binary>(idl.type("Item"), R"({"id": 7})");
  return tl::to_json<tl::binary>(idl.type("Item"), data).str() == R"({"id":7})";
}
