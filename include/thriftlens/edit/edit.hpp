// edit: a batch of changes to a value, applied in one pass over its bytes.
#pragma once

#include <thriftlens/core/first_error.hpp>
#include <thriftlens/core/gather.hpp>
#include <thriftlens/core/joined.hpp>
#include <thriftlens/core/overlap.hpp>
#include <thriftlens/core/small_vector.hpp>
#include <thriftlens/edit/edit_values.hpp>
#include <thriftlens/protocol/splice.hpp>
#include <thriftlens/rewrite/edit_tree.hpp>
#include <thriftlens/rewrite/request.hpp>
#include <thriftlens/view/view.hpp>

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {

/// Where an edit applies: a text, or a compiled path.
template <class T>
concept path_or_text = std::same_as<T, path> || std::convertible_to<const T&, std::string_view>;

/// The value of an edit that has none.
struct no_value {};

/// The verbs of edit and rewrite. A path is a text, compiled for the type of the value, or a compiled path.
/// Each verb adds one edit and returns the object (called on a temporary: an rvalue), so that calls can be
/// chained. `Self` has add(action, path, value), run(splicer, view), root() and overwrite(bytes, gathered).
template <class Self, protocol P>
class edit_verbs {
 public:
  /// Replaces the value; a missing field or entry is added: fields in order of ids, entries at the end.
  template <path_or_text Path, class T>
  Self& set(const Path& target, const T& value) & {
    return self().add(edit_action::set, target, value);
  }
  template <path_or_text Path, class T>
  [[nodiscard("apply() makes the edits")]] Self&& set(const Path& target, const T& value) && {
    return std::move(set(target, value));
  }

  /// Like set, and creates missing structs and maps on the path.
  template <path_or_text Path, class T>
  Self& create(const Path& target, const T& value) & {
    return self().add(edit_action::create, target, value);
  }
  template <path_or_text Path, class T>
  [[nodiscard("apply() makes the edits")]] Self&& create(const Path& target, const T& value) && {
    return std::move(create(target, value));
  }

  /// Adds an element before that index (the size appends; negative counts from the end), or a field or entry
  /// that must not be there. Errors: bad_index, already_there.
  template <path_or_text Path, class T>
  Self& insert(const Path& target, const T& value) & {
    return self().add(edit_action::insert, target, value);
  }
  template <path_or_text Path, class T>
  [[nodiscard("apply() makes the edits")]] Self&& insert(const Path& target, const T& value) && {
    return std::move(insert(target, value));
  }

  /// Adds an element at the end of the list or set at the path; a missing field is created.
  /// Error: duplicate_key if the set has it.
  template <path_or_text Path, class T>
  Self& append(const Path& target, const T& value) & {
    return self().add(edit_action::append, target, value);
  }
  template <path_or_text Path, class T>
  [[nodiscard("apply() makes the edits")]] Self&& append(const Path& target, const T& value) && {
    return std::move(append(target, value));
  }

  /// Removes the field, element or entry.
  template <path_or_text Path>
  Self& erase(const Path& target) & {
    return self().add(edit_action::erase, target, no_value{});
  }
  template <path_or_text Path>
  [[nodiscard("apply() makes the edits")]] Self&& erase(const Path& target) && {
    return std::move(erase(target));
  }

  /// Replaces each value at the path by `change(view)`, whose view is the value after selection and rules. It
  /// may be called more than once for a value.
  template <path_or_text Path, std::invocable<const view<P>&> Change>
  Self& replace(const Path& target, Change change) & {
    return self().add(edit_action::replace, target, std::move(change));
  }
  template <path_or_text Path, std::invocable<const view<P>&> Change>
  [[nodiscard("apply() makes the edits")]] Self&& replace(const Path& target, Change change) && {
    return std::move(replace(target, std::move(change)));
  }

  /// The changed value in pieces: unchanged runs of at least `reference_from` bytes are not copied.
  [[nodiscard]] gathered apply_gather(std::size_t reference_from = 4096) const {
    return try_apply_gather(reference_from).value();
  }
  [[nodiscard]] result<gathered> try_apply_gather(std::size_t reference_from = 4096) const {
    buffer own;
    splicer out(own, reference_from);
    if (auto status = self().run(out, self().root()); !status) return std::move(status).error();
    std::vector<byte_view> pieces = out.pieces();
    return gathered(std::move(own), std::move(pieces));
  }
  /// Writes the changed parts into `bytes`, a writable view of the bytes that are edited (the whole value).
  /// not_same_size if anything would move, or if the value is a bool in Compact's field header, which has no
  /// bytes of its own; then, and if apply() fails, nothing is written.
  void apply_in_place(std::span<std::uint8_t> bytes) const { try_apply_in_place(bytes).value(); }
  [[nodiscard]] result<void> try_apply_in_place(std::span<std::uint8_t> bytes) const {
    result<gathered> changed = try_apply_gather(1);
    if (!changed) return std::move(changed).error();
    return self().overwrite(bytes, *changed);
  }

 private:
  [[nodiscard]] Self& self() noexcept { return static_cast<Self&>(*this); }
  [[nodiscard]] const Self& self() const noexcept { return static_cast<const Self&>(*this); }
};

}  // namespace detail

template <protocol P>
class rewrite;  // in policy/rewrite.hpp

/// Collects edits of one value and applies them together: nothing happens before apply(). The view's bytes
/// and the schema must live until then.
///
/// All paths refer to the value before the batch: indices do not move by earlier edits. Of two edits of
/// the same value the later one holds; an edit of a part of what another replaces or erases is
/// edit_conflict. Paths may have wildcards and slices. Errors of edits are reported by apply(). Values:
/// see append_value() in value_in.hpp.
///
/// A batch can be applied to other values of the type: it is compiled once. A few edits that set existing
/// fields, elements or entries cost a scan, a copy and no allocation but the output.
///
/// In a union, setting one member erases the others. Erasing a required field is missing_required. Values
/// that erase and replace do not find are ignored; set needs the parents (absent, bad_index), create adds
/// missing fields and entries.
///
/// The result can be read under the limits of the view: a value nested deeper is depth_limit.
template <protocol P>
class [[nodiscard("apply() makes the edits")]] edit : public detail::edit_verbs<edit<P>, P> {
 public:
  /// The value may be inside a message: the result is that value alone. It must be typed.
  // A copy of the whole view here would wait for its stores.
  THRIFTLENS_INLINE explicit edit(const view<P>& of) : root_(of.child(of.location())) {
    if (of.code() != errc::ok || !of.type()) [[unlikely]]
      refuse(of);
  }

  /// Maximum size of the changed value, as limits::output_size: 0 is 16 MiB and 8 bytes for each byte of the
  /// old value and of the new ones. The sender of the bytes decides how many values a wildcard matches;
  /// beyond the maximum is output_limit.
  edit& output_size(std::size_t bytes) & {
    bounds_.output_size = bytes;
    plain_ = false;  // fast paths do not count
    grow_tree();
    return *this;
  }
  [[nodiscard("apply() makes the edits")]] edit&& output_size(std::size_t bytes) && {
    return std::move(output_size(bytes));
  }

  /// "2 edits: set $.id, erase $.debug": count and paths, abbreviated; never a value. Edits that were
  /// rejected, and those after them, are not included.
  [[nodiscard]] std::string summary() const;

  /// The changed value. O(bytes + edits): one scan and one copy.
  [[nodiscard]] buffer apply() const { return try_apply().value(); }
  [[nodiscard]] result<buffer> try_apply() const {
    buffer out;
    if (result<void> status = try_append_to(out); !status) return status.error();
    return out;
  }
  /// As above, at the end of a caller's buffer; after an error it is unchanged.
  void append_to(buffer& out) const { try_append_to(out).value(); }
  [[nodiscard]] result<void> try_append_to(buffer& out) const { return try_append_to(root_, out); }
  /// Applies the edits to another value. wrong_type unless it is of the same type.
  void append_to(const view<P>& other, buffer& out) const { try_append_to(other, out).value(); }
  [[nodiscard]] result<void> try_append_to(const view<P>& other, buffer& out) const {
    if (detail::overlaps(other.whole(), out)) [[unlikely]]
      return detail::overlap_error();
    if (const std::optional<error> reason = refused(other)) [[unlikely]]
      return *reason;
    bool absent = false;
    if (is_plain() && run_fast(out, other, absent)) [[likely]]
      return {};
    return run_after(out, other, absent);
  }

 private:
  friend class rewrite<P>;
  friend detail::edit_verbs<edit<P>, P>;
  using edit_action = detail::edit_action;

  [[nodiscard]] const view<P>& root() const noexcept { return root_; }
  /// The reason why the edits do not apply to another value, independent of its bytes.
  [[nodiscard]] THRIFTLENS_INLINE std::optional<error> refused(const view<P>& other) const {
    if (other.code() != errc::ok) [[unlikely]]
      return other.error();
    if (other.type() != root_.type()) [[unlikely]]
      return error(errc::wrong_type, "the edits are for a different type");
    const std::uint32_t depth_left = other.location().at.depth_left;
    if (depth_left < root_.location().at.depth_left) [[unlikely]]
      return too_deep(depth_left);
    return std::nullopt;
  }
  /// A fast path may be tried.
  [[nodiscard]] bool is_plain() const noexcept { return plain_ && !error_; }
  [[nodiscard]] std::size_t max_output(const view<P>& of) const noexcept;
  [[nodiscard]] result<void> overwrite(std::span<std::uint8_t> bytes, const gathered& changed) const;

  THRIFTLENS_COLD void refuse(errc code, const path& target) {
    if (!error_) error_ = error(code, refusal(code, target), error::no_offset, std::string(target.text()));
  }
  /// The reason of a refused edit; empty if its code is sufficient.
  static std::string refusal(errc code, const path& target);
  THRIFTLENS_COLD errc refuse_append(const path& target) {
    error_ =
        error(errc::wrong_type, detail::joined({"append needs a list or set, found ", target.to().name()}),
              error::no_offset, std::string(target.text()));
    return errc::wrong_type;
  }
  template <class T>
  THRIFTLENS_COLD errc refuse_value(errc code, const path& target, type to, const T& value) {
    error_ = detail::refused_value<P>(code, target, to, value);
    return code;
  }
  THRIFTLENS_COLD void refuse(const view<P>& of) {
    error_ = of.code() != errc::ok ? of.error() : error(errc::wrong_type, "an edit needs a type");
  }

  template <class T>
  edit& add(edit_action action, std::string_view text, T&& value) {
    if (error_) return *this;
    result<path> target = path::try_compile(root_.type(), text);
    if (!target) {
      error_ = std::move(target).error();
      return *this;
    }
    return add(action, *target, std::forward<T>(value));
  }
  template <class T>
  edit& add(edit_action action, const path& target, T&& value) {
    if (error_) [[unlikely]]
      return *this;
    const bool selects_values = target.from() == root_.type() && !target.enters_key();
    errc code = selects_values ? record(action, target, std::forward<T>(value)) : errc::wrong_type;
    if (code != errc::ok) [[unlikely]]
      refuse(code, target);
    return *this;
  }
  template <class T>
  errc record(edit_action action, const path& target, T&& value) {
    if (action == edit_action::append && !target.to().is_sequence()) return refuse_append(target);
    detail::edit_entry entry(action, target, values_.bytes().size(), 0);
    const errc code = take_value(entry, std::forward<T>(value));
    if (code != errc::ok) return code;
    if (target.empty() && action == edit_action::insert) return errc::edit_conflict;
    keep(std::move(entry));
    return errc::ok;
  }
  template <class T>
  THRIFTLENS_INLINE errc take_value(detail::edit_entry& entry, T&& value) {
    using value_type = std::remove_cvref_t<T>;
    if constexpr (std::is_same_v<value_type, detail::no_value>) {
      return erasable(entry.target_path);
    } else if constexpr (std::invocable<value_type&, const view<P>&>) {
      entry.value_at = replacements_.size();
      add_replacement(entry.target(), std::forward<T>(value));
      return errc::ok;
    } else {
      return add_value(entry, entry.target(), value);
    }
  }
  template <class Change>
  void add_replacement(type to, Change change) {
    replacements_.push_back([to, change = std::move(change)](const view<P>& old, buffer& out) mutable {
      return detail::append_value<P>(out, to, change(old));
    });
  }
  template <class T>
  errc add_value(detail::edit_entry& entry, type to, const T& value) {
    const errc code = values_.template add<P>(to, value, root_.whole().size());
    if (code != errc::ok) [[unlikely]]
      return refuse_value(code, entry.target_path, to, value);
    entry.value_size = values_.bytes().size() - entry.value_at;
    return fits(entry, root_.location().at.depth_left) ? errc::ok : errc::depth_limit;
  }
  /// Whether all edits, with `next`, are of fields in the prefix template of the root.
  [[nodiscard]] bool stays_in_prefix(const detail::edit_entry& next) const noexcept;
  void keep(detail::edit_entry&& entry);
  /// Whether the new value of an edit is nested no deeper, counted from the root, than readers of the result
  /// allow.
  [[nodiscard]] bool fits(const detail::edit_entry& of, std::uint32_t depth_left) const noexcept;
  /// The error of the first edit whose value does not fit.
  [[nodiscard]] THRIFTLENS_COLD std::optional<error> too_deep(std::uint32_t depth_left) const;
  void grow_tree();
  /// Adds the edits from index `from` on. Of two contradicting edits the later one is the error.
  [[nodiscard]] std::optional<error> fill(detail::edit_tree& tree, std::uint32_t from) const;
  [[nodiscard]] THRIFTLENS_COLD static error failed(errc code, const detail::edit_entry& of);
  static errc erasable(const path& target);

  [[nodiscard]] bool run_fast(buffer& out, const view<P>& of, bool& absent) const;
  /// `absent`: the fast path has seen that the parent of the only edit is absent.
  THRIFTLENS_NOINLINE result<void> run_after(buffer& out, const view<P>& of, bool absent) const;
  THRIFTLENS_NOINLINE result<void> run_general(buffer& out, const view<P>& of) const;
  THRIFTLENS_NOINLINE result<void> run(detail::splicer& out, const view<P>& of) const;
  /// Fills the request of a pass; `tree` holds the edits unless the batch has a tree.
  [[nodiscard]] result<void> fill_request(detail::rewrite_request<P>& request,
                                          std::optional<detail::edit_tree>& tree) const;

  view<P> root_;
  detail::small_vector<detail::edit_entry, 3> edits_;
  detail::edit_values values_;
  std::vector<detail::replacement<P>> replacements_;
  bool plain_ = true;          // a fast path may be tried
  bool in_prefix_ = false;     // all edits are of fields in the prefix template of the root, in order
  std::uint32_t in_tree_ = 0;  // edits that tree_ holds
  std::optional<detail::edit_tree> tree_;
  limits bounds_;  // output_size counts
  detail::first_error error_;
};

template <protocol P>
edit(const view<P>&) -> edit<P>;

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/edit/edit.ipp>
#endif
