#include <thriftlens/thriftlens.hpp>

#include <cstdio>

int main() {
  const thriftlens::schema idl = thriftlens::schema::parse("struct Item { 1: i64 id }");
  std::printf("thriftlens %s: %zu fields\n", THRIFTLENS_VERSION, idl.type("Item").fields().size());
  return idl.type("Item").fields().size() == 1 ? 0 : 1;
}
