// record_cutter: bodies of record_cutter.hpp.
#pragma once

#include <thriftlens/core/endian.hpp>
#include <thriftlens/protocol/select.hpp>
#include <thriftlens/records/framing_table.hpp>
#include <thriftlens/records/record_cutter.hpp>

#include <algorithm>
#include <cstring>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Size of the first struct; 0 with the reason if it cannot be skipped.
struct skipped {
  std::size_t size = 0;
  errc code = errc::ok;
  std::size_t at = 0;
};
template <protocol P>
[[nodiscard]] skipped skip_front(byte_view bytes, std::uint32_t depth) noexcept {
  typename P::skipper skipper(bytes.end());
  const byte_ptr stop =
      skipper.skip_struct(bytes.data(), depth < limits::max_depth ? depth : limits::max_depth);
  if (stop != nullptr) [[likely]]
    return {static_cast<std::size_t>(stop - bytes.data())};
  return {0, skipper.code, static_cast<std::size_t>(skipper.at - bytes.data())};
}
[[nodiscard]] inline skipped skip_front(byte_view bytes, protocol_id which, std::uint32_t depth) noexcept {
  return visit_protocol(which, [&](auto tag) { return skip_front<decltype(tag)>(bytes, depth); });
}

/// Size of the message header at the start; 0 with the reason if it is malformed.
template <protocol P>
[[nodiscard]] skipped read_front(byte_view bytes, message_header& message) noexcept {
  typename P::reader in(bytes);
  if (read_message(in, message)) return {bytes.size() - in.remaining()};
  return {0, in.fault().code, in.fault().offset};
}
[[nodiscard]] inline skipped read_front(byte_view bytes, protocol_id which,
                                        message_header& message) noexcept {
  return visit_protocol(which, [&](auto tag) { return read_front<decltype(tag)>(bytes, message); });
}

/// Tests for strict Binary or Compact by the first byte.
[[nodiscard]] constexpr bool begins_with_version(byte_view bytes) noexcept {
  return !bytes.empty() && (bytes[0] == 0x80 || bytes[0] == 0x82);
}
[[nodiscard]] inline protocol_id protocol_of_message(byte_view bytes) noexcept {
  return bytes[0] == 0x82 ? protocol_id::compact : protocol_id::binary;
}

/// Whether a frame's content may begin with Finagle's header struct: a trace id (i64 1), the lists of a reply
/// (1 or 2), or an empty struct followed by a message.
[[nodiscard]] constexpr bool begins_finagle(byte_view inside) noexcept {
  if (inside.size() < 2) return false;
  if (inside[0] == 0) return begins_with_version(inside.part(1, 1));
  const bool is_binary = (inside[0] == 10 || inside[0] == 15) && inside[1] == 0;
  return is_binary || inside[0] == 0x16 || inside[0] == 0x19 || inside[0] == 0x29;
}

THRIFTLENS_BODY cut record_cutter::lost(errc code, std::size_t at) noexcept {
  return {.state = cut_state::lost, .code = code, .at = at};
}
// The window ends before the record. The error offset is the start of the frame.
THRIFTLENS_BODY cut record_cutter::unfinished(bool is_last, std::size_t required) noexcept {
  if (is_last) return lost(errc::truncated, 0);
  return {.state = cut_state::wait, .required = required};
}

THRIFTLENS_BODY cut record_cutter::first(byte_view window, bool is_last) {
  if (window.empty()) return {.state = is_last ? cut_state::end : cut_state::wait, .required = 1};
  if (row_of(options_.framing).read_header != nullptr) return sized(window, is_last);
  const cut result = options_.framing == framing::none      ? struct_at(window, is_last)
                     : options_.framing == framing::message ? message(window, is_last)
                                                            : line(window, is_last);
  const std::size_t size = result.state == cut_state::wait ? window.size() : result.used - result.begin;
  if (size > options_.record_size && result.state != cut_state::lost) return too_large(result.begin);
  return result;
}

THRIFTLENS_BODY std::size_t record_cutter::plain_size(byte_view window) const noexcept {
  if (options_.framing != framing::none || window.empty()) return 0;
  if (options_.prefix_size != 0) return 0;
  const std::size_t size = skip_front(window, options_.protocol, options_.limits.depth).size;
  return size <= options_.record_size ? size : 0;
}
THRIFTLENS_BODY cut record_cutter::struct_at(byte_view window, bool is_last) const noexcept {
  if (window.size() <= options_.prefix_size) return unfinished(is_last, options_.prefix_size + 1);
  const byte_view rest = window.part(options_.prefix_size, window.size() - options_.prefix_size);
  const skipped front = skip_front(rest, options_.protocol, options_.limits.depth);
  if (front.size == 0) {
    // Doubles the window before retrying from the start: the total cost stays linear.
    if (front.code == errc::truncated && !is_last) return unfinished(is_last, window.size() * 2);
    return lost(front.code, options_.prefix_size + front.at);
  }
  return {.state = cut_state::record,
          .used = options_.prefix_size + front.size,
          .value = rest.part(0, front.size),
          .protocol = options_.protocol};
}

THRIFTLENS_BODY cut record_cutter::checked_struct(cut record, protocol_id which) const noexcept {
  record.protocol = which;
  const std::size_t prefix_size =
      record.is_message ? 0 : (std::min)(options_.prefix_size, record.value.size());
  record.value = record.value.part(prefix_size, record.value.size() - prefix_size);
  skipped front = skip_front(record.value, which, options_.limits.depth);
  if (front.size == record.value.size() && front.size != 0) return record;
  if (front.size != 0) front = {0, errc::trailing_bytes, front.size};
  record.state = cut_state::bad;
  record.code = front.code;
  record.at = prefix_size + front.at;
  return record;
}

THRIFTLENS_BODY cut record_cutter::framed(byte_view window, bool is_last, std::size_t head,
                                          std::uint64_t size) const noexcept {
  if (size > options_.record_size) return too_large(0);
  const auto end = static_cast<std::size_t>(head + size);
  if (window.size() < end) return unfinished(is_last, end);
  cut result{.state = cut_state::record, .used = end, .value = window.part(head, end - head)};
  result = checked_struct(result, options_.protocol);
  result.at += head;
  return result;
}

THRIFTLENS_BODY cut record_cutter::sized(byte_view window, bool is_last) const noexcept {
  const frame_header header = row_of(options_.framing).read_header(window);
  if (header.code == errc::truncated) return unfinished(is_last, header.begin);
  if (header.code != errc::ok) return lost(header.code, 0);
  if (header.is_null)
    return {.state = cut_state::record, .is_null = true, .used = header.begin, .protocol = options_.protocol};
  return framed(window, is_last, header.begin, header.size);
}

// A message begins with 0x80 (strict Binary) or 0x82 (Compact); a frame size or the name size of an old-style
// message begins with a smaller byte. In a frame, the fifth byte begins a message (0x80, 0x82 or, old-style,
// a name size) or Finagle's header; in an unframed old-style message it is a letter.
THRIFTLENS_BODY cut record_cutter::message(byte_view window, bool is_last) const noexcept {
  if (!begins_with_version(window)) {
    if (window.size() < 5) return unfinished(is_last, 5);
    const std::uint8_t fifth = window[4];
    const bool is_header = fifth == 10 || fifth == 15 || fifth == 0x16 || fifth == 0x19 || fifth == 0x29;
    if (fifth == 0x80 || fifth == 0x82 || fifth == 0 || is_header) return framed_message(window, is_last);
  }
  cut result{.state = cut_state::record, .is_message = true, .protocol = protocol_of_message(window)};
  const skipped head = read_front(window, result.protocol, result.message);
  if (head.size == 0) {
    if (head.code == errc::truncated && !is_last) return unfinished(is_last, window.size() * 2);
    return lost(head.code, head.at);
  }
  const byte_view rest = window.part(head.size, window.size() - head.size);
  const skipped body = skip_front(rest, result.protocol, options_.limits.depth);
  if (body.size == 0) {
    if (body.code == errc::truncated && !is_last) return unfinished(is_last, window.size() * 2);
    return lost(body.code, head.size + body.at);
  }
  result.value = rest.part(0, body.size);
  result.used = head.size + body.size;
  return result;
}

THRIFTLENS_BODY cut record_cutter::framed_message(byte_view window, bool is_last) const noexcept {
  const auto size = load_be<std::int32_t>(window.data());
  if (size < 0) return lost(errc::negative_size, 0);
  if (static_cast<std::uint64_t>(size) > options_.record_size) return too_large(0);
  const std::size_t end = 4 + static_cast<std::size_t>(size);
  if (window.size() < end) return unfinished(is_last, end);
  cut result = message_in(window.part(4, end - 4));
  result.used = end;
  result.at += 4;
  return result;
}
THRIFTLENS_BODY cut record_cutter::message_in(byte_view inside) const noexcept {
  if (inside.empty()) return {.state = cut_state::bad, .code = errc::truncated};
  const byte_view header = finagle_header(inside);
  const byte_view message = inside.part(header.size(), inside.size() - header.size());
  cut result{.state = cut_state::bad, .header = header, .protocol = protocol_of_message(message)};
  const skipped head = read_front(message, result.protocol, result.message);
  if (head.size == 0) {
    result.code = head.code;
    result.at = header.size() + head.at;
    return result;
  }
  result.state = cut_state::record;
  result.is_message = true;
  result.value = message.part(head.size, message.size() - head.size);
  result = checked_struct(result, result.protocol);
  result.at += header.size() + head.size;
  return result;
}
THRIFTLENS_BODY byte_view record_cutter::finagle_header(byte_view inside) const noexcept {
  if (!begins_finagle(inside)) return {};
  const bool is_binary = inside[0] < 0x10;
  const skipped front =
      skip_front(inside, is_binary ? protocol_id::binary : protocol_id::compact, options_.limits.depth);
  const byte_view rest = inside.part(front.size, inside.size() - front.size);
  return begins_with_version(rest) ? inside.part(0, front.size) : byte_view();
}

// Skips blank lines.
THRIFTLENS_BODY cut record_cutter::line(byte_view window, bool is_last) {
  for (std::size_t begin = 0;;) {
    const std::size_t remaining = window.size() - begin;
    if (remaining == 0)
      return {.state = is_last ? cut_state::end : cut_state::wait, .used = begin, .required = begin + 1};
    const void* newline = std::memchr(window.data() + begin, '\n', remaining);
    if (newline == nullptr && !is_last) {
      cut wait = unfinished(is_last, window.size() + remaining);
      wait.begin = wait.used = begin;
      return wait;
    }
    const std::size_t size =
        newline == nullptr ? remaining
                           : static_cast<std::size_t>(static_cast<byte_ptr>(newline) - window.data()) - begin;
    const byte_view text = trimmed(window.part(begin, size));
    const std::size_t next = begin + size + (newline == nullptr ? 0 : 1);
    if (!text.empty()) return decoded(text, static_cast<std::size_t>(text.data() - window.data()), next);
    begin = next;
  }
}

THRIFTLENS_BODY cut record_cutter::decoded(byte_view text, std::size_t begin, std::size_t used) {
  const byte_view encoded = last_word(text);
  cut result{.state = cut_state::record, .used = used, .begin = begin};
  line_.clear();
  const bool is_decoded = row_of(options_.framing).decode_word(encoded, line_);
  // A last word that decodes to a single byte is ordinary text.
  if (!is_decoded || (encoded.size() != text.size() && line_.size() < 2)) {
    result.state = cut_state::bad;
    result.code = errc::bad_frame;
    result.at = begin;
    return result;
  }
  result.value = line_;
  result = checked_struct(result, options_.protocol);
  // Decoded bytes have no offset in the input: errors point to the line.
  result.at = begin;
  return result;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
