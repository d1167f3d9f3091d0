// write_state: state of the JSON writer: input, output, punctuation and faults.
#pragma once

#include <thriftlens/core/error.hpp>
#include <thriftlens/core/path_builder.hpp>
#include <thriftlens/json/options.hpp>
#include <thriftlens/json/out_cursor.hpp>
#include <thriftlens/path/selection.hpp>
#include <thriftlens/protocol/concept.hpp>
#include <thriftlens/protocol/looks_like.hpp>
#include <thriftlens/schema/type.hpp>
#include <thriftlens/view/explain.hpp>

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// State of json_writer. Functions return false after a fault, which the reader then holds.
template <protocol Protocol>
class json_write_state {
 protected:
  using reader = typename Protocol::reader;
  using kinds = type_kind;

  json_write_state(byte_view bytes, const schema_image& image, buffer& to, const to_json_options& options,
                   const limits& bounds)
      : in_(bytes, bounds),
        out_(to, bounds.max_output(bytes.size())),
        image_(image),
        options_(options),
        bounds_(bounds),
        bytes_(bytes),
        usual_(options.pretty == 0 && options.duplicates == on_duplicate::error &&
               options.mismatch == on_mismatch::error) {}
  ~json_write_state() = default;

  [[nodiscard]] bool last_counts() const noexcept { return options_.duplicates == on_duplicate::last; }

  // ---- punctuation

  THRIFTLENS_INLINE bool need(std::size_t count) {
    return out_.need(count) || in_.reject(errc::output_limit);
  }
  // Writes a comma (close() replaces the first by a bracket) and, if pretty, a new line. Increases the level
  // until end_entry().
  THRIFTLENS_INLINE bool begin_entry() {
    if (!need(64)) return false;
    out_.put(',');
    ++level_;
    return options_.pretty == 0 || new_line();
  }
  THRIFTLENS_INLINE void end_entry() noexcept { --level_; }
  // Number of bytes that begin_entry() writes.
  [[nodiscard]] std::size_t entry_prefix() const noexcept {
    return options_.pretty == 0 ? 1 : 2 + (level_ + 1) * std::size_t{options_.pretty};
  }
  THRIFTLENS_INLINE bool put_colon() {
    if (!need(2)) return false;
    out_.put(':');
    if (options_.pretty != 0) out_.put(' ');
    return true;
  }
  // `begin`: start of the first entry of the container.
  THRIFTLENS_INLINE bool close(std::size_t begin, char opening, char closing) {
    if (!need(2)) return false;
    if (out_.offset() == begin) {
      out_.put(opening);
    } else {
      *out_.at(begin) = static_cast<std::uint8_t>(opening);
      if (options_.pretty != 0 && !new_line()) return false;
    }
    if (!need(1)) return false;
    out_.put(closing);
    return true;
  }

  // ---- faults

  THRIFTLENS_INLINE bool put_ok(errc code, const std::uint8_t* at) {
    return code == errc::ok || in_.reject(code, at);
  }
  THRIFTLENS_COLD bool mismatch(type_kind expected, ttype actual, const std::uint8_t* at) {
    detail_ = "expected " + std::string(to_string(expected)) + ", found " + std::string(to_string(actual));
    return in_.reject(errc::type_mismatch, at);
  }
  // Skips a value.
  THRIFTLENS_INLINE bool pass_over(ttype wire) { return in_.skip(wire) || !(is_in_skipped_ = true); }
  // Restores the buffer.
  THRIFTLENS_COLD error make_error(type root) {
    out_.abandon();
    const fault& failure = in_.fault();
    if (is_in_skipped_) return explain<Protocol>(bytes_, root, failure, bounds_);
    std::string text = words_with_looks(std::move(detail_), failure.code, bytes_, Protocol::id, root.wire());
    return error(failure.code, std::move(text), failure.offset, path_.text());
  }

  reader in_;
  out_cursor out_;
  const schema_image& image_;
  const to_json_options& options_;
  const limits& bounds_;
  byte_view bytes_;
  bool usual_;  // no option affects every field or element
  std::size_t level_ = 0;
  path_builder path_{path_builder::order::innermost_first};
  std::string detail_;
  bool is_in_skipped_ = false;  // the fault is in a skipped value, whose steps path_ does not have

 private:
  THRIFTLENS_NOINLINE bool new_line() {
    const std::size_t blanks = level_ * std::size_t{options_.pretty};
    if (!need(blanks + 64)) return false;
    out_.put('\n');
    std::memset(out_.at(), ' ', blanks);
    out_.move_to(out_.at() + blanks);
    return true;
  }
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
