// fast_scalar: writes single values of Binary as JSON, with input and output position in registers. Does not
// report faults: it falls back to json_writer.
#pragma once

#include <thriftlens/core/double_bits.hpp>
#include <thriftlens/core/limits.hpp>
#include <thriftlens/json/options.hpp>
#include <thriftlens/json/string_out.hpp>
#include <thriftlens/schema/type.hpp>
#include <thriftlens/simd/json_quote.hpp>
#include <thriftlens/text/number_out.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// The part of fast_json_writer that writes scalars.
class fast_scalar_writer {
 protected:
  using kinds = type_kind;

  // The next byte to read and to write, passed and returned by value. False after falling back.
  struct position {
    const std::uint8_t* in;
    std::uint8_t* out;
    [[nodiscard]] explicit operator bool() const noexcept { return out != nullptr; }
  };
  static constexpr position fallen_back{nullptr, nullptr};

  // Bytes that are free while `out` is not after soft_end_: for a block of a name, a number or short text,
  // and brackets.
  static constexpr std::size_t slack = 640, short_text = 64;
  static_assert(simd::json_quote_capacity(short_text) + 64 <= slack &&
                simd::base64_text_capacity(short_text) + 64 <= slack);

  fast_scalar_writer(byte_view bytes, const schema_image& image, buffer& to, const to_json_options& options,
                     const limits& bounds)
      : end_(bytes.end()),
        string_size_(bounds.string_size),
        quoted_i64_(options.format.int64 == json_int64::string),
        bytes_(bytes),
        image_(image),
        to_(to),
        options_(options),
        start_(to.size()),
        max_size_(bounds.max_output(bytes.size())) {}
  ~fast_scalar_writer() = default;

  // ---- output

  // JSON is rarely longer than two times the bytes.
  THRIFTLENS_INLINE std::uint8_t* reserve_first() {
    constexpr std::size_t max_guess = 65536;
    std::uint8_t* out = to_.prepare((bytes_.size() < max_guess / 2 ? bytes_.size() * 2 : max_guess) + slack);
    set_base();
    return out;
  }
  // Reserves `count` bytes before soft_end_; moves the output. Null above the output limit.
  THRIFTLENS_COLD std::uint8_t* reserve_more(std::uint8_t* out, std::size_t count) {
    const auto written = static_cast<std::size_t>(out - to_.data()) - start_;
    if (written > max_size_) return nullptr;
    out = to_.prepare_after(out, count + slack, detail::output_end(start_, max_size_));
    set_base();
    return out;
  }
  // Enough for all but long texts and names.
  [[nodiscard]] THRIFTLENS_INLINE bool reserve(std::uint8_t*& out) {
    if (out <= soft_end_) [[likely]]
      return true;
    out = reserve_more(out, 0);
    return out != nullptr;
  }
  [[nodiscard]] THRIFTLENS_INLINE bool reserve(std::uint8_t*& out, std::size_t count) {
    if (soft_end_ - out >= static_cast<std::ptrdiff_t>(count)) [[likely]]
      return true;
    out = reserve_more(out, count);
    return out != nullptr;
  }
  [[nodiscard]] THRIFTLENS_INLINE std::size_t remaining(const std::uint8_t* in) const noexcept {
    return static_cast<std::size_t>(end_ - in);
  }
  [[nodiscard]] std::size_t written(const std::uint8_t* out) const noexcept {
    return static_cast<std::size_t>(out - base_) - start_;
  }

  // ---- values; output is reserved, and input of values of fixed width is checked

  THRIFTLENS_INLINE static position bool_value(position at) {
    const bool value = *at.in != 0;
    std::memcpy(at.out, value ? "true\0\0\0" : "false\0\0", 8);
    return {at.in + 1, at.out + (value ? 4 : 5)};
  }
  template <class Int>
  THRIFTLENS_INLINE static position integer(position at) {
    return {at.in + sizeof(Int), put_integer(at.out, std::int64_t{load_be<Int>(at.in)})};
  }
  static THRIFTLENS_NOINLINE position short_integer(position at, type_kind kind) {
    const bool is_byte = kind == kinds::i8;
    const std::int64_t number =
        is_byte ? std::int64_t{load_be<std::int8_t>(at.in)} : load_be<std::int16_t>(at.in);
    return {at.in + (is_byte ? 1 : 2), put_integer(at.out, number)};
  }
  THRIFTLENS_INLINE position i64_value(position at) const {
    return quoted_i64_ ? quoted_i64_value(at) : integer<std::int64_t>(at);
  }
  static THRIFTLENS_NOINLINE position quoted_i64_value(position at) {
    return {at.in + 8, put_quoted(at.out, load_be<std::int64_t>(at.in))};
  }
  THRIFTLENS_INLINE static std::uint8_t* put_quoted(std::uint8_t* out, std::int64_t number) noexcept {
    *out = '"';
    out = put_integer(out + 1, number);
    *out = '"';
    return out + 1;
  }
  THRIFTLENS_INLINE position double_value(position at) const {
    const auto number = load_be<double>(at.in);
    if (!is_finite(number)) [[unlikely]]
      return nonfinite(at, number);
    return {at.in + 8, put_double(at.out, number)};
  }
  THRIFTLENS_NOINLINE position enum_value(position at, const image::type_node& type) {
    const auto number = load_be<std::int32_t>(at.in);
    const std::string_view name = member_text(image_, type, number, options_.format.enums);
    if (name.empty()) return integer<std::int32_t>(at);
    if (!reserve(at.out, name.size())) return fallen_back;
    std::memcpy(at.out, name.data(), name.size());
    return {at.in + 4, at.out + name.size()};
  }
  THRIFTLENS_INLINE position uuid_value(position at) const {
    return remaining(at.in) < 16 ? fallen_back : position{at.in + 16, put_uuid(at.out, at.in)};
  }

  // Reads a size and that many bytes.
  [[nodiscard]] THRIFTLENS_INLINE bool read_bytes(const std::uint8_t*& in, byte_view& bytes) const noexcept {
    const std::size_t available = remaining(in);
    if (available < 4) [[unlikely]]
      return false;
    const auto size = load_be<std::uint32_t>(in);
    if (size > available - 4 || size > string_size_) [[unlikely]]
      return false;
    bytes = byte_view(in + 4, size);
    in += 4 + std::size_t{size};
    return true;
  }
  THRIFTLENS_INLINE position string_value(position at) {
    byte_view text;
    if (!read_bytes(at.in, text)) [[unlikely]]
      return fallen_back;
    return {at.in, put_text(at.out, text)};
  }
  // Null for ill-formed UTF-8 and above the output limit.
  THRIFTLENS_INLINE std::uint8_t* put_text(std::uint8_t* out, byte_view text) {
    if (text.size() >= short_text) [[unlikely]] {
      if (text.size() > detail::escape_step) return put_long_text(out, text);
      if (!reserve(out, simd::json_quote_capacity(text.size()))) return nullptr;
    }
    const simd::json_quoted quoted = simd::quote_json(out, text);
    if (quoted.form > simd::text_form::utf8) [[unlikely]] {
      if (quoted.form == simd::text_form::ill_formed) return nullptr;
      unchecked_ = true;
    }
    return quoted.end;
  }
  THRIFTLENS_INLINE position binary_value(position at) {
    byte_view bytes;
    if (!read_bytes(at.in, bytes)) [[unlikely]]
      return fallen_back;
    if (bytes.size() >= short_text && !reserve(at.out, simd::base64_text_capacity(bytes.size()) + 2))
        [[unlikely]]
      return fallen_back;
    *at.out = '"';
    std::uint8_t* out = simd::encode_base64(at.out + 1, bytes);
    *out = '"';
    return {at.in, out + 1};
  }

  const std::uint8_t* end_;
  std::uint8_t* base_ = nullptr;
  std::uint8_t* soft_end_ = nullptr;
  std::uint32_t string_size_;
  bool quoted_i64_;
  bool unchecked_ = false;  // UTF-8 of some texts must be checked at the end
  byte_view bytes_;
  const schema_image& image_;
  buffer& to_;
  const to_json_options& options_;
  std::size_t start_;
  std::size_t max_size_;  // of the output

 private:
  void set_base() noexcept {
    base_ = to_.data();
    soft_end_ = base_ + to_.capacity() - slack;
  }
  THRIFTLENS_COLD position nonfinite(position at, double number) const {
    if (options_.leniency.nonfinite == json_nonfinite::error) return fallen_back;
    const std::string_view text = nonfinite_text(number);
    std::memcpy(at.out, text.data(), text.size());
    return {at.in + 8, at.out + text.size()};
  }
  // In pieces: escapes may take six times the size.
  THRIFTLENS_NOINLINE std::uint8_t* put_long_text(std::uint8_t* out, byte_view text) {
    if (!simd::valid_utf8(text)) return nullptr;
    *out++ = '"';
    for (std::size_t at = 0; at < text.size(); at += detail::escape_step) {
      const std::size_t rest = text.size() - at;
      const byte_view piece = text.part(at, rest < detail::escape_step ? rest : detail::escape_step);
      if (!reserve(out, simd::json_escape_capacity(piece.size()))) return nullptr;
      out = simd::escape_json(out, piece).end;
    }
    *out++ = '"';
    return out;
  }
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
