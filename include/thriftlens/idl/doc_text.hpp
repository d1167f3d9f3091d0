// doc_text: extracts the text of a doc comment.
#pragma once

#include <thriftlens/core/arena.hpp>
#include <thriftlens/core/small_algorithm.hpp>

#include <cstddef>
#include <cstring>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::idl {

namespace detail {

[[nodiscard]] constexpr bool is_blank(char c) noexcept { return c == ' ' || (c >= '\t' && c <= '\r'); }

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
/// A line without indentation, leading star and trailing blanks; indentation after the star remains.
[[nodiscard]] constexpr std::string_view without_star(std::string_view line) noexcept {
  line = trim_right(line);
  const std::size_t star = indentation(line);
  return star < line.size() && line[star] == '*' ? line.substr(star + 1) : line;
}

/// A comment without the stars of its delimiters.
[[nodiscard]] constexpr std::string_view without_stars(std::string_view text) noexcept {
  while (!text.empty() && text.back() == '*') text.remove_suffix(1);
  while (!text.empty() && text.front() == '*') text.remove_prefix(1);
  return text;
}

class doc_lines {
 public:
  explicit doc_lines(std::string_view text) noexcept
      : rest_(text), end_(text.find('\n') == std::string_view::npos ? '\r' : '\n') {}

  [[nodiscard]] bool at_end() const noexcept { return rest_.empty(); }
  /// The next line without its line end; trailing blanks, including the CR of CRLF, are removed.
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

/// Joins lines; skips leading empty lines.
class doc_writer {
 public:
  /// `to` must have capacity for all lines and their ends.
  explicit doc_writer(char* to) noexcept : begin_(to), to_(to) {}

  void put(std::string_view line) noexcept {
    if (line.empty() && to_ == begin_) return;
    std::memcpy(to_, line.data(), line.size());
    to_ += line.size();
    *to_++ = '\n';
  }
  /// Appends the remaining lines without that much of their indentation.
  void put_rest(doc_lines lines, std::size_t indentation) noexcept {
    while (!lines.at_end()) {
      const std::string_view line = without_star(lines.next());
      put(line.substr(thriftlens::detail::least(line.size(), indentation)));
    }
  }
  [[nodiscard]] std::string_view text() const noexcept {
    return trim_right({begin_, static_cast<std::size_t>(to_ - begin_)});
  }

 private:
  char* begin_;
  char* to_;
};

/// Common indentation of all lines, at most `max`.
[[nodiscard]] inline std::size_t shared_indentation(doc_lines lines, std::size_t max) {
  while (!lines.at_end()) {
    const std::string_view line = without_star(lines.next());
    if (!line.empty()) max = thriftlens::detail::least(max, indentation(line));
  }
  return max;
}

}  // namespace detail

/// Lines joined by '\n', without leading and trailing empty ones. Linear; lives in the arena or the comment
/// itself.
[[nodiscard]] THRIFTLENS_COLD inline std::string_view clean_doc_text(std::string_view comment,
                                                                     arena& memory) {
  comment = detail::trim_right(detail::without_stars(comment));
  detail::doc_lines lines(comment);
  const std::string_view first = detail::trim(lines.next());
  if (lines.at_end()) return first;
  detail::doc_writer writer(static_cast<char*>(memory.allocate(comment.size() + 1, 1)));
  writer.put(first);
  writer.put_rest(lines, detail::shared_indentation(lines, comment.size()));
  return writer.text();
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::idl
