// first_bytes: recognises what a peer speaks by the first bytes of a connection or of a frame.
#pragma once

#include <thriftlens/core/endian.hpp>
#include <thriftlens/core/joined.hpp>
#include <thriftlens/protocol/message_front.hpp>
#include <thriftlens/transport/frame_head.hpp>
#include <thriftlens/transport/transport_id.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Bytes that are enough to recognise every transport.
inline constexpr std::size_t first_bytes_size = 6;

/// A protocol other than Thrift's, and the bytes that its connections begin with.
struct foreign_mark {
  std::string_view prefix;
  std::string_view name;
};

inline constexpr foreign_mark foreign_marks[] = {
    {"GET ", "an HTTP request"},          {"POST ", "an HTTP request"},
    {"PUT ", "an HTTP request"},          {"HEAD ", "an HTTP request"},
    {"DELETE ", "an HTTP request"},       {"OPTIONS ", "an HTTP request"},
    {"PATCH ", "an HTTP request"},        {"CONNECT ", "an HTTP request"},
    {"TRACE ", "an HTTP request"},        {"PRI * HTTP/2", "HTTP/2"},
    {"HTTP/", "an HTTP response"},        {"\x16\x03", "a TLS handshake"},
    {"\x15\x03", "a TLS alert"},          {"[1", "Apache's JSON protocol"},
    {"x\x01", "zlib-compressed data"},    {"x\x5e", "zlib-compressed data"},
    {"x\x9c", "zlib-compressed data"},    {"x\xda", "zlib-compressed data"},
    {"\x1f\x8b", "gzip-compressed data"}, {"<!DOCTYPE ", "an HTML page"},
    {"<!doctype ", "an HTML page"},       {"<html", "an HTML page"},
};

struct foreign_look {
  std::string_view name = {};     ///< what is spoken, with its article; empty: it may be Thrift
  bool needs_more_bytes = false;  ///< a prefix of several protocols
};

[[nodiscard]] constexpr bool is_text_byte(std::uint8_t byte) noexcept {
  return (byte >= 0x20 && byte < 0x7f) || byte == '\t' || byte == '\r' || byte == '\n';
}

/// Recognises another protocol by its first bytes. `max_frame`: longest frame that may begin here, 0 where no
/// size of a frame is expected; a size within the limit is taken for one.
[[nodiscard]] inline foreign_look look_for_foreign(byte_view bytes, std::size_t max_frame) noexcept {
  std::uint32_t size = 0;
  for (std::size_t i = 0; i < 4; ++i) size = size << 8 | (i < bytes.size() ? bytes[i] : 0u);
  if (bytes.empty() || size <= max_frame) return {};
  const std::string_view text = bytes.text();
  foreign_look look;
  for (const foreign_mark& mark : foreign_marks) {
    if (text.starts_with(mark.prefix)) return {.name = mark.name};
    look.needs_more_bytes |= mark.prefix.starts_with(text);
  }
  if (look.needs_more_bytes) return look;
  // Decided by the bytes that rule out all other names: the answer is the same in whatever pieces they
  // arrive.
  std::size_t size_of_front = 1;
  const auto may_continue = [&](const foreign_mark& mark) {
    return mark.prefix.starts_with(text.substr(0, size_of_front));
  };
  while (std::any_of(std::begin(foreign_marks), std::end(foreign_marks), may_continue)) ++size_of_front;
  const byte_view front = bytes.part(0, size_of_front);
  if (std::all_of(front.begin(), front.end(), is_text_byte)) look.name = "plain text";
  return look;
}
/// "expected a Thrift message, found …". Empty where nothing else was recognised.
[[nodiscard]] inline std::string foreign_message(std::string_view name) {
  return name.empty() ? std::string() : joined({"expected a Thrift message, found ", name});
}
/// Error text for bytes that cannot be a frame size; empty if they may be one.
[[nodiscard]] inline std::string size_error(byte_view bytes, std::size_t max_frame) {
  const auto size = load_be<std::uint32_t>(bytes.data());
  if (size >> 16 == 0x8001u || size >> 24 == 0x82u)
    return "expected the size of a frame, found a message without a frame";
  if (std::string message = foreign_message(look_for_foreign(bytes.part(0, 4), max_frame).name);
      !message.empty())
    return message;
  return size > 0x7fffffffu ? "the size of a frame is negative" : std::string();
}

[[nodiscard]] constexpr bool is_name_byte(std::uint8_t byte) noexcept {
  const bool is_letter = (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z';
  const bool is_digit = byte >= '0' && byte <= '9';
  return is_letter || is_digit ||
         std::string_view("_.:$-/").find(static_cast<char>(byte)) != std::string_view::npos;
}
/// Whether Binary without a version may begin so: the size of a name, and a name. Looks at the first bytes of
/// the name only.
[[nodiscard]] inline bool is_old_name(byte_view bytes) noexcept {
  constexpr std::size_t max_name = 64;
  if (bytes.size() <= 4) return true;
  const std::size_t size = load_be<std::uint32_t>(bytes.data());
  const byte_view name = bytes.part(4, (std::min)({size, bytes.size() - 4, max_name}));
  return std::all_of(name.begin(), name.end(),
                     [](std::uint8_t byte) { return byte >= 0x80 || is_name_byte(byte); });
}
/// Whether a message is in the old form of Binary and its name cannot be that of a function. False for a bad
/// size, which is the first error.
[[nodiscard]] inline bool has_bad_old_name(byte_view bytes, message_protocol spoken, std::size_t max_header) {
  if (bytes.empty() || bytes[0] != 0 || is_old_name(bytes)) return false;
  const byte_view size = bytes.part(0, (std::min)(bytes.size(), std::size_t{4}));
  return read_message_front(size, spoken, max_header).fault.code == errc::truncated;
}

struct first_look {
  transport_id transport = transport_id::automatic;  ///< automatic: unknown
  message_protocol protocol = message_protocol::automatic;
  std::string_view foreign = {};  ///< what is spoken instead of Thrift, where that is known
  bool needs_more_bytes = false;
};

/// Reads the second word of a connection with frames.
[[nodiscard]] inline first_look look_into_frame(byte_view bytes) noexcept {
  switch (magic_of(bytes)) {
    case 0x8001:
      return {transport_id::framed, message_protocol::binary};
    case theader_magic:
      return {transport_id::header, message_protocol::automatic};
    case ttheader_magic:
      return {transport_id::ttheader, message_protocol::automatic};
    default:
      break;
  }
  if (bytes[4] == 0x82) return {transport_id::framed, message_protocol::compact};
  // Binary without a version: the size of a name, after that of a frame or before the name.
  if (bytes[4] == 0 && bytes[5] == 0) return {transport_id::framed, message_protocol::binary_old};
  const bool is_name = is_name_byte(bytes[4]) && (is_name_byte(bytes[5]) || bytes[3] == 1);
  if (bytes[0] == 0 && is_name) return {transport_id::buffered, message_protocol::binary_old};
  return {.foreign = look_for_foreign(bytes.part(4, 2), 0).name};
}

/// Recognises transport and protocol of a client. `max_frame`: limit of the size of a frame.
[[nodiscard]] inline first_look look_at_first_bytes(byte_view bytes, std::size_t max_frame) noexcept {
  constexpr std::uint8_t last_sasl_status = 5;
  if (bytes.empty()) return {.needs_more_bytes = true};
  if (bytes[0] == 0x80) return {transport_id::buffered, message_protocol::binary};
  if (bytes[0] == 0x82) return {transport_id::buffered, message_protocol::compact};
  const foreign_look foreign = look_for_foreign(bytes, max_frame);
  if (!foreign.name.empty()) return {.foreign = foreign.name};
  const bool is_size = bytes[0] <= last_sasl_status || std::size_t{bytes[0]} << 24 <= max_frame;
  if (!is_size && !foreign.needs_more_bytes) return {};
  if (bytes.size() < first_bytes_size || foreign.needs_more_bytes) return {.needs_more_bytes = true};
  // Status "start" and the size of a mechanism's name, which is in capitals.
  const bool is_short = load_be<std::uint32_t>(bytes.data() + 1) - 1u < 32u;
  if (bytes[0] == 1 && is_short && bytes[5] >= 'A' && bytes[5] <= 'Z')
    return {transport_id::sasl, message_protocol::automatic};
  return look_into_frame(bytes);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
