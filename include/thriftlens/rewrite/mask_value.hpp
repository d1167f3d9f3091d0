// mask_value: the masked form of a value: its keyed hash, or its last characters or digits.
#pragma once

#include <thriftlens/core/buffer.hpp>
#include <thriftlens/protocol/concept.hpp>
#include <thriftlens/protocol/integer.hpp>
#include <thriftlens/rewrite/program.hpp>
#include <thriftlens/rewrite/value_in.hpp>
#include <thriftlens/simd/utf8.hpp>
#include <thriftlens/view/scalar.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// The end of a text that keep_last shows: where it begins, and how many characters it hides; all if there
/// are no more than `last`. In invalid UTF-8 every byte is a character, unless it is part of a well-formed
/// sequence. Linear.
struct shown_end {
  std::size_t begin;
  std::size_t hidden = 0;

  shown_end(std::string_view text, std::size_t last) : begin(text.size()) {
    if (simd::valid_utf8(byte_view(text)))
      count_valid(text, last);
    else
      count_any(text, last);
  }

 private:
  static bool leads(char of) noexcept { return (static_cast<unsigned char>(of) & 0xc0) != 0x80; }
  void count_valid(std::string_view text, std::size_t last) {
    for (const char byte : text) hidden += leads(byte);
    if (hidden <= last) return;
    hidden -= last;
    for (; last != 0; --last) {
      do --begin;
      while (!leads(text[begin]));
    }
  }
  void count_any(std::string_view text, std::size_t last) {
    for (std::size_t at = 0; at < text.size(); at = next(text, at)) ++hidden;
    if (hidden <= last) return;
    hidden -= last;
    begin = 0;
    for (std::size_t i = 0; i < hidden; ++i) begin = next(text, begin);
  }
  static std::size_t next(std::string_view text, std::size_t at) noexcept {
    return at + (std::max<std::size_t>)(utf8_length(text.substr(at)), 1);
  }
};

/// Whether values of that type have a masked form; others become blank.
[[nodiscard]] inline bool can_mask(type of, replacement_form kind) noexcept {
  if (of.kind() == type_kind::bool_ || of.is_enum()) return false;
  if (kind == replacement_form::hash || of.wire() == ttype::string) return true;
  return fixed_width(of.wire()) != 0 && of.wire() != ttype::double_ && of.wire() != ttype::uuid;
}

/// Writes the masked form of the value at `in`. Members return false if the reader fails.
template <protocol P>
class masker {
 public:
  masker(typename P::reader& in, buffer& out) noexcept : in_(in), out_(out) {}

  /// The replacement of a value that can_mask() accepts.
  [[nodiscard]] bool apply(const redact_replacement& rule, ttype wire, const redact_hash& by) {
    return rule.kind == replacement_form::hash ? hash(wire, by) : keep_last(wire, rule.last);
  }
  /// A 64-bit hash: 16 hex digits, two hashes for a uuid, a number >= 0 of the same width.
  [[nodiscard]] bool hash(ttype wire, const redact_hash& by) {
    if (wire == ttype::string) return hash_text(by);
    if (wire == ttype::uuid) return hash_uuid(by);
    return wire == ttype::double_ ? hash_double(by) : hash_integer(wire, by);
  }
  /// The last characters or digits.
  [[nodiscard]] bool keep_last(ttype wire, std::uint32_t last) {
    if (wire == ttype::string) return keep_last_characters(last);
    std::int64_t number = 0;
    if (read_integer_of<P>(in_, wire, number) != errc::ok) return false;
    commit_integer(wire, last_digits(number, last));
    return true;
  }

 private:
  bool hash_integer(ttype wire, const redact_hash& by) {
    std::int64_t number = 0;
    if (read_integer_of<P>(in_, wire, number) != errc::ok) return false;
    const std::uint64_t hashed = hash_of(static_cast<std::uint64_t>(number), by);
    const std::size_t unused_bits = std::size_t{65} - 8 * fixed_width(wire);
    commit_integer(wire, static_cast<std::int64_t>(hashed >> unused_bits));
    return true;
  }
  [[nodiscard]] static std::uint64_t hash_of(std::uint64_t number, const redact_hash& by) noexcept {
    std::uint8_t bytes[8];
    store_be(bytes, number);
    return by({bytes, sizeof bytes});
  }
  bool hash_text(const redact_hash& by) {
    byte_view text;
    if (!in_.read_bytes(text)) return false;
    constexpr char digits[] = "0123456789abcdef";
    std::uint64_t number = by(text);
    std::uint8_t hex[16];
    for (int i = 16; i-- > 0; number >>= 4) hex[i] = static_cast<std::uint8_t>(digits[number & 15]);
    put_size(sizeof hex);
    out_.append({hex, sizeof hex});
    return true;
  }
  bool hash_uuid(const redact_hash& by) {
    uuid_bytes id{};
    if (!in_.read_uuid(id)) return false;
    std::uint8_t seventeen[17] = {};
    std::memcpy(seventeen, id.data(), id.size());
    store_be(id.data(), by({seventeen, 16}));
    store_be(id.data() + 8, by({seventeen, 17}));
    out_.commit(P::put_uuid(out_.prepare(P::uuid_size), id));
    return true;
  }
  bool hash_double(const redact_hash& by) {
    double real = 0;
    if (!in_.read_double(real)) return false;
    const double hashed = static_cast<double>(hash_of(std::bit_cast<std::uint64_t>(real), by) >> 11);
    out_.commit(P::put_double(out_.prepare(P::max_number), hashed));
    return true;
  }

  [[nodiscard]] static std::int64_t last_digits(std::int64_t number, std::uint32_t last) noexcept {
    const auto bits = static_cast<std::uint64_t>(number);
    const std::uint64_t size = number < 0 ? 0 - bits : bits;
    std::uint64_t bound = 1;
    for (std::uint32_t i = 0; i < last && bound <= size; ++i)
      bound = bound > UINT64_MAX / 10 ? UINT64_MAX : bound * 10;
    return size < bound ? 0 : static_cast<std::int64_t>(size % bound);
  }
  bool keep_last_characters(std::uint32_t last) {
    std::string_view text;
    if (!in_.read_bytes(text)) return false;
    const shown_end end(text, last);
    put_size(end.hidden + text.size() - end.begin);
    std::uint8_t* to = out_.prepare(end.hidden);
    std::fill_n(to, end.hidden, static_cast<std::uint8_t>('*'));
    out_.commit(to + end.hidden);
    out_.append(byte_view(text.substr(end.begin)));
    return true;
  }
  void put_size(std::size_t size) {
    out_.commit(P::put_size(out_.prepare(P::max_length_prefix), static_cast<std::uint32_t>(size)));
  }
  void commit_integer(ttype wire, std::int64_t number) {
    out_.commit(put_integer<P>(out_.prepare(P::max_number), wire, number));
  }

  typename P::reader& in_;
  buffer& out_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
