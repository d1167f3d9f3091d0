// first error: deleted
#include <thriftlens/core/buffer.hpp>

namespace tl = thriftlens;

tl::buffer made();
void f() { tl::byte_view of(made()); }
