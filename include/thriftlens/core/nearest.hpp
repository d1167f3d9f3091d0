// nearest: suggests known names for an unknown one in error texts. Takes at most a few milliseconds.
#pragma once

#include <thriftlens/core/joined.hpp>
#include <thriftlens/core/pod_vector.hpp>
#include <thriftlens/core/small_algorithm.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

inline constexpr std::size_t max_compared = 64;

[[nodiscard]] constexpr char lower_case(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
}
[[nodiscard]] constexpr bool same_letter(char lhs, char rhs) noexcept {
  return lower_case(lhs) == lower_case(rhs);
}
[[nodiscard]] constexpr bool same_letters(std::string_view lhs, std::string_view rhs) noexcept {
  if (lhs.size() != rhs.size()) return false;
  for (std::size_t i = 0; i < lhs.size(); ++i)
    if (!same_letter(lhs[i], rhs[i])) return false;
  return true;
}

/// Doubled edit distance of two names of at most max_compared bytes: insert, delete, replace and swap of
/// neighbours count 2, a change of case 1, also of all letters. Some value above `max` if it is more.
/// Algorithm: optimal string alignment.
class edit_distance_table {
 public:
  edit_distance_table(std::string_view lhs, std::string_view rhs) noexcept : lhs_(lhs), rhs_(rhs) {}

  [[nodiscard]] THRIFTLENS_COLD std::uint32_t distance(std::uint32_t max) noexcept {
    if (same_letters(lhs_, rhs_)) return lhs_ == rhs_ ? 0 : 1;
    std::uint32_t least_before = 0;
    for (std::size_t i = 0; i <= lhs_.size(); ++i) {
      fill_row(i);
      std::uint32_t least = 0xffffffffu;
      for (const std::uint32_t cell : used(row(i))) least = detail::least(least, cell);
      if (least > max && least_before > max) return least;
      least_before = least;
    }
    return row(lhs_.size())[rhs_.size()];
  }

 private:
  using row_type = std::array<std::uint32_t, max_compared + 1>;

  [[nodiscard]] row_type& row(std::size_t i) noexcept { return rows_[i % 3]; }
  [[nodiscard]] std::span<const std::uint32_t> used(const row_type& row) const noexcept {
    return std::span(row).first(rhs_.size() + 1);
  }
  THRIFTLENS_COLD void fill_row(std::size_t i) noexcept {
    for (std::size_t j = 0; j <= rhs_.size(); ++j) row(i)[j] = edits(i, j);
  }
  // Between the first i and the first j letters.
  [[nodiscard]] std::uint32_t edits(std::size_t i, std::size_t j) noexcept {
    if (i == 0 || j == 0) return static_cast<std::uint32_t>(2 * (i + j));
    const row_type& last = row(i - 1);
    const std::uint32_t least_here = least(last[j - 1] + change(i, j), least(last[j], row(i)[j - 1]) + 2);
    return is_swap(i, j) ? least(least_here, row(i - 2)[j - 2] + 2) : least_here;
  }
  [[nodiscard]] std::uint32_t change(std::size_t i, std::size_t j) const noexcept {
    const char lhs = lhs_[i - 1], rhs = rhs_[j - 1];
    if (lhs == rhs) return 0;
    return same_letter(lhs, rhs) ? 1 : 2;
  }
  [[nodiscard]] bool is_swap(std::size_t i, std::size_t j) const noexcept {
    return i > 1 && j > 1 && same_letter(lhs_[i - 1], rhs_[j - 2]) && same_letter(lhs_[i - 2], rhs_[j - 1]);
  }

  std::string_view lhs_, rhs_;
  row_type rows_[3];
};
[[nodiscard]] inline std::uint32_t edit_distance(std::string_view lhs, std::string_view rhs,
                                                 std::uint32_t max) noexcept {
  return edit_distance_table(lhs, rhs).distance(max);
}

/// Collects up to three names nearest to an unknown one: within a third of its length, or one edit.
class nearest_names {
 public:
  explicit nearest_names(std::string_view requested) noexcept
      : requested_(requested), plain_(requested.substr(requested.rfind('.') + 1)) {}

  /// Considers `prefix.name`, or `name` if the prefix is empty. Both must be valid until text().
  THRIFTLENS_COLD void offer(std::string_view name, std::string_view prefix = {}) {
    const std::uint32_t distance = distance_to(name, prefix);
    if (distance == too_far) return;
    std::size_t position = 0;
    while (position != near_.size() && near_[position].distance <= distance) ++position;
    near_.insert(position, {distance, name, prefix});
    if (near_.size() > 3) near_.pop_back();
  }
  /// "; did you mean 'a' or 'b' or 'c'?", nearest first, or nothing.
  [[nodiscard]] THRIFTLENS_COLD std::string text() const {
    std::string text;
    for (const known& candidate : near_) {
      text += text.empty() ? "; did you mean '" : " or '";
      if (!candidate.prefix.empty()) text.append(candidate.prefix) += '.';
      text.append(candidate.name) += '\'';
    }
    return text.empty() ? text : text + '?';
  }

 private:
  struct known {
    std::uint32_t distance;
    std::string_view name, prefix;
  };

  static constexpr std::uint32_t too_far = 0xffffffffu;

  // With its prefix, or without one at the cost of half an edit.
  [[nodiscard]] THRIFTLENS_COLD std::uint32_t distance_to(std::string_view name, std::string_view prefix) {
    if (prefix.empty() && plain_.size() == requested_.size()) return between(requested_, name);
    const std::uint32_t qualified =
        prefix.empty() ? between(requested_, name) : between(requested_, joined({prefix, '.', name}));
    const std::uint32_t plain = between(plain_, name);
    return plain == too_far ? qualified : detail::least(qualified, plain + 1);
  }
  [[nodiscard]] std::uint32_t between(std::string_view requested, std::string_view name) noexcept {
    const std::size_t max = detail::greatest<std::size_t>(2, requested.size() * 2 / 3);
    const std::size_t shorter = detail::least(requested.size(), name.size());
    const std::size_t longer = detail::greatest(requested.size(), name.size());
    const bool comparable = shorter != 0 && longer <= detail::max_compared && work_ <= max_work;
    if (!comparable || 2 * (longer - shorter) > max) return too_far;
    work_ += shorter * longer;
    const auto distance = detail::edit_distance(requested, name, static_cast<std::uint32_t>(max));
    return distance <= max ? distance : too_far;
  }

  static constexpr std::size_t max_work = std::size_t{1} << 22;  // compared letters

  std::string_view requested_;
  std::string_view plain_;  // without its prefix
  std::size_t work_ = 0;
  pod_vector<known> near_;
};

/// The suggestions of nearest_names for qualified names.
[[nodiscard]] inline std::string did_you_mean(std::string_view name, std::span<const std::string> known) {
  nearest_names nearest(name);
  for (const std::string_view full_name : known) {
    const std::size_t dot = full_name.rfind('.');
    if (dot == std::string_view::npos)
      nearest.offer(full_name);
    else
      nearest.offer(full_name.substr(dot + 1), full_name.substr(0, dot));
  }
  return nearest.text();
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
