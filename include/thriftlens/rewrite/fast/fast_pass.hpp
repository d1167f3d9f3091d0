// fast_pass: base of fast passes over a value: headers of containers and prefix templates, by pointers.
#pragma once

#include <thriftlens/path/selection.hpp>
#include <thriftlens/rewrite/edit_order.hpp>
#include <thriftlens/rewrite/program.hpp>
#include <thriftlens/rewrite/wire_copier.hpp>
#include <thriftlens/view/scan.hpp>
#include <thriftlens/view/view.hpp>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// The end of one segment of a prefix template, or null if the bytes at `at` differ.
[[nodiscard]] THRIFTLENS_INLINE byte_ptr after_segment(const shape_ref& prefix, std::size_t segment,
                                                       byte_ptr at, byte_ptr end) noexcept {
  const shape_segment& part = prefix.segments[segment];
  return part.is_at(at, end, prefix.blocks) ? part.after(at, end) : nullptr;
}

/// The input of a fast pass; null members have no effect. Edits are sorted, along single paths, no appends or
/// inserts.
struct fast_request {
  const selection* selected = nullptr;
  const rewrite_program* rules = nullptr;
  const edit_order* edits = nullptr;
  byte_view values = {};
  bool strict = false;  ///< the only edit needs its parent
};

/// Base of passes over one value.
template <protocol P>
class fast_pass {
 protected:
  explicit fast_pass(const view<P>& from) noexcept
      : in_(from.whole().end()), end_(from.whole().end()), from_(from), image_(from.image()) {}

  /// Whether a pass reached the end of the value, and of the bytes if it is the root.
  [[nodiscard]] THRIFTLENS_INLINE bool is_end(byte_ptr at) const noexcept {
    return at != nullptr && (!from_.is_root() || at == end_);
  }
  [[nodiscard]] THRIFTLENS_INLINE typename P::reader reader_at(byte_ptr at) const noexcept {
    typename P::reader reader(from_.whole());
    reader.seek(at);
    return reader;
  }
  /// Steps over the header of a list or set, whose element type must match the IDL, of an empty one only if
  /// `strict`.
  [[nodiscard]] THRIFTLENS_INLINE bool open_list(byte_ptr& at, const image::type_node& self,
                                                 list_header& list, bool strict = false) const noexcept {
    typename P::reader reader = reader_at(at);
    if (!(self.wire == ttype::set ? reader.read_set(list) : reader.read_list(list))) return false;
    at = reader.at();
    return (list.size == 0 && !strict) || image_->types[self.first].wire == list.element;
  }
  /// As open_list, for a map.
  [[nodiscard]] THRIFTLENS_INLINE bool open_map(byte_ptr& at, const image::type_node& self, map_header& map,
                                                bool strict = false) const noexcept {
    typename P::reader reader = reader_at(at);
    if (!reader.read_map(map)) return false;
    at = reader.at();
    if (map.size == 0 && !strict) return true;
    return image_->types[self.first].wire == map.key && image_->types[self.second].wire == map.value;
  }
  /// Steps over the key at `at` and finds the edits that name it; none: group.end is 0.
  [[nodiscard]] THRIFTLENS_INLINE bool find_key(const edit_order& edits, const edit_group& in, byte_ptr& at,
                                                ttype wire, std::uint32_t depth_left,
                                                edit_group& group) noexcept {
    if (wire == ttype::string) return edits.find_text(in_, at, in, group);
    typename P::reader reader = reader_at(at);
    reader.seek(wire_position{at, depth_left, 0, -1});
    if (!edits.template find_key<P>(reader, wire, in, group)) return false;
    at = reader.at();
    return true;
  }

  scanner<P> in_;
  byte_ptr end_;
  const view<P>& from_;
  const schema_image* image_;
};

/// Consecutive structs in which rules only affect fields that the IDL does not know. Those with the layout of
/// one that lost nothing are not rescanned.
template <class Pass, class Plan>
class passive_row {
 public:
  passive_row(Pass& in, const Plan& inner, std::size_t count) noexcept
      : in_(in),
        inner_(inner),
        known_(in.image_->shape_inside(inner.type)),
        lease_(in.in_.layouts()),
        trainings_left_(count >= 4 ? 3 : 0) {}
  THRIFTLENS_INLINE byte_ptr next(byte_ptr at, std::uint32_t depth_left) {
    if (const byte_ptr end = match(learned_, at, depth_left)) return end;
    if (const byte_ptr end = match(known_, at, depth_left)) return end;
    return rescan(at, depth_left);
  }

 private:
  using scanner = std::remove_reference_t<decltype(std::declval<Pass&>().in_)>;

  THRIFTLENS_INLINE byte_ptr match(const shape_ref& layout, byte_ptr at,
                                   std::uint32_t depth_left) const noexcept {
    return layout && layout.levels <= depth_left ? layout.match(at, in_.end_) : nullptr;
  }
  THRIFTLENS_NOINLINE byte_ptr rescan(byte_ptr at, std::uint32_t depth_left) {
    const std::size_t dropped = in_.report.dropped;
    const byte_ptr end = in_.value(at, inner_.inside, inner_.type, depth_left);
    if (trainings_left_ == 0 || end == nullptr) return end;
    learned_ = in_.report.dropped == dropped ? lease_.learn(at) : shape_ref{};
    trainings_left_ = learned_ ? trainings_left_ - 1 : 0;
    return end;
  }
  Pass& in_;
  const Plan& inner_;
  shape_ref known_;    // as the IDL has it, with all fields
  shape_ref learned_;  // of a struct of this row that was rescanned
  typename scanner::layout_lease lease_;
  int trainings_left_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
