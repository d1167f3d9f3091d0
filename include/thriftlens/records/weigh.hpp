// weigh: how much bytes that can be read as a struct look as if they were meant to be one.
#pragma once

#include <thriftlens/core/limits.hpp>
#include <thriftlens/protocol/integer.hpp>
#include <thriftlens/protocol/walk.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Most that one text, and most that one value, says: a long blob must not outweigh the rest.
inline constexpr double max_text_bits = 40;

/// Bytes of the character at the front of UTF-8 that is not ASCII; 0 where none stands there.
[[nodiscard]] inline std::size_t wide_character(std::string_view text) noexcept {
  const auto first = static_cast<std::uint8_t>(text[0]);
  const std::size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < size) return 0;
  for (std::size_t i = 1; i < size; ++i)
    if ((static_cast<std::uint8_t>(text[i]) & 0xc0) != 0x80) return 0;
  return size;
}
/// What a name or a text in these bytes is worth: letters that a person reads are 95 of 256 bytes. Less than
/// nothing for what is no text, for strings mostly are.
[[nodiscard]] inline double text_bits(std::string_view text) noexcept {
  constexpr std::size_t enough = 64;
  double bits = 0;
  text = text.substr(0, enough);
  while (!text.empty()) {
    const auto byte = static_cast<std::uint8_t>(text[0]);
    const bool is_blank = byte == '\n' || byte == '\t' || byte == '\r';
    const std::size_t wide = byte >= 0x80 ? wide_character(text) : 0;
    bits += wide != 0 ? 1.6 * static_cast<double>(wide) : 0;
    bits += byte >= 0x80 ? (wide != 0 ? 0 : -0.5) : (byte >= ' ' && byte < 0x7f) ? 1.4 : is_blank ? 0.5 : -4;
    text.remove_prefix(wide != 0 ? wide : 1);
  }
  return bits < -4 ? -4 : bits > max_text_bits ? max_text_bits : bits;
}

/// Walks one struct. The numbers are the logarithms of how rare a byte of that kind is among random ones;
/// where writers have habits (ids that are small and rise, sizes that are small) those count.
template <protocol P>
class weigher : public walk<weigher<P>, P> {
  using base = walk<weigher<P>, P>;
  friend base;
  static constexpr bool is_wide = P::traits.has_fixed_layout;

 public:
  explicit weigher(typename P::reader& in) noexcept : base(in) {}

  /// False where the bytes cannot be read; bits() is of what was read until then.
  [[nodiscard]] bool run() { return this->value(ttype::struct_); }
  [[nodiscard]] double bits() const noexcept { return bits_; }

 private:
  using base::in_;

  bool structure(std::uint32_t /*type*/) {
    std::int32_t before = 0;
    return this->each_field(no_type, [&](const walked_field& field) {
      const std::int32_t id = field.header.id, step = id - before;
      const bool is_next = step > 0 && step <= 16;
      bits_ += is_wide ? 4.5 : 0.4;
      bits_ += id <= 0 ? -3 : is_wide ? (id < 256 ? 7 : 3) : 0;
      bits_ += is_next ? (step <= 4 ? 1.5 : 0.5) : -1;
      before = id;
      return this->value(field.header.type);
    });
  }
  bool sequence(ttype wire, std::uint32_t type) {
    add_size(is_wide ? 4.5 : 0.3);
    return base::sequence(wire, type);
  }
  bool mapping(std::uint32_t type) {
    add_size(is_wide ? 9 : 0.6);
    return base::mapping(type);
  }
  // A size that is no more than what is left, as all are that can be read.
  void add_size(double header) noexcept { bits_ += header + (is_wide ? 8 : 0.5); }

  bool scalar(ttype wire, std::uint32_t /*type*/) {
    if (wire == ttype::string) return text();
    if (wire == ttype::double_) return real();
    if (wire == ttype::bool_) {
      bool flag = false;
      bits_ += is_wide ? 6 : 0;
      return in_.read_bool(flag);
    }
    if (wire == ttype::uuid) return in_.skip(wire);
    std::int64_t number = 0;
    if (!read_integer(in_, wire, number)) return false;
    // Numbers in use are small as a rule.
    if (is_wide && wire != ttype::i8) bits_ += number > -65536 && number < 65536 ? 2 : 0;
    return true;
  }
  bool real() {
    double number = 0;
    if (!in_.read_double(number)) return false;
    const double magnitude = std::fabs(number);
    bits_ += number == 0 ? 8 : magnitude > 1e-12 && magnitude < 1e15 ? 3 : -3;
    return true;
  }
  bool text() {
    std::string_view content;
    if (!in_.read_bytes(content)) return false;
    bits_ += (is_wide ? 8 : 0.5) + text_bits(content);
    return true;
  }

  double bits_ = 0;
};

struct weight {
  bool is_whole = false;     ///< one struct, from the first byte to the last
  bool is_cut = false;       ///< the bytes end inside it
  bool is_too_deep = false;  ///< what lies deeper than the limit was not looked at
  std::size_t size = 0;      ///< bytes of the struct
  double bits = 0;
};
/// Of a list of structs that is all of the bytes; nothing where it is none.
template <protocol P>
[[nodiscard]] weight weigh_list(byte_view bytes, const limits& bounds, list_header& list) {
  typename P::reader in(bytes, bounds);
  weight found;
  if (!in.read_list(list) || list.element != ttype::struct_ || list.size == 0) return found;
  found.size = bytes.size() - in.remaining();
  weigher<P> scale(in);
  bool is_read = true;
  double empty = 0;
  for (std::uint32_t i = 0; is_read && i < list.size; ++i) {
    const std::size_t before = in.remaining();
    is_read = scale.run();
    empty += before - in.remaining() == 1 ? 20 : 0;
  }
  found.is_whole = is_read && in.at_end();
  found.is_cut = !is_read && in.fault().code == errc::truncated;
  found.bits = scale.bits() - empty +
               (P::traits.has_fixed_layout ? 24
                : list.size > 1            ? 16
                                           : 4) +
               (found.is_whole ? 8 : 0);
  return found;
}
/// Of the struct at the front of the bytes.
template <protocol P>
[[nodiscard]] weight weigh_struct(byte_view bytes, const limits& bounds) {
  typename P::reader in(bytes, bounds);
  weigher<P> scale(in);
  const bool is_read = scale.run();
  weight found;
  found.is_whole = is_read && in.at_end();
  found.is_cut = !is_read && in.fault().code == errc::truncated;
  found.is_too_deep = !is_read && in.fault().code == errc::depth_limit;
  found.size = is_read ? bytes.size() - in.remaining() : 0;
  found.bits = scale.bits() + (found.is_whole ? 8 : 0);
  return found;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
