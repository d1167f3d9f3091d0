// first error: address of stack memory associated with local variable
// errors: 1
// clang: -Werror=dangling
#include <thriftlens/core/byte_view.hpp>

#include <string>

namespace tl = thriftlens;

std::string received();
tl::byte_view f() {
  const std::string bytes = received();
  return tl::byte_view(bytes);
}
