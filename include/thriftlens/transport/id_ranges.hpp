// id_ranges: a set of sequence ids as ranges, in bounded memory. At the bound it contains more ids than
// were inserted, never fewer.
#pragma once

#include <thriftlens/core/config.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// A set of ids, held as ranges. An id that was inserted is never lost; of more than `max_ranges` ranges the
/// lowest two become one, which then contains the ids between them too.
class id_ranges {
  struct range {
    std::int64_t first, last;  // so that the neighbours of every id can be computed
  };
  // The range that contains the id, or the first one above it.
  template <class Ranges>
  [[nodiscard]] static auto find(Ranges& ranges, std::int32_t id) noexcept {
    return std::partition_point(ranges.begin(), ranges.end(), [id](const range& of) { return of.last < id; });
  }

 public:
  explicit id_ranges(std::size_t max_ranges) noexcept : max_ranges_(max_ranges > 0 ? max_ranges : 1) {}

  [[nodiscard]] bool contains(std::int32_t id) const noexcept {
    const auto at = find(ranges_, id);
    return at != ranges_.end() && at->first <= id;
  }
  void insert(std::int32_t id) {
    const auto next = find(ranges_, id);
    if (next != ranges_.end() && next->first <= id) return;
    const bool extends_next = next != ranges_.end() && next->first - 1 == id;
    const bool extends_previous = next != ranges_.begin() && std::prev(next)->last + 1 == id;
    if (extends_next && extends_previous) {
      next->first = std::prev(next)->first;
      ranges_.erase(std::prev(next));
    } else if (extends_next) {
      next->first = id;
    } else if (extends_previous) {
      std::prev(next)->last = id;
    } else {
      ranges_.insert(next, {id, id});
      limit();
    }
  }
  [[nodiscard]] std::size_t ranges() const noexcept { return ranges_.size(); }

 private:
  void limit() {
    if (ranges_.size() <= max_ranges_) return;
    ranges_[1].first = ranges_[0].first;
    ranges_.erase(ranges_.begin());
  }

  std::size_t max_ranges_;
  std::vector<range> ranges_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
