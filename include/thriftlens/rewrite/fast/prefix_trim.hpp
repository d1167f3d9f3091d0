// prefix_trim: the selected fields of a struct, cut out as far as its prefix template matches. Speculative;
// the caller continues from where it stopped. Never allocates.
#pragma once

#include <thriftlens/path/selection.hpp>
#include <thriftlens/rewrite/fast/fast_pass.hpp>

#include <cstddef>
#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// A trim along the prefix template of one struct. A local object: the output's bytes may alias any object
/// that is reached by a pointer, which would be reloaded after every store.
struct prefix_trim {
  byte_ptr at;                     ///< the current position
  byte_ptr copied;                 ///< the end of the bytes that were written
  std::uint8_t* to;                ///< the output, which has enough capacity
  std::size_t dropped = 0;         ///< fields
  std::int32_t highest = -0x8001;  ///< id of the last field seen

  /// Handles the part that matches the prefix template. True: that was the complete struct.
  [[nodiscard]] THRIFTLENS_INLINE bool run(const selection_node& node, byte_ptr end) noexcept {
    const selection_node::cut* cut = node.cuts.data();
    const selection_node::cut* const last_cut = cut + node.cuts.size();
    const shape_ref prefix = node.prefix;
    for (std::uint32_t segment = 0, count = node.prefix.size; segment < count; ++segment) {
      const byte_ptr segment_end = after_segment(prefix, segment, at, end);
      if (segment_end == nullptr) [[unlikely]]
        return false;
      for (; cut != last_cut && cut->segment == segment; ++cut) leave_out(*cut, segment_end, end);
      highest = prefix.segments[segment].last_id;
      at = segment_end;
    }
    return node.prefix.complete;
  }
  THRIFTLENS_INLINE void leave_out(const selection_node::cut& cut, byte_ptr segment_end,
                                   byte_ptr end) noexcept {
    to = copy_run(to, copied, static_cast<std::size_t>(at + cut.begin - copied), end);
    copied = cut.end == selection_node::cut::past_counted_end ? segment_end : at + cut.end;
    dropped += cut.fields;
  }
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
