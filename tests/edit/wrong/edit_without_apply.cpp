// first error: apply() makes the edits
// errors: 1
// A chain of edits of a temporary that is not applied; a named edit gives no warning.
#include <thriftlens/edit/edit.hpp>

#pragma GCC diagnostic error "-Wunused-result"

namespace tl = thriftlens;

void change(const tl::view<tl::binary>& v) {
  tl::edit reusable(v);
  reusable.set("$.a", 1);
  reusable.create("$.a", 1).erase("$.b").append("$.c", 1).insert("$.c[0]", 1);
  reusable.replace("$.a", [](const tl::view<tl::binary>&) { return 1; });
  tl::edit(v).set("$.a", 1);
}
