// string_out: writes strings, binaries, uuids and names of enum members as JSON strings.
#pragma once

#include <thriftlens/core/errc.hpp>
#include <thriftlens/json/options.hpp>
#include <thriftlens/json/out_cursor.hpp>
#include <thriftlens/protocol/header.hpp>
#include <thriftlens/schema/image.hpp>
#include <thriftlens/simd/base64.hpp>
#include <thriftlens/simd/json_escape.hpp>
#include <thriftlens/simd/json_quote.hpp>
#include <thriftlens/simd/utf8.hpp>

#include <cstdint>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

// Long texts are written in pieces: escapes may take six times the size.
inline constexpr std::size_t escape_step = 4096;

[[nodiscard]] THRIFTLENS_NOINLINE inline bool put_escaped(out_cursor& out, const std::uint8_t* from,
                                                          std::size_t size) {
  while (size != 0) {
    const std::size_t step = size < escape_step ? size : escape_step;
    if (!out.need(simd::json_escape_capacity(step))) return false;
    out.move_to(simd::escape_json(out.at(), {from, step}).end);
    from += step;
    size -= step;
  }
  return true;
}

// Writes U+FFFD, or escapes of lone surrogates for the bytes.
[[nodiscard]] inline bool put_repaired(out_cursor& out, byte_view bytes, on_invalid_utf8 invalid) {
  constexpr std::string_view digits = "0123456789abcdef";
  if (!out.need(6 * bytes.size())) return false;
  if (invalid == on_invalid_utf8::replace) out.put("\xef\xbf\xbd");
  for (std::size_t i = 0; invalid != on_invalid_utf8::replace && i < bytes.size(); ++i) {
    out.put("\\udc");
    out.put(digits[bytes[i] >> 4]);
    out.put(digits[bytes[i] & 15]);
  }
  return true;
}
// The text in quotes, with U+FFFD or lone surrogates for ill-formed sequences.
[[nodiscard]] THRIFTLENS_COLD inline errc put_ill_formed(out_cursor& out, byte_view text,
                                                         on_invalid_utf8 invalid) {
  if (invalid == on_invalid_utf8::error) return errc::invalid_utf8;
  if (!out.need(1)) return errc::output_limit;
  out.put('"');
  while (!text.empty()) {
    const std::size_t valid_size = simd::valid_utf8_prefix(text);
    if (!put_escaped(out, text.data(), valid_size)) return errc::output_limit;
    text = text.part(valid_size, text.size() - valid_size);
    if (text.empty()) break;
    const std::size_t ill_formed_size = simd::ill_formed_utf8_size(text);
    if (!put_repaired(out, text.part(0, ill_formed_size), invalid)) return errc::output_limit;
    text = text.part(ill_formed_size, text.size() - ill_formed_size);
  }
  if (!out.need(1)) return errc::output_limit;
  out.put('"');
  return errc::ok;
}
[[nodiscard]] THRIFTLENS_NOINLINE inline errc put_long_string(out_cursor& out, byte_view text,
                                                              on_invalid_utf8 invalid) {
  if (!simd::valid_utf8(text)) return put_ill_formed(out, text, invalid);
  if (!out.need(1)) return errc::output_limit;
  out.put('"');
  if (!put_escaped(out, text.data(), text.size()) || !out.need(1)) return errc::output_limit;
  out.put('"');
  return errc::ok;
}

/// When the encoding of a text is checked. A writer may check all its output at once, as everything between
/// strings is ASCII.
enum class utf8_check : std::uint8_t { immediate, deferred };

/// Returns ok, invalid_utf8 or output_limit; after an error part of the text may have been written. With
/// `deferred` sets `unchecked` for a text that is not ASCII and was not checked.
[[nodiscard]] inline errc put_string(out_cursor& out, byte_view text, on_invalid_utf8 invalid,
                                     utf8_check when, bool& unchecked) {
  if (text.size() > detail::escape_step) [[unlikely]]
    return detail::put_long_string(out, text, invalid);
  if (!out.need(simd::json_quote_capacity(text.size()))) return errc::output_limit;
  const simd::json_quoted quoted = simd::quote_json(out.at(), text);
  const bool checked = quoted.form != simd::text_form::unchecked;
  const bool is_valid = checked ? quoted.form != simd::text_form::ill_formed
                                : when == utf8_check::deferred || simd::valid_utf8(text);
  if (!is_valid) [[unlikely]]
    return detail::put_ill_formed(out, text, invalid);
  unchecked |= !checked;
  out.move_to(quoted.end);
  return errc::ok;
}
[[nodiscard]] inline errc put_string(out_cursor& out, byte_view text, on_invalid_utf8 invalid) {
  bool unchecked = false;
  return put_string(out, text, invalid, utf8_check::immediate, unchecked);
}

/// Padded standard base64. Returns ok or output_limit.
[[nodiscard]] inline errc put_base64(out_cursor& out, byte_view bytes) {
  if (!out.need(simd::base64_text_capacity(bytes.size()) + 2)) return errc::output_limit;
  out.put('"');
  out.move_to(simd::encode_base64(out.at(), bytes));
  out.put('"');
  return errc::ok;
}

/// The canonical lower-case form of 16 bytes. Writes 38 bytes at `to`; returns the end.
inline std::uint8_t* put_uuid(std::uint8_t* to, const std::uint8_t* id) noexcept {
  *to++ = '"';
  to = put_uuid_text(to, id);
  *to++ = '"';
  return to;
}
/// Returns ok or output_limit.
[[nodiscard]] inline errc put_uuid(out_cursor& out, const uuid_bytes& id) {
  if (!out.need(38)) return errc::output_limit;
  out.move_to(put_uuid(out.at(), id.data()));
  return errc::ok;
}

/// The member with the text of a key: a comma, the quoted name and a colon.
[[nodiscard]] constexpr auto json_key_of(json_names names) noexcept {
  return names == json_names::alias ? &image::field_text::json_alias : &image::field_text::json_name;
}
/// The quoted name of an enum member; empty for unknown numbers and with enum_values::number.
[[nodiscard]] inline std::string_view member_text(const schema_image& image, const image::type_node& type,
                                                  std::int32_t number, enum_values form) noexcept {
  if (form == enum_values::number) return {};
  const std::uint32_t member = image.find_member(image.enums[type.first], number);
  return member == image::none ? std::string_view() : image.view(image.enum_members[member].json_name);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
