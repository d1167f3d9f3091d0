// first error: thriftlens: from_json(type, text): say which bytes to write
// errors: 4
#include <thriftlens/json/from_json.hpp>

namespace tl = thriftlens;

auto f(const tl::type& of) { return tl::from_json(of, "{}"); }
