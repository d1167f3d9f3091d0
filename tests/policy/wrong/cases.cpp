#include <thriftlens/policy/redact_options.hpp>
#include <thriftlens/policy/rewrite.hpp>

namespace tl = thriftlens;

// first error: thriftlens: a key is a std::array<std::uint8_t, 16>
const thriftlens::redact_options options{.key = {1}};

// first error: thriftlens: a key is a std::array<std::uint8_t, 16>
const thriftlens::redact_options options{.key = "secretsecretsecr"};

// first error: apply() makes the changes
// errors: 2
// A chain on a temporary that is not applied; a named rewrite gives no warning.
#pragma GCC diagnostic error "-Wunused-result"

void change(const tl::view<tl::binary>& v, const tl::redaction& rules) {
  tl::rewrite retained(v);
  retained.trim("{ id }").redact(rules);
  tl::rewrite(v).trim("{ id }");
  tl::rewrite(v).redact(rules);
}
