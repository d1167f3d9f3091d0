// entry_marks: where the entries of maps and structs that are being written begin, to find and drop
// duplicate keys. In: the position of each entry in the output. Out: the first repeated one, or the output
// with only the last of each kept. Never compares keys pairwise in large maps; time stays linear in the bytes
// of the keys, n log n against made collisions.
#pragma once

#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/core/endian.hpp>
#include <thriftlens/core/hash.hpp>
#include <thriftlens/simd/block.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

// The first eight bytes as a number that compares as they do; missing ones are zero.
[[nodiscard]] THRIFTLENS_INLINE std::uint64_t leading_bytes(const std::uint8_t* from,
                                                            std::size_t size) noexcept {
  return byte_swap(simd::load_partial_8(from, size));
}

/// Whether the first of two byte strings stands strictly before the second in lexicographic order.
[[nodiscard]] THRIFTLENS_INLINE bool ascend(const std::uint8_t* left, std::size_t left_size,
                                            const std::uint8_t* right, std::size_t right_size) noexcept {
  const std::uint64_t a = detail::leading_bytes(left, left_size),
                      b = detail::leading_bytes(right, right_size);
  if (a != b) [[likely]]
    return a < b;
  const std::size_t shorter = left_size < right_size ? left_size : right_size;
  const int order = shorter > 8 ? std::memcmp(left + 8, right + 8, shorter - 8) : 0;
  return order < 0 || (order == 0 && left_size < right_size);
}

/// One entry in the output: where it begins and where its key ends. Keys begin `prefix` bytes after it.
struct entry_mark {
  std::size_t entry;
  std::size_t key_end;
};

/// The same of the keys of two entries, which begin `prefix` bytes after them.
[[nodiscard]] THRIFTLENS_INLINE bool ascend(const std::uint8_t* out, const entry_mark& before,
                                            const entry_mark& after, std::size_t prefix) noexcept {
  const std::size_t left = before.entry + prefix, right = after.entry + prefix;
  return ascend(out + left, before.key_end - left, out + right, after.key_end - right);
}

/// A stack of marks: maps nest, the marks of the innermost one lie on top. The first few need no allocation.
class entry_marks {
 public:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  /// Entries of one map after which repeated keys are looked for before its end, and again at each doubling:
  /// one key said ten million times must not cost ten million marks.
  static constexpr std::size_t first_look = 65536;

  /// `seed` of the hash table of keys; 0: the table's address, which senders do not know.
  explicit entry_marks(std::uint64_t seed = 0) noexcept : seed_(seed) {}
  entry_marks(const entry_marks&) = delete;
  entry_marks& operator=(const entry_marks&) = delete;

  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  /// Places of the table, beside their own, at which keys were looked for when repeated ones were last asked
  /// for.
  [[nodiscard]] std::size_t probes() const noexcept { return probes_; }
  THRIFTLENS_INLINE void push(entry_mark mark) {
    if (count_ == room_) [[unlikely]]
      grow();
    marks_[count_++] = mark;
  }
  [[nodiscard]] const entry_mark& top() const noexcept { return marks_[count_ - 1]; }
  [[nodiscard]] std::span<entry_mark> since(std::size_t base) noexcept {
    return {marks_ + base, count_ - base};
  }
  void drop_to(std::size_t base) noexcept { count_ = base; }
  /// Whether the keys from `base` on ascend, read as a ring: signed numbers in their order do, though their
  /// bytes begin anew once. Then none repeats.
  [[nodiscard]] bool ascend_as_ring(const std::uint8_t* out, std::size_t base, std::size_t prefix) const {
    const entry_mark* before = marks_ + count_ - 1;
    std::size_t descents = 0;
    for (const entry_mark* mark = marks_ + base; mark != marks_ + count_; before = mark++)
      if (!ascend(out, *before, *mark, prefix) && ++descents > 1) return false;
    return true;
  }

  /// Position (from `base`) of the first mark whose key stood before, or none.
  [[nodiscard]] std::size_t find_repeated(const std::uint8_t* out, std::size_t base, std::size_t prefix) {
    keys keyed{out, prefix, since(base)};
    std::size_t found = none;
    each_repeated(keyed, false, [&](std::size_t at) { found = (std::min)(found, at); });
    return found;
  }

  /// Closes up the output [first entry, end) so that of equal keys only the last stays, and its mark. Returns
  /// the new end.
  [[nodiscard]] std::size_t keep_last(std::uint8_t* out, std::size_t base, std::size_t prefix,
                                      std::size_t end) {
    std::span<entry_mark> all = since(base);
    if (all.empty()) return end;
    dropped_.assign(all.size(), false);
    each_repeated(keys{out, prefix, all}, true, [&](std::size_t at) { dropped_[at] = true; });
    std::size_t to = all[0].entry;
    drop_to(base);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::size_t size = (i + 1 < all.size() ? all[i + 1].entry : end) - all[i].entry;
      if (!dropped_[i]) to = keep(out, all[i], size, to);
    }
    return to;
  }

 private:
  struct keys {
    const std::uint8_t* out;
    std::size_t prefix;
    std::span<const entry_mark> marks;
    [[nodiscard]] std::string_view operator[](std::size_t at) const noexcept {
      const std::size_t begin = marks[at].entry + prefix;
      return {reinterpret_cast<const char*>(out) + begin, marks[at].key_end - begin};
    }
    [[nodiscard]] std::size_t size() const noexcept { return marks.size(); }
  };

  // Calls found(i) for each key that has an equal before it (from_end: behind it).
  template <class Found>
  void each_repeated(const keys& all, bool from_end, Found found) {
    constexpr std::size_t max_pairwise = 8;
    if (all.size() <= max_pairwise) return each_repeated_pairwise(all, from_end, found);
    const std::size_t max_probes = all.size() * 16 + 1024;  // honest keys never need so many
    slots_.assign(std::bit_ceil((std::max<std::size_t>)(all.size() * 2, 16)), 0);
    probes_ = 0;
    for (std::size_t n = 0; n < all.size(); ++n) {
      const std::size_t i = from_end ? all.size() - 1 - n : n;
      std::uint32_t& slot = slots_[slot_of(all, i, max_probes)];
      if (probes_ == max_probes) return each_repeated_sorted(all, from_end, found);
      if (slot != 0)
        found(i);
      else
        slot = static_cast<std::uint32_t>(i + 1);
    }
  }
  // Of the key with that number: with an equal key in it, or empty; or any where the probes are used up.
  [[nodiscard]] std::size_t slot_of(const keys& all, std::size_t key, std::size_t max_probes) noexcept {
    const auto address = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(slots_.data()));
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = first_slot(hash_text(all[key], seed_ != 0 ? seed_ : address), mask);
    while (probes_ != max_probes && slots_[slot] != 0 && all[slots_[slot] - 1] != all[key]) {
      slot = (slot + 1) & mask;
      ++probes_;
    }
    return slot;
  }
  template <class Found>
  static void each_repeated_pairwise(const keys& all, bool from_end, Found found) {
    for (std::size_t i = 1; i < all.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (all[i] == all[j]) found(from_end ? j : i);
      }
    }
  }
  template <class Found>
  void each_repeated_sorted(const keys& all, bool from_end, Found found) {
    slots_.resize(all.size());
    std::iota(slots_.begin(), slots_.end(), 0u);
    std::ranges::sort(slots_, {}, [&](std::uint32_t key) { return std::pair(all[key], key); });
    for (std::size_t i = 1; i < slots_.size(); ++i)
      if (all[slots_[i - 1]] == all[slots_[i]]) found(from_end ? slots_[i - 1] : slots_[i]);
  }

  // Moves an entry of the output to `to` and pushes its mark again; returns its end.
  std::size_t keep(std::uint8_t* out, entry_mark mark, std::size_t size, std::size_t to) {
    std::memmove(out + to, out + mark.entry, size);
    push({to, mark.key_end - mark.entry + to});
    return to + size;
  }
  THRIFTLENS_COLD void grow() {
    heap_marks_.resize(room_ * 2);
    if (marks_ == inline_marks_) std::memcpy(heap_marks_.data(), inline_marks_, sizeof inline_marks_);
    marks_ = heap_marks_.data();
    room_ = heap_marks_.size();
  }

  entry_mark inline_marks_[64];
  std::vector<entry_mark> heap_marks_;
  entry_mark* marks_ = inline_marks_;
  std::size_t count_ = 0;
  std::size_t room_ = 64;
  std::vector<std::uint32_t> slots_;
  std::vector<bool> dropped_;
  std::uint64_t seed_;
  std::size_t probes_ = 0;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
