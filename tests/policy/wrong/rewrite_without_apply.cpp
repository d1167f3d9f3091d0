// first error: apply() makes the changes
// errors: 2
// A chain on a temporary that is not applied; a named rewrite gives no warning.
#include <thriftlens/policy/rewrite.hpp>

#pragma GCC diagnostic error "-Wunused-result"

namespace tl = thriftlens;

void change(const tl::view<tl::binary>& v, const tl::redaction& rules) {
  tl::rewrite retained(v);
  retained.trim("{ id }").redact(rules);
  tl::rewrite(v).trim("{ id }");
  tl::rewrite(v).redact(rules);
}
