// first error: thriftlens: field<id, member>: no field has the id 0
#include <thriftlens/codec/encode.hpp>

namespace tl = thriftlens;

struct point {
  int x = 0;
};
template <>
struct tl::binding<point> : tl::fields<tl::field<0, &point::x>> {};

int main() { tl::encode(point{}); }
