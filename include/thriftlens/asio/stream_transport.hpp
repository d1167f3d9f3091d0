// stream_transport: rejects the transports that need an HTTP library.
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
                                         " needs an HTTP library; pass its bodies through a session"}));
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
