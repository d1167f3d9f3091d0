// stream_transport: the transports that carry messages over a plain stream of bytes. Never HTTP, neither
// its bodies nor gRPC's frames: those need a library of their own.
#pragma once

#include <thriftlens/core/error.hpp>
#include <thriftlens/core/joined.hpp>
#include <thriftlens/transport/transport_id.hpp>

#include <optional>
#include <string>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

[[nodiscard]] inline std::optional<error> refuse_transport(transport_id which) {
  if (which != transport_id::http && which != transport_id::grpc) return std::nullopt;
  return error(errc::bad_option, joined({"the transport ", to_string(which),
                                         " needs a library of HTTP: its bodies go through a session"}));
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
