// first error: thriftlens: union_<member>: the member is not a std::variant
#include <thriftlens/codec/decode.hpp>
#include <thriftlens/codec/encode.hpp>

namespace tl = thriftlens;

struct either {
  int value = 0;
};
template <>
struct tl::binding<either> : tl::union_<&either::value> {};

int main() { tl::decode<either>(tl::byte_view()); }
