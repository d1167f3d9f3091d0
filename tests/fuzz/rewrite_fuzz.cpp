// rewrite_fuzz: any selection, rules and edits over any bytes, as Binary or Compact: one pass gives what the
// three give one after the other. In: one byte that chooses the protocol, then choices as rewrite_scripts.hpp
// takes them. Out: nothing; a broken promise aborts. Never says what the changed value has to be.
#include "policy/rewrite_scripts.hpp"

#include <cstdio>
#include <cstdlib>

namespace {

template <class P>
void check(std::string_view input) {
  thriftlens_test::rewrite_promises<P> promises;
  promises.check(thriftlens_test::choices(input));
  if (promises.broken.empty()) return;
  std::fprintf(stderr, "broken promise: %s\n", promises.broken.c_str());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
  if ((data[0] & 1) != 0)
    check<thriftlens::compact>(input);
  else
    check<thriftlens::binary>(input);
  return 0;
}
