// first error: thriftlens: copy_to: a vector, array or span of integers
// errors: 4
#include <thriftlens/view/view.hpp>

#include <list>

namespace tl = thriftlens;

auto f(const tl::view<tl::binary>& v, std::list<int>& to) { return v["x"].copy_to(to); }
