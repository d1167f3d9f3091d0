// rewrite: bodies of rewrite.hpp.
#pragma once

#include <thriftlens/policy/rewrite.hpp>

#include <thriftlens/core/overlap.hpp>
#include <thriftlens/core/rollback.hpp>
#include <thriftlens/rewrite/fast/fast_rewrite.hpp>
#include <thriftlens/rewrite/fast/prefix_rewrite.hpp>
#include <thriftlens/rewrite/pass.hpp>

namespace thriftlens::inline THRIFTLENS_ABI {

template <protocol P>
rewrite<P>& rewrite<P>::trim(const selection& selected) & {
  if (selection_) return refuse(errc::edit_conflict, "a rewrite has one selection");
  if (selected.from() != edits_.root_.type())
    return refuse(errc::wrong_type, "the selection is for a different type");
  selection_ = selected;
  return *this;
}
template <protocol P>
rewrite<P>& rewrite<P>::trim(std::string_view text) & {
  result<selection> selected = selection::try_compile(edits_.root_.type(), text);
  return selected ? trim(*selected) : refuse(selected.error());
}
template <protocol P>
rewrite<P>& rewrite<P>::redact(const redaction& rules) & {
  if (rules_) return refuse(errc::edit_conflict, "a rewrite has one redaction");
  if (rules.from() != edits_.root_.type())
    return refuse(errc::wrong_type, "the redaction is for a different type");
  rules_ = rules;
  return *this;
}
template <protocol P>
std::string rewrite<P>::summary() const {
  return (selection_ ? std::string("trim, ") : std::string()) + (rules_ ? "redact, " : "") + edits_.summary();
}
template <protocol P>
result<rewrite_report> rewrite<P>::try_append_to(const view<P>& other, buffer& out) const {
  if (detail::overlaps(other.whole(), out)) return detail::overlap_error();
  if (const std::optional<error> reason = refused(other)) return *reason;
  detail::rollback guard(out);
  if (std::optional<rewrite_report> fast_result = fast(out, other)) {
    guard.keep();
    return *fast_result;
  }
  detail::splicer pieces(out, detail::splicer::never);
  result<rewrite_report> changed = run(pieces, other);
  if (changed) guard.keep();
  return changed;
}
template <protocol P>
std::optional<error> rewrite<P>::refused(const view<P>& of) const {
  if (edits_.error_) return *edits_.error_;
  return edits_.refused(of);
}
template <protocol P>
std::optional<rewrite_report> rewrite<P>::fast(buffer& out, const view<P>& of) const {
  if (!edits_.is_plain()) return std::nullopt;
  detail::fast_request request{selected(), program(), nullptr, edits_.values_.bytes()};
  if (!has_edits() || edits_.in_prefix_) {
    if (auto report = detail::rewrite_prefix<P, true, true, true>(of, request, edits_.edits_.span(), out))
      return report;
  }
  detail::edit_order order(edits_.edits_.span());
  if (has_edits()) {
    if (!order.sort()) return std::nullopt;
    request.edits = &order;
  }
  detail::fast_rewriter<P, true, true, true> pass(of, request, out);
  if (!pass.run()) return std::nullopt;
  return pass.report;
}
template <protocol P>
result<rewrite_report> rewrite<P>::run(detail::splicer& out, const view<P>& of) const {
  if (edits_.error_) return *edits_.error_;
  detail::rewrite_request<P> request{.selected = selected(), .rules = program()};
  std::optional<detail::edit_tree> tree;
  if (has_edits()) {
    if (result<void> status = edits_.fill_request(request, tree); !status) return std::move(status).error();
  }
  out.bound(edits_.max_output(of));
  result<rewrite_report> changed = detail::run_rewrite(of, request, out);
  if (changed || !rules_) return changed;
  return detail::without_keys(changed.error());
}

#if defined(THRIFTLENS_COMPILED)
template class rewrite<binary>;
template class rewrite<compact>;
#endif

}  // namespace thriftlens::inline THRIFTLENS_ABI
