// message: the message header before the arguments or result of a call. Frames belong to transport.
#pragma once

#include <thriftlens/protocol/binary.hpp>
#include <thriftlens/protocol/compact.hpp>

#include <cstdint>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

enum class message_type : std::uint8_t { call = 1, reply = 2, exception = 3, oneway = 4 };

/// "call", "reply", "exception", "oneway".
[[nodiscard]] constexpr std::string_view to_string(message_type type) noexcept {
  constexpr std::string_view names[] = {"?", "call", "reply", "exception", "oneway"};
  return names[static_cast<std::uint8_t>(type) <= 4 ? static_cast<std::uint8_t>(type) : 0];
}
template <>
inline constexpr bool detail::is_printed<message_type> = true;
[[nodiscard]] constexpr bool is_message_type(unsigned raw) noexcept { return raw >= 1 && raw <= 4; }

/// One message header. `name` borrows from the bytes it was read from.
struct message_header {
  std::string_view name;
  message_type type = message_type::call;
  std::int32_t sequence_id = 0;
  /// Binary only: false for the old form without a version, which some old servers still use.
  bool strict = true;

  friend bool operator==(const message_header&, const message_header&) noexcept = default;
};

namespace detail {
/// False for an unknown type.
[[nodiscard]] inline bool set_type(message_header& message, unsigned raw) noexcept {
  if (!is_message_type(raw)) return false;
  message.type = static_cast<message_type>(raw);
  return true;
}
}  // namespace detail

/// Reads a message header; the first byte distinguishes strict from old Binary. The message's struct follows.
[[nodiscard]] inline bool read_message(binary::reader& in, message_header& message) noexcept {
  constexpr std::uint32_t version_mask = 0xffffff00u, version_1 = 0x80010000u;
  const byte_ptr start = in.at();
  if (in.remaining() < 4) return in.reject(errc::truncated);
  const auto first = detail::load_be<std::uint32_t>(start);
  auto type = static_cast<std::int8_t>(first & 0xffu);
  message.strict = first > 0x7fffffffu;
  if (message.strict) {
    if ((first & version_mask) != version_1) return in.reject(errc::bad_message, start);
    in.seek(start + 4);
  }
  if (!in.read_bytes(message.name) || (!message.strict && !in.read_i8(type))) return false;
  if (!detail::set_type(message, static_cast<std::uint8_t>(type))) return in.reject(errc::bad_message, start);
  return in.read_i32(message.sequence_id);
}

namespace detail {
[[nodiscard]] inline bool read_sequence_id(compact::reader& in, message_header& message) noexcept {
  std::uint32_t id = 0;
  const byte_ptr next = get_varint(in.at(), in.end(), id);
  if (next == nullptr) return in.reject(varint_fault<std::uint32_t>(in.at(), in.end()));
  in.seek(next);
  message.sequence_id = static_cast<std::int32_t>(id);
  return true;
}
}  // namespace detail

/// Reads a message header of Compact's version 1.
[[nodiscard]] inline bool read_message(compact::reader& in, message_header& message) noexcept {
  constexpr std::uint8_t compact_protocol = 0x82, version = 1;
  const byte_ptr start = in.at();
  byte_view head;
  if (!in.read_raw(2, head)) return false;
  if (head[0] != compact_protocol || (head[1] & 0x1f) != version || !detail::set_type(message, head[1] >> 5))
    return in.reject(errc::bad_message, start);
  message.strict = true;
  return detail::read_sequence_id(in, message) && in.read_bytes(message.name);
}

/// Writes a message header; the struct follows.
inline void write_message(binary::writer& out, const message_header& message) {
  if (message.strict) {
    out.write_i32(static_cast<std::int32_t>(0x80010000u | static_cast<std::uint32_t>(message.type)));
    out.write_bytes(message.name);
  } else {
    out.write_bytes(message.name);
    out.write_i8(static_cast<std::int8_t>(message.type));
  }
  out.write_i32(message.sequence_id);
}
inline void write_message(compact::writer& out, const message_header& message) {
  out.write_i8(static_cast<std::int8_t>(0x82));
  out.write_i8(static_cast<std::int8_t>(1u | static_cast<unsigned>(message.type) << 5));
  buffer& bytes = out.output();
  bytes.commit(detail::put_varint(bytes.prepare(5), static_cast<std::uint32_t>(message.sequence_id)));
  out.write_bytes(message.name);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
