// first error: thriftlens: view(bytes, type): bytes do not say their protocol
// errors: 4
#include <thriftlens/view/view.hpp>

#include <string>

namespace tl = thriftlens;

void f(const std::string& bytes, const tl::type& order) { auto v = tl::view(bytes, order); }
