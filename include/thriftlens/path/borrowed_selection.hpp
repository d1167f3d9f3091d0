// borrowed_selection: parameter type for a compiled selection or its text. Does not own or compile; the
// operation compiles the text for the type of its value.
#pragma once

#include <thriftlens/core/config.hpp>
#include <thriftlens/path/fwd.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Accepts `&selection`, `selection`, "{ id user { name } }", or null for everything. Must not outlive its
/// argument. Text is compiled on every call, with the errors of selection::try_compile(): for many values use
/// a compiled selection.
class borrowed_selection {
 public:
  // NOLINTBEGIN: implicit on purpose
  constexpr borrowed_selection(std::nullptr_t = nullptr) noexcept {}
  constexpr borrowed_selection(const selection* compiled THRIFTLENS_LIFETIMEBOUND) noexcept
      : compiled_(compiled) {}
  constexpr borrowed_selection(const selection& compiled THRIFTLENS_LIFETIMEBOUND) noexcept
      : compiled_(std::addressof(compiled)) {}
  borrowed_selection(const selection&& compiled) = delete;
  constexpr borrowed_selection(std::string_view text) noexcept : text_(text.empty() ? "" : text) {}
  constexpr borrowed_selection(const char* text THRIFTLENS_LIFETIMEBOUND) noexcept
      : borrowed_selection(std::string_view(text)) {}
  borrowed_selection(const std::string& text THRIFTLENS_LIFETIMEBOUND) noexcept
      : borrowed_selection(std::string_view(text)) {}
  borrowed_selection(const std::string&& text) = delete;
  // NOLINTEND

  /// The compiled selection, or null for everything. Precondition: not is_text().
  [[nodiscard]] constexpr const selection* compiled() const noexcept {
    THRIFTLENS_ASSERT(!is_text());
    return compiled_;
  }
  [[nodiscard]] constexpr bool is_text() const noexcept { return text_.data() != nullptr; }
  [[nodiscard]] constexpr std::string_view text() const noexcept { return text_; }

  /// Equal if they refer to the same object or have equal texts.
  friend constexpr bool operator==(const borrowed_selection& lhs, const borrowed_selection& rhs) noexcept {
    if (lhs.is_text() != rhs.is_text()) return false;
    return lhs.is_text() ? lhs.text_ == rhs.text_ : lhs.compiled_ == rhs.compiled_;
  }

 private:
  const selection* compiled_ = nullptr;
  std::string_view text_;  // data() is null without a text
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
