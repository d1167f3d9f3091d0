// fwd: forward declarations of protocol.
#pragma once

#include <thriftlens/core/fwd.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI {

enum class ttype : std::uint8_t;
enum class protocol_id : std::uint8_t;
enum class message_type : std::uint8_t;
struct binary;
struct compact;
struct field_header;
struct list_header;
struct map_header;
struct message_header;

namespace detail {
struct wire_position;
class wire_cursor;
class binary_skipper;
class compact_skipper;
}  // namespace detail

}  // namespace thriftlens::inline THRIFTLENS_ABI
