// redact: bodies of redact.hpp.
#pragma once

#include <thriftlens/policy/redact.hpp>

#include <thriftlens/core/overlap.hpp>
#include <thriftlens/core/rollback.hpp>
#include <thriftlens/rewrite/fast/fast_rewrite.hpp>
#include <thriftlens/rewrite/fast/prefix_rewrite.hpp>
#include <thriftlens/rewrite/pass.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {

/// A path of the data without its keys, which may be confidential: `$.by_mail{*}.name`. Linear.
[[nodiscard]] THRIFTLENS_COLD THRIFTLENS_BODY std::string path_without_keys(std::string_view path) {
  std::string result;
  bool is_quoted = false, is_inside = false;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const char c = path[i];
    if (!is_inside) {
      is_inside = c == '{';
      result += is_inside ? "{*}" : std::string(1, c);
    } else if (is_quoted && c == '\\') {
      ++i;
    } else if (c == '"') {
      is_quoted = !is_quoted;
    } else if (c == '}') {
      is_inside = is_quoted;
    }
  }
  return result;
}
THRIFTLENS_COLD THRIFTLENS_BODY error without_keys(const error& of) {
  return of.at(path_without_keys(of.path()));
}

template <protocol P>
[[nodiscard]] THRIFTLENS_NOINLINE result<redact_report> redact_general(buffer& out, const view<P>& from,
                                                                       const redaction& rules) {
  rollback guard(out);
  const rewrite_request<P> request{.rules = &rules.program()};
  const std::size_t max_size = from.bounds().max_output(from.whole().size());
  const result<rewrite_report> outcome = run_rewrite(from, request, max_size, out);
  if (!outcome) return without_keys(outcome.error());
  guard.keep();
  return redact_report(*outcome);
}

}  // namespace detail

template <protocol P>
result<redact_report> try_append_redacted(const view<P>& from, const redaction& rules, buffer& out) {
  if (from.code() != errc::ok) return from.error();
  if (detail::overlaps(from.whole(), out)) return detail::overlap_error();
  if (rules.from() != from.type()) return error(errc::wrong_type, "the redaction is for a different type");
  const detail::fast_request request{.rules = &rules.program()};
  if (const auto report = detail::rewrite_prefix<P, false, true, false>(from, request, {}, out))
    return redact_report(*report);
  if (detail::fast_rewriter<P, false, true, false> fast(from, request, out); fast.run())
    return redact_report(fast.report);
  return detail::redact_general(out, from, rules);
}

#if defined(THRIFTLENS_COMPILED)
template result<redact_report> try_append_redacted(const view<binary>&, const redaction&, buffer&);
template result<redact_report> try_append_redacted(const view<compact>&, const redaction&, buffer&);
#endif

}  // namespace thriftlens::inline THRIFTLENS_ABI
