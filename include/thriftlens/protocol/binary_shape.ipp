// binary_shape: bodies of binary_shape.hpp.
#pragma once

#include <thriftlens/protocol/binary_shape.hpp>

#include <thriftlens/core/small_algorithm.hpp>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

THRIFTLENS_BODY bool binary_shape::learn(byte_ptr from) noexcept {
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
  segments_[segment_count_] = {};
  segments_[segment_count_].first_block = block_count_;
  at_ = 0;
}

THRIFTLENS_BODY bool binary_shape::add_fixed(byte_ptr header, std::size_t width) noexcept {
  if (at_ > max_segment || segment_count_ == max_segments || !expect(header, at_, 3)) return false;
  segments_[segment_count_].last_id = load_be<std::int16_t>(header + 1);
  at_ = static_cast<std::uint16_t>(at_ + 3 + width);
  return true;
}
THRIFTLENS_BODY bool binary_shape::add_sized(byte_ptr header, std::size_t header_size,
                                             std::size_t unit) noexcept {
  if (at_ > max_segment || segment_count_ == max_segments || !expect(header, at_, header_size)) return false;
  segments_[segment_count_].last_id = load_be<std::int16_t>(header + 1);
  if (header_size > 3 && nesting_ + 2 > levels_) levels_ = nesting_ + 2;
  return close(at_ + header_size + 4, unit);
}
THRIFTLENS_BODY bool binary_shape::stop() noexcept {
  const std::uint8_t end = 0;
  if (at_ > max_segment || segment_count_ == max_segments || !expect(&end, at_, 1)) return false;
  return close(at_ + std::size_t{1}, 0);
}
THRIFTLENS_BODY void binary_shape::leave() noexcept {
  if (at_ != 0) static_cast<void>(close(at_, 0));
}

THRIFTLENS_BODY void binary_shape::set_head(shape_segment& part, byte_ptr bytes, std::size_t count) noexcept {
  part.head_mask = count == 1 ? 0xffu : count == 3 ? 0xffffffu : 0xffffffffu;
  part.head = 0;
  for (std::size_t i = 0; i < count && i < 4; ++i) part.head |= std::uint32_t{bytes[i]} << (8 * i);
}
THRIFTLENS_NOINLINE THRIFTLENS_BODY bool binary_shape::expect(byte_ptr bytes, std::size_t at,
                                                              std::size_t count) noexcept {
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
THRIFTLENS_NOINLINE THRIFTLENS_BODY bool binary_shape::close(std::size_t length, std::size_t unit) noexcept {
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
