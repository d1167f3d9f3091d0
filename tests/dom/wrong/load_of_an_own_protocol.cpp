// first error: thriftlens: document: a protocol of a program's own: convert<P, binary>() the bytes first
#include "../../protocol/toy.hpp"

#include <thriftlens/dom/document.hpp>

namespace tl = thriftlens;

void f(tl::document& to, tl::byte_view bytes) { to.load<thriftlens_test::toy>(bytes); }
