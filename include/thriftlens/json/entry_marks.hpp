// entry_marks: positions of the entries of containers and structs in the output that is being written, to
// find duplicate keys or to keep only the last of each.
#pragma once

#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/core/endian.hpp>
#include <thriftlens/core/repeated_keys.hpp>
#include <thriftlens/simd/block.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
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
  std::size_t source = 0;  ///< offset of the key in the input, where a writer sets it
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
  static constexpr std::size_t none = repeated_keys::none;
  /// Entries of one map after which repeated keys are looked for before its end, and again at each doubling:
  /// ten million equal keys must not cost ten million marks.
  static constexpr std::size_t first_look = 32768;

  entry_marks() noexcept = default;
  entry_marks(const entry_marks&) = delete;
  entry_marks& operator=(const entry_marks&) = delete;

  [[nodiscard]] std::size_t size() const noexcept { return count_; }
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

  /// Position (from `base`) of the first mark whose key equals an earlier one, or none.
  [[nodiscard]] std::size_t find_repeated(const std::uint8_t* out, std::size_t base, std::size_t prefix) {
    return repeated_.first(keys{out, prefix, since(base)});
  }

  /// Removes all but the last of equal keys from the output [first entry, end), with their marks. Returns the
  /// new end.
  [[nodiscard]] std::size_t keep_last(std::uint8_t* out, std::size_t base, std::size_t prefix,
                                      std::size_t end) {
    return keep_last_of(keys{out, prefix, since(base)}, out, base, end);
  }
  /// The same by other keys, one for each mark.
  template <class Keys>
  [[nodiscard]] std::size_t keep_last_of(const Keys& by, std::uint8_t* out, std::size_t base,
                                         std::size_t end) {
    std::span<entry_mark> all = since(base);
    if (all.empty()) return end;
    dropped_.assign(all.size(), false);
    repeated_.for_each(by, true, [&](std::size_t at) { dropped_[at] = true; });
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

  // Moves an entry of the output to `to` and pushes its mark again; returns its end.
  std::size_t keep(std::uint8_t* out, entry_mark mark, std::size_t size, std::size_t to) {
    std::memmove(out + to, out + mark.entry, size);
    push({to, mark.key_end - mark.entry + to, mark.source});
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
  repeated_keys repeated_;
  std::vector<bool> dropped_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
