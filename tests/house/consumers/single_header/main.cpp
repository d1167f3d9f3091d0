#include <thriftlens.hpp>

#include <cstdio>

int fields_of(const char* idl);

int main() {
  std::printf("thriftlens %s\n", THRIFTLENS_VERSION);
  return fields_of("struct Item { 1: i64 id, 2: string name }") == 2 ? 0 : 1;
}
