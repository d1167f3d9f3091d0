#include "compiled.hpp"

#include <thriftlens/thriftlens.hpp>

thriftlens::schema other_unit_schema() {
  return thriftlens::schema::parse(
      "struct Order { 1: required i64 id, 2: string note, 3: list<string> tags }");
}
