// options: what a caller may choose about JSON, in both directions.
// In: the caller's wishes. Out: two aggregates; a default-made one is the documented behaviour.
// Never a bound on cost: those are core/limits.hpp.
#pragma once

#include <thriftlens/core/missing.hpp>
#include <thriftlens/json/fwd.hpp>
#include <thriftlens/path/borrowed_selection.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Enum values in JSON text. A number the IDL does not name stays a number.
enum class json_enums : std::uint8_t { number, name };
/// i64 in JSON text; `string` for readers that keep numbers as double.
enum class json_int64 : std::uint8_t { number, string };
/// NaN and the infinities: no JSON number exists; `string` is "NaN", "Infinity", "-Infinity".
enum class json_nonfinite : std::uint8_t { error, string };
/// Fields and keys that the IDL does not know.
enum class json_unknown : std::uint8_t { error, skip };
/// Fields that are absent and have a default in the IDL: left out, or written with it, as the IDL has it
/// (fields that a struct in a default leaves out stay out). Never for unions.
enum class json_defaults : std::uint8_t { omit, write };
/// Keys of structs: the name in the IDL, its alias (api.key, go.tag), or when reading either.
enum class json_names : std::uint8_t { field, alias, both };
/// Bytes in a `string` that are not UTF-8; `replace` writes U+FFFD for each ill-formed sequence, as Python
/// and browsers do.
enum class json_utf8 : std::uint8_t { error, replace };
/// A field whose wire type contradicts the IDL; `skip` treats it as an unknown field, so it is absent. In
/// containers always an error.
enum class json_mismatch : std::uint8_t { error, skip };
/// A duplicate field of a struct, a duplicate key of an object or map.
enum class json_duplicates : std::uint8_t { error, last };
/// "5" where the IDL has a number.
enum class json_quoted_numbers : std::uint8_t { error, accept };
/// Strict: the standard alphabet with padding. Lenient: also without padding, also the URL alphabet.
enum class json_base64 : std::uint8_t { strict, lenient };

/// How Thrift becomes JSON.
struct to_json_options {
  json_enums enums = json_enums::number;
  json_int64 int64 = json_int64::number;
  json_nonfinite nonfinite = json_nonfinite::error;
  json_unknown unknown = json_unknown::skip;
  json_defaults defaults = json_defaults::omit;
  json_names names = json_names::field;  ///< `both` means field
  json_utf8 invalid_utf8 = json_utf8::error;
  std::uint8_t pretty = 0;  ///< blanks a level; 0: all in one line without blanks
  json_mismatch mismatch = json_mismatch::error;
  json_duplicates duplicates = json_duplicates::error;
  /// Required fields that are absent, as trim may have left them out. With `select` only the selected ones
  /// count.
  thriftlens::missing_required missing_required = thriftlens::missing_required::error;
  /// Only these parts, cut in the same pass; null: all of it. Borrowed for the call: `&selection`, or the
  /// text of one, which each call compiles (keep a compiled one for many values). The JSON is that of trim
  /// and to_json one after the other. What is not selected costs a skip, with the checks that trim makes of
  /// it: its structure, and duplicate ids. Errors: wrong_type for a selection of another type, those of
  /// selection::try_parse for a text.
  borrowed_selection select = nullptr;

  friend constexpr bool operator==(const to_json_options&, const to_json_options&) noexcept = default;
};

/// How JSON becomes Thrift.
struct from_json_options {
  json_unknown unknown = json_unknown::error;
  json_quoted_numbers quoted_numbers = json_quoted_numbers::error;
  json_base64 base64 = json_base64::strict;
  json_duplicates duplicates = json_duplicates::error;
  json_nonfinite nonfinite = json_nonfinite::error;
  json_defaults defaults = json_defaults::omit;
  json_names names = json_names::field;

  friend constexpr bool operator==(const from_json_options&, const from_json_options&) noexcept = default;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
