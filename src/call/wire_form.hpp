// wire_form: what the bytes of whole values may be. Never an option of views and codecs, which read in
// place.
#pragma once

#include <thriftlens/protocol/header.hpp>

#include <cstdint>

namespace thriftlens::python {

/// A protocol that is read in place, or Apache's JSON protocol, whose text is converted (wire_bytes.hpp).
enum class wire_form : std::uint8_t { binary, compact, tjson };

/// What the value is read or written as.
[[nodiscard]] constexpr protocol_id protocol_of(wire_form form) noexcept {
  return form == wire_form::compact ? protocol_id::compact : protocol_id::binary;
}

}  // namespace thriftlens::python
