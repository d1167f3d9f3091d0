// first error: address of stack memory associated with local variable
// errors: 1
// clang: -Werror=dangling
#include <thriftlens/core/buffer.hpp>

namespace tl = thriftlens;

tl::buffer made();
std::string_view f() {
  const tl::buffer of = made();
  return of.text();
}
