// simdjson_source: JSON text as a run of tokens, all found beforehand by simdjson's first stage.
// In: text that need not be padded. Out: as text_source.
// Never parses twice what simdjson has found: structure, UTF-8 and control characters in strings are its word.
#pragma once

#include <thriftlens/json/text_source.hpp>

#include <memory>

namespace thriftlens::inline THRIFTLENS_ABI {

/// The source behind which simdjson finds structure. Needs 4 bytes a byte of text; at most 4 GiB of text. Takes tokens in their
/// order only.
class simdjson_source : public text_bounds {
 public:
  static constexpr std::string_view name = "simdjson";

  /// Answers ok, or why simdjson refused the text.
  [[nodiscard]] errc open(std::string_view text, const std::uint8_t*& at) {
    first_ = at = set(text);
    next_ = count_ = 0;
    if (text.size() > 0xffffffffu) return errc::size_limit;
    if (at == end()) return errc::ok;
    constexpr std::size_t no_nesting = 1;  // depth is the second stage's business
    if (simdjson::get_active_implementation()->create_dom_parser_implementation(remaining(at), no_nesting, stage_) != simdjson::SUCCESS)
      return errc::size_limit;
    const simdjson::error_code code = stage_->stage1(at, remaining(at), simdjson::stage1_mode::regular);
    if (code == simdjson::SUCCESS) count_ = stage_->n_structural_indexes;
    if (code == simdjson::SUCCESS || code == simdjson::EMPTY) return errc::ok;
    if (code != simdjson::UTF8_ERROR) return errc::json_syntax;
    at += simd::valid_utf8_prefix({at, remaining(at)});
    return errc::invalid_utf8;
  }
  [[nodiscard]] errc open_part(std::string_view text, const std::uint8_t*& at) { return open(text, at); }

  THRIFTLENS_INLINE std::uint8_t peek(const std::uint8_t*& at) noexcept {
    if (next_ == count_) [[unlikely]] return at = end(), std::uint8_t{0};
    at = first_ + stage_->structural_indexes[next_];
    return *at;
  }
  THRIFTLENS_INLINE void advance(const std::uint8_t*& at) noexcept { taken(at, at + 1); }

  [[nodiscard]] THRIFTLENS_INLINE bool take_literal(const std::uint8_t*& at, std::string_view word) noexcept {
    return is_literal(at, word) && taken(at, at + word.size());
  }
  [[nodiscard]] THRIFTLENS_INLINE bool take_key(const std::uint8_t*& at, const char* expected, std::size_t size, unsigned tokens = 2) noexcept {
    return goes_on_with(at, expected, size) && taken(at, at + size, tokens);
  }
  [[nodiscard]] THRIFTLENS_INLINE bool take_plain_string(const std::uint8_t*& at, std::string_view& text) noexcept {
    const std::uint8_t* close = closing_quote(simd::find_json_special(at + 1, end()));
    if (close == nullptr) return false;
    text = {reinterpret_cast<const char*>(at) + 1, static_cast<std::size_t>(close - at - 1)};
    return taken(at, close + 1);
  }
  [[nodiscard]] THRIFTLENS_INLINE bool take_long_plain_string(const std::uint8_t*& at, std::string_view& text) noexcept {
    const std::uint8_t* close = closing_quote(simd::find_far_json_special(at + 1, end()));
    if (close == nullptr) return false;
    text = {reinterpret_cast<const char*>(at) + 1, static_cast<std::size_t>(close - at - 1)};
    return taken(at, close + 1);
  }
  [[nodiscard]] THRIFTLENS_INLINE std::uint8_t* take_string(const std::uint8_t*& at, std::uint8_t* to) noexcept {
    const simd::json_unescaped done = simd::unescape_json(to, at + 1, end());
    if (done.end == nullptr) at = done.stop;
    else taken(at, done.stop + 1);
    return done.end;
  }
  [[nodiscard]] THRIFTLENS_INLINE bool take_plain_integer(const std::uint8_t*& at, std::uint64_t& magnitude, bool& negative) noexcept {
    const std::uint8_t* last = parse_plain_integer(at, end(), magnitude, negative);
    return last != nullptr && delimited(last) && taken(at, last);
  }
  [[nodiscard]] THRIFTLENS_INLINE bool take_quoted_integer(const std::uint8_t*& at, std::uint64_t& magnitude, bool& negative) noexcept {
    const std::uint8_t* last = parse_plain_integer(at + 1, end(), magnitude, negative);
    return last != nullptr && last != end() && *last == '"' && taken(at, last + 1);
  }
  [[nodiscard]] bool take_number(const std::uint8_t*& at, json_number& number) noexcept {
    number = {};
    number.begin = at;
    return parse_number(number, end()) && delimited(number.end) && taken(at, number.end);
  }

 private:
  THRIFTLENS_INLINE bool taken(const std::uint8_t*& at, const std::uint8_t* end, std::uint32_t tokens = 1) noexcept {
    at = end;
    next_ += tokens;
    return true;
  }

  std::unique_ptr<simdjson::internal::dom_parser_implementation> stage_;
  const std::uint8_t* first_ = nullptr;
  std::uint32_t next_ = 0;
  std::uint32_t count_ = 0;
};

}  // namespace thriftlens
