// first error: thriftlens: numbers<T>: T is an integer as wide as the elements
// errors: 4
#include <thriftlens/view/view.hpp>

#include <string>

namespace tl = thriftlens;

auto f(const tl::view<tl::binary>& v) { return v["x"].numbers<std::string>(); }
