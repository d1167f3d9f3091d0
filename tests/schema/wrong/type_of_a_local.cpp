// first error: address of stack memory associated with local variable
// errors: 1
// clang: -Werror=dangling
#include <thriftlens/schema/schema.hpp>

namespace tl = thriftlens;

tl::type f() {
  const tl::schema of = tl::schema::load("shop.thrift");
  return of.type("Order");
}
