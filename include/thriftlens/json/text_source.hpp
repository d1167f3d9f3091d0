// text_source: JSON text as a run of tokens, found one after the other where they are asked for.
// In: text that need not be padded. Out: the next token's first character, and tokens taken.
// Never reads past the end, never holds more than three pointers.
#pragma once

#include <thriftlens/core/errc.hpp>
#include <thriftlens/json/number_in.hpp>
#include <thriftlens/simd/dispatch.hpp>
#include <thriftlens/simd/json_escape.hpp>
#include <thriftlens/simd/utf8.hpp>

#include <simdjson.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

/// What all sources of tokens share: a place in the text and the tokens whose extent the place alone says.
class text_cursor {
 public:
  [[nodiscard]] const std::uint8_t* at() const noexcept { return at_; }
  [[nodiscard]] const std::uint8_t* begin() const noexcept { return begin_; }
  [[nodiscard]] const std::uint8_t* end() const noexcept { return end_; }
  [[nodiscard]] std::size_t remaining() const noexcept { return static_cast<std::size_t>(end_ - at_); }

 protected:
  void set(std::string_view text) noexcept {
    begin_ = at_ = reinterpret_cast<const std::uint8_t*>(text.data());
    end_ = begin_ + text.size();
    // A byte order mark is no part of the text.
    if (text.size() >= 3 && std::memcmp(begin_, "\xef\xbb\xbf", 3) == 0) at_ += 3;
  }
  [[nodiscard]] static THRIFTLENS_INLINE bool is_blank(std::uint8_t byte) noexcept {
    return byte <= ' ' && ((std::uint64_t{1} << byte) & ((std::uint64_t{1} << ' ') | 1u << '\n' | 1u << '\r' | 1u << '\t')) != 0;
  }
  // What may follow a number or a literal.
  [[nodiscard]] static THRIFTLENS_INLINE bool is_delimiter(std::uint8_t byte) noexcept {
    return byte == ',' || byte == '}' || byte == ']' || is_blank(byte) || byte == ':';
  }
  [[nodiscard]] THRIFTLENS_INLINE bool delimited(const std::uint8_t* at) const noexcept { return at == end_ || is_delimiter(*at); }

  [[nodiscard]] THRIFTLENS_INLINE bool is_literal(std::string_view word) const noexcept {
    return remaining() >= word.size() && std::memcmp(at_, word.data(), word.size()) == 0 && delimited(at_ + word.size());
  }
  // Whether the text goes on with `expected`, which may be read in blocks of 32 bytes.
  [[nodiscard]] THRIFTLENS_INLINE bool goes_on_with(const char* expected, std::size_t size) const noexcept {
#if THRIFTLENS_X86
    if (size <= 32 && remaining() >= 32) [[likely]] {
      const auto half = [&](std::size_t from) {
        return static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(at_ + from)),
                                                                      _mm_loadu_si128(reinterpret_cast<const __m128i*>(expected + from)))));
      };
      const std::uint64_t differ = ~std::uint64_t{half(0) | half(16) << 16};
      return (differ & ((std::uint64_t{1} << size) - 1)) == 0;
    }
#endif
    return remaining() >= size && std::memcmp(at_, expected, size) == 0;
  }
  // The closing quote of a string without escapes whose opening quote is at at_; nullptr where it has some or is broken.
  [[nodiscard]] THRIFTLENS_INLINE const std::uint8_t* plain_string_end() const noexcept {
    const std::uint8_t* from = at_ + 1;
#if THRIFTLENS_X86
    for (; end_ - from >= 16; from += 16) {
      const unsigned specials = simd::detail::json_specials(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
      if (specials == 0) continue;
      from += std::countr_zero(specials);
      return *from == '"' ? from : nullptr;
    }
#endif
    for (; from != end_; ++from) {
      if (*from == '"') return from;
      if (*from == '\\' || *from < 0x20) return nullptr;
    }
    return nullptr;
  }

  const std::uint8_t* begin_ = nullptr;
  const std::uint8_t* at_ = nullptr;
  const std::uint8_t* end_ = nullptr;
};

/// The source that finds tokens by itself. Every take_ asks for a token of that kind at at(), where peek() has found it, and
/// leaves the place alone when there is none.
class text_source : public text_cursor {
 public:
  static constexpr std::string_view name = "direct";

  /// Answers ok, or invalid_utf8 with at() at the first ill-formed byte.
  [[nodiscard]] errc open(std::string_view text) noexcept {
    set(text);
    if (simdjson::validate_utf8(text.data(), text.size())) return errc::ok;
    at_ += simd::valid_utf8_prefix({at_, remaining()});
    return errc::invalid_utf8;
  }
  /// A further text inside a checked one: not checked again.
  [[nodiscard]] errc open_part(std::string_view text) noexcept { return set(text), errc::ok; }

  /// Goes to the next token. Returns its first character, 0 at the end.
  THRIFTLENS_INLINE std::uint8_t peek() noexcept {
    if (at_ != end_ && *at_ > ' ') [[likely]] return *at_;
    return peek_far();
  }
  /// Over the one-character token that peek() found.
  THRIFTLENS_INLINE void advance() noexcept { ++at_; }

  [[nodiscard]] THRIFTLENS_INLINE bool take_literal(std::string_view word) noexcept {
    if (!is_literal(word)) return false;
    at_ += word.size();
    return true;
  }
  /// `"name":` as in `expected`, which has 32 readable bytes behind it.
  [[nodiscard]] THRIFTLENS_INLINE bool take_key(const char* expected, std::size_t size) noexcept {
    if (!goes_on_with(expected, size)) return false;
    at_ += size;
    return true;
  }
  [[nodiscard]] THRIFTLENS_INLINE bool take_plain_string(std::string_view& text) noexcept {
    const std::uint8_t* close = plain_string_end();
    if (close == nullptr) return false;
    text = {reinterpret_cast<const char*>(at_) + 1, static_cast<std::size_t>(close - at_ - 1)};
    at_ = close + 1;
    return true;
  }
  /// Writes the string's content at `to`, where remaining() + 32 bytes are free. Returns its end; nullptr after a fault, at() is its place.
  [[nodiscard]] THRIFTLENS_INLINE std::uint8_t* take_string(std::uint8_t* to) noexcept {
    const simd::json_unescaped done = simd::unescape_json(to, at_ + 1, end_);
    at_ = done.end == nullptr ? done.stop : done.stop + 1;
    return done.end;
  }
  [[nodiscard]] THRIFTLENS_INLINE bool take_plain_integer(std::uint64_t& magnitude, bool& negative) noexcept {
    const std::uint8_t* last = parse_plain_integer(at_, end_, magnitude, negative);
    if (last == nullptr || !delimited(last)) return false;
    at_ = last;
    return true;
  }
  [[nodiscard]] bool take_number(json_number& number) noexcept {
    number = {};
    number.begin = at_;
    if (!parse_number(number, end_) || !delimited(number.end)) return false;
    at_ = number.end;
    return true;
  }

 private:
  THRIFTLENS_NOINLINE std::uint8_t peek_far() noexcept {
    while (at_ != end_ && is_blank(*at_)) ++at_;
    return at_ == end_ ? std::uint8_t{0} : *at_;
  }
};

}  // namespace thriftlens
