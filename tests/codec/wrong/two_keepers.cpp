// first error: thriftlens: binding: more than one keep_unknown
#include <thriftlens/codec/decode.hpp>
#include <thriftlens/codec/encode.hpp>

namespace tl = thriftlens;

struct point {
  tl::unknown_fields a;
  tl::unknown_fields b;
};
template <>
struct tl::binding<point> : tl::fields<tl::keep_unknown<&point::a>, tl::keep_unknown<&point::b>> {};

int main() { tl::decode<point>(tl::byte_view()); }
