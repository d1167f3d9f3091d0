#include <thriftlens/core/buffer.hpp>
#include <thriftlens/core/byte_view.hpp>

#include <string>

namespace tl = thriftlens;

// first error: temporary whose address is used as value of local variable
// errors: 1
// clang: -Werror=dangling
tl::buffer made();
std::uint8_t f() {
  const std::uint8_t* of = made().data();
  return *of;
}

// first error: address of stack memory associated with local variable
// errors: 1
// clang: -Werror=dangling
tl::buffer made();
std::string_view f() {
  const tl::buffer of = made();
  return of.text();
}

// first error: deleted
tl::buffer made();
std::string_view f() { return made().text(); }

// first error: deleted
const thriftlens::byte_view bytes("abc");

// first error: address of stack memory associated with local variable
// errors: 1
// clang: -Werror=dangling
std::string received();
tl::byte_view f() {
  const std::string bytes = received();
  return tl::byte_view(bytes);
}

// first error: deleted
tl::buffer made();
void f() { tl::byte_view of(made()); }
