#include <thriftlens/thriftlens.hpp>
#ifdef CONSUMER_WITH_JSON
#include <thriftlens/json.hpp>
#endif

#include <cstdio>

int main() {
  const thriftlens::schema idl = thriftlens::schema::parse("struct Item { 1: i64 id }");
  const thriftlens::type item = idl.type("Item");
  std::printf("thriftlens %s: %zu fields\n", THRIFTLENS_VERSION, item.fields().size());
#ifdef CONSUMER_WITH_JSON
  const auto bytes = thriftlens::from_json<thriftlens::compact>(item, R"({"id": 42})");
  std::puts(thriftlens::to_json<thriftlens::compact>(item, bytes).str().c_str());
#endif
  return item.fields().size() == 1 ? 0 : 1;
}
