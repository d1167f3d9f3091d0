// first error: address of stack memory associated with local variable
// errors: 1
// clang: -Werror=dangling
#include <thriftlens/view/view.hpp>

#include <string>

namespace tl = thriftlens;

std::string received();
tl::view<tl::binary> f(const tl::type& order) {
  const std::string bytes = received();
  return tl::view(bytes, order);
}
