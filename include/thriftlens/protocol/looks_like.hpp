// looks_like: identifies bytes that are not in the expected format, for error texts.
#pragma once

#include <thriftlens/core/error.hpp>
#include <thriftlens/core/joined.hpp>
#include <thriftlens/protocol/message.hpp>
#include <thriftlens/protocol/select.hpp>
#include <thriftlens/protocol/walk.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Checks a value header by header. Much smaller than the skipper of the protocol, which a program that
/// reads the other protocol does not contain.
template <protocol P>
class value_check : public walk<value_check<P>, P> {
  using base = walk<value_check<P>, P>;

 public:
  using base::base;

  THRIFTLENS_COLD bool scalar(ttype wire, std::uint32_t /*type*/) noexcept {
    byte_view passed;
    bool flag = false;
    std::int64_t number = 0;
    if (wire == ttype::string) return this->in_.read_bytes(passed);
    if (wire == ttype::bool_) return this->in_.read_bool(flag);
    const std::size_t width = element_width<P>(wire);
    return width != 0 ? this->in_.read_raw(width, passed) : this->in_.read_i64(number);
  }
};
template <protocol P>
[[nodiscard]] THRIFTLENS_COLD bool is_valid_value(byte_view bytes, ttype wire) noexcept {
  typename P::reader in(bytes, {.depth = limits::max_depth});
  return value_check<P>(in).value(wire) && in.at_end();
}
[[nodiscard]] THRIFTLENS_COLD inline bool is_valid_value(byte_view bytes, protocol_id which,
                                                         ttype wire) noexcept {
  return visit_protocol(which, [&](auto tag) { return is_valid_value<decltype(tag)>(bytes, wire); });
}
[[nodiscard]] inline std::string_view name_of(protocol_id which) noexcept {
  return which == protocol_id::binary ? "Binary" : "Compact";
}
[[nodiscard]] inline bool is_gzip(byte_view bytes) noexcept {
  return bytes.size() >= 3 && bytes[0] == 0x1f && bytes[1] == 0x8b && bytes[2] == 8;
}
/// Removes and returns the next non-blank character; 0 without one.
[[nodiscard]] inline char take_letter(std::string_view& text) noexcept {
  const std::size_t at = text.find_first_not_of(" \t\r\n");
  if (at == std::string_view::npos) return '\0';
  const char letter = text[at];
  text.remove_prefix(at + 1);
  return letter;
}
/// The first two non-blank characters of an object or array.
[[nodiscard]] THRIFTLENS_COLD inline bool is_json(byte_view bytes) noexcept {
  std::string_view text = bytes.text().substr(0, 256);
  const char first = take_letter(text), second = take_letter(text);
  if (first == '\0' || second == '\0') return false;
  if (first == '{') return second == '"' || second == '}';
  constexpr std::string_view elements = "{[\"]-0123456789tfn";
  return first == '[' && elements.find(second) != std::string_view::npos;
}
[[nodiscard]] THRIFTLENS_COLD inline bool is_function_name(std::string_view name) noexcept {
  constexpr std::size_t longest = 256;
  if (name.empty() || name.size() > longest) return false;
  for (const char c : name) {
    if (c <= ' ' || c > '~') return false;
  }
  return true;
}
template <protocol P>
[[nodiscard]] THRIFTLENS_COLD bool begins_message(byte_view bytes) noexcept {
  typename P::reader in(bytes);
  message_header header;
  return read_message(in, header) && is_function_name(header.name) && !in.at_end();
}

/// Names the format of a file, request or frame by its first bytes; tests `spoken` first.
[[nodiscard]] THRIFTLENS_COLD inline std::string looks_of(byte_view bytes, protocol_id spoken, ttype wire) {
  if (is_gzip(bytes)) return "gzip";
  if (begins_message<binary>(bytes)) return "a Binary message";
  if (begins_message<compact>(bytes)) return "a Compact message";
  if (is_json(bytes)) return "JSON text";
  const protocol_id other = spoken == protocol_id::binary ? protocol_id::compact : protocol_id::binary;
  for (const protocol_id which : {spoken, other}) {
    if (is_valid_value(bytes, which, wire)) return std::string(name_of(which));
  }
  return {};
}
/// A 32-bit length and as many bytes; more frames may follow if the content of the first one is known.
[[nodiscard]] THRIFTLENS_COLD inline std::string frame_looks(byte_view bytes, protocol_id spoken,
                                                             ttype wire) {
  if (bytes.size() < 5) return {};
  const std::size_t size = load_be<std::uint32_t>(bytes.data());
  if (size == 0 || size > bytes.size() - 4) return {};
  const std::string inside = looks_of(bytes.part(4, size), spoken, wire);
  if (!inside.empty()) return joined({"a 32-bit frame length before ", inside});
  return size == bytes.size() - 4 ? "a 32-bit frame length" : std::string();
}

/// Format of bytes that are not a value of wire type `wire` in `spoken`: "Compact", "a Binary message", "a
/// 32-bit frame length before Binary", "JSON text", "gzip". Empty if they are such a value or of unknown
/// format, and for protocols of programs. Cold: O(bytes).
[[nodiscard]] THRIFTLENS_COLD inline std::string looks_like(byte_view bytes, protocol_id spoken,
                                                            ttype wire = ttype::struct_) {
  if (bytes.empty() || !is_listed(spoken) || detail::is_valid_value(bytes, spoken, wire)) return {};
  std::string framed = detail::frame_looks(bytes, spoken, wire);
  return framed.empty() ? detail::looks_of(bytes, spoken, wire) : framed;
}

/// The error of these bytes with their apparent format as its hint, and the option that reads it: `framing`
/// if they begin with a frame in the expected protocol, else `protocol`. Unchanged for unknown formats.
[[nodiscard]] THRIFTLENS_COLD inline error with_looks(const error& reason, byte_view bytes,
                                                      protocol_id spoken, ttype wire = ttype::struct_) {
  const std::string looks = looks_like(bytes, spoken, wire);
  if (looks.empty()) return reason;
  const error hinted = reason.with_hint(joined({"the data looks like ", looks}));
  const bool is_framed = looks.ends_with(joined({" before ", name_of(spoken)}));
  return hinted.with_option(is_framed ? "framing" : "protocol");
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
