// joined: composes messages of texts, characters and numbers by one function.
#pragma once

#include <thriftlens/core/quote.hpp>

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Part of a message. Borrows. Small, because most sites pass several.
class text_part {
 public:
  template <std::convertible_to<std::string_view> Text>
  text_part(const Text& verbatim) noexcept : text_part(std::string_view(verbatim)) {}  // NOLINT: implicit
  text_part(std::string_view verbatim) noexcept                                        // NOLINT: implicit
      : text_(verbatim.data()), size_(static_cast<std::uint32_t>(verbatim.size())), form_(form::text) {}
  text_part(char letter) noexcept : letter_(letter), form_(form::letter) {}  // NOLINT: implicit
  text_part(std::integral auto number) noexcept                              // NOLINT: implicit
      : number_(static_cast<std::uint64_t>(number)), form_(number < 0 ? form::negative : form::natural) {}

  THRIFTLENS_COLD void append_to(std::string& to) const {
    if (form_ == form::text) {
      to.append(text_, size_);
    } else if (form_ == form::letter) {
      to += letter_;
    } else {
      if (form_ == form::negative) to += '-';
      append_decimal(to, form_ == form::negative ? ~number_ + 1 : number_);
    }
  }

 private:
  enum class form : std::uint8_t { text, letter, natural, negative };
  union {
    const char* text_;
    std::uint64_t number_;
    char letter_;
  };
  std::uint32_t size_ = 0;
  form form_;
};

/// The parts one after another. Less code at each call than a chain of operator+.
[[nodiscard]] THRIFTLENS_COLD inline std::string joined(std::initializer_list<text_part> parts) {
  std::string text;
  for (const text_part& part : parts) part.append_to(text);
  return text;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
