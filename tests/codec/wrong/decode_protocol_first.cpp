// first error: thriftlens: decode<T, Protocol>(bytes): the type comes first
#include <thriftlens/codec/decode.hpp>

namespace tl = thriftlens;

struct trip {
  int id = 0;
};
template <>
struct tl::binding<trip> : tl::numbered {};

void f(tl::byte_view bytes) { tl::decode<tl::compact, trip>(bytes); }
