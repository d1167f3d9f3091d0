// first error: thriftlens: field<id, member, options...>: options are
#include <thriftlens/codec/decode.hpp>
#include <thriftlens/codec/encode.hpp>

namespace tl = thriftlens;

struct point {
  int x = 0;
};
template <>
struct tl::binding<point> : tl::fields<tl::field<1, &point::x, true>> {};

int main() { tl::decode<point>(tl::byte_view()); }
