// leniency: treatment of unexpected and missing parts of a value.
#pragma once

#include <thriftlens/core/config.hpp>

#include <cstdint>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

/// A field of a struct, or a key of a JSON object, that the type does not know.
enum class on_unknown : std::uint8_t {
  error,     ///< errc::unknown_field, unknown_key
  drop,      ///< not in the result
  keep,      ///< retained unchanged
  selected,  ///< by the selection: retained by `*` and exclusions, dropped by lists of names and by types
};

/// A field whose wire type contradicts the type. In containers that is always an error.
enum class on_mismatch : std::uint8_t {
  error,  ///< errc::type_mismatch
  drop,   ///< as if it were not there
  keep,   ///< as an unknown field
};

/// A second field of one id, key of a map or an object, or element of a set.
enum class on_duplicate : std::uint8_t {
  error,  ///< errc::duplicate_field, duplicate_key
  last,   ///< the last one counts
};

/// A required field that is missing in bytes, JSON or an object. Causes: trimmed values, damaged field ids,
/// and writers that omit zeros.
enum class on_missing : std::uint8_t {
  error,  ///< errc::missing_required, with the field's path
  omit,   ///< as if it were optional
  zero,   ///< its default in the IDL, else 0, false, "" or empty; a struct with its required fields
};

/// A field that is absent and has a default in the IDL. Never for unions.
enum class on_absent : std::uint8_t {
  omit,   ///< it remains absent
  write,  ///< its default is written, as the IDL has it: fields that a struct in a default leaves out stay
          ///< out
};

/// Bytes in a `string` that are not UTF-8.
enum class on_invalid_utf8 : std::uint8_t {
  error,            ///< errc::invalid_utf8
  replace,          ///< U+FFFD per ill-formed sequence, as in Python and browsers
  keep,             ///< bytes unchanged
  surrogateescape,  ///< a lone surrogate U+DC80 to U+DCFF per ill-formed byte: reversible, as in Python
};

/// Names of the enumerators in order, for errors.
constexpr std::string_view enumerators(on_unknown) noexcept { return "error,drop,keep,selected"; }
constexpr std::string_view enumerators(on_mismatch) noexcept { return "error,drop,keep"; }
constexpr std::string_view enumerators(on_missing) noexcept { return "error,omit,zero"; }
constexpr std::string_view enumerators(on_invalid_utf8) noexcept {
  return "error,replace,keep,surrogateescape";
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
