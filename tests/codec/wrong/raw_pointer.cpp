// first error: thriftlens: a raw pointer has no Thrift type
#include <thriftlens/codec/decode.hpp>
#include <thriftlens/codec/encode.hpp>

namespace tl = thriftlens;

#include <vector>
struct point {
  std::vector<const char*> names;
};
template <>
struct tl::binding<point> : tl::numbered {};

int main() {
  tl::buffer out;
  tl::append_encoded(point(), out);
}
