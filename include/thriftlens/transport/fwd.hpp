// fwd: forward declarations of transport.
#pragma once

#include <thriftlens/protocol/fwd.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI {

enum class session_role : std::uint8_t;
enum class transport_id : std::uint8_t;
class payload_transform;
class session;
struct call_request;
struct header_entry;
struct sasl_credentials;
struct session_event;
struct session_options;

}  // namespace thriftlens::inline THRIFTLENS_ABI
