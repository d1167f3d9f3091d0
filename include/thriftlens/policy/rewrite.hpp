// rewrite: a selection, a redaction and edits of a value in one pass over its bytes. Never writes to the
// input; never lets an edit see what the redaction hides.
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

/// Collects what is to be done to a value and does it in one pass: nothing happens before apply(). The view's
/// bytes, the schema, and a selection or redaction that is passed as an lvalue's copy live as long as needed.
///
///     tl::buffer out = tl::rewrite(view).trim(selection).redact(rules).set("$.hops", 3).apply();
///
/// The result is that of trim(), then redact(), then edit(), each on what the one before left, whatever the
/// order of the calls:
/// - rules see what the selection keeps: a required field that it drops is missing_required, unless the rules
///   were compiled with on_missing::omit;
/// - edits see what the rules leave: `replace` is given the redacted value, indices and keys are those of the
///   result, a field that was trimmed away or dropped is absent (`set` adds it, below it `set` is absent and
///   `create` makes the way). A value that an edit puts in is written as given: no rule applies to it.
/// What an edit replaces or erases as a whole is skipped: faults of the selection or the rules inside it are
/// not reported. Other errors: those of the three.
///
/// May be kept and applied to other values of the type. Rules that merge keys or elements, and edits inside
/// such containers, take memory for these containers; nothing else allocates but the output.
template <protocol P>
class [[nodiscard("apply() makes the changes")]] rewrite : public detail::edit_verbs<rewrite<P>, P> {
 public:
  /// The value may lie inside a message: the result is that value alone. It must be typed.
  explicit rewrite(const view<P>& of) : edits_(of) {}

  // Of a temporary each of these, and of the verbs of edit, answers the temporary, so that they can be
  // chained up to apply().

  /// Keeps what the selection keeps. Errors: wrong_type for a selection of another type, edit_conflict for a
  /// second one (combine selections with `&`).
  rewrite& trim(const selection& kept) &;
  [[nodiscard("apply() makes the changes")]] rewrite&& trim(const selection& kept) && {
    return std::move(trim(kept));
  }
  /// The same by its text, which is compiled here for the type of the value, once for all values that this is
  /// applied to. Errors: also those of selection::try_compile().
  rewrite& trim(std::string_view text) &;
  [[nodiscard("apply() makes the changes")]] rewrite&& trim(std::string_view text) && {
    return std::move(trim(text));
  }

  /// Hides what the rules say. Errors: wrong_type for rules of another type, edit_conflict for a second
  /// redaction.
  rewrite& redact(const redaction& rules) &;
  [[nodiscard("apply() makes the changes")]] rewrite&& redact(const redaction& rules) && {
    return std::move(redact(rules));
  }

  /// Bytes that the result may have, as edit::output_size().
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
    result<rewrite_report> done = try_append_to(out);
    if (!done) return std::move(done).error();
    if (report != nullptr) *report = *done;
    return out;
  }
  /// The same, at the end of a caller's buffer; after an error it is as before.
  rewrite_report append_to(buffer& out) const { return try_append_to(out).value(); }
  [[nodiscard]] result<rewrite_report> try_append_to(buffer& out) const {
    return try_append_to(out, edits_.root_);
  }
  /// The same changes to another value. wrong_type where it is of another type.
  rewrite_report append_to(buffer& out, const view<P>& other) const {
    return try_append_to(out, other).value();
  }
  [[nodiscard]] result<rewrite_report> try_append_to(buffer& out, const view<P>& other) const;

 private:
  friend detail::edit_verbs<rewrite<P>, P>;

  [[nodiscard]] const view<P>& root() const noexcept { return edits_.root_; }
  template <class Way, class T>
  rewrite& add(detail::edit_action action, const Way& way, T&& value) {
    edits_.add(action, way, std::forward<T>(value));
    return *this;
  }
  [[nodiscard]] result<void> overwrite(std::span<std::uint8_t> bytes, const gathered& changed) const {
    return edits_.overwrite(bytes, changed);
  }
  rewrite& refuse(const error& why) {
    if (!edits_.error_) edits_.error_ = why;
    return *this;
  }
  rewrite& refuse(errc code, const char* words) { return refuse(error(code, words)); }

  [[nodiscard]] bool has_edits() const noexcept { return edits_.edits_.size() != 0; }
  [[nodiscard]] const selection* kept() const noexcept { return kept_ ? &*kept_ : nullptr; }
  [[nodiscard]] const detail::rewrite_program* program() const noexcept {
    return rules_ ? &rules_->program() : nullptr;
  }
  [[nodiscard]] std::optional<error> refused(const view<P>& of) const;
  /// The common case; nothing where it is not that.
  [[nodiscard]] std::optional<rewrite_report> fast(buffer& out, const view<P>& of) const;
  [[nodiscard]] result<rewrite_report> run(detail::splicer& out, const view<P>& of) const;

  edit<P> edits_;
  std::optional<selection> kept_;
  std::optional<redaction> rules_;
};

template <protocol P>
rewrite(const view<P>&) -> rewrite<P>;

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/policy/rewrite.ipp>
#endif
