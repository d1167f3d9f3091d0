// first error: thriftlens: no Thrift type for this C++ type: specialise thriftlens::binding, adapter or
// container
#include <thriftlens/codec/decode.hpp>
#include <thriftlens/codec/encode.hpp>

namespace tl = thriftlens;

#include <chrono>
struct event {
  std::chrono::seconds at{};
};
template <>
struct tl::binding<event> : tl::numbered {};

int main() { tl::decode<event>(tl::byte_view()); }
