#if defined(ONE_HEADER)
#include <thriftlens/json/options.hpp>
#else
#include <thriftlens/json.hpp>
#include <thriftlens/thriftlens.hpp>
#endif

#include <simdjson.h>

#include <cstdio>

int main() {
  // A symbol of simdjson's compiled part: the library is linked, not only seen.
  std::printf("thriftlens %s with simdjson on %s\n", THRIFTLENS_VERSION,
              simdjson::get_active_implementation()->name().c_str());
  return 0;
}
