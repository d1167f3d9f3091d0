// fast_elements: trims consecutive values, as many as are complete, by pointers. Speculative:
// stops before the first that is incomplete or not plain.
#pragma once

#include <thriftlens/rewrite/fast/fast_rewrite.hpp>

#include <cstddef>
#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Elements of lists and values of entries, under a selection and no other option.
template <protocol P>
class fast_elements : fast_rewriter<P, true, false, false> {
  using base = fast_rewriter<P, true, false, false>;

 public:
  using base::base, base::report;

  /// Appends the parts of the values from `at` on, at most `count` of them, that selection node `selected`
  /// has; returns their number. `at` is then after the last of them.
  [[nodiscard]] std::size_t run(byte_ptr& at, std::uint32_t selected, std::uint32_t type, std::size_t count,
                                std::uint32_t depth_left) {
    typename base::field_plan plan;
    plan.type = type;
    plan.inside.selected = this->selected_node(selected);
    const ttype wire = this->image_->types[type].wire;
    this->to_ = this->out_.prepare(static_cast<std::size_t>(this->end_ - at) + 64);
    this->copied_ = at;
    std::size_t trimmed = 0;
    while (trimmed != count && next(at, plan, wire, depth_left)) ++trimmed;
    this->flush(at);
    this->out_.commit(this->to_);
    return trimmed;
  }

 private:
  /// False: nothing of the value at `at` is in the output.
  [[nodiscard]] THRIFTLENS_INLINE bool next(byte_ptr& at, const typename base::field_plan& by, ttype wire,
                                            std::uint32_t depth_left) {
    const byte_ptr copied = this->copied_;
    const auto size = static_cast<std::size_t>(this->to_ - this->out_.data());
    const std::size_t trimmed = report.trimmed;
    const byte_ptr end = this->element(at, by, wire, depth_left);
    if (end == nullptr) [[unlikely]] {
      this->copied_ = copied;
      this->to_ = this->out_.data() + size;
      report.trimmed = trimmed;
      return false;
    }
    at = end;
    return true;
  }
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
