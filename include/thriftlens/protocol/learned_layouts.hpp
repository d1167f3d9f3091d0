// learned_layouts: layouts of consecutive structs, learned from the first ones and tried on the next.
// Every level of nesting owns its layout.
#pragma once

#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/protocol/binary_shape.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Storage for the layouts of one operation. About 3 KB, not initialised.
class learned_layouts {
 public:
  learned_layouts() noexcept {}  // NOLINT: a layout is read only where its bit in known_ is set
  learned_layouts(const learned_layouts&) = delete;  // leases refer to it
  learned_layouts& operator=(const learned_layouts&) = delete;

  /// Hint for the row that starts next. `layout` must outlive this object, as those of a schema do.
  THRIFTLENS_INLINE void expect(const shape_ref& layout) noexcept { expected_ = layout; }
  /// True if a row that starts now has a layout to try.
  [[nodiscard]] THRIFTLENS_INLINE bool has_candidate() const noexcept {
    return expected_ || is_known(level_);
  }

 private:
  friend class layout_lease;

  [[nodiscard]] THRIFTLENS_INLINE bool is_known(std::uint32_t level) const noexcept {
    return level < max_levels && (known_ >> level & 1u) != 0;
  }

  // Rows at deeper levels try hints, but learn nothing.
  static constexpr std::uint32_t max_levels = 4;
  // Learning costs as much as skipping several structs: a layout that is never matched again uses up the
  // budget, a row that ends with a match refills it. Without budget two structs must have the same fields.
  static constexpr int max_budget = 1;

  shape_ref expected_;
  std::uint32_t level_ = 0;   // live leases
  std::uint32_t known_ = 0;   // a bit per level: its layout is valid
  std::uint32_t varied_ = 0;  // a bit per level: the structs of its last row differed
  int budget_ = max_budget;
  binary_shape layouts_[max_levels];
};

/// Exclusive use of one level's layout, until destroyed. Leases are destroyed in reverse order of creation.
class layout_lease {
 public:
  explicit layout_lease(learned_layouts& of) noexcept : of_(of), level_(of.level_++) {}
  ~layout_lease() { of_.level_ = level_; }
  layout_lease(const layout_lease&) = delete;
  layout_lease& operator=(const layout_lease&) = delete;

  /// The hint if there is one, which is used up, else the layout that an earlier row of this level learned.
  /// Tests false if there is neither.
  [[nodiscard]] THRIFTLENS_INLINE shape_ref candidate() noexcept {
    if (of_.expected_) {
      const shape_ref hint = of_.expected_;
      of_.expected_ = {};
      return hint;
    }
    return of_.is_known(level_) ? of_.layouts_[level_].ref() : shape_ref{};
  }
  /// Learns the layout of the well-formed struct at `from` and invalidates the one learned before. Tests
  /// false if the struct has none. The result is valid until the next call or the end of the lease.
  [[nodiscard]] shape_ref learn(byte_ptr from) noexcept {
    if (level_ >= learned_layouts::max_levels) return {};
    binary_shape& layout = of_.layouts_[level_];
    const std::uint32_t bit = 1u << level_;
    of_.known_ &= ~bit;
    if (!layout.learn(from)) return {};
    of_.known_ |= bit;
    return layout.ref();
  }
  /// Whether a layout may be learned from one struct.
  [[nodiscard]] bool take_budget() noexcept { return of_.budget_ > 0 && of_.budget_-- > 0; }
  /// Whether the structs of the last row of this level differed.
  [[nodiscard]] THRIFTLENS_INLINE bool is_varied() const noexcept {
    return level_ < learned_layouts::max_levels && (of_.varied_ >> level_ & 1u) != 0;
  }
  void set_varied(bool varied) noexcept {
    if (level_ >= learned_layouts::max_levels) return;
    of_.varied_ = (of_.varied_ & ~(1u << level_)) | static_cast<std::uint32_t>(varied) << level_;
  }
  /// The layout has paid off.
  THRIFTLENS_INLINE void refill_budget() noexcept { of_.budget_ = learned_layouts::max_budget; }

 private:
  learned_layouts& of_;
  std::uint32_t level_;
};

/// A row of structs that mostly have the same layout. A layout that misses is replaced when two structs that
/// it missed have the same fields.
class layout_row {
 public:
  /// For `count` structs. Tries `layout` first, or a candidate of `of` if it is empty.
  layout_row(learned_layouts& of, const shape_ref& layout, std::uint32_t depth_left,
             std::size_t count) noexcept
      : lease_(of), layout_(layout ? layout : lease_.candidate()) {
    const bool is_varied = lease_.is_varied();
    confidence_ = layout_ && layout_.levels <= depth_left && !is_varied ? 1 : 0;
    trials_left_ = count < min_count || (is_varied && count < long_count) ? 0
                   : count < long_count                                   ? 2
                                                                          : max_trials;
  }
  layout_row(learned_layouts& of, std::uint32_t depth_left, std::size_t count) noexcept
      : layout_row(of, {}, depth_left, count) {}
  ~layout_row() {
    if (confidence_ == max_confidence) lease_.refill_budget();
    if (has_missed_) [[unlikely]]
      lease_.set_varied(confidence_ <= 0);
  }
  layout_row(const layout_row&) = delete;
  layout_row& operator=(const layout_row&) = delete;

  /// The byte after the struct at `from` if it has the layout of the row, else nullptr.
  [[nodiscard]] THRIFTLENS_INLINE byte_ptr match(byte_ptr from, byte_ptr end) noexcept {
    if (confidence_ <= 0) [[unlikely]]
      return nullptr;
    const byte_ptr next = layout_.match(from, end);
    if (next == nullptr) [[unlikely]]
      confidence_ -= 2;
    else
      confidence_ = max_confidence;
    return next;
  }
  /// Reports that the well-formed struct at `from` did not match and was skipped in another way.
  THRIFTLENS_INLINE void miss(byte_ptr from) noexcept {
    if (confidence_ <= 0 && trials_left_ != 0) try_to_learn(from);
  }

  /// Rows of fewer structs learn nothing.
  static constexpr std::size_t min_count = 4;

 private:
  static constexpr int max_confidence = 4, max_trials = 8;
  static constexpr std::size_t long_count = 64;

  THRIFTLENS_NOINLINE void try_to_learn(byte_ptr from) noexcept {
    --trials_left_;
    has_missed_ = true;
    const byte_ptr previous = missed_;
    missed_ = from;
    const bool learns =
        previous != nullptr ? binary_shape::same_fields(previous, from) : !layout_ && lease_.take_budget();
    if (!learns) return;
    layout_ = lease_.learn(from);
    if (!layout_) trials_left_ = 0;
    confidence_ = layout_ ? 1 : 0;
  }

  layout_lease lease_;
  shape_ref layout_;
  int confidence_;
  int trials_left_;
  bool has_missed_ = false;
  byte_ptr missed_ = nullptr;  // the struct that missed last
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
