// first error: apply() makes the edits
// errors: 1
#include <thriftlens/edit/edit.hpp>

#pragma GCC diagnostic error "-Wunused-result"

namespace tl = thriftlens;

void change(const tl::view<tl::binary>& v) {
  tl::edit reusable(v);
  reusable.output_size(100).set("$.a", 1);
  tl::edit(v).output_size(100).set("$.a", 1);
}
