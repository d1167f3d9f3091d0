// first error: thriftlens: a span of anything but bytes can be encoded, not decoded
#include <thriftlens/codec/decode.hpp>
#include <thriftlens/codec/encode.hpp>

namespace tl = thriftlens;

#include <span>

int main() { tl::decode<std::span<const int>>(tl::byte_view()); }
