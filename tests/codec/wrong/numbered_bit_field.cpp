// first error: thriftlens: numbered or bind_by_name: a bit-field; encode a struct without it
#include <thriftlens/codec/encode.hpp>

#include <cstdint>

namespace tl = thriftlens;

struct flags {
  std::int32_t first = 0;
  std::int32_t second : 3;
};
template <>
struct tl::binding<flags> : tl::numbered {};

int main() { tl::encode(flags{}); }
