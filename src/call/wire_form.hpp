// wire_form: protocols of complete values. Views and codecs, which read in place, take a protocol_id.
#pragma once

#include <thriftlens/protocol/header.hpp>

#include <cstdint>

namespace thriftlens::python {

/// Apache's JSON protocol (tjson) is converted to Binary first; see wire_bytes.hpp.
enum class wire_form : std::uint8_t { binary, compact, tjson };

/// The protocol that the value is read or written in.
[[nodiscard]] constexpr protocol_id protocol_of(wire_form form) noexcept {
  return form == wire_form::compact ? protocol_id::compact : protocol_id::binary;
}

}  // namespace thriftlens::python
