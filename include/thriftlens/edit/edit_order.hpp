// edit_order: a few edits along single paths, sorted by where they apply, without a tree.
// In: edits as they were asked for. Out: groups that share their first steps; the group of a field or key.
// Never allocates.
#pragma once

#include <thriftlens/edit/edit_tree.hpp>
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
      const std::span<const path_step> steps = edits_[i].way.steps();
      std::uint32_t at = i;
      for (; at > 0; --at) {
        const int found = compare(steps, {steps_[at - 1], sizes_[at - 1]});
        if (found == 0) return false;
        if (found > 0) break;
        steps_[at] = steps_[at - 1];
        sizes_[at] = sizes_[at - 1];
        order_[at] = order_[at - 1];
      }
      steps_[at] = steps.data();
      sizes_[at] = steps.size();
      order_[at] = i;
    }
    return true;
  }

  [[nodiscard]] edit_group all() const noexcept { return {0, static_cast<std::uint32_t>(edits_.size()), 0}; }
  [[nodiscard]] const path_step& step(std::uint32_t at, std::uint32_t depth) const noexcept {
    return steps_[at][depth];
  }
  /// The step that the first edit of the group takes next.
  [[nodiscard]] const path_step& next_step(const edit_group& in) const noexcept {
    return steps_[in.begin][in.depth];
  }
  /// The step that led to the group.
  [[nodiscard]] const path_step& last_step(const edit_group& in) const noexcept {
    return steps_[in.begin][in.depth - 1];
  }
  /// The edits of a group that take the same next step as its first one.
  [[nodiscard]] THRIFTLENS_INLINE edit_group same(const edit_group& in) const noexcept {
    edit_group found{in.begin, in.begin + 1, in.depth + 1};
    while (found.end < in.end && !before(step(in.begin, in.depth), step(found.end, in.depth))) [[unlikely]]
      ++found.end;
    return found;
  }
  [[nodiscard]] bool is_leaf(const edit_group& of) const noexcept { return sizes_[of.begin] == of.depth; }
  /// The number of an edit as it was asked for.
  [[nodiscard]] std::uint32_t number(std::uint32_t at) const noexcept { return order_[at]; }
  [[nodiscard]] const edit_entry& entry(const edit_group& of) const noexcept {
    return edits_[order_[of.begin]];
  }
  [[nodiscard]] bool erases(const edit_group& of) const noexcept {
    return is_leaf(of) && entry(of).action == edit_action::erase;
  }

  /// Steps over the key at `at` and finds the edits that name it; none: found.end is 0. False to fall back.
  template <class Scanner>
  [[nodiscard]] THRIFTLENS_INLINE bool find_key(Scanner& in, const std::uint8_t*& at, ttype wire,
                                                const edit_group& among, edit_group& found) const noexcept {
    if (wire != ttype::string) return false;
    byte_view text;
    if (!in.text(at, text)) [[unlikely]]
      return false;
    for (edit_group rest = among; rest.begin < rest.end; rest.begin = same(rest).end) {
      const map_key& requested = next_step(rest).key;
      if (requested.kind() != map_key::form::text) [[unlikely]]
        return false;
      if (same_text(requested.bytes(), text)) found = same(rest);
    }
    return true;
  }
  /// The same for keys of every kind.
  template <protocol P>
  [[nodiscard]] THRIFTLENS_NOINLINE bool find_any_key(typename P::reader reader, const std::uint8_t*& at,
                                                      ttype wire, std::uint32_t depth_left,
                                                      const edit_group& among,
                                                      edit_group& found) const noexcept {
    for (edit_group rest = among; rest.begin < rest.end; rest.begin = same(rest).end) {
      const map_key& requested = next_step(rest).key;
      bool equal = false;
      reader.seek(wire_position{at, depth_left, 0, -1});
      if (requested.kind() == map_key::form::wire || !match_key<P>(reader, wire, requested, equal))
        return false;
      if (equal) found = same(rest);
    }
    at = reader.at();
    return true;
  }

 private:
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
  // In the order of paths; as many as there are edits.
  std::uint32_t order_[max_edits];
  std::size_t sizes_[max_edits];
  const path_step* steps_[max_edits];
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
