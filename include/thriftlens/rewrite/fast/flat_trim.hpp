// flat_trim: the selected fields of a struct of numbers and strings, any of which may be absent. Speculates:
// returns false to fall back; the caller continues from the struct's begin.
#pragma once

#include <thriftlens/core/select.hpp>
#include <thriftlens/path/selection.hpp>
#include <thriftlens/view/scan.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// State of a trim of one struct. A local object, as prefix_trim.
struct flat_trim_state {
  byte_ptr at;              ///< the current position
  std::uint8_t* to;         ///< the output, with capacity for the rest of the input and 64 bytes
  std::size_t dropped = 0;  ///< fields

 protected:
  /// Copies a block, or exactly where the input has less or the field has more.
  template <std::size_t Block>
  THRIFTLENS_INLINE void copy(std::size_t size, std::size_t left) noexcept {
    if (size <= Block && left >= Block) [[likely]]
      copy_block<Block>(to, at);
    else
      copy_exactly(to, at, size);
  }
  THRIFTLENS_INLINE bool stop() noexcept {
    ++at;
    *to++ = 0;
    return true;
  }
};

/// Protocols without such a trim.
template <protocol P>
struct flat_trim : flat_trim_state {
  static constexpr bool exists = false;
  [[nodiscard]] static bool knows(const selection_node&) noexcept { return false; }
  [[nodiscard]] static bool run(const selection_node&, byte_ptr) noexcept { return false; }
};

/// No branch depends on which fields are present: absent fields have size 0.
template <fixed_layout_protocol P>
struct flat_trim<P> : flat_trim_state {
  static constexpr bool exists = true;
  [[nodiscard]] static bool knows(const selection_node& node) noexcept { return !node.flat.empty(); }

  /// True: that was all of the struct. False for unknown fields, other types or orders, and malformed bytes.
  [[nodiscard]] THRIFTLENS_INLINE bool run(const selection_node& node, byte_ptr end) noexcept {
    for (const selection_node::flat_field& field : std::span(node.flat)) {
      const auto left = static_cast<std::size_t>(end - at);
      if (left < (field.size != 0 ? 4 : 7)) [[unlikely]]
        continue;  // absent: a stop follows a field
      std::size_t size = field.size;
      if (size == 0) size = std::size_t{load_be<std::uint32_t>(at + 3)} + 7;
      size = select_equal(load_le<std::uint32_t>(at) & 0xffffffu, field.header, size, 0);
      if (size > left) [[unlikely]]
        return false;
      put(field, size, left);
      at += size;
    }
    return at != end && *at == 0 && stop();
  }

 private:
  THRIFTLENS_INLINE void put(const selection_node::flat_field& field, std::size_t size,
                             std::size_t left) noexcept {
    if (!field.is_selected) {
      dropped += size != 0 ? 1 : 0;
      return;
    }
    if (field.size != 0)
      copy<16>(size, left);
    else
      copy<64>(size, left);
    to += size;
  }
};

/// Field by field, in one loop without calls.
template <>
struct flat_trim<compact> : flat_trim_state {
  static constexpr bool exists = true;
  [[nodiscard]] static bool knows(const selection_node& node) noexcept { return !node.flat_types.empty(); }

  [[nodiscard]] THRIFTLENS_INLINE bool run(const selection_node& node, byte_ptr end) noexcept {
    const std::span<const std::uint8_t> types = node.flat_types;
    std::size_t id = 0, written_id = 0;
    for (;;) {
      const auto left = static_cast<std::size_t>(end - at);
      const std::uint64_t front = left >= 8 ? load_le<std::uint64_t>(at) : load_less(at, left);
      const auto header = static_cast<std::uint8_t>(front);
      if (header == 0) return left != 0 && stop();
      id += header >> 4;
      if (header < 16 || id >= types.size() || !is_type(types[id], header & 15u)) [[unlikely]]
        return false;
      const std::size_t size = field_size(front, header & 15u, end);
      if (size == 0 || size > left) [[unlikely]]
        return false;
      if ((types[id] & selection_node::is_selected) == 0)
        ++dropped;
      else if (!put(header & 15u, id - std::exchange(written_id, id), size, left))
        return false;
      at += size;
    }
  }

 private:
  static constexpr unsigned false_nibble = 2;

  [[nodiscard]] THRIFTLENS_INLINE static bool is_type(unsigned type, unsigned nibble) noexcept {
    return (type & 15u) == (nibble == false_nibble ? nibble - 1 : nibble);
  }
  THRIFTLENS_INLINE bool put(unsigned nibble, std::size_t delta, std::size_t size,
                             std::size_t left) noexcept {
    if (delta > 15) [[unlikely]]
      return false;
    if (nibble == compact_nibble(ttype::string))
      copy<64>(size, left);
    else
      copy<16>(size, left);
    *to = static_cast<std::uint8_t>(delta << 4 | nibble);
    to += size;
    return true;
  }
  [[nodiscard]] static std::uint64_t load_less(byte_ptr from, std::size_t size) noexcept {
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < size; ++i) bytes |= std::uint64_t{from[i]} << (8 * i);
    return bytes;
  }
  /// Of the field whose first eight bytes are `front`, zero after the end; 0 for strings from 16 KiB on and
  /// malformed numbers.
  [[nodiscard]] THRIFTLENS_INLINE std::size_t field_size(std::uint64_t front, unsigned nibble,
                                                         byte_ptr end) const noexcept {
    if (nibble == compact_nibble(ttype::string)) {
      const std::size_t low = front >> 8 & 0x7fu, high = front >> 16 & 0x7fu;
      if ((front & 0x8000u) == 0) return low + 2;
      return (front & 0x800000u) == 0 ? (high << 7 | low) + 3 : 0;
    }
    if (const std::uint64_t stops = ~(front >> 8) & compact_field_stops[nibble])
      return static_cast<std::size_t>(std::countr_zero(stops) >> 3) + 2;
    if (const std::size_t jump = compact_field_jump[nibble]) return jump;
    byte_ptr next = nullptr;
    if (nibble == compact_nibble(ttype::i64)) next = skip_varint<std::uint64_t>(at + 1, end);
    if (nibble == compact_nibble(ttype::i32)) next = skip_varint<std::uint32_t>(at + 1, end);
    return next == nullptr ? 0 : static_cast<std::size_t>(next - at);
  }
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
