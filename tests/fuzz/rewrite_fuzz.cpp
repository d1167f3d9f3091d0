// rewrite_fuzz: any selection, rules and edits on any bytes, as Binary or Compact: one pass equals the three
// steps in sequence.
#include "policy/rewrite_scripts.hpp"

#include "fuzz/promise_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return thriftlens_test::fuzz_promises<thriftlens_test::rewrite_promises>(data, size);
}
