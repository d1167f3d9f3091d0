// errc: the error codes, one per line.
#pragma once

#include <thriftlens/core/config.hpp>
#include <thriftlens/core/print.hpp>

#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

// X(name, kind, sentence); kind is the Python exception class: decode, encode, schema, json or plain.
// clang-format off
#define THRIFTLENS_ERRORS(X) \
  X(ok,                plain,  "no error") \
  X(truncated,         decode, "the data ends in the middle of a value") \
  X(negative_size,     decode, "a size is negative") \
  X(size_limit,        decode, "a size exceeds the limit") \
  X(output_limit,      decode, "the output exceeds the limit") \
  X(depth_limit,       decode, "values are nested deeper than the limit") \
  X(bad_ttype,         decode, "invalid wire type") \
  X(bad_varint,        decode, "a varint is too long or does not fit its type") \
  X(bad_field_id,      decode, "a field id is outside the range of i16") \
  X(bad_message,       decode, "invalid message header") \
  X(bad_frame,         decode, "the framing around a record is malformed") \
  X(bad_sequence_id,   decode, "no call has the sequence id of the reply") \
  X(wrong_method_name, decode, "the reply names a different method than the call") \
  X(refused,           decode, "the peer refuses the negotiation") \
  X(type_mismatch,     decode, "the wire type contradicts the IDL") \
  X(duplicate_field,   decode, "duplicate field in a struct") \
  X(duplicate_key,     decode, "duplicate key in a map") \
  X(hash_flood,        decode, "too many keys of a container have the same hash") \
  X(missing_required,  decode, "a required field is missing") \
  X(union_members,     decode, "a union has more than one member set") \
  X(unknown_field,     decode, "the field is not in the IDL") \
  X(foreign_struct,    decode, "none of the struct's fields is in the IDL") \
  X(unknown_enum_value, decode, "the number is not a member of the enum") \
  X(broken_rule,       decode, "a value breaks a rule of its IDL annotation") \
  X(trailing_bytes,    decode, "bytes follow the end of the value") \
  X(unfit_value,       decode, "the value does not fit the C++ type") \
  X(invalid_utf8,      decode, "a string is not valid UTF-8") \
  X(nonfinite,         decode, "JSON has no numbers for NaN and Infinity") \
  X(json_syntax,       json,   "invalid JSON") \
  X(json_type,         json,   "a JSON value of the wrong type") \
  X(integer_range,     json,   "an integer outside the range of its type") \
  X(double_range,      json,   "a number outside the range of double") \
  X(unknown_key,       json,   "the key is not in the IDL") \
  X(bad_base64,        json,   "a string is not valid base64") \
  X(bad_uuid,          json,   "a string is not a UUID") \
  X(bad_map_key,       json,   "the map key does not fit its type") \
  X(unknown_enum_name, json,   "the name is not a member of the enum") \
  X(schema_invalid,    schema, "the IDL has errors") \
  X(bad_rule,          schema, "invalid vt annotation") \
  X(missing_key,       schema, "hash needs a key: without a secret, guesses of a value can be verified") \
  X(unknown_name,      schema, "no declaration of that name") \
  X(path_syntax,       plain,  "the path or selection has a syntax error") \
  X(no_such_field,     plain,  "no field of that name or id") \
  X(wrong_type,        plain,  "the value has a different type than requested") \
  X(absent,            plain,  "the value is absent") \
  X(bad_index,         plain,  "the index is out of range") \
  X(already_there,     plain,  "the field or key already exists") \
  X(edit_conflict,     plain,  "edits of one batch conflict") \
  X(not_same_size,     plain,  "a change in place would change the size") \
  X(value_type,        encode, "the value does not fit the IDL type") \
  X(value_range,       encode, "a number outside the range of its type") \
  X(empty_value,       encode, "a required value is an empty optional or pointer") \
  X(buffer_too_small,  encode, "the caller's buffer is too small") \
  X(bad_option,        plain,  "the operation does not support the value of an option") \
  X(calls_limit,       plain,  "too many calls are in flight") \
  X(streaming,         plain,  "streaming functions are not supported") \
  X(io,                plain,  "a file could not be read or written") \
  X(no_memory,         plain,  "memory to compare two keys could not be allocated") \
  X(internal,          plain,  "internal error of thriftlens; please report it")
// clang-format on

/// Error codes. Names are stable; numbers may change between versions.
enum class errc : unsigned char {
#define THRIFTLENS_ERROR_NAME(name, kind, sentence) name,
  THRIFTLENS_ERRORS(THRIFTLENS_ERROR_NAME)
#undef THRIFTLENS_ERROR_NAME
};

/// Family of an error.
enum class error_kind : unsigned char { plain, decode, encode, schema, json };

namespace detail {
struct errc_row {
  std::string_view name;
  error_kind kind;
  std::string_view sentence;
};
inline constexpr errc_row errc_table[] = {
#define THRIFTLENS_ERROR_ROW(name, kind, sentence) {#name, error_kind::kind, sentence},
    THRIFTLENS_ERRORS(THRIFTLENS_ERROR_ROW)
#undef THRIFTLENS_ERROR_ROW
};
inline constexpr int errc_count = static_cast<int>(sizeof detail::errc_table / sizeof detail::errc_table[0]);

}  // namespace detail

/// The name of the enumerator: "truncated".
[[nodiscard]] constexpr std::string_view to_string(errc code) noexcept {
  return detail::errc_table[static_cast<unsigned char>(code)].name;
}
template <>
inline constexpr bool detail::is_printed<errc> = true;
namespace detail {

/// The message of the code: "the data ends in the middle of a value".
[[nodiscard]] constexpr std::string_view sentence(errc code) noexcept {
  return detail::errc_table[static_cast<unsigned char>(code)].sentence;
}
/// The message of errc::duplicate_key for sets.
inline constexpr std::string_view duplicate_element_text = "duplicate element in a set";
/// The family of the code.
[[nodiscard]] constexpr error_kind kind(errc code) noexcept {
  return detail::errc_table[static_cast<unsigned char>(code)].kind;
}

/// The code of a failure: replaces ok, which would denote success, by internal.
[[nodiscard]] constexpr errc failure_code(errc code) noexcept {
  return code == errc::ok ? errc::internal : code;
}
}  // namespace detail

}  // namespace thriftlens::inline THRIFTLENS_ABI
