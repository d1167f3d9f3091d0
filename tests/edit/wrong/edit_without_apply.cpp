// first error: apply() makes the edits
// errors: 1
// A chain of edits of a temporary that nobody applies; a named edit is collected without a warning.
#include <thriftlens/edit/edit.hpp>

#pragma GCC diagnostic error "-Wunused-result"

namespace tl = thriftlens;

void change(const tl::view<tl::binary>& v) {
  tl::edit kept(v);
  kept.set("$.a", 1);
  kept.create("$.a", 1).erase("$.b").append("$.c", 1).insert("$.c[0]", 1);
  kept.replace("$.a", [](const tl::view<tl::binary>&) { return 1; });
  tl::edit(v).set("$.a", 1);
}
