// binary_shape: field headers of a struct in the Binary protocol, learned or from the IDL, compared with
// later structs. Compares all header bytes.
#pragma once

#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/core/endian.hpp>
#include <thriftlens/core/small_algorithm.hpp>
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
    if (end - from < reach) [[unlikely]]
      return matches_checked(from, end, blocks);
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
    if (length == 1) return *from == head;  // a stop byte
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

  // Adds `count` header bytes at offset `at` of the current segment; false if the capacity is exhausted.
  bool expect(byte_ptr bytes, std::size_t at, std::size_t count) noexcept;
  static void set_head(shape_segment& part, byte_ptr bytes, std::size_t count) noexcept;
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
  std::uint8_t block_count_;
  simd::masked_block blocks_[max_blocks];
};

inline bool binary_shape::learn(byte_ptr from) noexcept {
  begin();
  std::uint32_t nesting = 0;
  for (;;) {
    if (*from != 0) {
      from = learn_field(from, nesting);
      if (from == nullptr) return false;
    } else {
      if (nesting == 0) return stop();
      const std::uint8_t end = 0;
      if (at_ > max_segment || !expect(&end, at_, 1)) return false;
      --nesting;
      ++at_;
      ++from;
    }
  }
}
// The end of the field at `from`, or of its header if it is a struct; nullptr if it has no fixed layout.
inline byte_ptr binary_shape::learn_field(byte_ptr from, std::uint32_t& nesting) noexcept {
  if (!is_value_type(*from)) return nullptr;
  const auto type = static_cast<ttype>(*from);
  if (const std::size_t width = fixed_width(type); width != 0 || type == ttype::struct_) {
    if (!add_fixed(from, width)) return nullptr;
    if (width == 0 && ++nesting == levels_) ++levels_;
    return from + 3 + width;
  }
  std::size_t header = 0;
  const std::size_t unit = unit_of(from, header);
  nesting_ = nesting;
  if (unit == 0 || !add_sized(from, header, unit)) return nullptr;
  return from + header + 4 + load_be<std::uint32_t>(from + header) * unit;
}

inline std::size_t binary_shape::unit_of(byte_ptr field, std::size_t& header) noexcept {
  const auto type = static_cast<ttype>(*field);
  header = type == ttype::string ? 3 : type == ttype::map ? 5 : 4;
  if (type == ttype::string) return 1;
  const std::size_t first = fixed_width(static_cast<ttype>(field[3]));
  if (type != ttype::map) return first;
  const std::size_t second = fixed_width(static_cast<ttype>(field[4]));
  return first != 0 && second != 0 ? first + second : 0;
}

inline void binary_shape::begin() noexcept {
  segment_count_ = block_count_ = 0;
  levels_ = 1;
  nesting_ = 0;
  open();
}
inline void binary_shape::open() noexcept {
  segments_[segment_count_] = {};
  segments_[segment_count_].first_block = block_count_;
  at_ = 0;
}

inline bool binary_shape::add_fixed(byte_ptr header, std::size_t width) noexcept {
  if (at_ > max_segment || segment_count_ == max_segments || !expect(header, at_, 3)) return false;
  segments_[segment_count_].last_id = load_be<std::int16_t>(header + 1);
  at_ = static_cast<std::uint16_t>(at_ + 3 + width);
  return true;
}
inline bool binary_shape::add_sized(byte_ptr header, std::size_t header_size, std::size_t unit) noexcept {
  if (at_ > max_segment || segment_count_ == max_segments || !expect(header, at_, header_size)) return false;
  segments_[segment_count_].last_id = load_be<std::int16_t>(header + 1);
  if (header_size > 3 && nesting_ + 2 > levels_) levels_ = nesting_ + 2;
  return close(at_ + header_size + 4, unit);
}
inline bool binary_shape::stop() noexcept {
  const std::uint8_t end = 0;
  if (at_ > max_segment || segment_count_ == max_segments || !expect(&end, at_, 1)) return false;
  return close(at_ + std::size_t{1}, 0);
}
inline void binary_shape::leave() noexcept {
  if (at_ != 0) static_cast<void>(close(at_, 0));
}

inline void binary_shape::set_head(shape_segment& part, byte_ptr bytes, std::size_t count) noexcept {
  part.head_mask = count == 1 ? 0xffu : count == 3 ? 0xffffffu : 0xffffffffu;
  part.head = 0;
  for (std::size_t i = 0; i < count && i < 4; ++i) part.head |= std::uint32_t{bytes[i]} << (8 * i);
}
inline bool binary_shape::expect(byte_ptr bytes, std::size_t at, std::size_t count) noexcept {
  shape_segment& part = segments_[segment_count_];
  const bool in_head = at == 0 && count <= 4;
  const bool in_block = part.block_count != 0 && at + count <= blocks_[block_count_ - 1].offset + 16;
  if (!in_head && !in_block && block_count_ == max_blocks) return false;
  if (at == 0) set_head(part, bytes, count);
  if (in_head) return true;
  if (!in_block) {
    blocks_[block_count_] = {};
    blocks_[block_count_++].offset = at;
    ++part.block_count;
  }
  simd::masked_block& last = blocks_[block_count_ - 1];
  for (std::size_t i = at - last.offset; count != 0; ++i, --count) {
    last.pattern[i] = *bytes++;
    last.mask[i] = 0xff;
  }
  return true;
}

// Ends the current segment and opens the next; false if the capacity is exhausted.
inline bool binary_shape::close(std::size_t length, std::size_t unit) noexcept {
  shape_segment& part = segments_[segment_count_];
  part.length = static_cast<std::uint16_t>(length);
  part.unit = static_cast<std::uint8_t>(unit);
  part.reach = detail::greatest<std::uint16_t>(4, part.length);
  if (part.block_count != 0)
    part.reach =
        detail::greatest(part.reach, static_cast<std::uint16_t>(blocks_[block_count_ - 1].offset + 16));
  at_ = 0;
  ++segment_count_;
  if (unit == 0) return true;
  if (segment_count_ == max_segments) return false;
  open();
  return true;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
