// first error: thriftlens: an enum of 64 bits does not fit Thrift's i32
#include <thriftlens/codec/decode.hpp>
#include <thriftlens/codec/encode.hpp>

namespace tl = thriftlens;

enum class wide : long long { a };

int main() { tl::decode<wide>(tl::byte_view()); }
