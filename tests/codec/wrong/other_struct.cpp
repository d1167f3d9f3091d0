// first error: thriftlens: binding: a field names a member of another struct
#include <thriftlens/codec/decode.hpp>
#include <thriftlens/codec/encode.hpp>

namespace tl = thriftlens;

struct point {
  int x = 0;
};
struct other {
  int x = 0;
};
template <>
struct tl::binding<point> : tl::fields<tl::field<1, &other::x>> {};

int main() { tl::decode<point>(tl::byte_view()); }
