// binary_shape: bodies of binary_shape.hpp.
#pragma once

#include <thriftlens/protocol/binary_shape.hpp>

#include <thriftlens/core/small_algorithm.hpp>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

THRIFTLENS_NOINLINE THRIFTLENS_BODY bool binary_shape::learn(byte_ptr from) noexcept {
  begin();
  std::uint32_t nesting = 0;
  for (;;) {
    if (*from != 0) {
      from = learn_field(from, nesting);
      if (from == nullptr) return false;
    } else {
      if (nesting == 0) return stop();
      if (at_ > max_segment || !expect(0, at_, 1)) return false;
      --nesting;
      ++at_;
      ++from;
    }
  }
}
// The end of the field at `from`, or of its header if it is a struct; nullptr if it has no fixed layout.
THRIFTLENS_BODY byte_ptr binary_shape::learn_field(byte_ptr from, std::uint32_t& nesting) noexcept {
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

// The end of a field that is a number or a string, else null.
[[nodiscard]] THRIFTLENS_INLINE byte_ptr after_plain_field(byte_ptr from) noexcept {
  if (*from == static_cast<std::uint8_t>(ttype::string)) return from + 7 + load_be<std::uint32_t>(from + 3);
  const std::size_t width = fixed_width(static_cast<ttype>(*from));
  return width == 0 ? nullptr : from + 3 + width;
}
THRIFTLENS_NOINLINE THRIFTLENS_BODY bool binary_shape::same_fields(byte_ptr lhs, byte_ptr rhs) noexcept {
  while (*lhs == *rhs && *lhs != 0) {
    if (load_be<std::int16_t>(lhs + 1) != load_be<std::int16_t>(rhs + 1)) return false;
    lhs = after_plain_field(lhs);
    rhs = after_plain_field(rhs);
    if (lhs == nullptr || rhs == nullptr) return true;
  }
  return *lhs == *rhs;
}

THRIFTLENS_BODY std::size_t binary_shape::unit_of(byte_ptr field, std::size_t& header) noexcept {
  const auto type = static_cast<ttype>(*field);
  header = type == ttype::string ? 3 : type == ttype::map ? 5 : 4;
  if (type == ttype::string) return 1;
  const std::size_t first = fixed_width(static_cast<ttype>(field[3]));
  if (type != ttype::map) return first;
  const std::size_t second = fixed_width(static_cast<ttype>(field[4]));
  return first != 0 && second != 0 ? first + second : 0;
}

THRIFTLENS_BODY void binary_shape::begin() noexcept {
  segment_count_ = block_count_ = 0;
  levels_ = 1;
  nesting_ = 0;
  open();
}
THRIFTLENS_BODY void binary_shape::open() noexcept {
  shape_segment& part = segments_[segment_count_];
  part.last_id = 0;
  part.first_block = block_count_;
  part.block_count = 0;
  at_ = 0;
}

THRIFTLENS_BODY bool binary_shape::add_fixed(byte_ptr header, std::size_t width) noexcept {
  if (at_ > max_segment || segment_count_ == max_segments || !expect(header_bytes(header, 3), at_, 3))
    return false;
  segments_[segment_count_].last_id = load_be<std::int16_t>(header + 1);
  at_ = static_cast<std::uint16_t>(at_ + 3 + width);
  return true;
}
THRIFTLENS_BODY bool binary_shape::add_sized(byte_ptr header, std::size_t header_size,
                                             std::size_t unit) noexcept {
  if (at_ > max_segment || segment_count_ == max_segments ||
      !expect(header_bytes(header, header_size), at_, header_size))
    return false;
  segments_[segment_count_].last_id = load_be<std::int16_t>(header + 1);
  if (header_size > 3 && nesting_ + 2 > levels_) levels_ = nesting_ + 2;
  return close(at_ + header_size + 4, unit);
}
THRIFTLENS_BODY bool binary_shape::stop() noexcept {
  if (at_ > max_segment || segment_count_ == max_segments || !expect(0, at_, 1)) return false;
  return close(at_ + std::size_t{1}, 0);
}
THRIFTLENS_BODY void binary_shape::leave() noexcept {
  if (at_ != 0) static_cast<void>(close(at_, 0));
}

// 3 to 5 bytes. Four are readable: a value or a stop byte follows three.
THRIFTLENS_BODY std::uint64_t binary_shape::header_bytes(byte_ptr header, std::size_t count) noexcept {
  const std::uint64_t bytes = load_le<std::uint32_t>(header);
  if (count == 3) return bytes & 0xffffffu;
  return count == 4 ? bytes : bytes | std::uint64_t{header[4]} << 32;
}
// Bits of at most five bytes that a block of two words has from bit `shift` on.
THRIFTLENS_INLINE void add_bits(std::uint64_t (&to)[2], std::uint64_t bits, std::size_t shift) noexcept {
  if (shift >= 64) {
    to[1] |= bits << (shift - 64);
    return;
  }
  to[0] |= bits << shift;
  if (shift > 24) to[1] |= bits >> (64 - shift);
}
THRIFTLENS_INLINE void binary_shape::open_block::add(std::uint64_t bytes, std::size_t at,
                                                     std::size_t count) noexcept {
  add_bits(pattern, bytes, 8 * (at - offset));
  add_bits(mask, (std::uint64_t{1} << 8 * count) - 1, 8 * (at - offset));
}
THRIFTLENS_INLINE void binary_shape::open_block::store_to(simd::masked_block& block) const noexcept {
  std::uint8_t bytes[32];
  for (std::size_t i = 0; i < 2; ++i) {
    store_le(bytes + 8 * i, pattern[i]);
    store_le(bytes + 16 + 8 * i, mask[i]);
  }
  std::memcpy(block.pattern, bytes, 16);
  std::memcpy(block.mask, bytes + 16, 16);
  block.offset = offset;
}
THRIFTLENS_INLINE void binary_shape::store_block() noexcept {
  if (segments_[segment_count_].block_count != 0) block_.store_to(blocks_[block_count_ - 1]);
}
THRIFTLENS_INLINE bool binary_shape::expect(std::uint64_t bytes, std::size_t at, std::size_t count) noexcept {
  shape_segment& part = segments_[segment_count_];
  const bool in_head = at == 0 && count <= 4;
  const bool in_block = part.block_count != 0 && at + count <= block_.offset + 16;
  if (!in_head && !in_block && block_count_ == max_blocks) return false;
  if (at == 0) {
    part.head_mask = count == 1 ? 0xffu : count == 3 ? 0xffffffu : 0xffffffffu;
    part.head = static_cast<std::uint32_t>(bytes);
  }
  if (in_head) return true;
  if (!in_block) {
    store_block();
    block_ = {{}, {}, at};
    ++block_count_;
    ++part.block_count;
  }
  block_.add(bytes, at, count);
  return true;
}

// Ends the current segment and opens the next; false if the capacity is exhausted.
THRIFTLENS_NOINLINE THRIFTLENS_BODY bool binary_shape::close(std::size_t length, std::size_t unit) noexcept {
  shape_segment& part = segments_[segment_count_];
  part.length = static_cast<std::uint16_t>(length);
  part.unit = static_cast<std::uint8_t>(unit);
  part.reach = detail::greatest<std::uint16_t>(4, part.length);
  if (part.block_count != 0) {
    store_block();
    part.reach = detail::greatest(part.reach, static_cast<std::uint16_t>(block_.offset + 16));
  }
  at_ = 0;
  ++segment_count_;
  if (unit == 0) return true;
  if (segment_count_ == max_segments) return false;
  open();
  return true;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
