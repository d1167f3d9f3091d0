// rewrite: bodies of rewrite.hpp.
#pragma once

#include <thriftlens/policy/rewrite.hpp>

#include <thriftlens/core/overlap.hpp>
#include <thriftlens/core/rollback.hpp>
#include <thriftlens/edit/fast/fast_rewrite.hpp>
#include <thriftlens/edit/rewrite_pass.hpp>

#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

template <protocol P>
rewrite<P>& rewrite<P>::trim(const selection& kept) & {
  if (kept_) return refuse(errc::edit_conflict, "a rewrite has one selection");
  if (kept.from() != edits_.root_.type()) return refuse(errc::wrong_type, "the selection is of another type");
  kept_ = kept;
  return *this;
}
template <protocol P>
rewrite<P>& rewrite<P>::trim(std::string_view text) & {
  result<selection> kept = selection::try_compile(edits_.root_.type(), text);
  return kept ? trim(*kept) : refuse(kept.error());
}
template <protocol P>
rewrite<P>& rewrite<P>::redact(const redaction& rules) & {
  if (rules_) return refuse(errc::edit_conflict, "a rewrite has one redaction");
  if (rules.from() != edits_.root_.type())
    return refuse(errc::wrong_type, "the redaction is of another type");
  rules_ = rules;
  return *this;
}
template <protocol P>
std::string rewrite<P>::summary() const {
  return (kept_ ? std::string("trim, ") : std::string()) + (rules_ ? "redact, " : "") + edits_.summary();
}
template <protocol P>
result<rewrite_report> rewrite<P>::try_append_to(buffer& out, const view<P>& other) const {
  if (detail::overlaps(other.whole(), out)) return detail::overlap_error();
  if (const std::optional<error> why = refused(other)) return *why;
  detail::rollback guard(out);
  if (std::optional<rewrite_report> done = fast(out, other)) {
    guard.keep();
    return *done;
  }
  detail::splicer pieces(out, detail::splicer::never);
  result<rewrite_report> done = run(pieces, other);
  if (done) guard.keep();
  return done;
}
template <protocol P>
std::optional<error> rewrite<P>::refused(const view<P>& of) const {
  if (edits_.error_) return *edits_.error_;
  return edits_.refused(of);
}
template <protocol P>
std::optional<rewrite_report> rewrite<P>::fast(buffer& out, const view<P>& of) const {
  if (!edits_.is_plain()) return std::nullopt;
  detail::edit_order order(edits_.edits_.span());
  detail::fast_request what{kept(), program(), nullptr, edits_.values_.all()};
  if (has_edits()) {
    if (!order.sort()) return std::nullopt;
    what.edits = &order;
  }
  detail::fast_rewriter<P, true, true, true> pass(of, what, out);
  if (!pass.run()) return std::nullopt;
  return pass.report;
}
template <protocol P>
result<rewrite_report> rewrite<P>::run(detail::splicer& out, const view<P>& of) const {
  if (edits_.error_) return *edits_.error_;
  detail::rewrite_request<P> what{.kept = kept(), .rules = program()};
  std::optional<detail::edit_tree> tree;
  if (has_edits()) {
    if (result<void> done = edits_.ask(what, tree); !done) return std::move(done).error();
  }
  out.bound(edits_.max_output(of));
  result<rewrite_report> done = detail::run_rewrite(of, what, out);
  if (done || !rules_) return done;
  return detail::without_keys(done.error());
}

#if defined(THRIFTLENS_COMPILED)
template class rewrite<binary>;
template class rewrite<compact>;
#endif

}  // namespace thriftlens::inline THRIFTLENS_ABI
