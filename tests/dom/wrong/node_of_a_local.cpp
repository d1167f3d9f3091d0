// first error: address of stack memory associated with local variable
// errors: 1
// clang: -Werror=dangling
#include <thriftlens/dom/document.hpp>

namespace tl = thriftlens;

tl::node f(tl::byte_view bytes) {
  tl::document full;
  full.load<tl::binary>(bytes);
  return full[1];
}
