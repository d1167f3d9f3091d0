// first error: thriftlens: as<T>: T is bool, an integer, an enum, double
// errors: 4
#include <thriftlens/view/view.hpp>

namespace tl = thriftlens;

struct point {};
auto f(const tl::view<tl::binary>& v) { return v["x"].try_as<point>(); }
