// redact: a copy of a value with confidential parts dropped, blanked, hashed or cut.
#pragma once

#include <thriftlens/core/buffer.hpp>
#include <thriftlens/core/result.hpp>
#include <thriftlens/policy/redaction.hpp>
#include <thriftlens/view/view.hpp>

#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {
/// An error whose path has no keys of maps.
[[nodiscard]] error without_keys(const error& of);
}  // namespace detail

/// Appends the redacted value to `out`. One pass, one copy, O(bytes) (redacted keys and set elements: n log
/// n); fields, elements and entries keep their order; of keys or set elements that become equal the first
/// stays. Errors, after which `out` is as before: wrong_type (rules of another type), faults of the bytes,
/// type_mismatch, duplicate_field and missing_required in structs that are read (all of them, unless unknown
/// fields are kept), trailing_bytes after a message, unknown_field by option, output_limit
/// (limits::output_size, automatic): a long constant replaces many short values. Paths of errors have `{*}`
/// for the keys of maps: an error must not reveal hidden values.
template <protocol P>
[[nodiscard]] result<redact_report> try_append_redacted(const view<P>& from, const redaction& rules,
                                                        buffer& out);
template <protocol P>
redact_report append_redacted(const view<P>& from, const redaction& rules, buffer& out) {
  return try_append_redacted(from, rules, out).value();
}
/// The value as redacted by the rules.
template <protocol P>
[[nodiscard]] result<buffer> try_redact(const view<P>& from, const redaction& rules,
                                        redact_report* report = nullptr) {
  buffer out;
  result<redact_report> redacted = try_append_redacted(from, rules, out);
  if (!redacted) return std::move(redacted).error();
  if (report != nullptr) *report = *redacted;
  return out;
}
template <protocol P>
[[nodiscard]] buffer redact(const view<P>& from, const redaction& rules, redact_report* report = nullptr) {
  return try_redact(from, rules, report).value();
}

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/policy/redact.ipp>
#endif
