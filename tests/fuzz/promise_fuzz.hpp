// promise_fuzz: shared by fuzz targets that run scripts.
#pragma once

#include "edit/edit_scripts.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace thriftlens_test {

template <class Promises>
void check_promises(std::string_view input) {
  Promises promises;
  promises.check(choices(input));
  if (promises.broken.empty()) return;
  std::fprintf(stderr, "broken promise: %s\n", promises.broken.c_str());
  std::abort();
}

/// One input of a fuzzer.
template <template <class> class Promises>
int fuzz_promises(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
  if ((data[0] & 1) != 0)
    check_promises<Promises<thriftlens::compact>>(input);
  else
    check_promises<Promises<thriftlens::binary>>(input);
  return 0;
}

}  // namespace thriftlens_test
