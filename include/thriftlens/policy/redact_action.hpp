// redact_action: the action on a confidential value, and its text form.
#pragma once

#include <thriftlens/core/print.hpp>
#include <thriftlens/core/result.hpp>
#include <thriftlens/rewrite/program.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Actions:
/// - keep: unchanged, with everything inside, regardless of annotations;
/// - drop: removes the field, element or entry; not for required fields;
/// - blank: "", 0, false, an empty container, a struct without its optional fields; an enum's 0 or first;
/// - hash: a 64-bit hash, keyed: 16 hex digits in a string or binary, a number >= 0 of the width in a number;
/// - keep_last(n): `*` for the characters before the last n, or the last n digits; values of at most n
///   are hidden completely;
/// - constant(text): that text, number, bool or enum member.
///
/// hash and keep_last apply inside containers and structs to all values, keys of maps included; unknown
/// fields inside are dropped. Values that cannot be hashed or cut (bools, enums; doubles and uuids for
/// keep_last) become blank. Of keys of a map or elements of a set that become equal, the first stays.
struct redact_action {
  using form = replacement_form;

  form kind = form::blank;
  std::uint32_t last = 0;  ///< keep_last: characters or digits
  std::string text = {};   ///< constant

  /// Reads the text form. Error: bad_rule.
  [[nodiscard]] static result<redact_action> try_parse(std::string_view written);
  [[nodiscard]] static redact_action parse(std::string_view written) { return try_parse(written).value(); }
  /// The text form; try_parse() reads it back.
  [[nodiscard]] std::string to_string() const;

  /// How much of a value the action hides: drop, blank, constant, hash, keep_last (the fewer characters the
  /// stricter), keep.
  [[nodiscard]] bool is_stricter_than(const redact_action& other) const noexcept;

  friend bool operator==(const redact_action&, const redact_action&) = default;
};
template <>
inline constexpr bool is_printed<redact_action> = true;

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/policy/redact_action.ipp>
#endif
