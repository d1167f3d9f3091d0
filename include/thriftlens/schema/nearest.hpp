// nearest: the known names closest to one that was not found, for error text.
// In: a name and the candidates. Out: "; did you mean 'a' or 'b'?", or nothing.
// Never on a path that succeeds; never slower than a few milliseconds, however many and long the names are.
#pragma once

#include <thriftlens/core/config.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {
inline constexpr std::size_t longest_compared = 64;

/// Edits between two names of at most longest_compared bytes, doubled: insert, delete, replace and swap of
/// neighbours count 2, another case counts 1, also where all letters have one. Anything above `most` where it
/// is more. Algorithm: optimal string alignment.
[[nodiscard]] inline std::uint32_t edit_distance(std::string_view left, std::string_view right,
                                                 std::uint32_t most) noexcept {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; };
  const auto same = [&](char a, char b) { return lower(a) == lower(b); };
  if (std::equal(left.begin(), left.end(), right.begin(), right.end(), same)) return left == right ? 0 : 1;
  using row = std::array<std::uint32_t, longest_compared + 1>;
  row rows[3];
  for (std::size_t j = 0; j <= right.size(); ++j) rows[0][j] = static_cast<std::uint32_t>(2 * j);
  std::uint32_t least_before = 0;
  for (std::size_t i = 1; i <= left.size(); ++i) {
    const row &above = rows[(i - 1) % 3], &second_above = rows[(i + 1) % 3];
    row& own = rows[i % 3];
    own[0] = static_cast<std::uint32_t>(2 * i);
    std::uint32_t least = own[0];
    const char a = left[i - 1];
    for (std::size_t j = 1; j <= right.size(); ++j) {
      const char b = right[j - 1];
      const std::uint32_t change = a == b ? 0 : same(a, b) ? 1 : 2;
      std::uint32_t best = std::min({above[j - 1] + change, above[j] + 2, own[j - 1] + 2});
      if (i > 1 && j > 1 && same(a, right[j - 2]) && same(left[i - 2], b))
        best = std::min(best, second_above[j - 2] + 2);
      own[j] = best;
      least = std::min(least, best);
    }
    if (least > most && least_before > most) return least;
    least_before = least;
  }
  return rows[left.size() % 3][right.size()];
}
}  // namespace detail

/// Gathers the up to three names nearest to one that was not found: within a third of its length, or one
/// edit.
class nearest_names {
 public:
  explicit nearest_names(std::string_view wanted) noexcept
      : wanted_(wanted), plain_(wanted.substr(wanted.rfind('.') + 1)) {}

  /// Considers `prefix.name`, or `name` where the prefix is empty. Both must live until text().
  void offer(std::string_view name, std::string_view prefix = {}) {
    std::uint32_t distance = prefix.empty() ? between(wanted_, name)
                                            : between(wanted_, std::string(prefix) + '.' + std::string(name));
    if (!prefix.empty() || plain_.size() != wanted_.size()) {
      if (const std::uint32_t plain = between(plain_, name); plain != far)
        distance = std::min(distance, plain + 1);
    }
    if (distance == far) return;
    const auto behind =
        std::find_if(near_.begin(), near_.end(), [&](const known& each) { return each.distance > distance; });
    near_.insert(behind, {distance, name, prefix});
    if (near_.size() > 3) near_.pop_back();
  }
  /// "; did you mean 'a' or 'b' or 'c'?", nearest first, or nothing.
  [[nodiscard]] std::string text() const {
    std::string text;
    for (const known& each : near_) {
      text += text.empty() ? "; did you mean '" : " or '";
      if (!each.prefix.empty()) text.append(each.prefix) += '.';
      text.append(each.name) += '\'';
    }
    return text.empty() ? text : text + '?';
  }

 private:
  struct known {
    std::uint32_t distance;
    std::string_view name, prefix;
  };

  static constexpr std::uint32_t far = 0xffffffffu;

  std::uint32_t between(std::string_view wanted, std::string_view name) noexcept {
    const auto most = static_cast<std::uint32_t>(std::max<std::size_t>(2, wanted.size() * 2 / 3));
    const std::size_t shorter = std::min(wanted.size(), name.size()),
                      longer = std::max(wanted.size(), name.size());
    if (shorter == 0 || longer > detail::longest_compared || 2 * (longer - shorter) > most ||
        work_ > most_work)
      return far;
    work_ += shorter * longer;
    const std::uint32_t distance = detail::edit_distance(wanted, name, most);
    return distance <= most ? distance : far;
  }

  static constexpr std::size_t most_work = std::size_t{1} << 22;  // compared letters

  std::string_view wanted_;
  std::string_view plain_;  // without its prefix
  std::size_t work_ = 0;
  std::vector<known> near_;
};

/// What nearest_names says of names that hold their prefix.
[[nodiscard]] inline std::string did_you_mean(std::string_view name, std::span<const std::string> known) {
  nearest_names near(name);
  for (const std::string_view each : known) {
    const std::size_t dot = each.rfind('.');
    if (dot == std::string_view::npos)
      near.offer(each);
    else
      near.offer(each.substr(dot + 1), each.substr(0, dot));
  }
  return near.text();
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
