// first error: thriftlens: as<T>: T is bool, an integer, an enum, double
// errors: 4
#include <thriftlens/view/view.hpp>

namespace tl = thriftlens;

float f(const tl::view<tl::binary>& v) { return v["x"].as<float>(); }
