// compact_shape: bodies of compact_shape.hpp.
#pragma once

#include <thriftlens/protocol/compact_shape.hpp>

#include <thriftlens/core/hash.hpp>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

THRIFTLENS_BODY std::uint64_t compact_shape::fields_of(byte_ptr from, const compact_survey& of) noexcept {
  std::uint64_t hash = hash_key_0 ^ of.parts().size();
  std::size_t at = 0;
  const auto add = [&](std::size_t end, std::uint64_t type) {
    const byte_view headers(from + at, end - at);
    hash = fold(hash ^ hash_text(headers.text(), type), hash_key_1);
  };
  for (const compact_part& part : of.parts()) {
    add(part.begin, static_cast<std::uint64_t>(part.type));
    at = std::size_t{part.begin} + part.size;
  }
  add(of.size(), 0);
  return hash;
}

THRIFTLENS_BODY bool compact_shape::take(byte_ptr from, const compact_survey& of, std::uint64_t fields,
                                         bool goes_on) noexcept {
  fields_ = fields;
  levels_ = of.levels();
  count_changes(of.parts(), goes_on);
  segment_count_ = block_count_ = 0;
  open();
  std::size_t at = 0;
  for (const compact_part& part : std::span(parts_, part_count_)) {
    if (!expect_bytes(from + at, part.begin - at) || !expect_part(from + part.begin, part)) return false;
    at = std::size_t{part.begin} + part.size;
  }
  return expect_bytes(from + at, of.size() - at) && close(jump::none, 0);
}
THRIFTLENS_BODY void compact_shape::count_changes(std::span<const compact_part> parts,
                                                  bool goes_on) noexcept {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const unsigned previous_changes = goes_on ? parts_[i].changes : 0u;
    const bool changed = goes_on && previous_changes < max_changes && parts_[i].size != parts[i].size;
    parts_[i] = parts[i];
    parts_[i].changes = static_cast<std::uint8_t>(previous_changes + changed);
  }
  part_count_ = static_cast<std::uint16_t>(parts.size());
}

THRIFTLENS_BODY bool compact_shape::expect_part(byte_ptr from, const compact_part& part) noexcept {
  if (has_fixed_width(part.type)) {
    at_ = static_cast<std::uint16_t>(at_ + part.size);
    return true;
  }
  const bool is_text = part.type == ttype::string;
  if (part.changes == max_changes) return close(is_text ? jump::text : jump::number, stops_of(part.type));
  if (!is_text) return expect_varint(from, part.size, last_mask(part.type, part.size));
  std::uint32_t size = 0;
  const auto header = static_cast<std::size_t>(get_varint(from, from + part.size, size) - from);
  if (!expect_bytes(from, header)) return false;
  at_ = static_cast<std::uint16_t>(at_ + size);
  return true;
}
THRIFTLENS_BODY bool compact_shape::expect_varint(byte_ptr from, std::size_t size,
                                                  std::uint8_t last) noexcept {
  for (std::size_t i = 0; i + 1 < size; ++i) {
    if (!expect(0x80, 0x80)) return false;
  }
  return expect(from[size - 1] & last, last);
}
THRIFTLENS_BODY bool compact_shape::expect_bytes(byte_ptr from, std::size_t size) noexcept {
  for (; size != 0; --size) {
    if (!expect(*from++, 0xff)) return false;
  }
  return true;
}
// Adds a byte to the current segment: its value under the mask.
THRIFTLENS_BODY bool compact_shape::expect(std::uint8_t byte, std::uint8_t mask) noexcept {
  segment& part = segments_[segment_count_];
  if (part.block_count == 0 || at_ >= blocks_[block_count_ - 1].offset + 16) {
    if (block_count_ == max_blocks) return false;
    blocks_[block_count_] = {};
    blocks_[block_count_++].offset = at_;
    ++part.block_count;
  }
  simd::masked_block& block = blocks_[block_count_ - 1];
  const std::size_t position = at_++ - block.offset;
  block.pattern[position] = byte;
  block.mask[position] = mask;
  return true;
}
// Ends the current segment and opens the next; false if the capacity is exhausted.
THRIFTLENS_BODY bool compact_shape::close(jump next, std::uint64_t stops) noexcept {
  segment& part = segments_[segment_count_];
  part.next = next;
  part.stops = stops;
  part.length = at_;
  const std::size_t compared = part.block_count == 0 ? 0 : blocks_[block_count_ - 1].offset + 16;
  const std::size_t loaded = at_ + (next == jump::none ? std::size_t{0} : std::size_t{8});
  part.reach = static_cast<std::uint16_t>(greatest(compared, loaded));
  ++segment_count_;
  if (next == jump::none) return true;
  if (segment_count_ == max_segments) return false;
  open();
  return true;
}
THRIFTLENS_BODY void compact_shape::open() noexcept {
  segments_[segment_count_] = {};
  segments_[segment_count_].first_block = block_count_;
  at_ = 0;
}

THRIFTLENS_BODY void compact_shapes::learn(byte_ptr from, byte_ptr next, row& current) noexcept {
  if (!may_learn(static_cast<std::size_t>(next - from), current)) return;
  charge();
  compact_survey survey;
  if (!survey.take(from, next)) {
    ++current.shapeless;
    return;
  }
  const std::uint64_t fields = compact_shape::fields_of(from, survey);
  const std::uint32_t same = same_fields(fields);
  const bool goes_on = same < count_;
  const std::uint32_t index = goes_on ? same : replacement_index();
  if (!shapes_[index].take(from, survey, fields, goes_on)) {
    if (index < count_) forget();
    return;
  }
  if (index == count_) next_[count_++] = index;
  follow(index);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
