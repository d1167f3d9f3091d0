// string_out: strings, binaries and uuids as JSON strings.
// In: bytes. Out: quoted, escaped, checked text at the end of a out_cursor.
// Never writes text that is not UTF-8.
#pragma once

#include <thriftlens/core/errc.hpp>
#include <thriftlens/json/options.hpp>
#include <thriftlens/json/out_cursor.hpp>
#include <thriftlens/protocol/header.hpp>
#include <thriftlens/simd/base64.hpp>
#include <thriftlens/simd/json_escape.hpp>
#include <thriftlens/simd/utf8.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {

// Long texts go piece by piece: the room for escapes would be six times their size.
inline constexpr std::size_t escape_step = 4096;

[[nodiscard]] THRIFTLENS_NOINLINE inline bool put_escaped(out_cursor& out, const std::uint8_t* from, std::size_t size) {
  while (size != 0) {
    const std::size_t now = size < escape_step ? size : escape_step;
    if (!out.need(simd::json_escape_room(now))) return false;
    out.move_to(simd::escape_json(out.at(), {from, now}).end);
    from += now;
    size -= now;
  }
  return true;
}

// Each ill-formed byte becomes U+FFFD.
[[nodiscard]] THRIFTLENS_COLD inline errc put_replaced(out_cursor& out, const std::uint8_t* from, std::size_t size) {
  while (size != 0) {
    const std::size_t good = simd::valid_utf8_prefix({from, size});
    if (!put_escaped(out, from, good) || !out.need(3)) return errc::output_limit;
    from += good;
    size -= good;
    if (size == 0) break;
    out.put("\xef\xbf\xbd");
    ++from;
    --size;
  }
  return errc::ok;
}

}  // namespace detail

/// Whether a text's encoding was checked when it was put: a writer may rather check all it has written at once, for what stands
/// between strings is ASCII.
enum class utf8_check : std::uint8_t { now, later };

/// Answers ok, invalid_utf8 or output_limit; in the latter two part of the text may have been put. With `later` sets `unchecked`
/// where the text was put as it is and is not ASCII.
[[nodiscard]] inline errc put_string(out_cursor& out, byte_view text, json_utf8 invalid, utf8_check when, bool& unchecked) {
  const bool brief = text.size() <= detail::escape_step;
  if (!out.need(brief ? simd::json_escape_room(text.size()) + 2 : 1)) return errc::output_limit;
  out.put('"');
  if (brief) [[likely]] {
    const simd::json_escaped done = simd::escape_json(out.at(), text);
    if (done.ascii || when == utf8_check::later || simd::valid_utf8(text)) [[likely]] {
      unchecked |= !done.ascii;
      out.move_to(done.end);
      out.put('"');
      return errc::ok;
    }
  } else if (simd::valid_utf8(text)) {
    if (!detail::put_escaped(out, text.data(), text.size()) || !out.need(1)) return errc::output_limit;
    out.put('"');
    return errc::ok;
  }
  if (invalid == json_utf8::error) return errc::invalid_utf8;
  if (const errc code = detail::put_replaced(out, text.data(), text.size()); code != errc::ok) return code;
  if (!out.need(1)) return errc::output_limit;
  out.put('"');
  return errc::ok;
}
[[nodiscard]] inline errc put_string(out_cursor& out, byte_view text, json_utf8 invalid) {
  bool unchecked = false;
  return put_string(out, text, invalid, utf8_check::now, unchecked);
}

/// Padded standard base64. Answers ok or output_limit.
[[nodiscard]] inline errc put_base64(out_cursor& out, byte_view bytes) {
  if (!out.need(simd::base64_text_size(bytes.size()) + 2)) return errc::output_limit;
  out.put('"');
  out.move_to(simd::encode_base64(out.at(), bytes));
  out.put('"');
  return errc::ok;
}

/// The canonical lower-case form. Answers ok or output_limit.
[[nodiscard]] inline errc put_uuid(out_cursor& out, const uuid_bytes& id) {
  constexpr char digits[] = "0123456789abcdef";
  if (!out.need(38)) return errc::output_limit;
  out.put('"');
  for (std::size_t i = 0; i < id.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) out.put('-');
    out.put(digits[id[i] >> 4]);
    out.put(digits[id[i] & 15]);
  }
  out.put('"');
  return errc::ok;
}

}  // namespace thriftlens
