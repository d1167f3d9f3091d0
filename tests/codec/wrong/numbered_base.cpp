// first error: thriftlens: numbered or bind_by_name: a base class; list the members with fields<...>
#include <thriftlens/codec/encode.hpp>

namespace tl = thriftlens;

struct base {
  int id = 0;
};
struct derived : base {
  int size = 0;
};
template <>
struct tl::binding<derived> : tl::numbered {};

int main() { tl::encode(derived{}); }
