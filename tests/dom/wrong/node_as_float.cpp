// first error: thriftlens: as<T>: T is bool, an integer, an enum, double
// errors: 4
#include <thriftlens/dom/document.hpp>

namespace tl = thriftlens;

float f(const tl::document& of) { return of["x"].as<float>(); }
