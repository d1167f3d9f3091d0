// first error: thriftlens: encode<Protocol>(value): the protocol comes first
#include <thriftlens/codec/encode.hpp>

namespace tl = thriftlens;

struct trip {
  int id = 0;
};
template <>
struct tl::binding<trip> : tl::numbered {};

void f(const trip& of) { tl::encode<trip, tl::compact>(of); }
