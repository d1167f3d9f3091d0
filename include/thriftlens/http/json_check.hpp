// json_check: whether a text is JSON.
#pragma once

#include <thriftlens/json/read/read_skip.hpp>

#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Whether `text` is one JSON value of no more than that depth and nothing else. Linear.
[[nodiscard]] inline bool is_json(const schema_image& image, std::string_view text, const limits& bounds) {
  buffer scratch;
  const from_json_options options;
  json_read_state state(image, scratch, options, bounds, text.size());
  json_position pos{nullptr, state.out.at()};
  if (state.in.open(text, pos.at) != errc::ok) return false;
  pos = json_skipper(state).value(pos);
  return pos && state.at_text_end(pos.at);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
