// redact: a copy of a value in which what must not be passed on is gone, blank, hashed or cut.
// In: a view and compiled rules. Out: wire bytes; what no rule means is the same bytes in the same order.
// Never decodes or rebuilds what stays; never writes to the input.
#pragma once

#include <thriftlens/core/rollback.hpp>
#include <thriftlens/edit/fast/fast_rewrite.hpp>
#include <thriftlens/edit/rewrite_pass.hpp>
#include <thriftlens/policy/redaction.hpp>
#include <thriftlens/view/view.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {

/// A path of the data without the keys in it, which may be what is to be hidden: `$.by_mail{*}.name`. Linear.
[[nodiscard]] THRIFTLENS_COLD inline std::string path_without_keys(std::string_view path) {
  std::string made;
  bool is_quoted = false, is_inside = false;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const char c = path[i];
    if (!is_inside) {
      is_inside = c == '{';
      made += is_inside ? "{*}" : std::string(1, c);
    } else if (is_quoted && c == '\\') {
      ++i;
    } else if (c == '"') {
      is_quoted = !is_quoted;
    } else if (c == '}') {
      is_inside = is_quoted;
    }
  }
  return made;
}
[[nodiscard]] THRIFTLENS_COLD inline error without_keys(const error& of) {
  return error(of.code(), std::string(of.detail()), of.offset(), path_without_keys(of.path()));
}

template <protocol P>
[[nodiscard]] THRIFTLENS_NOINLINE result<redact_report> redact_general(buffer& out, const view<P>& from,
                                                                       const redaction& rules) {
  rollback guard(out);
  const rewrite_request<P> what{.rules = &rules.program()};
  const std::size_t max_size = from.bounds().max_output(from.whole().size());
  const result<rewrite_report> done = run_rewrite(from, what, max_size, out);
  if (!done) return without_keys(done.error());
  guard.keep();
  return redact_report(*done);
}

}  // namespace detail

/// Appends the redacted value to `out`. One pass, one copy, O(bytes) (redacted keys and set elements: n log
/// n); fields, elements and entries keep their order; of keys or set elements that become equal the first
/// stays. Errors, after which `out` is as before: wrong_type (rules of another type), faults of the bytes,
/// type_mismatch, duplicate_field and missing_required in structs that are looked into (all of them, unless
/// unknown fields are kept), trailing_bytes behind a whole message, unknown_field by option, output_limit
/// (limits::output_size, automatic): a long constant in the place of many short values. Paths of errors have
/// `{*}` for the keys of maps: an error must not tell what is hidden.
template <protocol P>
[[nodiscard]] result<redact_report> try_redact_to(buffer& out, const view<P>& from, const redaction& rules) {
  if (from.code() != errc::ok) return from.error();
  if (rules.from() != from.type()) return error(errc::wrong_type, "the redaction is of another type");
  const detail::fast_request asked{.rules = &rules.program()};
  if (detail::fast_rewriter<P, false, true, false> fast(from, asked, out); fast.run())
    return redact_report(fast.report);
  return detail::redact_general(out, from, rules);
}
/// The value without what the rules take out of it.
template <protocol P>
[[nodiscard]] result<buffer> try_redact(const view<P>& from, const redaction& rules,
                                        redact_report* report = nullptr) {
  buffer out;
  result<redact_report> done = try_redact_to(out, from, rules);
  if (!done) return std::move(done).error();
  if (report != nullptr) *report = *done;
  return out;
}
template <protocol P>
[[nodiscard]] buffer redact(const view<P>& from, const redaction& rules, redact_report* report = nullptr) {
  return try_redact(from, rules, report).value();
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
