// prefix_trim: the fields of a struct that a selection keeps, cut out as far as its prefix template
// matches. Speculates; the caller goes on from where it stopped. Never explains, never allocates.
#pragma once

#include <thriftlens/edit/fast/fast_pass.hpp>
#include <thriftlens/path/selection.hpp>

#include <cstddef>
#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// A trim along the prefix template of one struct. In locals of its own: the output's bytes could be those of
/// any object that is reached by a pointer, which would be read again after each of them.
struct prefix_trim {
  byte_ptr at;                     ///< what is looked at
  byte_ptr copied;                 ///< what is not yet written begins there
  std::uint8_t* to;                ///< where it goes; there is room
  std::size_t dropped = 0;         ///< fields
  std::int32_t highest = -0x8001;  ///< id of the last field seen

  /// As far as the prefix template matches. True: that was all of the struct.
  [[nodiscard]] THRIFTLENS_INLINE bool run(const selection_node& node, byte_ptr end) noexcept {
    const selection_node::cut* cut = node.cuts.data();
    const selection_node::cut* const last_cut = cut + node.cuts.size();
    const shape_ref prefix = node.prefix;
    for (std::uint32_t segment = 0, count = node.prefix.size; segment < count; ++segment) {
      const byte_ptr after = after_segment(prefix, segment, at, end);
      if (after == nullptr) [[unlikely]]
        return false;
      for (; cut != last_cut && cut->segment == segment; ++cut) leave_out(*cut, after, end);
      highest = prefix.segments[segment].last_id;
      at = after;
    }
    return node.prefix.complete;
  }
  THRIFTLENS_INLINE void leave_out(const selection_node::cut& cut, byte_ptr after, byte_ptr end) noexcept {
    to = copy_run(to, copied, static_cast<std::size_t>(at + cut.begin - copied), end);
    copied = cut.end == selection_node::cut::behind ? after : at + cut.end;
    dropped += cut.fields;
  }
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
