// first error: thriftlens: union: one id per alternative of the variant
#include <thriftlens/codec/decode.hpp>
#include <thriftlens/codec/encode.hpp>

namespace tl = thriftlens;

#include <variant>
using either = std::variant<int, bool>;
template <>
struct tl::binding<either> : tl::union_ids<1> {};

int main() { tl::decode<either>(tl::byte_view()); }
