// first error: thriftlens: decode: T refers to the bytes, which are a temporary
#include <thriftlens/codec/decode.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace tl = thriftlens;

struct node {
  std::unique_ptr<node> next;
  std::string_view text;
};
template <>
struct tl::binding<node> : tl::numbered {};

std::string read_all();
int main() { tl::decode<node>(read_all()); }
