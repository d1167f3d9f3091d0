// first error: thriftlens: field<id, member>: the id leaves the range of i16
#include <thriftlens/codec/decode.hpp>
#include <thriftlens/codec/encode.hpp>

namespace tl = thriftlens;

struct point {
  int x = 0;
};
template <>
struct tl::binding<point> : tl::fields<tl::field<40000, &point::x>> {};

int main() { tl::decode<point>(tl::byte_view()); }
