// options: what encode and decode do where a user may want leniency, and how far they go.
// In: the caller's wishes. Out: two aggregates.
// Never changes what valid bytes mean.
#pragma once

#include <thriftlens/codec/fwd.hpp>
#include <thriftlens/core/limits.hpp>
#include <thriftlens/core/missing.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI {

/// A field whose wire type contradicts the binding. Skipped, it counts as missing.
enum class decode_mismatch : std::uint8_t { error, skip };
/// A duplicate field of a struct, key of a map or element of a set.
enum class decode_duplicates : std::uint8_t { error, last };
/// A field that the binding does not know and has no unknown_fields for.
enum class decode_unknown : std::uint8_t { skip, error };
/// Bytes after the value.
enum class decode_trailing : std::uint8_t { error, ignore };

struct encode_options {
  thriftlens::limits limits = {};  ///< depth and output_size count

  friend constexpr bool operator==(const encode_options&, const encode_options&) noexcept = default;
};

struct decode_options {
  thriftlens::limits limits = {};  ///< all count; output_size bounds the objects that are made
  decode_mismatch mismatch = decode_mismatch::error;
  decode_duplicates duplicates = decode_duplicates::error;
  decode_unknown unknown = decode_unknown::skip;
  decode_trailing trailing = decode_trailing::error;
  /// omit: the member stays as that of a field that is not required: its default_(…), else what a
  /// default-made struct has.
  thriftlens::missing_required missing_required = thriftlens::missing_required::error;

  friend constexpr bool operator==(const decode_options&, const decode_options&) noexcept = default;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
