#include <thriftlens/edit/edit.hpp>

namespace tl = thriftlens;

// first error: apply() makes the edits
// errors: 1
#pragma GCC diagnostic error "-Wunused-result"

void change(const tl::view<tl::binary>& v) {
  tl::edit reusable(v);
  reusable.output_size(100).set("$.a", 1);
  tl::edit(v).output_size(100).set("$.a", 1);
}

// first error: apply() makes the edits
// errors: 1
#pragma GCC diagnostic error "-Wunused-result"

void change(const tl::view<tl::binary>& v) { tl::edit(v).set("$.a", 1).append("$.c", 1).erase("$.b"); }

// first error: apply() makes the edits
// errors: 1
// A chain of edits of a temporary that is not applied; a named edit gives no warning.
#pragma GCC diagnostic error "-Wunused-result"

void change(const tl::view<tl::binary>& v) {
  tl::edit reusable(v);
  reusable.set("$.a", 1);
  reusable.create("$.a", 1).erase("$.b").append("$.c", 1).insert("$.c[0]", 1);
  reusable.replace("$.a", [](const tl::view<tl::binary>&) { return 1; });
  tl::edit(v).set("$.a", 1);
}

// first error: thriftlens: a value is a number, enum, text, bytes, uuid
struct trip {
  int id = 0;
};

void change(thriftlens::edit<thriftlens::binary>& of) { of.set("$.trip", trip{}); }
