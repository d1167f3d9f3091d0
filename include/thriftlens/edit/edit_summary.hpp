// edit_summary: what a batch of edits holds, for people. Never longer than a few paths, however many or
// long the edits are; never shows a value.
#pragma once

#include <thriftlens/core/joined.hpp>
#include <thriftlens/core/utf8.hpp>
#include <thriftlens/rewrite/edit_tree.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

[[nodiscard]] constexpr const char* name_of(edit_action action) noexcept {
  switch (action) {
    case edit_action::set:
      return "set";
    case edit_action::insert:
      return "insert";
    case edit_action::append:
      return "append";
    case edit_action::erase:
      return "erase";
    case edit_action::replace:
      return "replace";
    case edit_action::create:
      break;
  }
  return "create";
}

/// A path of at most 60 bytes, cut between characters of UTF-8.
[[nodiscard]] THRIFTLENS_COLD inline std::string short_path(std::string_view text) {
  if (text.empty()) return "$";
  const std::string_view shown = utf8_cut(text, 60);
  return std::string(shown) + (shown.size() < text.size() ? "…" : "");
}

/// "2 edits: set $.id, erase $.debug"; "… and 5 more" after the first four.
[[nodiscard]] THRIFTLENS_COLD inline std::string edit_summary(std::span<const edit_entry> edits) {
  constexpr std::size_t max_named = 4;
  std::string text = std::to_string(edits.size()) + (edits.size() == 1 ? " edit" : " edits");
  for (std::size_t i = 0; i < edits.size() && i < max_named; ++i) {
    text.append(i == 0 ? ": " : ", ").append(name_of(edits[i].action)).append(" ");
    text.append(short_path(edits[i].target_path.text()));
  }
  if (edits.size() > max_named) text += joined({" and ", edits.size() - max_named, " more"});
  return text;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
