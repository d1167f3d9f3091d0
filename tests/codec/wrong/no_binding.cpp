// first error: thriftlens: a struct without a binding: specialise thriftlens::binding
#include <thriftlens/codec/decode.hpp>
#include <thriftlens/codec/encode.hpp>

namespace tl = thriftlens;

struct point {
  int x = 0;
};

int main() { tl::decode<point>(tl::byte_view()); }
