// record_cutter: bodies of record_cutter.hpp.
#pragma once

#include <thriftlens/core/endian.hpp>
#include <thriftlens/core/uuid.hpp>
#include <thriftlens/core/varint.hpp>
#include <thriftlens/protocol/select.hpp>
#include <thriftlens/records/record_cutter.hpp>
#include <thriftlens/simd/base64.hpp>

#include <algorithm>
#include <cstring>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// How far the struct at the front reaches; 0 where it cannot be skipped, and then why.
struct skipped {
  std::size_t size = 0;
  errc code = errc::ok;
  std::size_t at = 0;
};
template <protocol P>
[[nodiscard]] skipped skip_front(byte_view bytes, std::uint32_t depth) noexcept {
  typename P::skipper skipper(bytes.end());
  const byte_ptr after =
      skipper.skip_struct(bytes.data(), depth < limits::max_depth ? depth : limits::max_depth);
  if (after != nullptr) [[likely]]
    return {static_cast<std::size_t>(after - bytes.data())};
  return {0, skipper.code, static_cast<std::size_t>(skipper.at - bytes.data())};
}
[[nodiscard]] inline skipped skip_front(byte_view bytes, protocol_id which, std::uint32_t depth) noexcept {
  return visit_protocol(which, [&](auto tag) { return skip_front<decltype(tag)>(bytes, depth); });
}

/// A message header at the front; its size is 0 where there is none, and then why.
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

/// Binary strict, or Compact, by its first byte.
[[nodiscard]] constexpr bool begins_with_version(byte_view bytes) noexcept {
  return !bytes.empty() && (bytes[0] == 0x80 || bytes[0] == 0x82);
}
[[nodiscard]] inline protocol_id protocol_of_message(byte_view bytes) noexcept {
  return bytes[0] == 0x82 ? protocol_id::compact : protocol_id::binary;
}

/// Whether a frame's content may begin with the struct that Finagle puts before messages: with the id of the
/// trace (i64 1), or the lists of a reply (1 or 2) or none of them and then a message.
[[nodiscard]] constexpr bool begins_finagle(byte_view inside) noexcept {
  if (inside.size() < 2) return false;
  if (inside[0] == 0) return begins_with_version(inside.part(1, 1));
  const bool is_binary = (inside[0] == 10 || inside[0] == 15) && inside[1] == 0;
  return is_binary || inside[0] == 0x16 || inside[0] == 0x19 || inside[0] == 0x29;
}

THRIFTLENS_BODY cut record_cutter::lost(errc code, std::size_t at, std::string_view words) noexcept {
  return {.state = cut_state::lost, .code = code, .at = at, .words = words};
}
// The window ends before the record does: what is at fault is the frame, which begins with the record.
THRIFTLENS_BODY cut record_cutter::unfinished(bool is_last, std::size_t wanted) noexcept {
  if (is_last) return lost(errc::truncated, 0);
  return {.state = cut_state::wait, .wanted = wanted};
}

/// Whether a size stands in front of each record.
[[nodiscard]] constexpr bool has_size(framing which) noexcept {
  return which == framing::u32 || which == framing::u32le || which == framing::varint ||
         which == framing::kafka;
}

THRIFTLENS_BODY cut record_cutter::first(byte_view window, bool is_last) {
  if (window.empty()) return {.state = is_last ? cut_state::end : cut_state::wait, .wanted = 1};
  if (has_size(how_.framing)) return sized(window, is_last);
  const cut found = how_.framing == framing::none      ? struct_at(window, is_last)
                    : how_.framing == framing::message ? message(window, is_last)
                                                       : line(window, is_last);
  const std::size_t size = found.state == cut_state::wait ? window.size() : found.used - found.begin;
  if (size > how_.record_size && found.state != cut_state::lost) return lost(errc::size_limit, found.begin);
  return found;
}

THRIFTLENS_BODY std::size_t record_cutter::plain_size(byte_view window) const noexcept {
  if (how_.framing != framing::none || window.empty()) return 0;
  if (how_.lead != 0) return 0;
  const std::size_t size = skip_front(window, how_.protocol, how_.limits.depth).size;
  return size <= how_.record_size ? size : 0;
}
THRIFTLENS_BODY cut record_cutter::struct_at(byte_view window, bool is_last) const noexcept {
  if (window.size() <= how_.lead) return unfinished(is_last, how_.lead + 1);
  const byte_view rest = window.part(how_.lead, window.size() - how_.lead);
  const skipped front = skip_front(rest, how_.protocol, how_.limits.depth);
  if (front.size == 0) {
    // Twice the bytes before the next try: tried again from the start, all tries together stay linear.
    if (front.code == errc::truncated && !is_last) return unfinished(is_last, window.size() * 2);
    return lost(front.code, how_.lead + front.at);
  }
  return {.state = cut_state::record,
          .used = how_.lead + front.size,
          .value = rest.part(0, front.size),
          .protocol = how_.protocol};
}

THRIFTLENS_BODY cut record_cutter::whole_struct(cut found, protocol_id which) const noexcept {
  found.protocol = which;
  const std::size_t lead = found.is_message ? 0 : (std::min)(how_.lead, found.value.size());
  found.value = found.value.part(lead, found.value.size() - lead);
  skipped front = skip_front(found.value, which, how_.limits.depth);
  if (front.size == found.value.size() && front.size != 0) return found;
  if (front.size != 0) front = {0, errc::trailing_bytes, front.size};
  found.state = cut_state::bad;
  found.code = front.code;
  found.at = lead + front.at;
  return found;
}

THRIFTLENS_BODY cut record_cutter::framed(byte_view window, bool is_last, std::size_t head,
                                          std::uint64_t size) const noexcept {
  if (size > how_.record_size) return lost(errc::size_limit, 0);
  const auto whole = static_cast<std::size_t>(head + size);
  if (window.size() < whole) return unfinished(is_last, whole);
  cut found{.state = cut_state::record, .used = whole, .value = window.part(head, whole - head)};
  found = whole_struct(found, how_.protocol);
  found.at += head;
  return found;
}

THRIFTLENS_BODY cut record_cutter::sized(byte_view window, bool is_last) const noexcept {
  if (how_.framing == framing::varint) {
    std::uint32_t size = 0;
    const byte_ptr after = get_varint(window.data(), window.end(), size);
    if (after != nullptr)
      return framed(window, is_last, static_cast<std::size_t>(after - window.data()), size);
    const errc why = varint_fault<std::uint32_t>(window.data(), window.end());
    return why == errc::truncated ? unfinished(is_last, window.size() + 1) : lost(why, 0);
  }
  if (window.size() < 4) return unfinished(is_last, 4);
  const bool little = how_.framing == framing::u32le;
  const auto size = little ? load_le<std::int32_t>(window.data()) : load_be<std::int32_t>(window.data());
  if (size == -1 && how_.framing == framing::kafka)
    return {.state = cut_state::record, .is_null = true, .used = 4, .protocol = how_.protocol};
  if (size < 0) return lost(errc::negative_size, 0);
  return framed(window, is_last, 4, static_cast<std::uint64_t>(size));
}

// The first byte of a message is 0x80 (strict Binary) or 0x82 (Compact); a frame's size, or the size of an
// old message's name, begins with a smaller one. Behind a frame stands a message: 0x80, 0x82 or, of the old
// form, the first byte of a name's size, or Finagle's header, where an old message without a frame has a
// letter.
THRIFTLENS_BODY cut record_cutter::message(byte_view window, bool is_last) const noexcept {
  if (!begins_with_version(window)) {
    if (window.size() < 5) return unfinished(is_last, 5);
    const std::uint8_t fifth = window[4];
    const bool is_header = fifth == 10 || fifth == 15 || fifth == 0x16 || fifth == 0x19 || fifth == 0x29;
    if (fifth == 0x80 || fifth == 0x82 || fifth == 0 || is_header) return framed_message(window, is_last);
  }
  cut found{.state = cut_state::record, .is_message = true, .protocol = protocol_of_message(window)};
  const skipped head = read_front(window, found.protocol, found.message);
  if (head.size == 0) {
    if (head.code == errc::truncated && !is_last) return unfinished(is_last, window.size() * 2);
    return lost(head.code, head.at);
  }
  const byte_view rest = window.part(head.size, window.size() - head.size);
  const skipped body = skip_front(rest, found.protocol, how_.limits.depth);
  if (body.size == 0) {
    if (body.code == errc::truncated && !is_last) return unfinished(is_last, window.size() * 2);
    return lost(body.code, head.size + body.at);
  }
  found.value = rest.part(0, body.size);
  found.used = head.size + body.size;
  return found;
}

THRIFTLENS_BODY cut record_cutter::framed_message(byte_view window, bool is_last) const noexcept {
  const auto size = load_be<std::int32_t>(window.data());
  if (size < 0) return lost(errc::negative_size, 0);
  if (static_cast<std::uint64_t>(size) > how_.record_size) return lost(errc::size_limit, 0);
  const std::size_t whole = 4 + static_cast<std::size_t>(size);
  if (window.size() < whole) return unfinished(is_last, whole);
  cut found = message_in(window.part(4, whole - 4));
  found.used = whole;
  found.at += 4;
  return found;
}
THRIFTLENS_BODY cut record_cutter::message_in(byte_view inside) const noexcept {
  if (inside.empty()) return {.state = cut_state::bad, .code = errc::truncated};
  const byte_view header = finagle_header(inside);
  const byte_view message = inside.part(header.size(), inside.size() - header.size());
  cut found{.state = cut_state::bad, .header = header, .protocol = protocol_of_message(message)};
  const skipped head = read_front(message, found.protocol, found.message);
  if (head.size == 0) {
    found.code = head.code;
    found.at = header.size() + head.at;
    return found;
  }
  found.state = cut_state::record;
  found.is_message = true;
  found.value = message.part(head.size, message.size() - head.size);
  found = whole_struct(found, found.protocol);
  found.at += header.size() + head.size;
  return found;
}
THRIFTLENS_BODY byte_view record_cutter::finagle_header(byte_view inside) const noexcept {
  if (!begins_finagle(inside)) return {};
  const bool is_binary = inside[0] < 0x10;
  const skipped front =
      skip_front(inside, is_binary ? protocol_id::binary : protocol_id::compact, how_.limits.depth);
  const byte_view rest = inside.part(front.size, inside.size() - front.size);
  return begins_with_version(rest) ? inside.part(0, front.size) : byte_view();
}

/// The last word of a line, whose ends are no blanks: logs have times and names in front of the bytes. The
/// whole line where it is digits and blanks alone: that is no log.
[[nodiscard]] inline byte_view last_word(byte_view line) noexcept {
  constexpr std::string_view digits = "0123456789abcdefABCDEF \t";
  const std::size_t blank = line.text().find_last_of(" \t");
  if (blank == std::string_view::npos || line.text().find_first_not_of(digits) == std::string_view::npos)
    return line;
  return line.part(blank + 1, line.size() - blank - 1);
}
/// What blanks at the two ends of a line leave.
[[nodiscard]] inline byte_view without_blanks(byte_view line) noexcept {
  const auto is_blank = [](std::uint8_t byte) { return byte == ' ' || byte == '\t' || byte == '\r'; };
  byte_ptr begin = line.begin(), end = line.end();
  while (begin != end && is_blank(*begin)) ++begin;
  while (begin != end && is_blank(end[-1])) --end;
  return {begin, static_cast<std::size_t>(end - begin)};
}

// Blank lines are no records.
THRIFTLENS_BODY cut record_cutter::line(byte_view window, bool is_last) {
  for (std::size_t begin = 0;;) {
    const std::size_t left = window.size() - begin;
    if (left == 0)
      return {.state = is_last ? cut_state::end : cut_state::wait, .used = begin, .wanted = begin + 1};
    const void* found = std::memchr(window.data() + begin, '\n', left);
    if (found == nullptr && !is_last) {
      cut wait = unfinished(is_last, window.size() + left);
      wait.begin = wait.used = begin;
      return wait;
    }
    const std::size_t size =
        found == nullptr ? left
                         : static_cast<std::size_t>(static_cast<byte_ptr>(found) - window.data()) - begin;
    const byte_view text = without_blanks(window.part(begin, size));
    const std::size_t next = begin + size + (found == nullptr ? 0 : 1);
    if (!text.empty()) return decoded(text, static_cast<std::size_t>(text.data() - window.data()), next);
    begin = next;
  }
}

THRIFTLENS_BODY cut record_cutter::decoded(byte_view text, std::size_t begin, std::size_t used) {
  const bool is_hex = how_.framing == framing::hex;
  const byte_view word = last_word(text);
  cut found{.state = cut_state::record, .used = used, .begin = begin};
  const bool is_decoded = is_hex ? decode_hex(word) : decode_base64(word);
  // A word behind others that stands for one byte is a word.
  if (!is_decoded || (word.size() != text.size() && line_.size() < 2)) {
    found.state = cut_state::bad;
    found.code = errc::bad_frame;
    found.at = begin;
    found.words = is_hex ? "the line is not hexadecimal" : "the line is not base64";
    return found;
  }
  found.value = line_;
  found = whole_struct(found, how_.protocol);
  // The bytes that a line stands for have no place in the input but the line's.
  found.at = begin;
  return found;
}
THRIFTLENS_BODY bool record_cutter::decode_base64(byte_view text) {
  line_.clear();
  std::uint8_t* to = line_.reserve(simd::base64_bytes_room(text.size()));
  const std::uint8_t* end = simd::decode_base64(to, text, simd::base64_form::lenient);
  if (end == nullptr) return false;
  line_.commit(end);
  return true;
}
THRIFTLENS_BODY bool record_cutter::decode_hex(byte_view text) {
  line_.clear();
  if (text.size() % 2 != 0) return false;
  std::uint8_t* to = line_.reserve(text.size() / 2);
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const int byte = hex_byte(text.text().data() + i);
    if (byte < 0) return false;
    *to++ = static_cast<std::uint8_t>(byte);
  }
  line_.commit(to);
  return true;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
