// write_state: state of the JSON writer: input, output, punctuation and faults.
#pragma once

#include <thriftlens/core/error.hpp>
#include <thriftlens/core/joined.hpp>
#include <thriftlens/core/path_builder.hpp>
#include <thriftlens/json/entry_marks.hpp>
#include <thriftlens/json/options.hpp>
#include <thriftlens/json/out_cursor.hpp>
#include <thriftlens/json/string_out.hpp>
#include <thriftlens/path/selection.hpp>
#include <thriftlens/protocol/concept.hpp>
#include <thriftlens/protocol/looks_like.hpp>
#include <thriftlens/protocol/struct_ids.hpp>
#include <thriftlens/schema/type.hpp>
#include <thriftlens/view/explain.hpp>

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

namespace json_write {

/// The JSON object that is being written.
struct open_object {
  std::size_t begin;  ///< in the output
  std::size_t marks;
  bool repeated = false;
  std::uint32_t unknown = 0;  ///< number of distinct unknown fields
};

}  // namespace json_write

/// State of json_writer, shared by its parts. Functions return false after a fault, which the reader then
/// holds.
template <protocol Protocol>
struct json_write_state {
  json_write_state(byte_view input, const schema_image& schema, buffer& to, const to_json_options& settings,
                   const limits& limited, utf8_check when)
      : in(input, limited),
        out(to, limited.max_output(input.size())),
        image(schema),
        options(settings),
        bounds(limited),
        bytes(input),
        is_usual(settings.format.pretty == 0 && settings.leniency.duplicates == on_duplicate::error &&
                 settings.leniency.mismatch == on_mismatch::error),
        quotes_i64(settings.format.int64 == json_int64::string),
        text_check(settings.leniency.invalid_utf8 == on_invalid_utf8::error ? when : utf8_check::immediate) {}

  [[nodiscard]] bool last_counts() const noexcept {
    return options.leniency.duplicates == on_duplicate::last;
  }

  [[nodiscard]] std::size_t offset() const noexcept { return out.offset(); }
  // The mark of the entry that begins here.
  [[nodiscard]] THRIFTLENS_INLINE entry_mark entry_here() const noexcept {
    return {out.offset(), 0, static_cast<std::size_t>(in.at() - in.begin())};
  }
  [[nodiscard]] const std::uint8_t* at() const noexcept { return in.at(); }
  // The input from `from` to the current position.
  [[nodiscard]] THRIFTLENS_INLINE byte_view since(const std::uint8_t* from) const noexcept {
    return {from, static_cast<std::size_t>(in.at() - from)};
  }

  // ---- punctuation

  THRIFTLENS_INLINE bool need(std::size_t count) { return out.need(count) || in.reject(errc::output_limit); }
  // Writes a comma (close() replaces the first by a bracket) and, if pretty, a new line. Increases the level
  // until end_entry().
  THRIFTLENS_INLINE bool begin_entry() {
    if (!need(64)) return false;
    out.put(',');
    ++level;
    return options.format.pretty == 0 || new_line();
  }
  // Always true.
  THRIFTLENS_INLINE bool end_entry() noexcept {
    --level;
    return true;
  }
  // Number of bytes that begin_entry() writes.
  [[nodiscard]] std::size_t entry_prefix() const noexcept {
    return options.format.pretty == 0 ? 1 : 2 + (level + 1) * std::size_t{options.format.pretty};
  }
  THRIFTLENS_INLINE bool put_colon() {
    if (!need(2)) return false;
    out.put(':');
    if (options.format.pretty != 0) out.put(' ');
    return true;
  }
  // `begin`: start of the first entry of the container.
  THRIFTLENS_NOINLINE bool close(std::size_t begin, char opening, char closing) {
    if (!need(2)) return false;
    if (out.offset() == begin) {
      out.put(opening);
    } else {
      *out.at(begin) = static_cast<std::uint8_t>(opening);
      if (options.format.pretty != 0 && !new_line()) return false;
    }
    if (!need(1)) return false;
    out.put(closing);
    return true;
  }
  // Keeps the last of equal keys.
  THRIFTLENS_INLINE bool close(const json_write::open_object& object) {
    if (object.repeated)
      out.back_to(marks.keep_last(out.at(0), object.marks, entry_prefix() + 1, out.offset()));
    if (last_counts()) marks.drop_to(object.marks);
    return close(object.begin, '{', '}');
  }

  // ---- faults

  bool reject(errc code) noexcept { return in.reject(code); }
  bool reject(errc code, const std::uint8_t* position) noexcept { return in.reject(code, position); }
  THRIFTLENS_INLINE bool put_ok(errc code, const std::uint8_t* at) {
    return code == errc::ok || in.reject(code, at);
  }
  THRIFTLENS_COLD bool mismatch(type_kind expected, ttype actual, const std::uint8_t* at) {
    detail = joined({"expected ", to_string(expected), ", found ", to_string(actual)});
    return in.reject(errc::type_mismatch, at);
  }
  // Adds a path step after a fault in the field.
  bool no_field(std::uint32_t field) { return path.field(image.field_name(field)); }
  // Skips a value.
  THRIFTLENS_INLINE bool pass_over(ttype wire) { return in.skip(wire) || !(is_in_skipped = true); }
  // Restores the buffer.
  THRIFTLENS_COLD error make_error(type root) {
    out.abandon();
    const fault& failure = in.fault();
    if (is_in_skipped) return explain<Protocol>(bytes, root, failure, bounds);
    return with_looks(error(failure.code, std::move(detail), failure.offset, path.text()), bytes,
                      Protocol::id, root.wire());
  }

  typename Protocol::reader in;
  out_cursor out;
  const schema_image& image;
  const to_json_options& options;
  const limits& bounds;
  byte_view bytes;
  bool is_usual;  ///< no option affects every field or element
  bool quotes_i64;
  utf8_check text_check;
  bool has_unchecked_text = false;  ///< the UTF-8 of the output must be checked at the end
  bool is_in_skipped = false;       ///< the fault is in a skipped value, whose steps `path` does not have
  std::size_t level = 0;
  entry_marks marks;       ///< of open maps, sets and, if the last of equal keys counts, structs
  struct_ids unknown_ids;  ///< by start of the object in the output
  path_builder path{path_builder::order::innermost_first};
  std::string detail;

 private:
  THRIFTLENS_NOINLINE bool new_line() {
    const std::size_t blanks = level * std::size_t{options.format.pretty};
    if (!need(blanks + 64)) return false;
    out.put('\n');
    std::memset(out.at(), ' ', blanks);
    out.move_to(out.at() + blanks);
    return true;
  }
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
