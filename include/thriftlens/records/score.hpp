// score: how likely bytes that parse as a struct are one.
#pragma once

#include <thriftlens/core/limits.hpp>
#include <thriftlens/protocol/integer.hpp>
#include <thriftlens/protocol/walk.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Maximum score of one string: a long blob must not outweigh the rest.
inline constexpr double max_text_bits = 40;

/// Size of the non-ASCII UTF-8 character at the start; 0 without one.
[[nodiscard]] inline std::size_t wide_character(std::string_view text) noexcept {
  const auto first = static_cast<std::uint8_t>(text[0]);
  const std::size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < size) return 0;
  for (std::size_t i = 1; i < size; ++i)
    if ((static_cast<std::uint8_t>(text[i]) & 0xc0) != 0x80) return 0;
  return size;
}
/// Score of a name or string: 95 of 256 byte values are printable. Negative for binary data, since most
/// strings are text.
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

/// Walks one struct. The constants are the binary logarithms of how rare such bytes are among random ones,
/// adjusted for common practice: field ids are small and ascend, sizes are small.
template <protocol P>
class struct_scorer : public walk<struct_scorer<P>, P> {
  using base = walk<struct_scorer<P>, P>;
  friend base;
  static constexpr bool is_wide = P::traits.has_fixed_layout;

 public:
  explicit struct_scorer(typename P::reader& in) noexcept : base(in) {}

  /// False if the bytes are malformed; bits() then scores the part before the error.
  [[nodiscard]] bool run() { return this->value(ttype::struct_); }
  [[nodiscard]] double bits() const noexcept { return bits_; }

 private:
  using base::in_;

  bool structure(std::uint32_t /*type*/) {
    std::int32_t previous = 0;
    return this->each_field(no_type, [&](const walked_field& field) {
      const std::int32_t id = field.header.id, step = id - previous;
      const bool is_next = step > 0 && step <= 16;
      bits_ += is_wide ? 4.5 : 0.4;
      bits_ += id <= 0 ? -3 : is_wide ? (id < 256 ? 7 : 3) : 0;
      bits_ += is_next ? (step <= 4 ? 1.5 : 0.5) : -1;
      previous = id;
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
  // Sizes that parse never exceed the remaining bytes.
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
    // Most numbers in practice are small.
    if (is_wide && wire != ttype::i8 && number > -65536 && number < 65536) bits_ += 2;
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

struct score {
  bool is_complete = false;   ///< exactly one value
  bool is_truncated = false;  ///< the bytes end within the value
  bool is_too_deep = false;   ///< nested beyond the limit
  std::size_t size = 0;       ///< bytes of the struct
  double bits = 0;
};
/// Scores a list of structs that spans all bytes; empty otherwise.
template <protocol P>
[[nodiscard]] score score_list(byte_view bytes, const limits& bounds, list_header& list) {
  typename P::reader in(bytes, bounds);
  score result;
  if (!in.read_list(list) || list.element != ttype::struct_ || list.size == 0) return result;
  result.size = bytes.size() - in.remaining();
  struct_scorer<P> scorer(in);
  bool is_read = true;
  double empty = 0;
  for (std::uint32_t i = 0; is_read && i < list.size; ++i) {
    const std::size_t start = in.remaining();
    is_read = scorer.run();
    empty += start - in.remaining() == 1 ? 20 : 0;
  }
  result.is_complete = is_read && in.at_end();
  result.is_truncated = !is_read && in.fault().code == errc::truncated;
  result.bits = scorer.bits() - empty +
                (P::traits.has_fixed_layout ? 24
                 : list.size > 1            ? 16
                                            : 4) +
                (result.is_complete ? 8 : 0);
  return result;
}
/// Scores the struct at the start of the bytes.
template <protocol P>
[[nodiscard]] score score_struct(byte_view bytes, const limits& bounds) {
  typename P::reader in(bytes, bounds);
  struct_scorer<P> scorer(in);
  const bool is_read = scorer.run();
  score result;
  result.is_complete = is_read && in.at_end();
  result.is_truncated = !is_read && in.fault().code == errc::truncated;
  result.is_too_deep = !is_read && in.fault().code == errc::depth_limit;
  result.size = is_read ? bytes.size() - in.remaining() : 0;
  result.bits = scorer.bits() + (result.is_complete ? 8 : 0);
  return result;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
