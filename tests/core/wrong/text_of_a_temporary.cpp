// first error: deleted
#include <thriftlens/core/buffer.hpp>

namespace tl = thriftlens;

tl::buffer made();
std::string_view f() { return made().text(); }
