// edit_order: a few edits along single paths, sorted by where they apply, without a tree.
#pragma once

#include <thriftlens/edit/edit_tree.hpp>
#include <thriftlens/edit/wire_copier.hpp>
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

  /// False where one path is another or leads into it, or there are too many.
  [[nodiscard]] THRIFTLENS_INLINE bool sort() noexcept {
    if (edits_.size() > max_edits) return false;
    for (std::uint32_t i = 0; i < edits_.size(); ++i) {
      if (!insert(i, edits_[i].way.steps())) return false;
    }
    return true;
  }

  [[nodiscard]] edit_group all() const noexcept { return {0, static_cast<std::uint32_t>(edits_.size()), 0}; }
  [[nodiscard]] const path_step& step(std::uint32_t at, std::uint32_t depth) const noexcept {
    return sorted_[at].steps[depth];
  }
  /// The step that the first edit of the group takes next.
  [[nodiscard]] const path_step& next_step(const edit_group& in) const noexcept {
    return step(in.begin, in.depth);
  }
  /// The step that led to the group.
  [[nodiscard]] const path_step& last_step(const edit_group& in) const noexcept {
    return step(in.begin, in.depth - 1);
  }
  /// The edits of a group that take the same next step as its first one.
  [[nodiscard]] THRIFTLENS_INLINE edit_group same(const edit_group& in) const noexcept {
    edit_group found{in.begin, in.begin + 1, in.depth + 1};
    while (found.end < in.end && !before(step(in.begin, in.depth), step(found.end, in.depth))) [[unlikely]]
      ++found.end;
    return found;
  }
  [[nodiscard]] bool is_leaf(const edit_group& of) const noexcept {
    return sorted_[of.begin].size == of.depth;
  }
  /// The number of an edit as it was asked for.
  [[nodiscard]] std::uint32_t number(std::uint32_t at) const noexcept { return sorted_[at].number; }
  [[nodiscard]] const edit_entry& entry(const edit_group& of) const noexcept {
    return edits_[number(of.begin)];
  }
  [[nodiscard]] bool erases(const edit_group& of) const noexcept {
    return is_leaf(of) && entry(of).action == edit_action::erase;
  }

  /// Notes in `seen`, a bit for each edit, that the key of a group was there. False where it was before: of
  /// equal keys all are edited.
  [[nodiscard]] THRIFTLENS_INLINE static bool is_first(const edit_group& found,
                                                       std::uint32_t& seen) noexcept {
    const std::uint32_t bit = 1u << found.begin;
    const bool is_new = (seen & bit) == 0;
    seen |= bit;
    return is_new;
  }
  [[nodiscard]] bool all_seen(const edit_group& in, std::uint32_t seen) const noexcept {
    return each_group(in, [&](const edit_group& each) { return (seen >> each.begin & 1) != 0; });
  }
  /// Visits the groups that take the same next step each, until one answers false.
  template <class Visit>
  THRIFTLENS_INLINE bool each_group(edit_group rest, Visit visit) const noexcept {
    for (; !rest.empty();) {
      const edit_group next = same(rest);
      if (!visit(next)) return false;
      rest.begin = next.end;
    }
    return true;
  }
  /// Goes through so many elements, some of which edits name: `pass(count)` steps over others,
  /// `change(group)` over one of them.
  template <class Pass, class Change>
  [[nodiscard]] THRIFTLENS_INLINE bool each_element(edit_group in, std::int64_t size, Pass pass,
                                                    Change change) const {
    const bool from_end = next_step(in).first < 0;
    if (from_end && same(in).end != in.end) return false;  // their order would have to be found anew
    std::int64_t next = 0;
    for (; !in.empty(); ++next) {
      const edit_group found = same(in);
      const std::int64_t requested = next_step(in).first + (from_end ? size : 0);
      if (requested < next || requested >= size || !pass(requested - next) || !change(found)) return false;
      next = requested;
      in.begin = found.end;
    }
    return pass(size - next);
  }
  /// Steps over the text at `at` and finds the edits that name it as a key; none: found.end is 0. False to
  /// fall back.
  template <class Scanner>
  [[nodiscard]] THRIFTLENS_INLINE bool find_text(Scanner& in, byte_ptr& at, const edit_group& among,
                                                 edit_group& found) const noexcept {
    byte_view text;
    if (!in.text(at, text)) return false;
    for (edit_group rest = among; rest.begin < rest.end; rest.begin = same(rest).end) {
      const map_key& requested = next_step(rest).key;
      if (requested.kind() != map_key::form::text) return false;
      if (same_text(requested.bytes(), text)) found = same(rest);
    }
    return true;
  }
  /// The same for the key of any kind that a reader is at.
  template <protocol P>
  [[nodiscard]] THRIFTLENS_NOINLINE bool find_key(typename P::reader& in, ttype wire, const edit_group& among,
                                                  edit_group& found) const noexcept {
    const wire_position start = in.here();
    return each_group(among, [&](const edit_group& each) {
      const map_key& requested = last_step(each).key;
      bool equal = false;
      in.seek(start);
      if (requested.kind() == map_key::form::wire || !match_key<P>(in, wire, requested, equal)) return false;
      if (equal) found = each;
      return true;
    });
  }

 private:
  struct sorted_edit {
    const path_step* steps;
    std::size_t size;
    std::uint32_t number;
  };

  /// Puts an edit among those before it.
  [[nodiscard]] THRIFTLENS_INLINE bool insert(std::uint32_t number,
                                              std::span<const path_step> steps) noexcept {
    std::uint32_t at = number;
    for (; at > 0; --at) {
      const sorted_edit& before = sorted_[at - 1];
      const int found = compare(steps, {before.steps, before.size});
      if (found == 0) return false;
      if (found > 0) break;
      sorted_[at] = before;
    }
    sorted_[at] = {steps.data(), steps.size(), number};
    return true;
  }
  /// Siblings as a tree of edits has them.
  [[nodiscard]] static bool before(const path_step& left, const path_step& right) noexcept {
    if (left.kind == path_step::form::field) return left.id < right.id;
    if (left.kind == path_step::form::index) return left.first < right.first;
    return key_less(left.key, right.key);
  }
  /// 0 where one is the front of the other.
  [[nodiscard]] static int compare(std::span<const path_step> left,
                                   std::span<const path_step> right) noexcept {
    for (std::size_t i = 0; i < left.size() && i < right.size(); ++i) {
      if (before(left[i], right[i])) return -1;
      if (before(right[i], left[i])) return 1;
    }
    return 0;
  }

  std::span<const edit_entry> edits_;
  sorted_edit sorted_[max_edits];  // in the order of paths; as many as there are edits
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
