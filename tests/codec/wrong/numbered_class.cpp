// first error: thriftlens: binding: it derives from fields<...>, numbered (aggregates only)
#include <thriftlens/codec/decode.hpp>
#include <thriftlens/codec/encode.hpp>

namespace tl = thriftlens;

class account {
  int amount = 0;
};
template <>
struct tl::binding<account> : tl::numbered {};

int main() { tl::decode<account>(tl::byte_view()); }
