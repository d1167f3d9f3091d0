// options: options of JSON, in both directions.
#pragma once

#include <thriftlens/core/choice.hpp>
#include <thriftlens/core/enum_values.hpp>
#include <thriftlens/core/leniency.hpp>
#include <thriftlens/core/limits.hpp>
#include <thriftlens/json/fwd.hpp>
#include <thriftlens/path/borrowed_selection.hpp>

#include <cstdint>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

/// i64 in JSON text; `string` for readers that keep numbers as double.
enum class json_int64 : std::uint8_t { number, string };
/// NaN and the infinities: no JSON number exists; `string` is "NaN", "Infinity", "-Infinity".
enum class json_nonfinite : std::uint8_t { error, string };
/// Keys of structs: the name in the IDL, its alias (api.key, go.tag), or, for reading, either.
enum class json_names : std::uint8_t { field, alias, both };
constexpr std::string_view enumerators(json_names) noexcept { return "field,alias,both"; }
/// "5" where the IDL has a number.
enum class json_quoted_numbers : std::uint8_t { error, accept };
/// Strict: the standard alphabet with padding. Lenient: also without padding, also the URL alphabet.
enum class json_base64 : std::uint8_t { strict, lenient };

/// How values are spelled in JSON text.
struct to_json_format {
  choice<enum_values::number, enum_values::name> enums = {};
  json_int64 int64 = json_int64::number;
  std::uint8_t pretty = 0;  ///< blanks per level; 0: one line without blanks

  friend constexpr bool operator==(const to_json_format&, const to_json_format&) noexcept = default;
};
/// Treatment of values that do not conform to their type, or that JSON cannot represent.
struct to_json_leniency {
  /// Fields that the IDL does not know. keep: as "#<id>": {"<wire type>": value}; docs/unknown-fields.md.
  choice<on_unknown::drop, on_unknown::error, on_unknown::keep> unknown = {};
  choice<on_mismatch::error, on_mismatch::drop> mismatch = {};
  on_duplicate duplicates = on_duplicate::error;
  /// Required fields that are absent, as trim may have left them out. With `select` only the selected ones
  /// count.
  choice<on_missing::error, on_missing::omit> missing_required = {};
  choice<on_invalid_utf8::error, on_invalid_utf8::replace, on_invalid_utf8::surrogateescape> invalid_utf8 =
      {};
  json_nonfinite nonfinite = json_nonfinite::error;

  friend constexpr bool operator==(const to_json_leniency&, const to_json_leniency&) noexcept = default;
};

/// Options of to_json.
struct to_json_options {
  thriftlens::limits limits = {};  ///< all count; output_size bounds the text
  to_json_format format = {};
  to_json_leniency leniency = {};
  choice<json_names::field, json_names::alias> names = {};
  on_absent defaults = on_absent::omit;
  /// Parts to write, in the same pass; null: all. Borrowed for the call: `&selection`, or a text, which every
  /// call compiles (compile it once for many values). The result is that of trim followed by to_json. Other
  /// parts are skipped with the checks of trim: structure and duplicate ids. Errors: wrong_type for a
  /// selection of another type, those of selection::try_compile for a text.
  borrowed_selection select = nullptr;

  friend constexpr bool operator==(const to_json_options&, const to_json_options&) noexcept = default;
};

/// Treatment of JSON that does not conform to the type.
struct from_json_leniency {
  /// Keys that the IDL does not know. keep: accepts only those that to_json writes for unknown fields.
  choice<on_unknown::error, on_unknown::drop, on_unknown::keep> unknown = {};
  on_duplicate duplicates = on_duplicate::error;
  /// Required fields without a key.
  choice<on_missing::error, on_missing::zero> missing = {};
  /// Escapes of lone surrogates in strings. surrogateescape: U+DC80 to U+DCFF become the bytes that to_json
  /// wrote them for.
  choice<on_invalid_utf8::error, on_invalid_utf8::replace, on_invalid_utf8::surrogateescape> invalid_utf8 =
      {};
  json_nonfinite nonfinite = json_nonfinite::error;
  json_quoted_numbers quoted_numbers = json_quoted_numbers::error;
  json_base64 base64 = json_base64::strict;

  friend constexpr bool operator==(const from_json_leniency&, const from_json_leniency&) noexcept = default;
};

/// Options of from_json.
struct from_json_options {
  thriftlens::limits limits = {};  ///< all count; output_size bounds the bytes
  from_json_leniency leniency = {};
  json_names names = json_names::field;
  on_absent defaults = on_absent::omit;

  friend constexpr bool operator==(const from_json_options&, const from_json_options&) noexcept = default;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
