// layout_fuzz: random schemas and values; every fast path against its reference implementation.
#include "fast/layout_promises.hpp"

#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::string found = thriftlens_test::layout_difference(thriftlens_test::choices(input), 1);
  if (found.empty()) return 0;
  std::fprintf(stderr, "%s\n", found.c_str());
  std::abort();
}
