// spelling: the words that options have in Python and on the command line for the values of the library's
// enums. In: an enum. Out: its words, by number. Never a second list of the same words: what takes an enum
// takes these.
#pragma once

#include "options.hpp"

#include <thriftlens/compare/compare.hpp>
#include <thriftlens/core/limits.hpp>
#include <thriftlens/core/missing.hpp>
#include <thriftlens/edit/trim.hpp>
#include <thriftlens/idl/options.hpp>
#include <thriftlens/json/options.hpp>
#include <thriftlens/policy/redaction.hpp>
#include <thriftlens/policy/validate.hpp>
#include <thriftlens/protocol/header.hpp>

namespace thriftlens::python {

template <>
inline constexpr auto words_of<protocol_id> =
    words<protocol_id>({{protocol_id::binary, "binary"}, {protocol_id::compact, "compact"}});
template <>
inline constexpr auto words_of<missing_required> =
    words<missing_required>({{missing_required::error, "error"}, {missing_required::omit, "omit"}});
template <>
inline constexpr auto words_of<idl::implicit_ids> = words<idl::implicit_ids>(
    {{idl::implicit_ids::apache, "apache"}, {idl::implicit_ids::cloudwego, "cloudwego"}});

template <>
inline constexpr auto words_of<json_enums> =
    words<json_enums>({{json_enums::number, "number"}, {json_enums::name, "name"}});
template <>
inline constexpr auto words_of<json_int64> =
    words<json_int64>({{json_int64::number, "number"}, {json_int64::string, "string"}});
template <>
inline constexpr auto words_of<json_nonfinite> =
    words<json_nonfinite>({{json_nonfinite::error, "error"}, {json_nonfinite::string, "string"}});
template <>
inline constexpr auto words_of<json_unknown> =
    words<json_unknown>({{json_unknown::error, "error"}, {json_unknown::skip, "skip"}});
template <>
inline constexpr auto words_of<json_defaults> =
    words<json_defaults>({{json_defaults::omit, "omit"}, {json_defaults::write, "write"}});
template <>
inline constexpr auto words_of<json_names> = words<json_names>(
    {{json_names::field, "field"}, {json_names::alias, "alias"}, {json_names::both, "both"}});
/// The names that writing takes: both are one too many.
inline constexpr std::size_t names_to_write = 2;
template <>
inline constexpr auto words_of<json_utf8> =
    words<json_utf8>({{json_utf8::error, "error"}, {json_utf8::replace, "replace"}});
template <>
inline constexpr auto words_of<json_mismatch> =
    words<json_mismatch>({{json_mismatch::error, "error"}, {json_mismatch::skip, "skip"}});
template <>
inline constexpr auto words_of<json_duplicates> =
    words<json_duplicates>({{json_duplicates::error, "error"}, {json_duplicates::last, "last"}});
template <>
inline constexpr auto words_of<json_quoted_numbers> = words<json_quoted_numbers>(
    {{json_quoted_numbers::error, "error"}, {json_quoted_numbers::accept, "accept"}});
template <>
inline constexpr auto words_of<json_base64> =
    words<json_base64>({{json_base64::strict, "strict"}, {json_base64::lenient, "lenient"}});

template <>
inline constexpr auto words_of<trim_options::unknown_fields> =
    words<trim_options::unknown_fields>({{trim_options::unknown_fields::selected, "selected"},
                                         {trim_options::unknown_fields::keep, "keep"},
                                         {trim_options::unknown_fields::drop, "drop"},
                                         {trim_options::unknown_fields::error, "error"}});
template <>
inline constexpr auto words_of<trim_options::default_values> = words<trim_options::default_values>(
    {{trim_options::default_values::omit, "omit"}, {trim_options::default_values::write, "write"}});

template <>
inline constexpr auto words_of<redact_unknown> = words<redact_unknown>(
    {{redact_unknown::drop, "drop"}, {redact_unknown::keep, "keep"}, {redact_unknown::error, "error"}});
template <>
inline constexpr auto words_of<redact_options::missing_rules> = words<redact_options::missing_rules>(
    {{redact_options::missing_rules::error, "error"}, {redact_options::missing_rules::ignore, "ignore"}});

template <>
inline constexpr auto words_of<validate_options::unknown_fields> = words<validate_options::unknown_fields>(
    {{validate_options::unknown_fields::keep, "keep"}, {validate_options::unknown_fields::error, "error"}});
template <>
inline constexpr auto words_of<validate_options::utf8_check> = words<validate_options::utf8_check>(
    {{validate_options::utf8_check::error, "error"}, {validate_options::utf8_check::keep, "keep"}});
template <>
inline constexpr auto words_of<validate_options::enum_check> = words<validate_options::enum_check>(
    {{validate_options::enum_check::known, "known"}, {validate_options::enum_check::any, "any"}});
template <>
inline constexpr auto words_of<validate_options::key_check> = words<validate_options::key_check>(
    {{validate_options::key_check::any, "any"}, {validate_options::key_check::unique, "unique"}});
template <>
inline constexpr auto words_of<validate_options::rule_check> = words<validate_options::rule_check>(
    {{validate_options::rule_check::error, "error"}, {validate_options::rule_check::ignore, "ignore"}});

template <>
inline constexpr auto words_of<compare_options::order_check> = words<compare_options::order_check>(
    {{compare_options::order_check::ignore, "ignore"}, {compare_options::order_check::keep, "keep"}});

/// Of the Thrift bytes.
template <auto... Path>
[[nodiscard]] constexpr auto protocol_option() {
  return choice<Path...>("protocol");
}
/// Most levels of nesting.
template <auto... Path>
[[nodiscard]] constexpr auto depth_option() {
  return number<Path..., &limits::depth>("depth", 0, limits::max_depth);
}
/// Most bytes of output; 0 lets it follow from the input.
template <auto... Path>
[[nodiscard]] constexpr auto output_size_option() {
  return number<Path..., &limits::output_size>("output_size", limits::automatic, 0xffffffffu);
}

}  // namespace thriftlens::python
