// detect: what bytes of unknown origin are. Never unpacks and never decodes text: gzip, base64 and such
// are for who calls.
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
  thriftlens::limits limits = {};  ///< `depth` counts
  bool is_all = true;              ///< false: more bytes follow that were not given
  std::size_t max_lead = 8;        ///< bytes of an unknown header in front of a struct that are looked behind
};

/// One reading of the bytes.
struct guess {
  /// One struct; one message; many structs, or many messages, framed as `framing` says; one list of structs,
  /// whose header are the `lead` bytes in front.
  enum class shape_kind : std::uint8_t { value, message, records, messages, list } shape = shape_kind::value;
  protocol_id protocol = default_protocol;
  /// Apache's JSON protocol, whatever `protocol` says.
  bool is_tjson = false;
  /// Of many; and u32, u32le or varint where one value has its size in front.
  thriftlens::framing framing = thriftlens::framing::none;
  std::size_t lead = 0;      ///< bytes in front that are none of it; of many, in front of each
  bool is_too_deep = false;  ///< nested deeper than `limits` allow: what lies deeper was not looked at
  std::size_t count = 1;     ///< values that were looked at
  double bits = 0;           ///< how much rarer such bytes are by chance, as a power of two
  double sure = 0;           ///< 0 to 1: beside the other guesses, and that it is none of them

  /// "Binary, one struct", "Compact messages in frames of u32".
  [[nodiscard]] std::string to_string() const;
};

/// The readings that the bytes allow, the likeliest first; none where they are nothing known. What cannot be
/// told by bytes is a guess: an empty struct is one in every protocol. O(bytes) a reading; looks at 64
/// records at most. Memory: the guesses, and one line of text.
[[nodiscard]] std::vector<guess> detect(byte_view bytes, const detect_options& options = {});

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/records/detect.ipp>
#endif
