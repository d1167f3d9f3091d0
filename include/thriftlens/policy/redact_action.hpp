// redact_action: what becomes of a value that must not be passed on, and how that is written.
// In: text such as `hash` or `keep_last(4)`. Out: the action.
// Never knows to which values it applies: redaction does.
#pragma once

#include <thriftlens/core/print.hpp>
#include <thriftlens/core/result.hpp>
#include <thriftlens/edit/rewrite_program.hpp>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

/// What becomes of a value.
///
///     keep             stays, with all that is in it, whatever an annotation says
///     drop             the field, element or entry goes; not for required fields
///     blank            "", 0, false, an empty container, a struct without its optional fields; an enum's 0
///     or first member hash             a 64-bit hash, keyed: 16 hex digits in a string or binary, a number
///     >= 0 of the same width in a number keep_last(n)     strings: `*` for each character but the last n;
///     integers: the last n digits. No longer than n: all is hidden constant(text)   that text, number, bool
///     or enum member
///
/// hash and keep_last go into containers and structs and change each value inside, keys of maps too; fields
/// in there that the IDL does not know go. What cannot be hashed or cut (bools, enums; doubles and uuids for
/// keep_last) is made blank. Where keys of a map or elements of a set become equal by that, the first stays.
struct redact_action {
  using form = replacement_form;

  form kind = form::blank;
  std::uint32_t last = 0;  ///< keep_last: characters or digits
  std::string text = {};   ///< constant

  /// Reads the text form. Error: bad_rule.
  [[nodiscard]] static result<redact_action> try_parse(std::string_view written) {
    for (std::uint8_t i = 0; i < std::size(words); ++i) {
      if (written == words[i]) return redact_action{.kind = static_cast<form>(i)};
    }
    std::string_view inside;
    if (argument(written, "constant", inside))
      return redact_action{.kind = form::constant, .text = std::string(inside)};
    redact_action made{.kind = form::keep_last};
    if (argument(written, "keep_last", inside) && count(inside, made.last)) return made;
    constexpr const char* choice = "' is not keep, drop, blank, hash, keep_last(n) or constant(text)";
    return error(errc::bad_rule, "'" + std::string(written) + choice);
  }
  [[nodiscard]] static redact_action parse(std::string_view written) { return try_parse(written).value(); }
  /// The text form; try_parse() reads it back.
  [[nodiscard]] std::string to_string() const {
    if (kind == form::constant) return "constant(" + text + ')';
    if (kind == form::keep_last) return "keep_last(" + std::to_string(last) + ')';
    return std::string(words[static_cast<std::size_t>(kind)]);
  }

  friend bool operator==(const redact_action&, const redact_action&) = default;

 private:
  static constexpr std::string_view words[] = {"keep", "drop", "blank", "hash"};  // by form

  static bool count(std::string_view text, std::uint32_t& number) noexcept {
    const char* const last = text.data() + text.size();
    const auto [end, code] = std::from_chars(text.data(), last, number);
    return code == std::errc() && end == last && !text.empty();
  }
  static bool argument(std::string_view written, std::string_view name, std::string_view& inside) noexcept {
    if (!written.starts_with(name)) return false;
    written.remove_prefix(name.size());
    if (written.size() < 2 || written.front() != '(' || written.back() != ')') return false;
    inside = written.substr(1, written.size() - 2);
    return true;
  }
};
template <>
inline constexpr bool detail::is_printed<redact_action> = true;

}  // namespace thriftlens::inline THRIFTLENS_ABI
