// spelling: the spellings of the library's enum values in Python and on the command line.
#pragma once

#include "call/options.hpp"
#include "call/wire_form.hpp"

#include <thriftlens/compare/compare.hpp>
#include <thriftlens/core/enum_values.hpp>
#include <thriftlens/core/leniency.hpp>
#include <thriftlens/core/limits.hpp>
#include <thriftlens/edit/trim.hpp>
#include <thriftlens/idl/options.hpp>
#include <thriftlens/json/options.hpp>
#include <thriftlens/policy/redaction.hpp>
#include <thriftlens/policy/validate.hpp>
#include <thriftlens/protocol/header.hpp>
#include <thriftlens/records/framing.hpp>

namespace thriftlens::python {

template <>
inline constexpr auto spellings<protocol_id> =
    spell<protocol_id>({{protocol_id::binary, "binary"}, {protocol_id::compact, "compact"}});
template <>
inline constexpr auto spellings<wire_form> = spell<wire_form>(
    {{wire_form::binary, "binary"}, {wire_form::compact, "compact"}, {wire_form::tjson, "tjson"}});
template <>
inline constexpr auto spellings<framing> = spell<framing>({{framing::none, "none"},
                                                           {framing::u32, "u32"},
                                                           {framing::u32le, "u32le"},
                                                           {framing::varint, "varint"},
                                                           {framing::message, "message"},
                                                           {framing::kafka, "kafka"},
                                                           {framing::base64, "base64"},
                                                           {framing::hex, "hex"}});
template <>
inline constexpr auto spellings<on_unknown> = spell<on_unknown>({{on_unknown::error, "error"},
                                                                 {on_unknown::drop, "drop"},
                                                                 {on_unknown::keep, "keep"},
                                                                 {on_unknown::selected, "selected"}});
template <>
inline constexpr auto spellings<on_mismatch> = spell<on_mismatch>(
    {{on_mismatch::error, "error"}, {on_mismatch::drop, "drop"}, {on_mismatch::keep, "keep"}});
template <>
inline constexpr auto spellings<on_duplicate> =
    spell<on_duplicate>({{on_duplicate::error, "error"}, {on_duplicate::last, "last"}});
template <>
inline constexpr auto spellings<on_absent> =
    spell<on_absent>({{on_absent::omit, "omit"}, {on_absent::write, "write"}});
template <>
inline constexpr auto spellings<on_invalid_utf8> =
    spell<on_invalid_utf8>({{on_invalid_utf8::error, "error"},
                            {on_invalid_utf8::replace, "replace"},
                            {on_invalid_utf8::keep, "keep"},
                            {on_invalid_utf8::surrogateescape, "surrogateescape"}});
template <>
inline constexpr auto spellings<on_missing> =
    spell<on_missing>({{on_missing::error, "error"}, {on_missing::omit, "omit"}, {on_missing::zero, "zero"}});
template <>
inline constexpr auto spellings<idl::implicit_ids> = spell<idl::implicit_ids>(
    {{idl::implicit_ids::apache, "apache"}, {idl::implicit_ids::cloudwego, "cloudwego"}});

template <>
inline constexpr auto spellings<enum_values> = spell<enum_values>({{enum_values::number, "number"},
                                                                   {enum_values::name, "name"},
                                                                   {enum_values::string, "string"},
                                                                   {enum_values::member, "member"}});
template <>
inline constexpr auto spellings<json_int64> =
    spell<json_int64>({{json_int64::number, "number"}, {json_int64::string, "string"}});
template <>
inline constexpr auto spellings<json_nonfinite> =
    spell<json_nonfinite>({{json_nonfinite::error, "error"}, {json_nonfinite::string, "string"}});
template <>
inline constexpr auto spellings<json_names> = spell<json_names>(
    {{json_names::field, "field"}, {json_names::alias, "alias"}, {json_names::both, "both"}});
template <>
inline constexpr auto spellings<json_quoted_numbers> = spell<json_quoted_numbers>(
    {{json_quoted_numbers::error, "error"}, {json_quoted_numbers::accept, "accept"}});
template <>
inline constexpr auto spellings<json_base64> =
    spell<json_base64>({{json_base64::strict, "strict"}, {json_base64::lenient, "lenient"}});

template <>
inline constexpr auto spellings<redact_options::missing_rules> = spell<redact_options::missing_rules>(
    {{redact_options::missing_rules::error, "error"}, {redact_options::missing_rules::ignore, "ignore"}});

template <>
inline constexpr auto spellings<validate_options::enum_check> = spell<validate_options::enum_check>(
    {{validate_options::enum_check::known, "known"}, {validate_options::enum_check::any, "any"}});
template <>
inline constexpr auto spellings<validate_options::key_check> = spell<validate_options::key_check>(
    {{validate_options::key_check::any, "any"}, {validate_options::key_check::unique, "unique"}});
template <>
inline constexpr auto spellings<validate_options::rule_check> = spell<validate_options::rule_check>(
    {{validate_options::rule_check::error, "error"}, {validate_options::rule_check::ignore, "ignore"}});

template <>
inline constexpr auto spellings<validate_options::foreign_check> = spell<validate_options::foreign_check>(
    {{validate_options::foreign_check::any, "any"}, {validate_options::foreign_check::error, "error"}});

template <>
inline constexpr auto spellings<compare_options::order_check> = spell<compare_options::order_check>(
    {{compare_options::order_check::ignore, "ignore"}, {compare_options::order_check::keep, "keep"}});

template <auto... Path>
[[nodiscard]] constexpr auto protocol_option() {
  return choice<Path...>("protocol");
}
/// Maximum nesting depth.
template <auto... Path>
[[nodiscard]] constexpr auto depth_option() {
  return number<Path..., &limits::depth>("depth", 0, limits::max_depth);
}
/// Maximum size of the output; 0 derives it from the input.
template <auto... Path>
[[nodiscard]] constexpr auto output_size_option() {
  return number<Path..., &limits::output_size>("output_size", limits::automatic, 0xffffffffu);
}

}  // namespace thriftlens::python
