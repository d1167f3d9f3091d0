// first error: apply() makes the changes
// errors: 2
// A chain of a temporary that nobody applies; a named rewrite is collected without a warning.
#include <thriftlens/policy/rewrite.hpp>

#pragma GCC diagnostic error "-Wunused-result"

namespace tl = thriftlens;

void change(const tl::view<tl::binary>& v, const tl::redaction& rules) {
  tl::rewrite kept(v);
  kept.trim("{ id }").redact(rules);
  tl::rewrite(v).trim("{ id }");
  tl::rewrite(v).redact(rules);
}
