// redact_action: bodies of redact_action.hpp.
#pragma once

#include <thriftlens/policy/redact_action.hpp>

#include <thriftlens/core/joined.hpp>

#include <charconv>
#include <cstddef>
#include <iterator>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

inline constexpr std::string_view action_words[] = {"keep", "drop", "blank", "hash"};  // by form

[[nodiscard]] THRIFTLENS_BODY bool read_count(std::string_view text, std::uint32_t& number) noexcept {
  const char* const last = text.data() + text.size();
  const auto [end, code] = std::from_chars(text.data(), last, number);
  return code == std::errc() && end == last && !text.empty();
}
[[nodiscard]] THRIFTLENS_BODY bool read_argument(std::string_view written, std::string_view name,
                                                 std::string_view& inside) noexcept {
  if (!written.starts_with(name)) return false;
  written.remove_prefix(name.size());
  if (written.size() < 2 || written.front() != '(' || written.back() != ')') return false;
  inside = written.substr(1, written.size() - 2);
  return true;
}

THRIFTLENS_COLD THRIFTLENS_BODY result<redact_action> redact_action::try_parse(std::string_view written) {
  for (std::uint8_t i = 0; i < std::size(detail::action_words); ++i) {
    if (written == detail::action_words[i]) return redact_action{.kind = static_cast<form>(i)};
  }
  std::string_view inside;
  if (detail::read_argument(written, "constant", inside))
    return redact_action{.kind = form::constant, .text = std::string(inside)};
  redact_action action{.kind = form::keep_last};
  if (detail::read_argument(written, "keep_last", inside) && detail::read_count(inside, action.last))
    return action;
  constexpr const char* choice = "' is not keep, drop, blank, hash, keep_last(n) or constant(text)";
  return error(errc::bad_rule, joined({"'", written, choice}));
}
THRIFTLENS_BODY bool redact_action::is_stricter_than(const redact_action& other) const noexcept {
  constexpr std::uint8_t ranks[] = {0, 5, 4, 2, 1, 3};  // by form
  const std::uint8_t rank = ranks[static_cast<std::size_t>(kind)];
  const std::uint8_t other_rank = ranks[static_cast<std::size_t>(other.kind)];
  if (rank != other_rank) return rank > other_rank;
  return kind == form::keep_last && last < other.last;
}
THRIFTLENS_COLD THRIFTLENS_BODY std::string redact_action::to_string() const {
  if (kind == form::constant) return joined({"constant(", text, ')'});
  if (kind == form::keep_last) return joined({"keep_last(", last, ')'});
  return std::string(detail::action_words[static_cast<std::size_t>(kind)]);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
