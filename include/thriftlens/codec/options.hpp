// options: options of encode and decode.
#pragma once

#include <thriftlens/codec/fwd.hpp>
#include <thriftlens/core/choice.hpp>
#include <thriftlens/core/leniency.hpp>
#include <thriftlens/core/limits.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Bytes after the value.
enum class decode_trailing : std::uint8_t { error, ignore };

struct encode_options {
  thriftlens::limits limits = {};  ///< depth and output_size count

  friend constexpr bool operator==(const encode_options&, const encode_options&) noexcept = default;
};

struct decode_options {
  thriftlens::limits limits = {};  ///< all count; output_size bounds the decoded objects
  /// A field whose wire type contradicts the binding. Dropped, it counts as missing.
  choice<on_mismatch::error, on_mismatch::drop> mismatch = {};
  on_duplicate duplicates = on_duplicate::error;
  /// A field that the binding does not know and has no unknown_fields for.
  choice<on_unknown::drop, on_unknown::error> unknown = {};
  decode_trailing trailing = decode_trailing::error;
  /// omit: as for fields that are not required: default_(…), else the value of a default-constructed struct.
  choice<on_missing::error, on_missing::omit> missing_required = {};

  friend constexpr bool operator==(const decode_options&, const decode_options&) noexcept = default;
};

namespace detail {
[[nodiscard]] constexpr bool is_valid(const decode_options& of) noexcept {
  return are_valid(of.mismatch, of.unknown, of.missing_required);
}
[[nodiscard]] inline std::optional<error> find_bad_option(const decode_options& of) {
  return find_bad_option(
      {{"mismatch", of.mismatch}, {"unknown", of.unknown}, {"missing_required", of.missing_required}});
}
}  // namespace detail

}  // namespace thriftlens::inline THRIFTLENS_ABI
