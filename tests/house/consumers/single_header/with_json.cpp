#include <thriftlens_json.hpp>

#include <cstdio>

int main() {
  namespace tl = thriftlens;
  const tl::schema idl = tl::schema::parse("struct Item { 1: i64 id }");
  const tl::buffer data = tl::from_json<tl::binary>(idl.type("Item"), R"({"id": 7})");
  const tl::buffer text = tl::to_json<tl::binary>(idl.type("Item"), data);
  std::printf("%s\n", text.str().c_str());
  return text.str() == R"({"id":7})" ? 0 : 1;
}
