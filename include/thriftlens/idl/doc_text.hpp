// doc_text: the words of a doc comment.
// In: what stands between `/**` and `*/`. Out: the text without stars and common indentation.
// Never copies a comment of one line.
#pragma once

#include <thriftlens/core/arena.hpp>

#include <cstddef>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::idl {

namespace detail {

[[nodiscard]] inline std::string_view trim_right(std::string_view text) noexcept {
  std::size_t last = text.find_last_not_of(" \t\r\n\v\f");
  return last == std::string_view::npos ? std::string_view() : text.substr(0, last + 1);
}
[[nodiscard]] inline std::string_view trim(std::string_view text) noexcept {
  text = trim_right(text);
  std::size_t first = text.find_first_not_of(" \t\r\n\v\f");
  return first == std::string_view::npos ? std::string_view() : text.substr(first);
}
/// Takes the first line off `text`; the line comes without its end.
[[nodiscard]] inline std::string_view take_line(std::string_view& text) noexcept {
  std::size_t stop = text.find_first_of("\r\n");
  std::string_view line = text.substr(0, stop);
  if (stop == std::string_view::npos) {
    text = {};
  } else {
    text.remove_prefix(stop + (text.substr(stop, 2) == "\r\n" ? 2 : 1));
  }
  return line;
}
/// A line without its indentation, leading star and trailing blanks; what follows the star keeps its own indentation.
[[nodiscard]] inline std::string_view without_star(std::string_view line) noexcept {
  line = trim_right(line);
  std::size_t star = line.find_first_not_of(" \t");
  if (star == std::string_view::npos || line[star] != '*') return line;
  return line.substr(star + 1);
}
[[nodiscard]] inline std::size_t indentation(std::string_view line) noexcept {
  std::size_t first = line.find_first_not_of(" \t");
  return first == std::string_view::npos ? line.size() : first;
}

}  // namespace detail

/// Lines joined by '\n', without leading and trailing empty ones. Linear; lives in the arena or the comment itself.
[[nodiscard]] inline std::string_view clean_doc_text(std::string_view comment, arena& memory) {
  while (!comment.empty() && comment.back() == '*') comment.remove_suffix(1);
  std::string_view whole = detail::trim(comment);
  if (whole.find_first_of("\r\n") == std::string_view::npos) {
    while (!whole.empty() && whole.front() == '*') whole.remove_prefix(1);
    return detail::trim(whole);
  }
  std::size_t shared = static_cast<std::size_t>(-1);
  std::string_view rest = comment;
  std::string_view first = detail::take_line(rest);
  for (std::string_view left = rest; !left.empty();) {
    std::string_view line = detail::without_star(detail::take_line(left));
    if (!line.empty() && detail::indentation(line) < shared) shared = detail::indentation(line);
  }
  auto* begin = static_cast<char*>(memory.allocate(comment.size() + 1, 1));
  char* to = begin;
  auto put = [&to](std::string_view line) {
    line.copy(to, line.size());
    to += line.size();
    *to++ = '\n';
  };
  if (first = detail::trim(first); first.find_first_not_of('*') != std::string_view::npos) put(first);
  while (!rest.empty()) {
    std::string_view line = detail::without_star(detail::take_line(rest));
    put(line.substr(line.size() < shared ? line.size() : shared));
  }
  std::string_view text(begin, static_cast<std::size_t>(to - begin));
  text = detail::trim_right(text);
  text.remove_prefix(text.find_first_not_of('\n') == std::string_view::npos ? text.size() : text.find_first_not_of('\n'));
  return text;
}

}  // namespace thriftlens::idl
