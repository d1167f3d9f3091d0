// edit: bodies of edit.hpp.
#pragma once

#include <thriftlens/core/rollback.hpp>
#include <thriftlens/edit/edit.hpp>
#include <thriftlens/edit/edit_summary.hpp>
#include <thriftlens/edit/fast/fast_edit.hpp>
#include <thriftlens/edit/fast/fast_rewrite.hpp>
#include <thriftlens/edit/rewrite_pass.hpp>

#include <optional>
#include <string>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

template <protocol P>
std::size_t edit<P>::max_output(const view<P>& of) const noexcept {
  return bounds_.max_output(of.whole().size() + values_.all().size());
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
  std::span<const path_step> before;
  if (edits_.size() != 0) before = edits_[edits_.size() - 1].way.steps();
  const bool good = before.empty() ? next.way.from().kind() != type_kind::union_ : in_prefix_;
  return good && detail::fast_prefix_editor<P>::in_prefix(next.action, next.way.steps(), before);
}
template <protocol P>
void edit<P>::keep(detail::edit_entry&& made) {
  in_prefix_ = stays_in_prefix(made);
  plain_ = plain_ && edits_.size() < detail::fast_prefix_editor<P>::max_edits &&
           (in_prefix_ || detail::fast_prefix_editor<P>::takes(made.action, made.way));
  edits_.emplace_back(std::move(made));
  if (!plain_) grow_tree();
}
template <protocol P>
bool edit<P>::fits(const detail::edit_entry& of, std::uint32_t depth_left) const noexcept {
  const std::size_t above = of.way.steps().size() + (of.action == edit_action::append ? 1u : 0u);
  if (above > depth_left) [[unlikely]]
    return false;
  return detail::fits_depth<P>(of.value_in(values_.all()), of.target().wire(),
                               depth_left - static_cast<std::uint32_t>(above));
}
template <protocol P>
THRIFTLENS_COLD std::optional<error> edit<P>::too_deep(std::uint32_t depth_left) const {
  for (const detail::edit_entry& each : edits_.span()) {
    const bool puts_in = each.action != edit_action::erase && each.action != edit_action::replace;
    if (puts_in && !fits(each, depth_left)) return failed(errc::depth_limit, each);
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
    const errc code = tree.add(edits_[from].way, edits_[from].action, from);
    if (code != errc::ok) return failed(code, edits_[from]);
  }
  return std::nullopt;
}
template <protocol P>
THRIFTLENS_COLD error edit<P>::failed(errc code, const detail::edit_entry& of) {
  return detail::edit_failure(code, of, error::no_offset);
}
template <protocol P>
errc edit<P>::erasable(const path& way) {
  if (way.empty()) return errc::edit_conflict;
  const path_step& last = way.steps().back();
  bool required =
      last.kind == path_step::form::field && field_info(way.from().image(), last.field).required();
  return required ? errc::missing_required : errc::ok;
}
template <protocol P>
bool edit<P>::run_fast(buffer& out, const view<P>& of) const {
  if (in_prefix_ && detail::fast_prefix_editor<P>(of, edits_.span(), values_.all(), out).run()) [[likely]]
    return true;
  detail::edit_order order(edits_.span());
  if (edits_.size() == 0 || !order.sort()) return false;
  const detail::fast_request what{.edits = &order, .values = values_.all()};
  return detail::fast_rewriter<P, false, false, true>(of, what, out).run();
}
template <protocol P>
THRIFTLENS_NOINLINE result<void> edit<P>::run_general(buffer& out, const view<P>& of) const {
  detail::rollback guard(out);
  detail::splicer pieces(out, detail::splicer::never);
  static_cast<void>(out.reserve(of.whole().size() + values_.all().size()));
  result<void> done = run(pieces, of);
  if (done) guard.keep();
  return done;
}
template <protocol P>
THRIFTLENS_NOINLINE result<void> edit<P>::run(detail::splicer& out, const view<P>& of) const {
  detail::rewrite_request<P> what;
  std::optional<detail::edit_tree> tree;
  if (result<void> done = ask(what, tree); !done) return done;
  out.bound(max_output(of));
  result<rewrite_report> done = detail::run_rewrite(of, what, out);
  if (!done) return std::move(done).error();
  return {};
}
template <protocol P>
result<void> edit<P>::ask(detail::rewrite_request<P>& what, std::optional<detail::edit_tree>& made) const {
  if (error_) return *error_;
  what.entries = edits_.span();
  what.values = values_.all();
  what.replacements = replacements_;
  what.edits = tree_ ? &*tree_ : &made.emplace();
  if (tree_) return {};
  if (std::optional<error> why = fill(*made, 0)) return *std::move(why);
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
