// first error: thriftlens: keep_unknown<member>: the member is not of type thriftlens::unknown_fields
#include <thriftlens/codec/decode.hpp>
#include <thriftlens/codec/encode.hpp>

namespace tl = thriftlens;

struct point {
  int rest = 0;
};
template <>
struct tl::binding<point> : tl::fields<tl::keep_unknown<&point::rest>> {};

int main() { tl::decode<point>(tl::byte_view()); }
