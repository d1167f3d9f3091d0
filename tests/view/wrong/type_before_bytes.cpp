// first error: deleted
// errors: 1
#include <thriftlens/view.hpp>

void ask(thriftlens::type type, const thriftlens::buffer& bytes) { thriftlens::view(type, bytes); }
