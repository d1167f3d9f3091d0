// borrowed_selection: which parts an operation is asked for, by a compiled selection or by its text. Never
// owns and never compiles: the operation does, for the type of its value.
#pragma once

#include <thriftlens/core/config.hpp>
#include <thriftlens/path/fwd.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

/// A parameter or option: `&selection`, `selection`, "{ id user { name } }", or null for all of it. What is
/// borrowed must live as long as this is used. A text is compiled at each call that is given it, with the
/// errors of selection::try_compile(): for many values keep a compiled selection.
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

  /// The compiled selection, or null for all of it. Asserts that it is no text.
  [[nodiscard]] constexpr const selection* compiled() const noexcept {
    THRIFTLENS_ASSERT(!is_text());
    return compiled_;
  }
  [[nodiscard]] constexpr bool is_text() const noexcept { return text_.data() != nullptr; }
  [[nodiscard]] constexpr std::string_view text() const noexcept { return text_; }

  /// The same object, or equal texts.
  friend constexpr bool operator==(const borrowed_selection& left, const borrowed_selection& right) noexcept {
    if (left.is_text() != right.is_text()) return false;
    return left.is_text() ? left.text_ == right.text_ : left.compiled_ == right.compiled_;
  }

 private:
  const selection* compiled_ = nullptr;
  std::string_view text_;  // its data is null where there is none
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
