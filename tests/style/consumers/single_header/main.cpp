#include <thriftlens.hpp>

#include <cstdio>

bool other_unit_works();

int main() {
  std::printf("thriftlens %s\n", THRIFTLENS_VERSION);
  const auto idl = thriftlens::schema::parse("struct Item { 1: i64 id, 2: string name }");
  return idl.type("Item").fields().size() == 2 && other_unit_works() ? 0 : 1;
}
