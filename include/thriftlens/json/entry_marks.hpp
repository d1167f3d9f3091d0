// entry_marks: positions of entries in the output that is being written, to find duplicate keys or drop all
// but the last.
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

namespace thriftlens::inline THRIFTLENS_ABI::detail {

// The first eight bytes as a number that compares as they do; missing ones are zero.
[[nodiscard]] THRIFTLENS_INLINE std::uint64_t leading_bytes(const std::uint8_t* from,
                                                            std::size_t size) noexcept {
  return byte_swap(simd::load_partial_8(from, size));
}

/// Whether one byte string is less than another in lexicographic order.
[[nodiscard]] THRIFTLENS_INLINE bool ascend(const std::uint8_t* lhs, std::size_t lhs_size,
                                            const std::uint8_t* rhs, std::size_t rhs_size) noexcept {
  const std::uint64_t a = detail::leading_bytes(lhs, lhs_size), b = detail::leading_bytes(rhs, rhs_size);
  if (a != b) [[likely]]
    return a < b;
  const std::size_t shorter = lhs_size < rhs_size ? lhs_size : rhs_size;
  const int order = shorter > 8 ? std::memcmp(lhs + 8, rhs + 8, shorter - 8) : 0;
  return order < 0 || (order == 0 && lhs_size < rhs_size);
}

/// One entry in the output: where it begins and where its key ends. Keys begin `prefix` bytes after it.
struct entry_mark {
  std::size_t entry;
  std::size_t key_end;
  std::size_t source;  ///< offset of the key in the input, where a writer sets it

  entry_mark() = default;
  entry_mark(std::size_t begin, std::size_t end, std::size_t in = 0) noexcept
      : entry(begin), key_end(end), source(in) {}
};

/// Compares the keys of two entries, which begin `prefix` bytes after the entries.
[[nodiscard]] THRIFTLENS_INLINE bool ascend(const std::uint8_t* out, const entry_mark& first,
                                            const entry_mark& second, std::size_t prefix) noexcept {
  const std::size_t lhs = first.entry + prefix, rhs = second.entry + prefix;
  return ascend(out + lhs, first.key_end - lhs, out + rhs, second.key_end - rhs);
}

/// A stack of marks, those of the innermost map on top. The first 64 need no allocation.
class entry_marks {
 public:
  static constexpr std::size_t none = repeated_keys::none;
  /// Number of entries after which a map is checked for duplicate keys before its end, again after every
  /// doubling: ten million equal keys must not cost ten million marks.
  static constexpr std::size_t first_look = 32768;

  entry_marks() noexcept {}  // not defaulted: an optional would set all marks to zero
  entry_marks(const entry_marks&) = delete;
  entry_marks& operator=(const entry_marks&) = delete;

  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  THRIFTLENS_INLINE void push(entry_mark mark) {
    if (count_ == capacity_) [[unlikely]]
      grow();
    marks_[count_++] = mark;
  }
  [[nodiscard]] const entry_mark& top() const noexcept { return marks_[count_ - 1]; }
  [[nodiscard]] std::span<entry_mark> since(std::size_t base) noexcept {
    return {marks_ + base, count_ - base};
  }
  void drop_to(std::size_t base) noexcept { count_ = base; }
  /// Whether the keys from `base` on ascend as a ring, and so are unique. The bytes of ascending signed
  /// numbers descend once.
  [[nodiscard]] bool ascend_as_ring(const std::uint8_t* out, std::size_t base, std::size_t prefix) const {
    const entry_mark* previous = marks_ + count_ - 1;
    std::size_t descents = 0;
    for (const entry_mark* mark = marks_ + base; mark != marks_ + count_; previous = mark++)
      if (!ascend(out, *previous, *mark, prefix) && ++descents > 1) return false;
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
  /// Like keep_last, with `by[i]` as the key of mark i.
  [[nodiscard]] THRIFTLENS_COLD std::size_t keep_last_of(const key_texts& by, std::uint8_t* out,
                                                         std::size_t base, std::size_t end) {
    std::span<entry_mark> marks = since(base);
    if (marks.empty()) return end;
    repeated_.find_earlier(by, dropped_);
    std::size_t to = marks[0].entry;
    drop_to(base);
    for (std::size_t i = 0; i < marks.size(); ++i) {
      const std::size_t size = (i + 1 < marks.size() ? marks[i + 1].entry : end) - marks[i].entry;
      if (dropped_[i] == 0) to = keep(out, marks[i], size, to);
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
    heap_marks_.resize(capacity_ * 2);
    if (marks_ == inline_marks_) std::memcpy(heap_marks_.data(), inline_marks_, sizeof inline_marks_);
    marks_ = heap_marks_.data();
    capacity_ = heap_marks_.size();
  }

  entry_mark inline_marks_[64];
  pod_vector<entry_mark> heap_marks_;
  entry_mark* marks_ = inline_marks_;
  std::size_t count_ = 0;
  std::size_t capacity_ = 64;
  repeated_keys repeated_;
  pod_vector<std::uint8_t> dropped_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
