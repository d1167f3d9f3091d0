// first error: temporary whose address is used as value of local variable
// errors: 1
// clang: -Werror=dangling
#include <thriftlens/core/buffer.hpp>

namespace tl = thriftlens;

tl::buffer made();
std::uint8_t f() {
  const std::uint8_t* of = made().data();
  return *of;
}
