// first error: thriftlens: to_json(type, bytes): bytes do not say their protocol
// errors: 4
#include <thriftlens/json/to_json.hpp>

#include <string>

namespace tl = thriftlens;

auto f(const tl::type& of, const std::string& bytes) { return tl::to_json(of, bytes); }
