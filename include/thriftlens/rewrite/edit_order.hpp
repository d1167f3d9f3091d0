// edit_order: a few edits along single paths, sorted by where they apply, without a tree.
#pragma once

#include <thriftlens/rewrite/edit_tree.hpp>
#include <thriftlens/rewrite/wire_copier.hpp>
#include <thriftlens/view/scan.hpp>
#include <thriftlens/view/walker.hpp>

#include <cstdint>
#include <span>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Edits [begin, end) of an order, which share their first `depth` steps.
struct edit_group {
  std::uint32_t begin = 0, end = 0, depth = 0;

  [[nodiscard]] bool empty() const noexcept { return begin == end; }
};

/// At most max_edits edits. sort() comes first.
class edit_order {
 public:
  static constexpr std::size_t max_edits = 8;

  explicit edit_order(std::span<const edit_entry> edits) noexcept : edits_(edits) {}  // NOLINT

  /// False if one path is equal to another or leads into it, or if there are too many.
  [[nodiscard]] THRIFTLENS_INLINE bool sort() noexcept {
    if (edits_.size() > max_edits) return false;
    for (std::uint32_t i = 0; i < edits_.size(); ++i) {
      if (!insert(i, edits_[i].target_path.steps())) return false;
    }
    return true;
  }

  [[nodiscard]] edit_group root_group() const noexcept {
    return {0, static_cast<std::uint32_t>(edits_.size()), 0};
  }
  [[nodiscard]] const path_step& step(std::uint32_t at, std::uint32_t depth) const noexcept {
    return sorted_[at].steps[depth];
  }
  /// The step that the first edit of the group takes next.
  [[nodiscard]] const path_step& next_step(const edit_group& in) const noexcept {
    return step(in.begin, in.depth);
  }
  [[nodiscard]] const path_step& last_step(const edit_group& in) const noexcept {
    return step(in.begin, in.depth - 1);
  }
  /// The edits of a group that take the same next step as its first one.
  [[nodiscard]] THRIFTLENS_INLINE edit_group same(const edit_group& in) const noexcept {
    edit_group group{in.begin, in.begin + 1, in.depth + 1};
    while (group.end < in.end && !precedes(step(in.begin, in.depth), step(group.end, in.depth))) [[unlikely]]
      ++group.end;
    return group;
  }
  [[nodiscard]] bool is_leaf(const edit_group& of) const noexcept {
    return sorted_[of.begin].size == of.depth;
  }
  /// The index of an edit in the batch.
  [[nodiscard]] std::uint32_t number(std::uint32_t at) const noexcept { return sorted_[at].number; }
  [[nodiscard]] const edit_entry& entry(const edit_group& of) const noexcept {
    return edits_[number(of.begin)];
  }
  [[nodiscard]] bool erases(const edit_group& of) const noexcept {
    return is_leaf(of) && entry(of).action == edit_action::erase;
  }

  /// Sets the bit of a group in `seen` when its key was found. False if it was set: of equal keys all are
  /// edited.
  [[nodiscard]] THRIFTLENS_INLINE static bool is_first(const edit_group& group,
                                                       std::uint32_t& seen) noexcept {
    const std::uint32_t bit = 1u << group.begin;
    const bool is_new = (seen & bit) == 0;
    seen |= bit;
    return is_new;
  }
  [[nodiscard]] bool all_seen(const edit_group& in, std::uint32_t seen) const noexcept {
    return each_group(in, [&](const edit_group& group) { return (seen >> group.begin & 1) != 0; });
  }
  /// Visits the groups that share their next step, until `visit` returns false.
  template <class Visit>
  THRIFTLENS_INLINE bool each_group(edit_group rest, Visit visit) const noexcept {
    for (; !rest.empty();) {
      const edit_group next = same(rest);
      if (!visit(next)) return false;
      rest.begin = next.end;
    }
    return true;
  }
  /// Iterates `size` elements: `pass(count)` skips elements without edits, `change(group)` handles an element
  /// with edits.
  template <class Pass, class Change>
  [[nodiscard]] THRIFTLENS_INLINE bool each_element(edit_group in, std::int64_t size, Pass pass,
                                                    Change change) const {
    const bool from_end = next_step(in).first < 0;
    if (from_end && same(in).end != in.end) return false;  // would need another sort
    std::int64_t next = 0;
    for (; !in.empty(); ++next) {
      const edit_group group = same(in);
      const std::int64_t requested = next_step(in).first + (from_end ? size : 0);
      if (requested < next || requested >= size || !pass(requested - next) || !change(group)) return false;
      next = requested;
      in.begin = group.end;
    }
    return pass(size - next);
  }
  /// Steps over the text at `at` and finds the edits that have it as key; none: group.end is 0. False to fall
  /// back.
  template <class Scanner>
  [[nodiscard]] THRIFTLENS_INLINE bool find_text(Scanner& in, byte_ptr& at, const edit_group& among,
                                                 edit_group& group) const noexcept {
    byte_view text;
    if (!in.text(at, text)) return false;
    for (edit_group rest = among; rest.begin < rest.end; rest.begin = same(rest).end) {
      const map_key& requested = next_step(rest).key;
      if (requested.kind() != map_key::form::text) return false;
      if (same_text(requested.bytes(), text)) group = same(rest);
    }
    return true;
  }
  /// As find_text, for a key of any type at the reader.
  template <protocol P>
  [[nodiscard]] THRIFTLENS_NOINLINE bool find_key(typename P::reader& in, ttype wire, const edit_group& among,
                                                  edit_group& group) const noexcept {
    const wire_position start = in.here();
    return each_group(among, [&](const edit_group& candidate) {
      const map_key& requested = last_step(candidate).key;
      bool equal = false;
      in.seek(start);
      if (requested.kind() == map_key::form::wire || !match_key<P>(in, wire, requested, equal)) return false;
      if (equal) group = candidate;
      return true;
    });
  }

 private:
  struct sorted_edit {
    const path_step* steps;
    std::size_t size;
    std::uint32_t number;
  };

  /// Inserts an edit into the sorted ones before it.
  [[nodiscard]] THRIFTLENS_INLINE bool insert(std::uint32_t number,
                                              std::span<const path_step> steps) noexcept {
    std::uint32_t at = number;
    for (; at > 0; --at) {
      const sorted_edit& previous = sorted_[at - 1];
      const int order = compare(steps, {previous.steps, previous.size});
      if (order == 0) return false;
      if (order > 0) break;
      sorted_[at] = previous;
    }
    sorted_[at] = {steps.data(), steps.size(), number};
    return true;
  }
  /// The order of siblings in a tree of edits.
  [[nodiscard]] static bool precedes(const path_step& lhs, const path_step& rhs) noexcept {
    if (lhs.kind == path_step::form::field) return lhs.id < rhs.id;
    if (lhs.kind == path_step::form::index) return lhs.first < rhs.first;
    return key_less(lhs.key, rhs.key);
  }
  /// 0 if one is a prefix of the other.
  [[nodiscard]] static int compare(std::span<const path_step> lhs, std::span<const path_step> rhs) noexcept {
    for (std::size_t i = 0; i < lhs.size() && i < rhs.size(); ++i) {
      if (precedes(lhs[i], rhs[i])) return -1;
      if (precedes(rhs[i], lhs[i])) return 1;
    }
    return 0;
  }

  std::span<const edit_entry> edits_;
  sorted_edit sorted_[max_edits];  // in the order of paths; as many as there are edits
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
