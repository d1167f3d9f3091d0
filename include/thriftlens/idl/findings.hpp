// findings: collects the errors and warnings of one load.
#pragma once

#include <thriftlens/core/quote.hpp>
#include <thriftlens/core/utf8.hpp>
#include <thriftlens/idl/options.hpp>
#include <thriftlens/idl/program.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::idl {

/// Keeps the first `limit` errors and as many warnings; the rest is only counted.
class findings {
 public:
  explicit findings(std::uint32_t limit) noexcept : limit_(limit == 0 ? 1 : limit) {}

  THRIFTLENS_COLD void error(std::string_view kind, std::uint32_t program, position where,
                             std::string message) {
    if (errors_++ < limit_) findings_.push_back({level::error, kind, program, where, std::move(message)});
  }
  THRIFTLENS_COLD void warning(std::string_view kind, std::uint32_t program, position where,
                               std::string message) {
    if (warnings_++ < limit_) findings_.push_back({level::warning, kind, program, where, std::move(message)});
  }
  [[nodiscard]] bool failed() const noexcept { return errors_ != 0; }
  [[nodiscard]] std::size_t errors() const noexcept { return errors_; }

  /// The retained findings by program, line and column, and the number of omitted errors. Linear in the
  /// sources.
  [[nodiscard]] std::vector<diagnostic> diagnostics(const std::vector<program>& programs) {
    std::vector<diagnostic> result;
    if (findings_.empty()) return result;
    std::stable_sort(findings_.begin(), findings_.end(), is_before);
    if (errors_ > limit_) add_count_of_cut(findings_.back());
    line_walk lines;
    for (const finding& entry : findings_) result.push_back(write(entry, programs[entry.program], lines));
    return result;
  }

 private:
  using level = diagnostic::level;
  struct finding {
    level severity;
    std::string_view kind;  ///< a literal
    std::uint32_t program;
    position where;
    std::string message;
  };
  void add_count_of_cut(finding last) {
    last.severity = level::warning;
    last.kind = "cut";
    last.message = std::to_string(errors_ - limit_) + " more errors are not shown";
    findings_.push_back(std::move(last));
  }
  static bool is_before(const finding& lhs, const finding& rhs) noexcept {
    return std::tie(lhs.program, lhs.where) < std::tie(rhs.program, rhs.where);
  }
  /// Where a line begins; walks forward only, as sorted findings need.
  struct line_walk {
    const program* in = nullptr;
    std::uint32_t line = 1;
    std::size_t begin = 0;

    void seek(const program& source_program, std::uint32_t target_line) {
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
  static std::string printable(std::string_view text) {
    std::string clean(text);
    for (std::size_t at = 0; at < clean.size();) {
      const std::size_t length = thriftlens::detail::utf8_length(std::string_view(clean).substr(at));
      const bool control = static_cast<unsigned char>(clean[at]) < ' ' && clean[at] != '\t';
      if (length == 0 || control) clean[at] = '?';
      at += length == 0 ? 1 : length;
    }
    return clean;
  }
  static diagnostic write(const finding& from, const program& in, line_walk& lines) {
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
  static void show(std::string_view line, diagnostic& to) {
    constexpr std::size_t before_caret = 80, max_size = 160;
    const std::size_t caret = (std::min<std::size_t>)(to.column == 0 ? 0 : to.column - 1, line.size());
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
