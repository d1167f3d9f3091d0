// first error: thriftlens: field<id, member>: a C array; use std::array
#include <thriftlens/codec/encode.hpp>

#include <cstdint>

namespace tl = thriftlens;

struct point {
  std::int32_t xyz[3] = {};
};
template <>
struct tl::binding<point> : tl::fields<tl::field<1, &point::xyz>> {};

int main() { tl::encode(point{}); }
