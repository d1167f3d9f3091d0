// doc_text: the words of a doc comment.
// In: what stands between `/**` and `*/`. Out: the text without stars and common indentation.
// Never copies a comment of one line.
#pragma once

#include <thriftlens/core/arena.hpp>

#include <cstddef>
#include <cstring>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::idl {

namespace detail {

[[nodiscard]] constexpr bool is_blank(char each) noexcept {
  return each == ' ' || (each >= '\t' && each <= '\r');
}

[[nodiscard]] constexpr std::string_view trim_right(std::string_view text) noexcept {
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}
[[nodiscard]] constexpr std::string_view trim(std::string_view text) noexcept {
  text = trim_right(text);
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  return text;
}
[[nodiscard]] constexpr std::size_t indentation(std::string_view line) noexcept {
  std::size_t at = 0;
  while (at < line.size() && is_blank(line[at])) ++at;
  return at;
}
/// A line without its indentation, leading star and trailing blanks; what follows the star keeps its own
/// indentation.
[[nodiscard]] constexpr std::string_view without_star(std::string_view line) noexcept {
  line = trim_right(line);
  const std::size_t star = indentation(line);
  return star < line.size() && line[star] == '*' ? line.substr(star + 1) : line;
}

/// The lines of a comment, one after the other.
class doc_lines {
 public:
  explicit doc_lines(std::string_view text) noexcept
      : rest_(text), end_(text.find('\n') == std::string_view::npos ? '\r' : '\n') {}

  [[nodiscard]] bool done() const noexcept { return rest_.empty(); }
  /// Without its end; a CR before an LF goes with the trailing blanks.
  [[nodiscard]] std::string_view next() noexcept {
    const std::size_t stop = rest_.find(end_);
    const std::string_view line = rest_.substr(0, stop);
    rest_.remove_prefix(stop == std::string_view::npos ? rest_.size() : stop + 1);
    return line;
  }

 private:
  std::string_view rest_;
  char end_;
};

}  // namespace detail

/// Lines joined by '\n', without leading and trailing empty ones. Linear; lives in the arena or the comment
/// itself.
[[nodiscard]] inline std::string_view clean_doc_text(std::string_view comment, arena& memory) {
  while (!comment.empty() && comment.back() == '*') comment.remove_suffix(1);
  while (!comment.empty() && comment.front() == '*') comment.remove_prefix(1);
  comment = detail::trim_right(comment);
  detail::doc_lines lines(comment);
  const std::string_view first = detail::trim(lines.next());
  if (lines.done()) return first;

  std::size_t shared = comment.size();
  for (detail::doc_lines each = lines; !each.done();) {
    const std::string_view line = detail::without_star(each.next());
    if (!line.empty() && detail::indentation(line) < shared) shared = detail::indentation(line);
  }
  auto* const begin = static_cast<char*>(memory.allocate(comment.size() + 1, 1));
  char* to = begin;
  auto put = [&to, begin](std::string_view line) {
    if (line.empty() && to == begin) return;
    std::memcpy(to, line.data(), line.size());
    to += line.size();
    *to++ = '\n';
  };
  if (!first.empty()) put(first);
  while (!lines.done()) {
    const std::string_view line = detail::without_star(lines.next());
    put(line.substr(line.size() < shared ? line.size() : shared));
  }
  return detail::trim_right({begin, static_cast<std::size_t>(to - begin)});
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::idl
