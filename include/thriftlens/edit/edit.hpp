// edit: a batch of changes to a value, applied in one pass over its bytes.
#pragma once

#include <thriftlens/core/first_error.hpp>
#include <thriftlens/core/gather.hpp>
#include <thriftlens/core/overlap.hpp>
#include <thriftlens/core/small_vector.hpp>
#include <thriftlens/edit/edit_tree.hpp>
#include <thriftlens/edit/edit_values.hpp>
#include <thriftlens/edit/rewrite_request.hpp>
#include <thriftlens/protocol/splice.hpp>
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

/// Where an edit applies: a text, or a path that is compiled.
template <class T>
concept edit_way = std::same_as<T, path> || std::convertible_to<const T&, std::string_view>;

/// In the place of a value, of an edit that has none.
struct no_value {};

/// The verbs of edit and rewrite. Paths are texts, compiled for the type of the value, or paths compiled
/// before. Each verb adds one edit; of a temporary it answers the temporary, so that they can be chained up
/// to apply(). `Self` has add(action, way, value), run(splicer, view), root() and overwrite(bytes, gathered).
template <class Self, protocol P>
class edit_verbs {
 public:
  /// Replaces the value; a missing field or entry is added: fields in order of ids, entries at the end.
  template <edit_way Way, class T>
  Self& set(const Way& way, const T& value) & {
    return self().add(edit_action::set, way, value);
  }
  template <edit_way Way, class T>
  [[nodiscard("apply() makes the edits")]] Self&& set(const Way& way, const T& value) && {
    return std::move(set(way, value));
  }

  /// As set, and makes the structs and maps on the way where they are missing.
  template <edit_way Way, class T>
  Self& create(const Way& way, const T& value) & {
    return self().add(edit_action::create, way, value);
  }
  template <edit_way Way, class T>
  [[nodiscard("apply() makes the edits")]] Self&& create(const Way& way, const T& value) && {
    return std::move(create(way, value));
  }

  /// Adds an element before that index (the size appends; negative counts from the end), or a field or entry
  /// that must not be there. Errors: bad_index, already_there.
  template <edit_way Way, class T>
  Self& insert(const Way& way, const T& value) & {
    return self().add(edit_action::insert, way, value);
  }
  template <edit_way Way, class T>
  [[nodiscard("apply() makes the edits")]] Self&& insert(const Way& way, const T& value) && {
    return std::move(insert(way, value));
  }

  /// Adds an element at the end of the list or set that the path leads to; a missing field is made. Sets are
  /// not checked for equals.
  template <edit_way Way, class T>
  Self& append(const Way& way, const T& value) & {
    return self().add(edit_action::append, way, value);
  }
  template <edit_way Way, class T>
  [[nodiscard("apply() makes the edits")]] Self&& append(const Way& way, const T& value) && {
    return std::move(append(way, value));
  }

  /// Removes the field, element or entry.
  template <edit_way Way>
  Self& erase(const Way& way) & {
    return self().add(edit_action::erase, way, no_value{});
  }
  template <edit_way Way>
  [[nodiscard("apply() makes the edits")]] Self&& erase(const Way& way) && {
    return std::move(erase(way));
  }

  /// Replaces each value the path leads to by `change(view)`, which is given what selection and rules leave
  /// of it. It may be called more than once for a value.
  template <edit_way Way, std::invocable<const view<P>&> Change>
  Self& replace(const Way& way, Change change) & {
    return self().add(edit_action::replace, way, std::move(change));
  }
  template <edit_way Way, std::invocable<const view<P>&> Change>
  [[nodiscard("apply() makes the edits")]] Self&& replace(const Way& way, Change change) && {
    return std::move(replace(way, std::move(change)));
  }

  /// The changed value in pieces: untouched runs of at least `reference_from` bytes stay where they are.
  [[nodiscard]] gathered apply_gather(std::size_t reference_from = 4096) const {
    return try_apply_gather(reference_from).value();
  }
  [[nodiscard]] result<gathered> try_apply_gather(std::size_t reference_from = 4096) const {
    buffer own;
    splicer out(own, reference_from);
    if (auto done = self().run(out, self().root()); !done) return std::move(done).error();
    std::vector<byte_view> pieces = out.pieces();
    return gathered(std::move(own), std::move(pieces));
  }
  /// Writes the changed parts into `bytes`, the caller's own writable view of the very bytes that are edited
  /// (the whole value). not_same_size where anything would move, or where the value is a bool in Compact's
  /// field header, which has no bytes of its own; then, and where apply() fails, nothing is written.
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
class rewrite;  // of room policy: edits among the rest

/// Collects edits of one value and applies them together: nothing happens before apply(). The view's bytes
/// and the schema must live until then.
///
/// All paths mean the value as it was before the batch: indices do not move by earlier edits. Of two edits of
/// the same value the later one holds; one that changes a part of what another replaces or erases is
/// edit_conflict. Paths may hold wildcards and slices. What is wrong with an edit is told by apply(). Values:
/// see append_value() in value_in.hpp.
///
/// A batch may be kept and applied to other values of the type: what it says is compiled once. A few edits
/// that set fields, elements or entries which are there cost a scan, a copy and no allocation but the output.
///
/// In a union, setting one member erases the others. Erasing a required field is missing_required. What erase
/// and replace do not find is left alone; set needs the parents to be there (absent, bad_index), create makes
/// missing fields and entries.
///
/// What is answered can be read to its end under the limits of the view: a value that would be nested deeper
/// is depth_limit.
template <protocol P>
class [[nodiscard("apply() makes the edits")]] edit : public detail::edit_verbs<edit<P>, P> {
 public:
  /// The value may lie inside a message: the result is that value alone. It must be typed.
  // Copied as a whole right after it was made the view would wait for its stores.
  THRIFTLENS_INLINE explicit edit(const view<P>& of) : root_(of.child(of.location())) {
    if (of.code() != errc::ok || !of.type()) [[unlikely]]
      refuse(of);
  }

  /// Bytes that the changed value may have, as limits::output_size: 0 is 16 MiB and 8 bytes for each byte of
  /// the old value and of the new ones. A path with wildcards puts its value as often as the sender of the
  /// bytes likes; beyond the bound is output_limit.
  edit& output_size(std::size_t bytes) & {
    bounds_.output_size = bytes;
    plain_ = false;  // fast paths do not count
    grow_tree();
    return *this;
  }
  [[nodiscard("apply() makes the edits")]] edit&& output_size(std::size_t bytes) && {
    return std::move(output_size(bytes));
  }

  /// "2 edits: set $.id, erase $.debug": how many and where, in short; never a value. Edits that were
  /// refused, and those behind them, are not in it.
  [[nodiscard]] std::string summary() const;

  /// The changed value. O(bytes + edits): one scan and one copy.
  [[nodiscard]] buffer apply() const { return try_apply().value(); }
  [[nodiscard]] result<buffer> try_apply() const {
    buffer out;
    if (result<void> done = try_append_to(out); !done) return done.error();
    return out;
  }
  /// The same, at the end of a caller's buffer; after an error it is as before.
  void append_to(buffer& out) const { try_append_to(out).value(); }
  [[nodiscard]] result<void> try_append_to(buffer& out) const { return try_append_to(out, root_); }
  /// The same changes to another value. wrong_type where it is of another type.
  void append_to(buffer& out, const view<P>& other) const { try_append_to(out, other).value(); }
  [[nodiscard]] result<void> try_append_to(buffer& out, const view<P>& other) const {
    if (detail::overlaps(other.whole(), out)) [[unlikely]]
      return detail::overlap_error();
    if (const std::optional<error> why = refused(other)) [[unlikely]]
      return *why;
    if (is_plain() && run_fast(out, other)) [[likely]]
      return {};
    return run_general(out, other);
  }

 private:
  friend class rewrite<P>;
  friend detail::edit_verbs<edit<P>, P>;
  using edit_action = detail::edit_action;

  [[nodiscard]] const view<P>& root() const noexcept { return root_; }
  /// Why the edits cannot be made in another value, whatever its bytes are.
  [[nodiscard]] THRIFTLENS_INLINE std::optional<error> refused(const view<P>& other) const {
    if (other.code() != errc::ok) [[unlikely]]
      return other.error();
    if (other.type() != root_.type()) [[unlikely]]
      return error(errc::wrong_type, "the edits are of another type");
    const std::uint32_t depth_left = other.location().at.depth_left;
    if (depth_left < root_.location().at.depth_left) [[unlikely]]
      return too_deep(depth_left);
    return std::nullopt;
  }
  /// A fast path may be tried.
  [[nodiscard]] bool is_plain() const noexcept { return plain_ && !error_; }
  [[nodiscard]] std::size_t max_output(const view<P>& of) const noexcept;
  [[nodiscard]] result<void> overwrite(std::span<std::uint8_t> bytes, const gathered& changed) const;

  THRIFTLENS_COLD void refuse(errc code, const path& way) {
    if (!error_) error_ = error(code, {}, error::no_offset, std::string(way.text()));
  }
  template <class T>
  THRIFTLENS_COLD errc refuse_value(errc code, const path& way, type to, const T& value) {
    error_ =
        error(code, detail::refused_value_text(code, to, value), error::no_offset, std::string(way.text()));
    return code;
  }
  THRIFTLENS_COLD void refuse(const view<P>& of) {
    error_ = of.code() != errc::ok ? of.error() : error(errc::wrong_type, "an edit needs a type");
  }

  template <class T>
  edit& add(edit_action action, std::string_view text, T&& value) {
    if (error_) return *this;
    result<path> way = path::try_compile(root_.type(), text);
    if (!way) {
      error_ = std::move(way).error();
      return *this;
    }
    return add(action, *way, std::forward<T>(value));
  }
  template <class T>
  edit& add(edit_action action, const path& way, T&& value) {
    if (error_) [[unlikely]]
      return *this;
    const bool leads_to_values = way.from() == root_.type() && !way.enters_key();
    errc code = leads_to_values ? record(action, way, std::forward<T>(value)) : errc::wrong_type;
    if (code != errc::ok) [[unlikely]]
      refuse(code, way);
    return *this;
  }
  template <class T>
  errc record(edit_action action, const path& way, T&& value) {
    if (action == edit_action::append && !is_sequence(way.to())) return errc::wrong_type;
    detail::edit_entry made(action, way, values_.all().size(), 0);
    if (const errc code = take_value(made, std::forward<T>(value)); code != errc::ok) [[unlikely]]
      return code;
    if (way.empty() && action == edit_action::insert) return errc::edit_conflict;
    keep(std::move(made));
    return errc::ok;
  }
  [[nodiscard]] static bool is_sequence(type of) noexcept {
    return of.kind() == type_kind::list || of.kind() == type_kind::set;
  }
  template <class T>
  THRIFTLENS_INLINE errc take_value(detail::edit_entry& made, T&& value) {
    using value_type = std::remove_cvref_t<T>;
    if constexpr (std::is_same_v<value_type, detail::no_value>) {
      return erasable(made.way);
    } else if constexpr (std::invocable<value_type&, const view<P>&>) {
      made.value_at = replacements_.size();
      add_replacement(made.target(), std::forward<T>(value));
      return errc::ok;
    } else {
      return add_value(made, made.target(), value);
    }
  }
  template <class Change>
  void add_replacement(type to, Change change) {
    replacements_.push_back([to, change = std::move(change)](const view<P>& old, buffer& out) mutable {
      return detail::append_value<P>(out, to, change(old));
    });
  }
  template <class T>
  errc add_value(detail::edit_entry& made, type to, const T& value) {
    const errc code = values_.template add<P>(to, value, root_.whole().size());
    if (code != errc::ok) [[unlikely]]
      return refuse_value(code, made.way, to, value);
    made.value_size = values_.all().size() - made.value_at;
    return fits(made, root_.location().at.depth_left) ? errc::ok : errc::depth_limit;
  }
  /// Whether all edits are of fields in the prefix template of the root, with one more.
  [[nodiscard]] bool stays_in_prefix(const detail::edit_entry& next) const noexcept;
  void keep(detail::edit_entry&& made);
  /// Whether the value that an edit puts in is nested no deeper than what reads the result allows from the
  /// root on.
  [[nodiscard]] bool fits(const detail::edit_entry& of, std::uint32_t depth_left) const noexcept;
  /// The error of the first edit whose value does not fit.
  [[nodiscard]] THRIFTLENS_COLD std::optional<error> too_deep(std::uint32_t depth_left) const;
  void grow_tree();
  /// Adds the edits from that one on. Edits that contradict each other are an error of the later one.
  [[nodiscard]] std::optional<error> fill(detail::edit_tree& tree, std::uint32_t from) const;
  [[nodiscard]] THRIFTLENS_COLD static error failed(errc code, const detail::edit_entry& of);
  static errc erasable(const path& way);

  [[nodiscard]] bool run_fast(buffer& out, const view<P>& of) const;
  THRIFTLENS_NOINLINE result<void> run_general(buffer& out, const view<P>& of) const;
  THRIFTLENS_NOINLINE result<void> run(detail::splicer& out, const view<P>& of) const;
  /// What a pass is asked for; `made` holds the tree where there was none.
  [[nodiscard]] result<void> ask(detail::rewrite_request<P>& what,
                                 std::optional<detail::edit_tree>& made) const;

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
