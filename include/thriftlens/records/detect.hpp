// detect: guesses the format of bytes of unknown origin. Does not decompress or decode text; the caller does.
#pragma once

#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/core/limits.hpp>
#include <thriftlens/protocol/header.hpp>
#include <thriftlens/records/framing.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

struct detect_options {
  thriftlens::limits limits = {};   ///< `depth` counts
  bool is_all = true;               ///< false: more bytes follow
  std::size_t max_prefix_size = 8;  ///< longest unknown header to try before a struct
};

/// One interpretation of the bytes.
struct guess {
  /// One struct, one message, structs or messages framed by `framing`, or one list of structs whose header is
  /// `prefix_size` bytes long.
  enum class shape_kind : std::uint8_t { value, message, records, messages, list } shape = shape_kind::value;
  protocol_id protocol = default_protocol;
  /// Apache's JSON protocol; `protocol` does not apply.
  bool is_tjson = false;
  /// Framing of the records; for a single value, u32, u32le or varint if its size precedes it.
  thriftlens::framing framing = thriftlens::framing::none;
  std::size_t prefix_size = 0;  ///< bytes to skip before the value or before every record
  bool is_too_deep = false;     ///< nested deeper than `limits` allow; deeper levels were not examined
  std::size_t count = 1;        ///< values that were examined
  double bits = 0;              ///< improbability of such bytes among random ones, as a power of two
  double probability = 0;       ///< 0 to 1: relative to the other guesses and to "unknown"

  /// "Binary, one struct", "Compact messages in frames of u32".
  [[nodiscard]] std::string to_string() const;
};

/// Plausible interpretations, most probable first; empty if the format is unknown. Ambiguous bytes yield
/// several guesses: an empty struct is one in every protocol. O(bytes) per interpretation; examines at most
/// 64 records. Memory: the guesses and one line of text.
[[nodiscard]] std::vector<guess> detect(input_bytes bytes, const detect_options& options = {});

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/records/detect.ipp>
#endif
