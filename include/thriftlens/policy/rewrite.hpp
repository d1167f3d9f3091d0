// rewrite: a selection, a redaction and edits of a value in one pass over its bytes. Edits never see values
// that the redaction hides.
#pragma once

#include <thriftlens/edit/edit.hpp>
#include <thriftlens/path/selection.hpp>
#include <thriftlens/policy/redact.hpp>
#include <thriftlens/protocol/splice.hpp>
#include <thriftlens/view/view.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Collects changes of a value and applies them in one pass, in apply(). The view's bytes and the schema must
/// live until then; selections and redactions are copied.
///
///     tl::buffer out = tl::rewrite(view).trim(selection).redact(rules).set("$.hops", 3).apply();
///
/// The result is that of trim(), then redact(), then edit(), applied in this order regardless of the
/// order of the calls:
/// - rules see the selected fields: a required field that is not selected is missing_required, unless the
/// rules
///   were compiled with on_missing::omit;
/// - edits see the redacted value: `replace` gets it, indices and keys are those of the
///   result, a field that was trimmed away or dropped is absent (`set` adds it, below it `set` is absent and
///   `create` creates its parents). Rules do not apply to values of edits.
/// Values that an edit replaces or erases are skipped: faults of the selection or the rules inside are
/// not reported. Other errors: those of the three.
///
/// Can be applied to other values of the type. Rules that merge keys or elements, and edits inside such
/// containers, need memory for these containers; otherwise only the output is allocated.
template <protocol P>
class [[nodiscard("apply() makes the changes")]] rewrite : public detail::edit_verbs<rewrite<P>, P> {
 public:
  /// The value may be inside a message: the result is that value alone. It must be typed.
  explicit rewrite(const view<P>& of) : edits_(of) {}

  // Called on a temporary, these and the verbs of edit return an rvalue, so that they can be chained up to
  // apply().

  /// Restricts the value to the selection. Errors: wrong_type for a selection of another type, edit_conflict
  /// for a second one (combine selections with `&`).
  rewrite& trim(const selection& selected) &;
  [[nodiscard("apply() makes the changes")]] rewrite&& trim(const selection& selected) && {
    return std::move(trim(selected));
  }
  /// As above with its text, compiled once for the type of the value. Errors: also those of
  /// selection::try_compile().
  rewrite& trim(std::string_view text) &;
  void trim(detail::path_list) = delete;  // takes the text of one selection
  [[nodiscard("apply() makes the changes")]] rewrite&& trim(std::string_view text) && {
    return std::move(trim(text));
  }

  /// Applies the rules. Errors: wrong_type for rules of another type, edit_conflict for a second redaction.
  rewrite& redact(const redaction& rules) &;
  [[nodiscard("apply() makes the changes")]] rewrite&& redact(const redaction& rules) && {
    return std::move(redact(rules));
  }

  /// Maximum size of the result, as edit::output_size().
  rewrite& output_size(std::size_t bytes) & {
    edits_.output_size(bytes);
    return *this;
  }
  [[nodiscard("apply() makes the changes")]] rewrite&& output_size(std::size_t bytes) && {
    return std::move(output_size(bytes));
  }

  /// "trim, redact, 1 edit: set $.id", as edit::summary().
  [[nodiscard]] std::string summary() const;

  /// The changed value. O(bytes + edits): one scan and one copy.
  [[nodiscard]] buffer apply(rewrite_report* report = nullptr) const { return try_apply(report).value(); }
  [[nodiscard]] result<buffer> try_apply(rewrite_report* report = nullptr) const {
    buffer out;
    result<rewrite_report> changed = try_append_to(out);
    if (!changed) return std::move(changed).error();
    if (report != nullptr) *report = *changed;
    return out;
  }
  /// As above, at the end of a caller's buffer; after an error it is unchanged.
  rewrite_report append_to(buffer& out) const { return try_append_to(out).value(); }
  [[nodiscard]] result<rewrite_report> try_append_to(buffer& out) const {
    return try_append_to(edits_.root_, out);
  }
  /// Applies the changes to another value. wrong_type unless it is of the same type.
  rewrite_report append_to(const view<P>& other, buffer& out) const {
    return try_append_to(other, out).value();
  }
  [[nodiscard]] result<rewrite_report> try_append_to(const view<P>& other, buffer& out) const;

 private:
  friend detail::edit_verbs<rewrite<P>, P>;

  [[nodiscard]] const view<P>& root() const noexcept { return edits_.root_; }
  template <class Path, class T>
  rewrite& add(detail::edit_action action, const Path& target, T&& value) {
    edits_.add(action, target, std::forward<T>(value));
    return *this;
  }
  [[nodiscard]] result<void> overwrite(std::span<std::uint8_t> bytes, const gathered& changed) const {
    return edits_.overwrite(bytes, changed);
  }
  rewrite& refuse(const error& reason) {
    if (!edits_.error_) edits_.error_ = reason;
    return *this;
  }
  rewrite& refuse(errc code, const char* message) { return refuse(error(code, message)); }

  [[nodiscard]] bool has_edits() const noexcept { return edits_.edits_.size() != 0; }
  [[nodiscard]] const selection* selected() const noexcept { return selection_ ? &*selection_ : nullptr; }
  [[nodiscard]] const detail::rewrite_program* program() const noexcept {
    return rules_ ? &rules_->program() : nullptr;
  }
  [[nodiscard]] std::optional<error> refused(const view<P>& of) const;
  /// The common case; nothing if it does not apply.
  [[nodiscard]] std::optional<rewrite_report> fast(buffer& out, const view<P>& of) const;
  [[nodiscard]] result<rewrite_report> run(detail::splicer& out, const view<P>& of) const;

  edit<P> edits_;
  std::optional<selection> selection_;
  std::optional<redaction> rules_;
};

template <protocol P>
rewrite(const view<P>&) -> rewrite<P>;

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/policy/rewrite.ipp>
#endif
