// edit_fuzz: any batch of edits on any bytes, as Binary or Compact: successful results are complete, and all
// ways to apply agree.
#include "fuzz/promise_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return thriftlens_test::fuzz_promises<thriftlens_test::edit_promises>(data, size);
}
