// edit: bodies of edit.hpp.
#pragma once

#include <thriftlens/core/rollback.hpp>
#include <thriftlens/edit/edit.hpp>
#include <thriftlens/edit/edit_summary.hpp>
#include <thriftlens/rewrite/fast/fast_edit.hpp>
#include <thriftlens/rewrite/fast/fast_rewrite.hpp>
#include <thriftlens/rewrite/pass.hpp>

#include <optional>
#include <string>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

template <protocol P>
std::size_t edit<P>::max_output(const view<P>& of) const noexcept {
  return bounds_.max_output(of.whole().size() + values_.bytes().size());
}
template <protocol P>
result<void> edit<P>::overwrite(std::span<std::uint8_t> bytes, const gathered& changed) const {
  result<byte_view> old = root_.try_bytes();
  if (!old) return std::move(old).error();
  if (root_.location().at.inline_bool >= 0) return error(errc::not_same_size);
  return detail::overwrite(bytes, *old, changed);
}
template <protocol P>
THRIFTLENS_INLINE bool edit<P>::stays_in_prefix(const detail::edit_entry& next) const noexcept {
  std::span<const path_step> previous;
  if (edits_.size() != 0) previous = edits_[edits_.size() - 1].target_path.steps();
  const bool good = previous.empty() ? next.target_path.from().kind() != type_kind::union_ : in_prefix_;
  return good && detail::fast_prefix_editor<P>::in_prefix(next.action, next.target_path.steps(), previous);
}
template <protocol P>
void edit<P>::keep(detail::edit_entry&& entry) {
  in_prefix_ = stays_in_prefix(entry);
  plain_ = plain_ && edits_.size() < detail::fast_prefix_editor<P>::max_edits &&
           (in_prefix_ || detail::fast_prefix_editor<P>::takes(entry.action, entry.target_path));
  edits_.emplace_back(std::move(entry));
  if (!plain_) grow_tree();
}
template <protocol P>
bool edit<P>::fits(const detail::edit_entry& of, std::uint32_t depth_left) const noexcept {
  const std::size_t above = of.target_path.steps().size() + (of.action == edit_action::append ? 1u : 0u);
  if (above > depth_left) [[unlikely]]
    return false;
  return detail::fits_depth<P>(of.value_in(values_.bytes()), of.target().wire(),
                               depth_left - static_cast<std::uint32_t>(above));
}
template <protocol P>
THRIFTLENS_COLD std::optional<error> edit<P>::too_deep(std::uint32_t depth_left) const {
  for (const detail::edit_entry& entry : edits_.span()) {
    const bool puts_in = entry.action != edit_action::erase && entry.action != edit_action::replace;
    if (puts_in && !fits(entry, depth_left)) return failed(errc::depth_limit, entry);
  }
  return std::nullopt;
}
template <protocol P>
void edit<P>::grow_tree() {
  if (error_) return;
  if (!tree_) tree_.emplace();
  error_ = fill(*tree_, in_tree_);
  in_tree_ = static_cast<std::uint32_t>(edits_.size());
}
template <protocol P>
std::optional<error> edit<P>::fill(detail::edit_tree& tree, std::uint32_t from) const {
  for (; from < edits_.size(); ++from) {
    const errc code = tree.template add<P>(edits_[from].target_path, edits_[from].action, from);
    if (code != errc::ok) return failed(code, edits_[from]);
  }
  return std::nullopt;
}
template <protocol P>
THRIFTLENS_COLD error edit<P>::failed(errc code, const detail::edit_entry& of) {
  return detail::edit_failure(code, of, error::no_offset);
}
template <protocol P>
errc edit<P>::erasable(const path& target) {
  if (target.empty()) return errc::edit_conflict;
  const path_step& last = target.steps().back();
  bool is_required =
      last.kind == path_step::form::field && field_info(target.from().image(), last.field).required();
  return is_required ? errc::missing_required : errc::ok;
}
template <protocol P>
THRIFTLENS_COLD std::string edit<P>::refusal(errc code, const path& target) {
  if (code == errc::edit_conflict) return "the root value can only be set or replaced";
  if (code == errc::wrong_type && !target.enters_key()) return "the path is for a different type";
  if (code != errc::missing_required) return {};
  const field_info field(target.from().image(), target.steps().back().field);
  return detail::joined({field.name(), " is required and cannot be erased"});
}
template <protocol P>
bool edit<P>::run_fast(buffer& out, const view<P>& of, bool& absent) const {
  if (in_prefix_ && detail::fast_prefix_editor<P>(of, edits_.span(), values_.bytes(), out).run()) [[likely]]
    return true;
  detail::edit_order order(edits_.span());
  if (edits_.size() == 0 || !order.sort()) return false;
  const bool strict = edits_.size() == 1 && edits_[0].action == edit_action::set;
  const detail::fast_request request{.edits = &order, .values = values_.bytes(), .strict = strict};
  detail::fast_rewriter<P, false, false, true> pass(of, request, out);
  const bool done = pass.run();
  absent = pass.absent;
  return done;
}
template <protocol P>
THRIFTLENS_NOINLINE result<void> edit<P>::run_after(buffer& out, const view<P>& of, bool absent) const {
  if (absent) {
    const view<P> target = of.at(edits_[0].target_path);  // its error names the first missing step
    if (target.presence() == presence::absent) return detail::absent_failure(target.error());
  }
  return run_general(out, of);
}
template <protocol P>
THRIFTLENS_NOINLINE result<void> edit<P>::run_general(buffer& out, const view<P>& of) const {
  detail::rollback guard(out);
  detail::splicer pieces(out, detail::splicer::never);
  static_cast<void>(out.prepare(of.whole().size() + values_.bytes().size()));
  result<void> status = run(pieces, of);
  if (status) guard.keep();
  return status;
}
template <protocol P>
THRIFTLENS_NOINLINE result<void> edit<P>::run(detail::splicer& out, const view<P>& of) const {
  detail::rewrite_request<P> request;
  std::optional<detail::edit_tree> tree;
  if (result<void> status = fill_request(request, tree); !status) return status;
  out.bound(max_output(of));
  result<rewrite_report> outcome = detail::run_rewrite(of, request, out);
  if (!outcome) return std::move(outcome).error();
  return {};
}
template <protocol P>
result<void> edit<P>::fill_request(detail::rewrite_request<P>& request,
                                   std::optional<detail::edit_tree>& tree) const {
  if (error_) return *error_;
  request.entries = edits_.span();
  request.values = values_.bytes();
  request.replacements = replacements_;
  request.edits = tree_ ? &*tree_ : &tree.emplace();
  if (tree_) return {};
  if (std::optional<error> reason = fill(*tree, 0)) return *std::move(reason);
  return {};
}
template <protocol P>
std::string edit<P>::summary() const {
  return detail::edit_summary(edits_.span());
}

#if defined(THRIFTLENS_COMPILED)
template class edit<binary>;
template class edit<compact>;
#endif

}  // namespace thriftlens::inline THRIFTLENS_ABI
