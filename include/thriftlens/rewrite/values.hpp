// values: copies a value in one pass and applies its selection, rules and edits.
#pragma once

#include <thriftlens/rewrite/containers.hpp>
#include <thriftlens/rewrite/mask_value.hpp>

#include <cstdint>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

template <protocol P>
class rewrite_runner : public container_rewriter<P, rewrite_runner<P>> {
 public:
  using base = container_rewriter<P, rewrite_runner<P>>;
  using base::base, base::code, base::failing_edit, base::is_guess, base::out_of_order, base::report,
      base::where;

  [[nodiscard]] bool run() {
    this->begin_at(root_.location().at);
    actions at;
    if (request_.selected != nullptr) at.selected = request_.selected->root();
    if (request_.rules != nullptr) at.hidden = request_.rules->root;
    if (guide_.has_edits()) at.edits = guide_.root();
    return run(at);
  }

 private:
  friend base;
  friend struct_rewriter<P, rewrite_runner>;
  using base::copied_, base::decide, base::fits, base::guide_, base::image_, base::in_, base::out_, base::own,
      base::reject, base::request_, base::root_, base::rules_of, base::scratch_, typename base::actions;

  // ---- any value ----

  /// The root itself may be replaced.
  bool run(const actions& at) {
    edit_decision decision;
    if (!at.edits.empty() && !decide(at.edits, decision)) return false;
    const bool ok =
        decision.edit == edit_node::none ? root_value(at, root_.location()) : replace_root(decision.edit, at);
    if (!ok) return false;
    this->flush(in_.at());
    return fits(at.edits);
  }
  bool replace_root(std::uint32_t edit, const actions& at) {
    if (guide_.action(edit) == edit_action::erase || guide_.inserts(edit))
      return reject(errc::edit_conflict, edit);
    return this->replace_value(edit, at, root_.location());
  }
  /// A bool in its field's header is written as in an element.
  bool root_value(const actions& at, const wire_location& location) {
    if (!value(at, location)) return false;
    this->flush(in_.at());
    if (location.at.inline_bool >= 0 && at.hidden.replacement == redact_target::none)
      this->put_inline_bool(location.at.inline_bool);
    return true;
  }
  bool value(const actions& at, const wire_location& location) {
    if (at.is_plain()) return in_.skip(location.wire);
    if (!at.edits.empty()) return edited_value(at, location);
    return at.hidden.replacement != redact_target::none ? mask(at.hidden, location.wire)
                                                        : inside(at, location);
  }
  bool edited_value(const actions& at, const wire_location& location) {
    if (location.wire != ttype::struct_ && !is_container(location.wire)) return in_.skip(location.wire);
    if (needs_two_steps(at.hidden)) return edit_rewritten(at, location);
    const edit_guide::marker mark = guide_.mark();
    const bool ok = inside(at, location);
    guide_.release(mark);
    return ok;
  }
  bool inside(const actions& at, const wire_location& location) {
    if (location.wire == ttype::struct_) return this->structure(at, location);
    return location.wire == ttype::map ? this->mapping(at, location) : this->sequence(at, location);
  }
  /// Replaces a value as the rules say.
  bool mask(const redact_target& to, ttype wire) {
    const redact_replacement& by = request_.rules->replacements[to.replacement];
    this->flush(in_.at());
    ++report.replaced;
    if (!write_mask(by, wire)) return false;
    this->leave_out();
    return fits();
  }
  bool write_mask(const redact_replacement& by, ttype wire) {
    masker<P> mask(in_, own());
    if (by.kind == replacement_form::hash) return mask.hash(wire, request_.rules->hash);
    if (by.kind == replacement_form::keep_last) return mask.keep_last(wire, by.last);
    own().append(request_.rules->template bytes_of<P>(by, wire, scratch_));
    return in_.skip(wire);
  }

  // ---- edits of what rules change ----

  /// Whether edits inside apply to the result of the rules: their indices and keys are those of the result.
  [[nodiscard]] bool needs_two_steps(const redact_target& hidden) const noexcept {
    if (hidden.replacement != redact_target::none) return true;
    const redact_node* rules = rules_of(hidden);
    return rules != nullptr && (rules->drops || rules->merges());
  }
  /// Writes the value after selection and rules to a separate buffer.
  bool rewrite_aside(const actions& at, const wire_location& location, buffer& into) {
    splicer pieces(into, splicer::never);
    splicer* const outer = std::exchange(out_, &pieces);
    const byte_ptr copied = std::exchange(copied_, in_.at());
    const bool ok = root_value(at.without_edits(), location);
    out_ = outer;
    copied_ = copied;
    return ok;
  }
  [[nodiscard]] view<P> view_of(byte_view bytes, const wire_location& location) const noexcept {
    limits bounds = root_.bounds();
    bounds.depth = location.at.depth_left;
    return view<P>(bytes, type(image_, location.type), bounds);
  }
  bool edit_rewritten(const actions& at, const wire_location& location) {
    byte_ptr begin = in_.at();
    this->flush(begin);
    buffer rewritten, edited;
    if (!rewrite_aside(at, location, rewritten)) return false;
    splicer pieces(edited, splicer::never);
    const auto request = request_.without_policy();
    rewrite_runner pass(view_of(rewritten, location), request, pieces);
    if (!pass.run_from(guide_, at.edits)) return adopt_failure(pass, begin);
    if (pass.code != errc::ok) static_cast<void>(reject(pass.code, pass.failing_edit, begin));
    own().append(edited);
    this->leave_out();
    return fits(at.edits);
  }
  bool run_from(const edit_guide& above, edit_nodes at) {
    this->begin_at(root_.location().at);
    return run(actions{.edits = guide_.root(above, at)});
  }
  bool adopt_failure(const rewrite_runner& pass, byte_ptr at) noexcept {
    is_guess = pass.is_guess || pass.code == errc::absent;
    out_of_order = pass.out_of_order;
    if (out_of_order) return false;
    return pass.code != errc::ok ? reject(pass.code, pass.failing_edit, at)
                                 : in_.reject(pass.failure().code, at);
  }

  /// The new value of an edit other than erase; `old` is the old value's location. Valid until the next call.
  [[nodiscard]] bool new_value(std::uint32_t edit, const actions& at, const wire_location& old,
                               byte_view& bytes) {
    if (guide_.action(edit) != edit_action::replace) {
      bytes = guide_.value(edit);
      return true;
    }
    buffer aside;
    view<P> seen = root_.child(old);
    if (!at.without_edits().is_plain()) {
      if (!rewrite_aside(at, old, aside)) return false;
      in_.seek(old.at);
      seen = view_of(aside, old);
    }
    return changed_value(edit, seen, old, bytes);
  }
  /// The result of a replace function for a value.
  [[nodiscard]] bool changed_value(std::uint32_t edit, const view<P>& seen, const wire_location& old,
                                   byte_view& bytes) {
    scratch_.clear();
    errc status = request_.replacements[guide_.edits()[edit].value_at](seen, scratch_);
    bytes = scratch_;
    if (status == errc::ok && !fits_depth<P>(bytes, old.wire, old.at.depth_left)) status = errc::depth_limit;
    out_->allow(bytes.size());
    return status == errc::ok || reject(status, edit, old.at.at);
  }
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
