#include <thriftlens/dom/document.hpp>

#include <string>
#include "../../protocol/toy.hpp"

namespace tl = thriftlens;

// first error: thriftlens: document: a protocol of a program's own: convert<P, binary>() the bytes first
void f(tl::document& to, tl::byte_view bytes) { to.load<thriftlens_test::toy>(bytes); }

// first error: thriftlens: document::load(bytes, type): bytes do not say their protocol
// errors: 4
void f(tl::document& to, const std::string& bytes, const tl::type& order) { to.load(bytes, order); }

// first error: thriftlens: as<T>: T is bool, an integer, an enum, double
// errors: 4
float f(const tl::document& of) { return of["x"].as<float>(); }

// first error: address of stack memory associated with local variable
// errors: 1
// clang: -Werror=dangling
tl::node f(tl::byte_view bytes) {
  tl::document full;
  full.load<tl::binary>(bytes);
  return full[1];
}
