#include <thriftlens.hpp>

bool other_unit_works() {
  const auto idl = thriftlens::schema::parse("struct Item { 1: i64 id }");
  return idl.type("Item").fields().size() == 1;
}
