// first error: thriftlens: float has no Thrift type: use double
#include <thriftlens/codec/decode.hpp>
#include <thriftlens/codec/encode.hpp>

namespace tl = thriftlens;

struct point {
  float x = 0;
};
template <>
struct tl::binding<point> : tl::numbered {};

int main() { tl::decode<point>(tl::byte_view()); }
