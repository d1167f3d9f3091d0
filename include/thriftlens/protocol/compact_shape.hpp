// compact_shape: the learned layout of a struct in the Compact protocol, compared with later structs.
// Compares all bytes of headers and sizes and the top bits of varints.
#pragma once

#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/core/endian.hpp>
#include <thriftlens/core/errc.hpp>
#include <thriftlens/core/small_algorithm.hpp>
#include <thriftlens/protocol/compact_header.hpp>
#include <thriftlens/protocol/ttype.hpp>
#include <thriftlens/simd/masked_compare.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// A value in a struct: its offset, its size, and how often its width changed between structs.
struct compact_part {
  std::uint16_t begin;
  std::uint16_t size;
  ttype type;
  std::uint8_t changes;
};

/// The values of a struct in order, including those in nested structs and small containers; the bytes between
/// them are headers and stops.
class compact_survey {
 public:
  static constexpr std::size_t max_parts = 64, max_size = 1024;

  /// False if the well-formed struct at `from` has too many values or too many bytes.
  [[nodiscard]] bool take(byte_ptr from, byte_ptr end) noexcept {
    begin_ = from;
    end_ = static_cast<std::size_t>(end - from) > max_size ? from + max_size : end;
    count_ = levels_ = 0;
    byte_ptr next = take_struct(from, 1);
    size_ = next == nullptr ? 0 : offset(next);
    return next != nullptr;
  }
  [[nodiscard]] std::span<const compact_part> parts() const noexcept { return {parts_, count_}; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// Nesting depth of structs and containers, including the struct itself.
  [[nodiscard]] std::uint32_t levels() const noexcept { return levels_; }

 private:
  using gets = compact_gets;
  static constexpr std::uint32_t max_elements = 16, max_levels = 8;

  // These functions return the end of what they consume, or nullptr. Bytes are well-formed, but may be
  // truncated.

  byte_ptr take_struct(byte_ptr from, std::uint32_t level) noexcept {
    if (!enter(level)) return nullptr;
    std::int16_t last_id = 0;
    for (;;) {
      wire_field field;
      errc unused = errc::ok;
      from = gets::get_field(from, end_, last_id, field, unused);
      if (from == nullptr || field.header.type == ttype::stop) return from;
      if (field.inline_bool < 0) from = take_value(from, field.header.type, level + 1);
      if (from == nullptr) return nullptr;
    }
  }
  byte_ptr take_value(byte_ptr from, ttype type, std::uint32_t level) noexcept {
    if (type == ttype::struct_) return take_struct(from, level);
    if (type == ttype::list || type == ttype::set) return take_list(from, level);
    if (type == ttype::map) return take_map(from, level);
    byte_ptr next = after_value(from, type);
    if (next == nullptr || count_ == max_parts) return nullptr;
    parts_[count_++] = {offset(from), static_cast<std::uint16_t>(next - from), type, 0};
    return next;
  }
  byte_ptr take_list(byte_ptr from, std::uint32_t level) noexcept {
    list_header list;
    errc unused = errc::ok;
    from = enter(level) ? gets::get_list(from, end_, max_elements, list, unused) : nullptr;
    for (; from != nullptr && list.size != 0; --list.size) from = take_value(from, list.element, level + 1);
    return from;
  }
  byte_ptr take_map(byte_ptr from, std::uint32_t level) noexcept {
    map_header map;
    errc unused = errc::ok;
    from = enter(level) ? gets::get_map(from, end_, max_elements, map, unused) : nullptr;
    for (; from != nullptr && map.size != 0; --map.size) {
      from = take_value(from, map.key, level + 1);
      if (from != nullptr) from = take_value(from, map.value, level + 1);
    }
    return from;
  }
  [[nodiscard]] byte_ptr after_value(byte_ptr from, ttype type) const noexcept {
    const auto remaining = static_cast<std::size_t>(end_ - from);
    if (const std::size_t width = compact_width(type)) return width <= remaining ? from + width : nullptr;
    errc unused = errc::ok;
    std::uint64_t number = 0;
    byte_view bytes;
    if (type == ttype::string) return gets::get_bytes(from, end_, 0xffffffffu, bytes, unused);
    return get_varint(from, end_, number);
  }
  [[nodiscard]] bool enter(std::uint32_t level) noexcept {
    levels_ = greatest(levels_, level);
    return level <= max_levels;
  }
  [[nodiscard]] std::uint16_t offset(byte_ptr at) const noexcept {
    return static_cast<std::uint16_t>(at - begin_);
  }

  compact_part parts_[max_parts];
  byte_ptr begin_ = nullptr;
  byte_ptr end_ = nullptr;
  std::size_t count_ = 0;
  std::size_t size_ = 0;
  std::uint32_t levels_ = 0;
};

/// The shape of a struct with a limited number of values. About 2 KiB, not initialised.
class compact_shape {
 public:
  compact_shape() noexcept {}  // NOLINT: take() comes first

  /// Learns the shape from the survey of the struct at `from`, whose fields_of() is `fields`. `goes_on`: it
  /// has the same fields as the previous struct, and values whose width changed repeatedly may have any width
  /// from now on. False if it has too many headers; the shape is then invalid.
  [[nodiscard]] bool take(byte_ptr from, const compact_survey& of, std::uint64_t fields,
                          bool goes_on) noexcept;
  /// A hash that is equal for structs with the same fields.
  [[nodiscard]] static std::uint64_t fields_of(byte_ptr from, const compact_survey& of) noexcept;

  [[nodiscard]] std::uint64_t fields() const noexcept { return fields_; }
  [[nodiscard]] std::uint32_t levels() const noexcept { return levels_; }
  /// The end of the struct at `from` if it has this shape; nullptr otherwise and near the end of the bytes.
  [[nodiscard]] THRIFTLENS_INLINE byte_ptr match(byte_ptr from, byte_ptr end) const noexcept {
    for (const segment* part = segments_;; ++part) {
      if (end - from < part->reach ||
          !simd::masked_equal(from, blocks_ + part->first_block, part->block_count)) [[unlikely]]
        return nullptr;
      from += part->length;
      if (part->next == jump::none) return from;
      from = part->next == jump::text ? after_text(from, end) : after_number(from, part->stops);
      if (from == nullptr) [[unlikely]]
        return nullptr;
    }
  }

 private:
  static constexpr std::size_t max_segments = 16, max_blocks = 32;
  static constexpr std::uint8_t max_changes = 3;  // then a value may have any width

  enum class jump : std::uint8_t { none, number, text };
  /// Bytes at known offsets, up to a value of any width or to the end.
  struct segment {
    std::uint64_t stops;  ///< of a number: top bits of its bytes, one of which must be clear
    std::uint16_t length;
    std::uint16_t reach;  ///< bytes that matching loads
    std::uint8_t first_block;
    std::uint8_t block_count;
    jump next;
  };

  [[nodiscard]] THRIFTLENS_INLINE static byte_ptr after_text(byte_ptr from, byte_ptr end) noexcept {
    std::size_t size = *from++;
    if (size >= 0x80) [[unlikely]] {
      if (*from >= 0x80) return nullptr;
      size = (size & 0x7fu) | std::size_t{*from++} << 7;
    }
    return size <= static_cast<std::size_t>(end - from) ? from + size : nullptr;
  }
  [[nodiscard]] THRIFTLENS_INLINE static byte_ptr after_number(byte_ptr from, std::uint64_t stops) noexcept {
    const std::uint64_t stop_bits = ~load_le<std::uint64_t>(from) & stops;
    return stop_bits != 0 ? from + (std::countr_zero(stop_bits) >> 3) + 1 : nullptr;
  }
  [[nodiscard]] static constexpr bool has_fixed_width(ttype type) noexcept {
    return compact_width(type) != 0;
  }
  [[nodiscard]] static constexpr std::uint64_t stops_of(ttype type) noexcept {
    return type == ttype::i16 ? 0x8080 : type == ttype::i32 ? 0x80808080 : 0x8080808080808080;
  }
  /// Bits that the last byte of a varint of that many bytes must not have.
  [[nodiscard]] static constexpr std::uint8_t last_mask(ttype type, std::size_t size) noexcept {
    if (type == ttype::i16 && size == 3) return 0xfc;
    if (type == ttype::i32 && size == 5) return 0xf0;
    return type == ttype::i64 && size == 10 ? 0xfe : 0x80;
  }

  void count_changes(std::span<const compact_part> parts, bool goes_on) noexcept;
  [[nodiscard]] bool expect_part(byte_ptr from, const compact_part& part) noexcept;
  [[nodiscard]] bool expect_varint(byte_ptr from, std::size_t size, std::uint8_t last) noexcept;
  [[nodiscard]] bool expect_bytes(byte_ptr from, std::size_t size) noexcept;
  [[nodiscard]] bool expect(std::uint8_t byte, std::uint8_t mask) noexcept;
  [[nodiscard]] bool close(jump next, std::uint64_t stops) noexcept;
  void open() noexcept;

  segment segments_[max_segments];
  simd::masked_block blocks_[max_blocks];
  compact_part parts_[compact_survey::max_parts];
  std::uint64_t fields_;
  std::uint32_t levels_;
  std::uint16_t part_count_;
  std::uint16_t at_;  // bytes of the current segment so far
  std::uint8_t segment_count_;
  std::uint8_t block_count_;
};

/// Shapes of recent structs and their successors. Shared by nested rows.
class compact_shapes {
 public:
  compact_shapes() noexcept {}  // NOLINT: count_ is the number of valid entries

  /// One row: number of remaining structs, including this one, and number of earlier ones without a shape.
  struct row {
    std::size_t remaining = 0;
    std::uint32_t shapeless = 0;
  };

  /// The end of the struct at `from` if it has one of the shapes, else nullptr.
  [[nodiscard]] THRIFTLENS_INLINE byte_ptr match(byte_ptr from, byte_ptr end,
                                                 std::uint32_t depth_left) noexcept {
    if (count_ == 0 || pause_ != 0) [[unlikely]]
      return nullptr;
    byte_ptr next = match_shape(next_[last_], from, end, depth_left);
    if (next == nullptr) [[unlikely]]
      return match_other(from, end, depth_left);
    last_ = next_[last_];
    budget_ += budget_ < max_budget;
    return next;
  }
  /// Learns the shape of the well-formed struct that was skipped, if the remaining structs are worth it;
  /// replaces the shape with the same fields, or another. Learning costs as much as skipping some hundred
  /// bytes; matches refill a budget for it.
  void learn(byte_ptr from, byte_ptr next, row& current) noexcept;

  [[nodiscard]] bool is_empty() const noexcept { return count_ == 0; }
  /// Whether that many structs of that size are worth learning.
  [[nodiscard]] static bool is_worth_it(std::size_t size, std::size_t count) noexcept {
    return size * count >= worth;
  }

 private:
  static constexpr std::uint32_t max_shapes = 8, max_shapeless = 2, max_pause = 1u << 20;
  static constexpr std::int32_t max_budget = 200, training_price = 4;
  static constexpr std::size_t worth = 1024;  // bytes to come of structs like one, for which it is learned

  [[nodiscard]] THRIFTLENS_INLINE byte_ptr match_shape(std::uint32_t index, byte_ptr from, byte_ptr end,
                                                       std::uint32_t depth_left) const noexcept {
    const compact_shape& shape = shapes_[index];
    return shape.levels() <= depth_left ? shape.match(from, end) : nullptr;
  }
  THRIFTLENS_NOINLINE byte_ptr match_other(byte_ptr from, byte_ptr end, std::uint32_t depth_left) noexcept {
    const std::uint32_t tried = next_[last_];
    for (std::uint32_t i = 0; i < count_; ++i) {
      byte_ptr next = i == tried ? nullptr : match_shape(i, from, end, depth_left);
      if (next == nullptr) continue;
      follow(i);
      budget_ += budget_ < max_budget;
      return next;
    }
    return nullptr;
  }
  [[nodiscard]] bool may_learn(std::size_t size, const row& current) noexcept {
    if (pause_ != 0) {
      if (--pause_ == 0) budget_ = 4 * training_price;
      return false;
    }
    missed_ += size;
    return current.shapeless < max_shapeless &&
           (is_worth_it(size, current.remaining) || missed_ >= 8 * worth);
  }
  void charge() noexcept {
    missed_ = 0;
    budget_ -= training_price;
    if (budget_ > 0) return;
    pause_ = next_pause_;
    next_pause_ = least(next_pause_ * 4, max_pause);
  }
  void forget() noexcept {
    count_ = last_ = 0;
    next_[0] = 0;
  }
  void follow(std::uint32_t index) noexcept {
    next_[last_] = index;
    last_ = index;
  }
  [[nodiscard]] std::uint32_t same_fields(std::uint64_t fields) const noexcept {
    std::uint32_t i = 0;
    while (i < count_ && shapes_[i].fields() != fields) ++i;
    return i;
  }
  /// Index for the next new shape: replaces shapes in rotation, except the last one.
  [[nodiscard]] std::uint32_t replacement_index() noexcept {
    if (count_ < max_shapes) return count_;
    oldest_ = (oldest_ + 1) % max_shapes;
    if (oldest_ == last_) oldest_ = (oldest_ + 1) % max_shapes;
    return oldest_;
  }

  std::int32_t budget_ = 16 * training_price;
  std::uint32_t pause_ = 0;         // structs to go through without expecting anything
  std::uint32_t next_pause_ = 256;  // grows with every pause
  std::size_t missed_ = 0;          // bytes gone through since the last one was learned
  std::uint32_t count_ = 0;
  std::uint32_t last_ = 0;
  std::uint32_t oldest_ = 0;
  std::uint32_t next_[max_shapes] = {};
  compact_shape shapes_[max_shapes];
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/protocol/compact_shape.ipp>
#endif
