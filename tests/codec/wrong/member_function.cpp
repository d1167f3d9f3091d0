// first error: thriftlens: field<id, member>: the second argument is not a pointer to a data member
#include <thriftlens/codec/decode.hpp>
#include <thriftlens/codec/encode.hpp>

namespace tl = thriftlens;

struct point {
  int x() { return 0; }
};
template <>
struct tl::binding<point> : tl::fields<tl::field<1, &point::x>> {};

int main() { tl::decode<point>(tl::byte_view()); }
