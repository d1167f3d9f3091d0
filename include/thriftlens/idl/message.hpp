// message: texts of findings, composed by one function.
#pragma once

#include <thriftlens/core/quote.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::idl {

/// Argument of a message: a text, a name or a number. Borrows. Small, because most sites pass several.
class message_arg {
 public:
  /// A text verbatim, a number, or a name in quotes: bounded, printable. The others put words before them.
  // clang-format off
  enum class form : std::uint8_t {
    text, number, name, string_token, number_token, enum_name, struct_name, type_name, unknown_name,
    const_name, integer_value, string_value, name_value
  };
  // clang-format on

  template <std::convertible_to<std::string_view> Text>
  message_arg(const Text& verbatim) noexcept : message_arg(form::text, verbatim) {}  // NOLINT: implicit
  message_arg(std::integral auto value) noexcept                                     // NOLINT: implicit
      : message_arg(form::number, static_cast<std::int64_t>(value)) {}
  message_arg(form shown_as, std::string_view text) noexcept
      : text_(text.data()), size_(static_cast<std::uint32_t>(text.size())), form_(shown_as) {}
  message_arg(form shown_as, std::int64_t value) noexcept : number_(value), form_(shown_as) {}

  THRIFTLENS_COLD void append_to(std::string& to) const {
    static constexpr const char* before[] = {"",
                                             "",
                                             "",
                                             "string ",
                                             "number ",
                                             "the enum ",
                                             "the struct ",
                                             "type ",
                                             "unknown name ",
                                             "constant ",
                                             "the integer ",
                                             "the string ",
                                             "the name "};
    to += before[static_cast<std::size_t>(form_)];
    if (form_ == form::text)
      to.append(text_, size_);
    else if (form_ == form::number || form_ == form::integer_value)
      append_number(to);
    else
      append_name(to);
  }

 private:
  void append_number(std::string& to) const {
    if (number_ < 0) to += '-';
    const auto bits = static_cast<std::uint64_t>(number_);
    thriftlens::detail::append_decimal(to, number_ < 0 ? ~bits + 1 : bits);
  }
  void append_name(std::string& to) const {
    std::string shown = thriftlens::detail::in_quotes({text_, size_});
    if (form_ == form::string_token) shown.front() = shown.back() = '"';
    const std::size_t quotes = form_ == form::number_token ? 1 : 0;
    to.append(shown, quotes, shown.size() - 2 * quotes);
  }

  union {
    const char* text_;
    std::int64_t number_;
  };
  std::uint32_t size_ = 0;
  form form_;
};
using message_args = std::initializer_list<message_arg>;

/// The name in single quotes.
[[nodiscard]] inline message_arg quoted_arg(std::string_view name) noexcept {
  return {message_arg::form::name, name};
}

/// Appends the text with an argument for every '%'.
THRIFTLENS_COLD inline void append_message(std::string& to, const char* text, message_args args) {
  const message_arg* next = args.begin();
  for (; *text != '\0'; ++text) {
    if (*text != '%')
      to += *text;
    else
      (next++)->append_to(to);
  }
  THRIFTLENS_ASSERT(next == args.end());
}
[[nodiscard]] THRIFTLENS_COLD inline std::string compose(const char* text, message_args args) {
  std::string message;
  append_message(message, text, args);
  return message;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::idl
