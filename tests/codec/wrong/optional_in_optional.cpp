// first error: thriftlens: an optional or pointer inside another one
#include <thriftlens/codec/decode.hpp>
#include <thriftlens/codec/encode.hpp>

namespace tl = thriftlens;

#include <memory>
#include <optional>

int main() { tl::decode<std::optional<std::unique_ptr<int>>>(tl::byte_view()); }
