// first_stage: simdjson's first stage, whose memory is cached by the thread.
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

/// A stage takes four allocations, so a thread caches one, for texts up to `max_cached_text`: 4 bytes of
/// memory per byte of text. While it is in use, other users on the thread construct their own.
class first_stage {
 public:
  static constexpr std::size_t max_cached_text = std::size_t{256} * 1024;  ///< bytes of text

  first_stage() noexcept = default;
  ~first_stage() {
    if (mine_.parser != nullptr && mine_.parser->capacity() <= max_cached_text) give_back();
  }
  first_stage(first_stage&&) noexcept = default;
  first_stage& operator=(first_stage&&) noexcept = default;

  /// Sets `tokens` to the starts of the tokens of `text`, valid until the next call. The text must not be
  /// empty; no byte after it is read. Errors: those of simdjson, MEMALLOC if memory is short.
  [[nodiscard]] simdjson::error_code run(std::span<const std::uint8_t> text,
                                         std::span<const std::uint32_t>& tokens) {
    // simdjson's fallback kernel reads past a truncated character; no JSON ends with such a byte.
    if (text.back() >= 0x80) return simdjson::UTF8_ERROR;
    if (mine_.parser == nullptr && has_cache()) mine_ = std::move(cache());
    simdjson::error_code code = ensure_capacity(text.size());
    if (code == simdjson::SUCCESS)
      code = mine_.parser->stage1(text.data(), text.size(), simdjson::stage1_mode::regular);
    if (code == simdjson::SUCCESS)
      tokens = {mine_.parser->structural_indexes.get(), mine_.parser->n_structural_indexes};
    return code;
  }

 private:
  struct stage {
    const simdjson::implementation* kernels = nullptr;  ///< created the parser
    std::unique_ptr<simdjson::internal::dom_parser_implementation> parser;
  };
  struct cached_stage : stage {
    using stage::operator=;
    ~cached_stage() { has_cache() = false; }
  };

  [[nodiscard]] simdjson::error_code ensure_capacity(std::size_t text_size) {
    constexpr std::size_t no_nesting = 1;  // only the second stage needs the depth
    const bool fits = mine_.parser != nullptr && mine_.parser->capacity() >= text_size;
    if (fits && mine_.kernels == simdjson::get_active_implementation()) return simdjson::SUCCESS;
    const std::size_t capacity = text_size <= max_cached_text ? std::bit_ceil(text_size) : text_size;
    const simdjson::error_code code = simdjson::get_active_implementation()->create_dom_parser_implementation(
        capacity, no_nesting, mine_.parser);
    mine_.kernels = simdjson::get_active_implementation();  // chosen by the first use of any
    return code;
  }
  void give_back() noexcept {
    if (has_cache()) cache() = std::move(mine_);
  }
  static cached_stage& cache() noexcept {
    thread_local cached_stage stage;
    return stage;
  }
  // False at the end of the thread, when destructors of other objects may still read JSON.
  static bool& has_cache() noexcept {
    thread_local bool alive = true;
    return alive;
  }

  stage mine_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
