// first error: thriftlens: field: as_set is for members that are vectors, deques or arrays
#include <thriftlens/codec/decode.hpp>
#include <thriftlens/codec/encode.hpp>

namespace tl = thriftlens;

struct point {
  std::string names;
};
template <>
struct tl::binding<point> : tl::fields<tl::field<1, &point::names, tl::as_set>> {};

int main() { tl::decode<point>(tl::byte_view()); }
