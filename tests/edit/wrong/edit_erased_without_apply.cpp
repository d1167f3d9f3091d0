// first error: apply() makes the edits
// errors: 1
#include <thriftlens/edit/edit.hpp>

#pragma GCC diagnostic error "-Wunused-result"

namespace tl = thriftlens;

void change(const tl::view<tl::binary>& v) { tl::edit(v).set("$.a", 1).append("$.c", 1).erase("$.b"); }
