// first error: address of stack memory associated with local variable
// errors: 1
// clang: -Werror=dangling
#include <thriftlens/view/plan.hpp>

#include <span>

namespace tl = thriftlens;

std::span<const tl::plan::node> f(const tl::type& order) {
  const tl::plan way = tl::plan::compile(order, {"$.id"});
  return way.nodes();
}
