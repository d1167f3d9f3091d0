#if defined(ONE_HEADER)
#include <thriftlens/core/errc.hpp>
#else
#include <thriftlens/thriftlens.hpp>
#endif

#include <cstdio>

int main() {
  const auto text = thriftlens::to_string(thriftlens::errc::truncated);
  std::printf("thriftlens %s: %s\n", THRIFTLENS_VERSION, text.data());
  return text == "truncated" ? 0 : 1;
}
