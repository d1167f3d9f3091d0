// simdjson_source: JSON text as a run of tokens, all found beforehand by simdjson's first stage.
// In: text that need not be padded. Out: as text_source.
// Never parses twice what simdjson has found: structure, UTF-8 and control characters in strings are its word.
#pragma once

#include <thriftlens/json/text_source.hpp>

#include <memory>

namespace thriftlens::inline THRIFTLENS_ABI {

/// The source behind which simdjson finds structure. Needs 4 bytes a byte of text; at most 4 GiB of text.
class simdjson_source : public text_cursor {
 public:
  static constexpr std::string_view name = "simdjson";

  /// Answers ok, or why simdjson refused the text.
  [[nodiscard]] errc open(std::string_view text) {
    set(text);
    next_ = count_ = 0;
    if (text.size() > 0xffffffffu) return errc::size_limit;
    if (at_ == end_) return errc::ok;
    constexpr std::size_t no_nesting = 1;  // depth is the second stage's business
    if (simdjson::get_active_implementation()->create_dom_parser_implementation(remaining(), no_nesting, stage_) != simdjson::SUCCESS)
      return errc::size_limit;
    first_ = at_;
    const simdjson::error_code code = stage_->stage1(at_, remaining(), simdjson::stage1_mode::regular);
    if (code == simdjson::SUCCESS) count_ = stage_->n_structural_indexes;
    if (code == simdjson::SUCCESS || code == simdjson::EMPTY) return errc::ok;
    if (code != simdjson::UTF8_ERROR) return errc::json_syntax;
    at_ += simd::valid_utf8_prefix({at_, remaining()});
    return errc::invalid_utf8;
  }
  [[nodiscard]] errc open_part(std::string_view text) { return open(text); }

  THRIFTLENS_INLINE std::uint8_t peek() noexcept {
    if (next_ == count_) [[unlikely]] return at_ = end_, std::uint8_t{0};
    at_ = first_ + stage_->structural_indexes[next_];
    return *at_;
  }
  THRIFTLENS_INLINE void advance() noexcept { taken(at_ + 1); }

  [[nodiscard]] THRIFTLENS_INLINE bool take_literal(std::string_view word) noexcept {
    return is_literal(word) && taken(at_ + word.size());
  }
  [[nodiscard]] THRIFTLENS_INLINE bool take_key(const char* expected, std::size_t size) noexcept {
    if (!goes_on_with(expected, size)) return false;
    ++next_;  // the colon is a token too
    return taken(at_ + size);
  }
  [[nodiscard]] THRIFTLENS_INLINE bool take_plain_string(std::string_view& text) noexcept {
    const std::uint8_t* close = plain_string_end();
    if (close == nullptr) return false;
    text = {reinterpret_cast<const char*>(at_) + 1, static_cast<std::size_t>(close - at_ - 1)};
    return taken(close + 1);
  }
  [[nodiscard]] THRIFTLENS_INLINE std::uint8_t* take_string(std::uint8_t* to) noexcept {
    const simd::json_unescaped done = simd::unescape_json(to, at_ + 1, end_);
    if (done.end == nullptr) at_ = done.stop;
    else taken(done.stop + 1);
    return done.end;
  }
  [[nodiscard]] THRIFTLENS_INLINE bool take_plain_integer(std::uint64_t& magnitude, bool& negative) noexcept {
    const std::uint8_t* last = parse_plain_integer(at_, end_, magnitude, negative);
    return last != nullptr && delimited(last) && taken(last);
  }
  [[nodiscard]] bool take_number(json_number& number) noexcept {
    number = {};
    number.begin = at_;
    return parse_number(number, end_) && delimited(number.end) && taken(number.end);
  }

 private:
  THRIFTLENS_INLINE bool taken(const std::uint8_t* end) noexcept {
    at_ = end;
    ++next_;
    return true;
  }

  std::unique_ptr<simdjson::internal::dom_parser_implementation> stage_;
  const std::uint8_t* first_ = nullptr;
  std::uint32_t next_ = 0;
  std::uint32_t count_ = 0;
};

}  // namespace thriftlens
