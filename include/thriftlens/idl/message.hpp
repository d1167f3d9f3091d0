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

/// Argument of a message: a text, then a quoted name or a number, if any. Borrows.
struct message_arg {
  /// bare: as quoted, without the quotes.
  enum class form : std::uint8_t { text, quoted, double_quoted, bare, number };

  message_arg(const char* verbatim) noexcept : text(verbatim) {}         // NOLINT: implicit on purpose
  message_arg(std::string_view verbatim) noexcept : text(verbatim) {}    // NOLINT: implicit on purpose
  message_arg(const std::string& verbatim) noexcept : text(verbatim) {}  // NOLINT: implicit on purpose
  message_arg(std::integral auto value) noexcept                         // NOLINT: implicit on purpose
      : message_arg("", static_cast<std::int64_t>(value)) {}
  message_arg(std::string_view before, std::int64_t value) noexcept
      : text(before), number(value), kind(form::number) {}
  message_arg(std::string_view before, std::string_view quoted_name, form quotes = form::quoted) noexcept
      : text(before), name(quoted_name), kind(quotes) {}

  std::string_view text{};
  std::string_view name{};
  std::int64_t number = 0;
  form kind = form::text;
};
using message_args = std::initializer_list<message_arg>;

/// The name in single quotes: bounded, printable.
[[nodiscard]] inline message_arg quoted_arg(std::string_view name) noexcept { return {"", name}; }

THRIFTLENS_COLD inline void append_message_arg(std::string& to, const message_arg& part) {
  to += part.text;
  if (part.kind == message_arg::form::text) return;
  if (part.kind == message_arg::form::number) {
    if (part.number < 0) to += '-';
    const auto bits = static_cast<std::uint64_t>(part.number);
    return thriftlens::detail::append_decimal(to, part.number < 0 ? ~bits + 1 : bits);
  }
  std::string shown = thriftlens::detail::in_quotes(part.name);
  if (part.kind == message_arg::form::double_quoted) shown.front() = shown.back() = '"';
  const std::size_t quotes = part.kind == message_arg::form::bare ? 1 : 0;
  to.append(shown, quotes, shown.size() - 2 * quotes);
}
/// The text with an argument for every '%'.
[[nodiscard]] THRIFTLENS_COLD inline std::string compose(std::string_view text, message_args args) {
  std::string message;
  const message_arg* next = args.begin();
  for (const char c : text) {
    if (c != '%')
      message += c;
    else
      append_message_arg(message, *next++);
  }
  THRIFTLENS_ASSERT(next == args.end());
  return message;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::idl
