// move: moves a value of a document below another value, without a copy within one document and type.
#pragma once

#include <thriftlens/dom/parent.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail::dom {

/// Moves the value of a slot in the level `in` of `source`, which has type `type`.
class mover {
 public:
  mover(const parent& to, tree& source, level* in, slot& value, thriftlens::type type) noexcept
      : to_(to), source_(source), in_(in), old_(value), type_(type) {}

  /// `number` becomes the slot number of the value. Errors: those of set and insert; wrong_type for the root
  /// and values in keys of maps; edit_conflict for a move into itself.
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
  /// Whether the step leads to the current position; `number` is then its slot number.
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
  // Links the value if possible, else copies it.
  [[nodiscard]] errc put(const map_key& step, std::uint32_t& number) {
    const node_value value(source_, old_, type_, old_.wire);
    errc code = to_.set_or_insert(step, value.linked(), number);
    if (code == errc::value_type) code = to_.set_or_insert(step, value, number);
    if (code != errc::ok) return code;
    number = to_.value_number(number);
    value_maker::settle(to_.below().items[number], to_.below().depth_left);
    return errc::ok;
  }
  // Erases the old slot, which put() may have moved; updates the number of the new one.
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
