// fast_elements: trims values that lie one after the other, as many as are whole, by pointers. Speculates:
// stops in front of the first that is not whole or not plain.
#pragma once

#include <thriftlens/edit/fast/fast_rewrite.hpp>

#include <cstddef>
#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Elements of lists and values of entries, under a selection and no other option.
template <protocol P>
class fast_elements : fast_rewriter<P, true, false, false> {
  using base = fast_rewriter<P, true, false, false>;

 public:
  using base::base;
  using base::report;

  /// Appends what the node `kept` of the selection keeps of the values from `at` on, at most `count` of them;
  /// their number. `at` is then after the last of them.
  [[nodiscard]] std::size_t run(byte_ptr& at, std::uint32_t kept, std::uint32_t type, std::size_t count,
                                std::uint32_t depth_left) {
    typename base::field_fate each;
    each.type = type;
    each.inside.kept = this->kept_node(kept);
    const ttype wire = this->image_->types[type].wire;
    this->to_ = this->out_.reserve(static_cast<std::size_t>(this->end_ - at) + 64);
    this->copied_ = at;
    std::size_t done = 0;
    while (done != count && next(at, each, wire, depth_left)) ++done;
    this->flush(at);
    this->out_.commit(this->to_);
    return done;
  }

 private:
  /// False: nothing of the value at `at` is in the output.
  [[nodiscard]] THRIFTLENS_INLINE bool next(byte_ptr& at, const typename base::field_fate& by, ttype wire,
                                            std::uint32_t depth_left) {
    const byte_ptr copied = this->copied_;
    const auto size = static_cast<std::size_t>(this->to_ - this->out_.data());
    const std::size_t trimmed = report.trimmed;
    const byte_ptr after = this->element(at, by, wire, depth_left);
    if (after == nullptr) [[unlikely]] {
      this->copied_ = copied;
      this->to_ = this->out_.data() + size;
      report.trimmed = trimmed;
      return false;
    }
    at = after;
    return true;
  }
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
