// first error: thriftlens: document::load(bytes, type): bytes do not say their protocol
// errors: 4
#include <thriftlens/dom/document.hpp>

#include <string>

namespace tl = thriftlens;

void f(tl::document& to, const std::string& bytes, const tl::type& order) { to.load(bytes, order); }
