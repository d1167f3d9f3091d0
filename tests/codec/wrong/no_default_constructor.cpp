// first error: thriftlens: decode<T>: T must be default constructible and movable
#include <thriftlens/codec/decode.hpp>
#include <thriftlens/codec/encode.hpp>

namespace tl = thriftlens;

struct point {
  explicit point(int from) : x(from) {}
  int x;
};
template <>
struct tl::binding<point> : tl::fields<tl::field<1, &point::x>> {};

int main() { tl::decode<point>(tl::byte_view()); }
