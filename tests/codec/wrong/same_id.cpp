// first error: thriftlens: binding: two fields have the same id
#include <thriftlens/codec/decode.hpp>
#include <thriftlens/codec/encode.hpp>

namespace tl = thriftlens;

struct point {
  int x = 0;
  int y = 0;
};
template <>
struct tl::binding<point> : tl::fields<tl::field<1, &point::x>, tl::field<1, &point::y>> {};

int main() { tl::decode<point>(tl::byte_view()); }
