// move: takes a value out of its position in a document and puts it below another value. Never copies
// bytes where both are of one document and one type.
#pragma once

#include <thriftlens/dom/parent.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail::dom {

/// Moves the value of one slot, which stands in the level `in` of `source` and is read as `type`.
class mover {
 public:
  mover(const parent& to, tree& source, level* in, slot& value, thriftlens::type type) noexcept
      : to_(to), source_(source), in_(in), old_(value), type_(type) {}

  /// `number` is the slot number of the value then. Errors: those of setting and inserting; wrong_type for
  /// the root and what lies in a map's key; edit_conflict into itself.
  [[nodiscard]] errc move(const map_key& step, std::uint32_t& number) {
    if (in_ == nullptr || !changer::may_change(in_, old_)) return errc::wrong_type;
    if (is_above_target()) return errc::edit_conflict;
    if (is_there(step, number)) return errc::ok;
    const auto position = static_cast<std::uint32_t>(&old_ - in_->items);
    const std::int16_t id = old_.id;
    if (const errc code = put(step, number); code != errc::ok) return code;
    take_out(position, id, number);
    return errc::ok;
  }

 private:
  [[nodiscard]] bool same_level() const noexcept { return &to_.below() == in_; }
  /// The step leads to the old position already: `number` is that of the value.
  [[nodiscard]] bool is_there(const map_key& step, std::uint32_t& number) const {
    if (to_.is_list() || to_.find(step, number) != errc::ok) return false;
    number = to_.value_number(number);
    return same_level() && &in_->items[number] == &old_;
  }
  [[nodiscard]] bool is_above_target() const noexcept {
    if (!old_.expanded) return false;
    for (const level* above = &to_.below(); above != nullptr; above = above->parent)
      if (old_.below == above) return true;
    return false;
  }
  // Linked where that can be, else copied.
  [[nodiscard]] errc put(const map_key& step, std::uint32_t& number) {
    const node_value value(source_, old_, type_, old_.wire);
    errc code = to_.set_or_insert(step, value.linked(), number);
    if (code == errc::value_type) code = to_.set_or_insert(step, value, number);
    if (code != errc::ok) return code;
    number = to_.value_number(number);
    value_maker::settle(to_.below().items[number], to_.below().depth_left);
    return errc::ok;
  }
  // Erases the old slot, which setting the new one may have moved; the new one may move in turn.
  void take_out(std::uint32_t position, std::int16_t id, std::uint32_t& number) {
    changer work(source_);
    if (in_->wire == ttype::struct_)
      position = work.find_field(*in_, id);
    else if (same_level() && to_.is_list() && position >= number)
      ++position;
    if (position == key_index::none) return;
    const std::uint32_t first = position - position % in_->stride();
    static_cast<void>(work.erase(*in_, first, same_level() ? &number : nullptr));
  }

  parent to_;
  tree& source_;
  level* in_;
  slot& old_;
  thriftlens::type type_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::dom
