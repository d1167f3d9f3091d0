// binary_shape: the field headers of one struct in the Binary protocol, learned, to be looked for in the next one.
// In: a struct that was skipped. Out: for another struct, the byte behind it if it has the same headers.
// Never concludes anything from a difference: then the bytes are gone through one by one. Every header byte is compared.
#pragma once

#include <thriftlens/core/endian.hpp>
#include <thriftlens/protocol/ttype.hpp>
#include <thriftlens/simd/masked_compare.hpp>

#include <cstddef>
#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI {

/// The shape of a struct whose fields are base types, structs of such, and containers of fixed-width elements. About 600 bytes.
class binary_shape {
 public:
  binary_shape() noexcept {}  // NOLINT: learn() comes first

  /// Takes the shape of the well-formed struct at `from`. False if it has none (containers of strings or structs, too many fields).
  [[nodiscard]] bool learn(const std::uint8_t* from) noexcept;

  /// Structs within each other that it has, itself included.
  [[nodiscard]] std::uint32_t levels() const noexcept { return levels_; }

  /// Behind the struct at `from` if it has this shape and does not end too near `end`, else nullptr.
  [[nodiscard]] THRIFTLENS_INLINE const std::uint8_t* match(const std::uint8_t* from, const std::uint8_t* end) const noexcept {
    for (std::size_t i = 0;; ++i) {
      const segment& part = segments_[i];
      if (end - from < part.reach) [[unlikely]] return nullptr;
      if ((load_le<std::uint32_t>(from) & part.head_mask) != part.head) [[unlikely]] return nullptr;
      if (part.block_count != 0 && !simd::masked_equal(from, blocks_ + part.first_block, part.block_count)) [[unlikely]] return nullptr;
      if (part.unit == 0) return from + part.length;
      // A negative size becomes a huge one here.
      auto bytes = static_cast<std::uint64_t>(std::int64_t{load_be<std::int32_t>(from + part.length - 4)});
      if (part.unit != 1) [[unlikely]] bytes = multiply(bytes, part.unit);
      from += part.length;
      if (bytes > static_cast<std::uint64_t>(end - from)) [[unlikely]] return nullptr;
      from += bytes;
    }
  }

 private:
  // Bytes of known layout up to a size that says how many bytes follow, `unit` for one; unit 0 ends the struct.
  struct segment {
    std::uint32_t head;  // header bytes among the first four: often there are no others
    std::uint32_t head_mask;
    std::uint16_t length;  // with the size, its last four bytes
    std::uint16_t reach;   // bytes that comparing loads
    std::uint8_t first_block;
    std::uint8_t block_count;
    std::uint8_t unit;
  };
  // Not inlined: the loads of sizes are a chain, and compilers would put the multiplication into it for strings too.
  THRIFTLENS_NOINLINE static std::uint64_t multiply(std::uint64_t size, std::uint64_t unit) noexcept { return size * unit; }
  static constexpr std::size_t most_blocks = 12, most_segments = 8, longest_segment = 255;

  // Adds `count` header bytes at offset `at` of the present segment; false where there is no room.
  bool expect(const std::uint8_t* bytes, std::size_t at, std::size_t count) noexcept;
  const std::uint8_t* close(const std::uint8_t* from, std::size_t length, std::size_t unit) noexcept;
  // Bytes an element takes where that is fixed; 0 where the field at `from` has no sizable elements.
  static std::size_t unit_of(const std::uint8_t* field, std::size_t& header) noexcept;

  // Not initialised: a shape is often made for a handful of structs.
  segment segments_[most_segments];
  std::uint32_t levels_;
  std::uint8_t segment_count_;
  std::uint8_t block_count_;
  simd::masked_block blocks_[most_blocks];
};

inline bool binary_shape::learn(const std::uint8_t* from) noexcept {
  segment_count_ = block_count_ = 0;
  segments_[0] = {};
  levels_ = 1;
  std::size_t at = 0;
  std::uint32_t nesting = 0;
  for (;;) {
    if (at > longest_segment) return false;
    const std::uint8_t* field = from + at;
    if (*field == 0) {
      if (!expect(field, at, 1)) return false;
      ++at;
      if (nesting-- == 0) return close(from, at, 0) != nullptr;
      continue;
    }
    if (!is_value_type(*field)) return false;
    const auto type = static_cast<ttype>(*field);
    if (const std::size_t width = fixed_width(type); width != 0 || type == ttype::struct_) {
      if (!expect(field, at, 3)) return false;
      at += 3 + width;
      if (width == 0 && ++nesting == levels_) ++levels_;
      continue;
    }
    std::size_t header = 0;
    const std::size_t unit = unit_of(field, header);
    if (unit == 0 || !expect(field, at, header)) return false;
    from = close(from, at + header + 4, unit);
    if (from == nullptr) return false;
    at = 0;
  }
}

inline std::size_t binary_shape::unit_of(const std::uint8_t* field, std::size_t& header) noexcept {
  const auto type = static_cast<ttype>(*field);
  const auto width = [](std::uint8_t raw) -> std::size_t { return is_value_type(raw) ? fixed_width(static_cast<ttype>(raw)) : 0; };
  if (type == ttype::string) return header = 3, 1;
  if (type == ttype::map) return header = 5, width(field[3]) != 0 && width(field[4]) != 0 ? width(field[3]) + width(field[4]) : 0;
  return header = 4, width(field[3]);
}

inline bool binary_shape::expect(const std::uint8_t* bytes, std::size_t at, std::size_t count) noexcept {
  segment& part = segments_[segment_count_];
  if (at == 0) {
    part.head_mask = count == 1 ? 0xffu : count == 3 ? 0xffffffu : 0xffffffffu;
    part.head = 0;
    for (std::size_t i = 0; i < count && i < 4; ++i) part.head |= std::uint32_t{bytes[i]} << (8 * i);
    if (count <= 4) return true;
  }
  if (part.block_count == 0 || at + count > blocks_[block_count_ - 1].offset + 16) {
    if (block_count_ == most_blocks) return false;
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

// Ends the present segment; the start of the next one, `from` at the struct's end, nullptr where there is no room.
inline const std::uint8_t* binary_shape::close(const std::uint8_t* from, std::size_t length, std::size_t unit) noexcept {
  segment& part = segments_[segment_count_];
  part.length = static_cast<std::uint16_t>(length);
  part.unit = static_cast<std::uint8_t>(unit);
  part.reach = part.length < 4 ? std::uint16_t{4} : part.length;
  if (part.block_count != 0 && blocks_[block_count_ - 1].offset + 16 > part.reach)
    part.reach = static_cast<std::uint16_t>(blocks_[block_count_ - 1].offset + 16);
  if (unit == 0) return from + length;
  if (++segment_count_ == most_segments) return nullptr;
  segments_[segment_count_] = {};
  segments_[segment_count_].first_block = block_count_;
  return from + length + load_be<std::uint32_t>(from + length - 4) * unit;
}

}  // namespace thriftlens
