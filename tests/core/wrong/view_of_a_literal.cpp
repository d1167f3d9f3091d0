// first error: deleted
#include <thriftlens/core/byte_view.hpp>

const thriftlens::byte_view bytes("abc");
