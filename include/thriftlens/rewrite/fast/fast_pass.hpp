// fast_pass: base of fast passes over a value: headers of containers and prefix templates, by pointers.
#pragma once

#include <thriftlens/rewrite/edit_order.hpp>
#include <thriftlens/rewrite/wire_copier.hpp>
#include <thriftlens/view/scan.hpp>
#include <thriftlens/view/view.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// The end of one segment of a prefix template, or null if the bytes at `at` differ.
[[nodiscard]] THRIFTLENS_INLINE byte_ptr after_segment(const shape_ref& prefix, std::size_t segment,
                                                       byte_ptr at, byte_ptr end) noexcept {
  const shape_segment& part = prefix.segments[segment];
  return part.is_at(at, end, prefix.blocks) ? part.after(at, end) : nullptr;
}

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

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
