// findings: collects the errors and warnings of one load.
#pragma once

#include <thriftlens/core/small_algorithm.hpp>
#include <thriftlens/core/utf8.hpp>
#include <thriftlens/idl/message.hpp>
#include <thriftlens/idl/options.hpp>
#include <thriftlens/idl/program.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::idl {

/// Keeps the first `limit` errors and as many warnings; the rest is only counted.
class findings {
 public:
  explicit findings(std::uint32_t limit) noexcept : limit_(limit == 0 ? 1 : limit) {}

  /// `kind` and `text` are literals; `text` has a '%' for every argument.
  void error(const char* kind, std::uint32_t program, position where, const char* text,
             message_args args = {}) {
    if (errors_++ < limit_) add(level::error, kind, program, where, compose(text, args));
  }
  void warning(const char* kind, std::uint32_t program, position where, const char* text,
               message_args args = {}) {
    if (warnings_++ < limit_) add(level::warning, kind, program, where, compose(text, args));
  }
  [[nodiscard]] bool failed() const noexcept { return errors_ != 0; }
  [[nodiscard]] std::size_t errors() const noexcept { return errors_; }

  /// Appends the retained findings by program, line and column, and the number of omitted errors. Linear in
  /// the sources.
  THRIFTLENS_COLD void append_to(std::vector<diagnostic>& to, const std::vector<program>& programs) const {
    line_walk lines;
    for (const std::size_t at : order())
      to.push_back(write(findings_[at], programs[findings_[at].program], lines));
    if (errors_ > limit_) add_count_of_cut(to);
  }
  [[nodiscard]] std::vector<diagnostic> diagnostics(const std::vector<program>& programs) const {
    std::vector<diagnostic> result;
    append_to(result, programs);
    return result;
  }

 private:
  using level = diagnostic::level;
  struct finding {
    level severity;
    const char* kind;
    std::uint32_t program;
    position where;
    std::string message;
  };
  THRIFTLENS_COLD void add(level severity, const char* kind, std::uint32_t program, position where,
                           std::string message) {
    findings_.push_back({severity, kind, program, where, std::move(message)});
  }
  /// Positions in findings_ by program, line and column.
  [[nodiscard]] THRIFTLENS_COLD std::vector<std::size_t> order() const {
    // Sorts by position, then by program.
    std::vector<std::uint64_t> keys;
    for (const finding& entry : findings_) keys.push_back(entry.where.order_key());
    const std::vector<std::size_t> by_position = thriftlens::detail::order_of(keys.data(), keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = findings_[by_position[i]].program;
    std::vector<std::size_t> sorted = thriftlens::detail::order_of(keys.data(), keys.size());
    for (std::size_t& at : sorted) at = by_position[at];
    return sorted;
  }
  /// As a warning at the position of the last finding.
  THRIFTLENS_COLD void add_count_of_cut(std::vector<diagnostic>& to) const {
    diagnostic cut = to.back();
    cut.severity = level::warning;
    cut.kind = "cut";
    cut.message = compose("% more errors are not shown", {errors_ - limit_});
    to.push_back(std::move(cut));
  }
  /// Where a line begins; walks forward only, as sorted findings need.
  struct line_walk {
    const program* in = nullptr;
    std::uint32_t line = 1;
    std::size_t begin = 0;

    THRIFTLENS_COLD void seek(const program& source_program, std::uint32_t target_line) {
      if (in != &source_program) {
        in = &source_program;
        line = 1;
        begin = source_program.source.starts_with("\xEF\xBB\xBF") ? 3 : 0;
      }
      while (line < target_line && begin < source_program.source.size()) {
        std::size_t stop = line_end(source_program.source, begin);
        if (stop == source_program.source.size()) break;
        begin = stop + (source_program.source.substr(stop, 2) == "\r\n" ? 2 : 1);
        ++line;
      }
    }
    [[nodiscard]] std::string_view line_of(const program& source_program, std::uint32_t target_line) {
      seek(source_program, target_line);
      return source_program.source.substr(begin, line_end(source_program.source, begin) - begin);
    }
    static std::size_t line_end(std::string_view text, std::size_t from) {
      while (from < text.size() && text[from] != '\n' && text[from] != '\r') ++from;
      return from;
    }
  };

  /// Replaces control characters and invalid UTF-8 with '?', so that findings are printable in any language.
  THRIFTLENS_COLD static std::string printable(std::string_view text) {
    std::string clean(text);
    for (std::size_t at = 0; at < clean.size();) {
      const std::size_t length = thriftlens::detail::utf8_length(std::string_view(clean).substr(at));
      const bool control = static_cast<unsigned char>(clean[at]) < ' ' && clean[at] != '\t';
      if (length == 0 || control) clean[at] = '?';
      at += length == 0 ? 1 : length;
    }
    return clean;
  }
  THRIFTLENS_COLD static diagnostic write(const finding& from, const program& in, line_walk& lines) {
    diagnostic to;
    to.severity = from.severity;
    to.kind = from.kind;
    to.file = in.file;
    to.line = from.where.line;
    to.column = from.where.column;
    to.message = printable(from.message);
    show(lines.line_of(in, to.line), to);
    return to;
  }
  /// The part of the line around the column. A minified file may be one line of megabytes.
  THRIFTLENS_COLD static void show(std::string_view line, diagnostic& to) {
    constexpr std::size_t before_caret = 80, max_size = 160;
    const std::size_t caret =
        thriftlens::detail::least<std::size_t>(to.column == 0 ? 0 : to.column - 1, line.size());
    const std::size_t first = caret > before_caret ? caret - before_caret : 0;
    to.source = printable(line.substr(first, max_size));
    to.caret = static_cast<std::uint32_t>(caret - first);
  }

  std::uint32_t limit_;
  std::size_t errors_ = 0;
  std::size_t warnings_ = 0;
  std::vector<finding> findings_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::idl
