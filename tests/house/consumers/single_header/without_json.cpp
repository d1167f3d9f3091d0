// A second unit: everything in the header may stand in several.
#include <thriftlens.hpp>

int fields_of(const char* idl) {
  const thriftlens::schema schema = thriftlens::schema::parse(idl);
  return static_cast<int>(schema.type("Item").fields().size());
}
