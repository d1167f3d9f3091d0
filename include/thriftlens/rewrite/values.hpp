// values: copies a value in one pass and applies its selection, rules and edits.
#pragma once

#include <thriftlens/rewrite/containers.hpp>
#include <thriftlens/rewrite/mask_value.hpp>
#include <thriftlens/rewrite/structs.hpp>

#include <cstdint>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Copies a value of any kind and applies its selection, rules and edits.
template <protocol P>
class value_rewriter {
  using context = rewrite_state<P>;
  using actions = typename context::actions;

 public:
  explicit value_rewriter(context& pass) noexcept
      : pass_(pass), guide_(pass.guide), structs_(pass, *this), containers_(pass, *this) {}
  value_rewriter(const value_rewriter&) = delete;
  value_rewriter& operator=(const value_rewriter&) = delete;

  /// Copies the root. False with an error in the state.
  [[nodiscard]] bool run() {
    actions at;
    if (pass_.request.selected != nullptr) at.selected = pass_.request.selected->root();
    if (pass_.request.rules != nullptr) at.hidden = pass_.request.rules->root;
    if (guide_.has_edits()) at.edits = guide_.root();
    pass_.begin_at(pass_.root.location().at);
    return run_root(at);
  }
  bool value(const actions& at, const wire_location& location) {
    if (at.is_plain()) return pass_.in.skip(location.wire);
    if (!at.edits.empty()) return edited_value(at, location);
    return at.hidden.replacement != redact_target::none ? mask(at.hidden, location.wire)
                                                        : inside(at, location);
  }
  /// The new value of an edit other than erase; `old` is the old value's location. Valid until the next call.
  [[nodiscard]] bool new_value(std::uint32_t edit, const actions& at, const wire_location& old,
                               byte_view& bytes) {
    if (guide_.action(edit) != edit_action::replace) {
      bytes = guide_.value(edit);
      return true;
    }
    buffer aside;
    view<P> seen = pass_.root.child(old);
    if (!at.without_edits().is_plain()) {
      if (!rewrite_aside(at, old, aside)) return false;
      pass_.in.seek(old.at);
      seen = view_of(aside, old);
    }
    return changed_value(edit, seen, old, bytes);
  }

 private:
  /// The root itself may be replaced.
  bool run_root(const actions& at) {
    edit_decision decision;
    if (!at.edits.empty() && !pass_.decide(at.edits, decision)) return false;
    const bool ok = decision.edit == edit_node::none ? root_value(at, pass_.root.location())
                                                     : replace_root(decision.edit, at);
    if (!ok) return false;
    pass_.flush(pass_.in.at());
    return pass_.fits(at.edits);
  }
  bool replace_root(std::uint32_t edit, const actions& at) {
    if (guide_.action(edit) == edit_action::erase || guide_.inserts(edit))
      return pass_.reject(errc::edit_conflict, edit);
    return containers_.replace_value(edit, at, pass_.root.location());
  }
  /// A bool in its field's header is written as in an element.
  bool root_value(const actions& at, const wire_location& location) {
    if (!value(at, location)) return false;
    pass_.flush(pass_.in.at());
    if (location.at.inline_bool >= 0 && at.hidden.replacement == redact_target::none)
      pass_.put_inline_bool(location.at.inline_bool);
    return true;
  }
  bool edited_value(const actions& at, const wire_location& location) {
    if (location.wire != ttype::struct_ && !is_container(location.wire)) return pass_.in.skip(location.wire);
    if (needs_two_steps(at.hidden)) return edit_rewritten(at, location);
    const edit_guide::marker mark = guide_.mark();
    const bool ok = inside(at, location);
    guide_.release(mark);
    return ok;
  }
  bool inside(const actions& at, const wire_location& location) {
    if (location.wire == ttype::struct_) return structs_.structure(at, location);
    return location.wire == ttype::map ? containers_.mapping(at, location)
                                       : containers_.sequence(at, location);
  }
  /// Replaces a value as the rules say.
  bool mask(const redact_target& to, ttype wire) {
    const redact_replacement& by = pass_.request.rules->replacements[to.replacement];
    pass_.flush(pass_.in.at());
    ++pass_.report.replaced;
    if (!write_mask(by, wire)) return false;
    pass_.leave_out();
    return pass_.fits();
  }
  bool write_mask(const redact_replacement& by, ttype wire) {
    if (is_mask(by.kind)) return masker<P>(pass_.in, pass_.own()).apply(by, wire, pass_.request.rules->hash);
    pass_.own().append(pass_.request.rules->template bytes_of<P>(by, wire, pass_.scratch));
    return pass_.in.skip(wire);
  }

  // ---- edits of what rules change ----

  /// Whether edits inside apply to the result of the rules: their indices and keys are those of the result.
  [[nodiscard]] bool needs_two_steps(const redact_target& hidden) const noexcept {
    if (hidden.replacement != redact_target::none) return true;
    const redact_node* rules = pass_.rules_of(hidden);
    return rules != nullptr && (rules->drops || rules->merges());
  }
  /// Writes the value after selection and rules to a separate buffer.
  bool rewrite_aside(const actions& at, const wire_location& location, buffer& into) {
    splicer pieces(into, splicer::never);
    splicer* const outer = std::exchange(pass_.out, &pieces);
    const byte_ptr copied = std::exchange(pass_.copied, pass_.in.at());
    const bool ok = root_value(at.without_edits(), location);
    pass_.out = outer;
    pass_.copied = copied;
    return ok;
  }
  [[nodiscard]] view<P> view_of(byte_view bytes, const wire_location& location) const noexcept {
    limits bounds = pass_.root.bounds();
    bounds.depth = location.at.depth_left;
    return view<P>(bytes, type(pass_.schema, location.type), bounds);
  }
  bool edit_rewritten(const actions& at, const wire_location& location) {
    const byte_ptr begin = pass_.in.at();
    pass_.flush(begin);
    buffer rewritten, edited;
    if (!rewrite_aside(at, location, rewritten)) return false;
    splicer pieces(edited, splicer::never);
    const auto request = pass_.request.without_policy();
    context edits(view_of(rewritten, location), request, pieces);
    edits.begin_at(edits.root.location().at);
    if (!value_rewriter(edits).run_root(actions{.edits = edits.guide.root(guide_, at.edits)}))
      return adopt_failure(edits, begin);
    if (edits.code != errc::ok) static_cast<void>(pass_.reject(edits.code, edits.failing_edit, begin));
    pass_.own().append(edited);
    pass_.leave_out();
    return pass_.fits(at.edits);
  }
  bool adopt_failure(const context& edits, byte_ptr at) noexcept {
    pass_.is_guess = edits.is_guess || edits.code == errc::absent;
    pass_.out_of_order = edits.out_of_order;
    if (pass_.out_of_order) return false;
    return edits.code != errc::ok ? pass_.reject(edits.code, edits.failing_edit, at)
                                  : pass_.in.reject(edits.failure().code, at);
  }
  /// Calls the replace function of an edit; the result is in the scratch buffer.
  [[nodiscard]] errc call_replacement(std::uint32_t edit, const view<P>& seen) {
    pass_.scratch.clear();
    return pass_.request.replacements[guide_.edits()[edit].value_at](seen, pass_.scratch);
  }
  /// The result of a replace function for a value.
  [[nodiscard]] bool changed_value(std::uint32_t edit, const view<P>& seen, const wire_location& old,
                                   byte_view& bytes) {
    errc status = call_replacement(edit, seen);
    bytes = pass_.scratch;
    if (status == errc::ok && !fits_depth<P>(bytes, old.wire, old.at.depth_left)) status = errc::depth_limit;
    pass_.out->allow(bytes.size());
    return status == errc::ok || pass_.reject(status, edit, old.at.at);
  }

  context& pass_;
  edit_guide& guide_;
  struct_rewriter<P> structs_;
  container_rewriter<P> containers_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
