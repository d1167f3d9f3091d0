// first error: thriftlens: numbered or bind_by_name: a C array; use std::array
#include <thriftlens/codec/encode.hpp>

#include <cstdint>

namespace tl = thriftlens;

struct point {
  std::int32_t first = 0;
  std::int32_t rest[3] = {};
};
template <>
struct tl::binding<point> : tl::numbered {};

int main() { tl::encode(point{}); }
