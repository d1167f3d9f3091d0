// first error: deleted
// errors: 1
#include <thriftlens/view/view.hpp>

#include <string>

namespace tl = thriftlens;

std::string received();
void f(const tl::type& order) { tl::view v(received(), order); }
