// nearest: the known names closest to one that was not found, for error text.
// In: a name and the candidates. Out: "; did you mean 'a' or 'b'?", or nothing.
// Never on a path that succeeds.
#pragma once

#include <thriftlens/core/config.hpp>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {
/// Edits (insert, delete, replace; case counts half) between two names, doubled. Algorithm: Wagner and Fischer.
[[nodiscard]] inline std::size_t edit_distance(std::string_view left, std::string_view right) {
  auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; };
  std::vector<std::size_t> row(right.size() + 1);
  for (std::size_t j = 0; j <= right.size(); ++j) row[j] = 2 * j;
  for (std::size_t i = 1; i <= left.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = 2 * i;
    for (std::size_t j = 1; j <= right.size(); ++j) {
      const char a = left[i - 1], b = right[j - 1];
      const std::size_t change = a == b ? 0 : lower(a) == lower(b) ? 1 : 2;
      const std::size_t best = std::min({diagonal + change, row[j] + 2, row[j - 1] + 2});
      diagonal = std::exchange(row[j], best);
    }
  }
  return row[right.size()];
}
}  // namespace detail

/// Up to three names within a third of the length, nearest first. O(candidates x length squared), lengths up to 64.
[[nodiscard]] inline std::string did_you_mean(std::string_view name, std::span<const std::string> known) {
  constexpr std::size_t longest = 64, most_candidates = 4096;
  if (name.size() > longest) return {};
  std::vector<std::pair<std::size_t, std::string_view>> near;
  for (const std::string& each : known.first(std::min(known.size(), most_candidates))) {
    if (each.size() > longest) continue;
    std::size_t distance = detail::edit_distance(name, each);
    const std::size_t dot = each.rfind('.');
    if (dot != std::string::npos) distance = std::min(distance, detail::edit_distance(name, std::string_view(each).substr(dot + 1)) + 1);
    if (distance <= std::max<std::size_t>(2, name.size() * 2 / 3)) near.emplace_back(distance, each);
  }
  std::stable_sort(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::string text;
  for (std::size_t i = 0; i < near.size() && i < 3; ++i) {
    text += i == 0 ? "; did you mean '" : " or '";
    text += near[i].second;
    text += '\'';
  }
  return text.empty() ? text : text + '?';
}

}  // namespace thriftlens
