// json_check: whether a text is JSON.
#pragma once

#include <thriftlens/json/read/read_skip.hpp>
#include <thriftlens/protocol/binary.hpp>

#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Passes over one text. Used once.
class json_check : json_skipper<binary> {
  using base = json_skipper<binary>;

 public:
  json_check(const schema_image& image, buffer& scratch, const from_json_options& options,
             const limits& bounds, std::size_t size)
      : base(image, scratch, options, bounds, size) {}

  [[nodiscard]] bool passes(std::string_view text) {
    json_position pos{nullptr, out_.at()};
    if (in_.open(text, pos.at) != errc::ok) return false;
    pos = skip_value(pos);
    return pos && at_text_end(pos.at);
  }
};

/// Whether `text` is one JSON value of no more than that depth and nothing else. Linear.
[[nodiscard]] inline bool is_json(const schema_image& image, std::string_view text, const limits& bounds) {
  buffer scratch;
  return json_check(image, scratch, from_json_options{}, bounds, text.size()).passes(text);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
