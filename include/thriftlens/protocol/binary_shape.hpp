// binary_shape: field headers of a struct in the Binary protocol, learned or from the IDL, compared with
// later structs. Compares all header bytes.
#pragma once

#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/core/endian.hpp>
#include <thriftlens/protocol/ttype.hpp>
#include <thriftlens/simd/masked_compare.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Bytes of fixed layout up to a size field, which counts following items of `unit` bytes; unit 0 ends the
/// shape.
struct shape_segment {
  std::uint32_t head;  ///< header bytes among the first four: often there are no others
  std::uint32_t head_mask;
  std::uint16_t length;  ///< with the size, its last four bytes
  std::uint16_t reach;   ///< bytes that comparing loads
  std::int16_t last_id;  ///< of the last field that begins here
  std::uint8_t first_block;
  std::uint8_t block_count;
  std::uint8_t unit;

  /// Whether the header bytes at `from` match.
  [[nodiscard]] THRIFTLENS_INLINE bool is_at(byte_ptr from, byte_ptr end,
                                             const simd::masked_block* blocks) const noexcept {
    if (end - from < reach) [[unlikely]] {
      if (length == 1) return from != end && *from == head;  // a stop byte
      return matches_checked(from, end, blocks);
    }
    return matches_unchecked(from, blocks);
  }
  /// Same, if at least `reach` bytes are available.
  [[nodiscard]] THRIFTLENS_INLINE bool matches_unchecked(byte_ptr from,
                                                         const simd::masked_block* blocks) const noexcept {
    if ((load_le<std::uint32_t>(from) & head_mask) != head) [[unlikely]]
      return false;
    return block_count == 0 || simd::masked_equal(from, blocks + first_block, block_count);
  }
  /// The end of the segment at `from` with the bytes that its size counts; nullptr if it exceeds `end`.
  [[nodiscard]] THRIFTLENS_INLINE byte_ptr after(byte_ptr from, byte_ptr end) const noexcept {
    if (unit == 0) return from + length;
    // Negative sizes become huge here.
    auto bytes = static_cast<std::uint64_t>(std::int64_t{load_be<std::int32_t>(from + length - 4)});
    if (unit != 1) [[unlikely]]
      bytes = multiply(bytes, unit);
    from += length;
    return bytes > static_cast<std::uint64_t>(end - from) ? nullptr : from + bytes;
  }

 private:
  // Compares byte by byte if blocks would extend past the end.
  THRIFTLENS_NOINLINE bool matches_checked(byte_ptr from, byte_ptr end,
                                           const simd::masked_block* blocks) const noexcept {
    if (end - from < length) return false;
    if (!head_matches(from)) return false;
    for (const simd::masked_block& block : std::span(blocks + first_block, block_count)) {
      if (!block_matches(block, from)) return false;
    }
    return true;
  }
  [[nodiscard]] bool head_matches(byte_ptr from) const noexcept {
    for (std::size_t i = 0; i < 4 && i < length; ++i) {
      if (((head ^ std::uint32_t{from[i]} << (8 * i)) & head_mask & 0xffu << (8 * i)) != 0) return false;
    }
    return true;
  }
  [[nodiscard]] bool block_matches(const simd::masked_block& block, byte_ptr from) const noexcept {
    for (std::size_t i = 0; i < 16 && block.offset + i < length; ++i) {
      if (block.mask[i] != 0 && from[block.offset + i] != block.pattern[i]) return false;
    }
    return true;
  }
  // Not inlined: the loads of sizes are a chain, and compilers would put the multiplication into it for
  // strings too.
  THRIFTLENS_NOINLINE static std::uint64_t multiply(std::uint64_t size, std::uint64_t unit) noexcept {
    return size * unit;
  }
};

/// Non-owning reference to a shape. A shape of an entire struct ends with a segment of unit 0. Tests false if
/// no shape is known.
struct shape_ref {
  const shape_segment* segments = nullptr;
  const simd::masked_block* blocks = nullptr;
  std::uint32_t levels = 0;  ///< nesting depth of structs and containers, including itself

  [[nodiscard]] explicit operator bool() const noexcept { return segments != nullptr; }
  /// The end of the struct at `from` if it has this shape, else nullptr.
  [[nodiscard]] THRIFTLENS_INLINE byte_ptr match(byte_ptr from, byte_ptr end) const noexcept {
    const shape_segment* part = segments;
    for (; part->unit != 0; ++part) {
      if (!part->is_at(from, end, blocks)) [[unlikely]]
        return nullptr;
      from = part->after(from, end);
      if (from == nullptr) [[unlikely]]
        return nullptr;
    }
    // Most structs end right after a string: a stop alone needs no comparing of blocks.
    if (part->length == 1) return from != end && *from == 0 ? from + 1 : nullptr;
    return part->is_at(from, end, blocks) ? from + part->length : nullptr;
  }
};

/// The shape of a struct whose fields are base types, structs of such, and containers of fixed-width
/// elements. About 700 bytes.
class binary_shape {
 public:
  binary_shape() noexcept {}  // NOLINT: learn() or begin() comes first

  /// Learns the shape of the well-formed struct at `from`. False if it has none (containers of strings or
  /// structs, too many fields).
  [[nodiscard]] bool learn(byte_ptr from) noexcept;
  /// Whether two well-formed structs begin with the same fields, up to the end or to one that has no layout.
  [[nodiscard]] static bool same_fields(byte_ptr lhs, byte_ptr rhs) noexcept;

  /// Builder interface: begin(), fields in order, then stop() or leave(). False if the capacity is exhausted;
  /// the fields added before remain.
  void begin() noexcept;
  /// A field of fixed width: its three header bytes.
  [[nodiscard]] bool add_fixed(byte_ptr header, std::size_t width) noexcept;
  /// A field with a size prefix: its header including type bytes, and the size of one counted item.
  [[nodiscard]] bool add_sized(byte_ptr header, std::size_t header_size, std::size_t unit) noexcept;
  /// The struct ends here.
  [[nodiscard]] bool stop() noexcept;
  /// Ends the shape as the prefix of a struct whose further layout is unknown.
  void leave() noexcept;
  /// Position of the next field: its segment, and its offset there.
  [[nodiscard]] std::size_t segment() const noexcept { return segment_count_; }
  [[nodiscard]] std::size_t offset() const noexcept { return at_; }

  /// Nesting depth of structs and containers, including itself.
  [[nodiscard]] std::uint32_t levels() const noexcept { return levels_; }
  [[nodiscard]] byte_ptr match(byte_ptr from, byte_ptr end) const noexcept { return ref().match(from, end); }
  [[nodiscard]] shape_ref ref() const noexcept { return {segments_, blocks_, levels_}; }
  [[nodiscard]] std::span<const shape_segment> segments() const noexcept {
    return {segments_, segment_count_};
  }
  [[nodiscard]] std::span<const simd::masked_block> blocks() const noexcept {
    return {blocks_, block_count_};
  }

 private:
  static constexpr std::size_t max_blocks = 12, max_segments = 8, max_segment = 255;

  // A block that is not stored yet: the structs that follow load it as a whole, which waits for stores of
  // single bytes.
  struct open_block {
    std::uint64_t pattern[2];
    std::uint64_t mask[2];
    std::size_t offset;

    void add(std::uint64_t bytes, std::size_t at, std::size_t count) noexcept;
    void store_to(simd::masked_block& block) const noexcept;
  };

  // Adds `count` header bytes at offset `at` of the current segment; false if the capacity is exhausted.
  THRIFTLENS_INLINE bool expect(std::uint64_t bytes, std::size_t at, std::size_t count) noexcept;
  [[nodiscard]] static std::uint64_t header_bytes(byte_ptr header, std::size_t count) noexcept;
  void store_block() noexcept;
  bool close(std::size_t length, std::size_t unit) noexcept;
  void open() noexcept;
  // Size of an element if fixed; 0 if the field at `from` has no such elements.
  static std::size_t unit_of(byte_ptr field, std::size_t& header) noexcept;
  byte_ptr learn_field(byte_ptr from, std::uint32_t& nesting) noexcept;

  // Not initialised: a shape is often used for only a few structs.
  shape_segment segments_[max_segments];
  std::uint32_t levels_;
  std::uint32_t nesting_;
  std::uint16_t at_;            // length of the current segment so far
  std::uint8_t segment_count_;  // number of complete segments; the current one follows
  std::uint8_t block_count_;    // with the open one, which is the last
  open_block block_;
  simd::masked_block blocks_[max_blocks];
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/protocol/binary_shape.ipp>
#endif
