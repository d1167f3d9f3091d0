// first_stage: simdjson's first stage with its memory, which the thread keeps for the next text.
#pragma once

#include <thriftlens/core/config.hpp>

#include <simdjson.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Making the stage takes four allocations, so a thread keeps one, for texts up to `longest_kept`: 4 bytes of
/// memory a byte of text. Who uses it has it alone: a second user on the thread meanwhile makes another.
class first_stage {
 public:
  static constexpr std::size_t longest_kept = std::size_t{256} * 1024;  ///< bytes of text

  first_stage() noexcept = default;
  ~first_stage() {
    if (mine_.parser != nullptr && mine_.parser->capacity() <= longest_kept) give_back();
  }
  first_stage(first_stage&&) noexcept = default;
  first_stage& operator=(first_stage&&) noexcept = default;

  /// Where the tokens of `text` begin, good until the next call. Refuses what simdjson refuses, and any text
  /// where memory is short (MEMALLOC). The text has at least one byte. No byte behind it is read.
  [[nodiscard]] simdjson::error_code run(std::span<const std::uint8_t> text,
                                         std::span<const std::uint32_t>& tokens) {
    // simdjson's kernel for machines without one of their own looks behind a character that is cut off; no
    // JSON ends with such a byte.
    if (text.back() >= 0x80) return simdjson::UTF8_ERROR;
    if (mine_.parser == nullptr && is_kept()) mine_ = std::move(kept());
    simdjson::error_code code = make_room(text.size());
    if (code == simdjson::SUCCESS)
      code = mine_.parser->stage1(text.data(), text.size(), simdjson::stage1_mode::regular);
    if (code == simdjson::SUCCESS)
      tokens = {mine_.parser->structural_indexes.get(), mine_.parser->n_structural_indexes};
    return code;
  }

 private:
  struct stage {
    const simdjson::implementation* kernels = nullptr;  ///< that made the parser
    std::unique_ptr<simdjson::internal::dom_parser_implementation> parser;
  };
  struct kept_stage : stage {
    using stage::operator=;
    ~kept_stage() { is_kept() = false; }
  };

  [[nodiscard]] simdjson::error_code make_room(std::size_t text_size) {
    constexpr std::size_t no_nesting = 1;  // depth is the second stage's business
    const bool fits = mine_.parser != nullptr && mine_.parser->capacity() >= text_size;
    if (fits && mine_.kernels == simdjson::get_active_implementation()) return simdjson::SUCCESS;
    const std::size_t room = text_size <= longest_kept ? std::bit_ceil(text_size) : text_size;
    const simdjson::error_code code = simdjson::get_active_implementation()->create_dom_parser_implementation(
        room, no_nesting, mine_.parser);
    mine_.kernels = simdjson::get_active_implementation();  // the first use of any chooses it
    return code;
  }
  void give_back() noexcept {
    if (is_kept()) kept() = std::move(mine_);
  }
  static kept_stage& kept() noexcept {
    thread_local kept_stage one;
    return one;
  }
  // False when the thread ends and destructors of other objects may still read JSON.
  static bool& is_kept() noexcept {
    thread_local bool yes = true;
    return yes;
  }

  stage mine_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
