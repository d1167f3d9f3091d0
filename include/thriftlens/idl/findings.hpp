// findings: collects the errors and warnings of one load.
#pragma once

#include <thriftlens/core/pod_vector.hpp>
#include <thriftlens/core/small_algorithm.hpp>
#include <thriftlens/core/utf8.hpp>
#include <thriftlens/idl/message.hpp>
#include <thriftlens/idl/options.hpp>
#include <thriftlens/idl/program.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::idl {

/// Keeps the first `limit` errors and as many warnings; the rest is only counted.
class findings {
 public:
  explicit findings(std::uint32_t limit) noexcept : limit_(limit == 0 ? 1 : limit) {}
  /// Further errors are only counted.
  [[nodiscard]] bool is_full() const noexcept { return errors_ >= limit_; }

  /// `kind` and `text` are literals; `text` has a '%' for every argument.
  THRIFTLENS_COLD void error(const char* kind, std::uint32_t program, position where, const char* text,
                             message_args args = {}) {
    if (errors_++ < limit_) add(level::error, kind, program, where, text, args);
  }
  THRIFTLENS_COLD void warning(const char* kind, std::uint32_t program, position where, const char* text,
                               message_args args = {}) {
    if (warnings_++ < limit_) add(level::warning, kind, program, where, text, args);
  }
  [[nodiscard]] bool failed() const noexcept { return errors_ != 0; }
  [[nodiscard]] std::size_t errors() const noexcept { return errors_; }

  /// The retained findings by program, line and column, and the number of omitted errors. Linear in the
  /// sources.
  [[nodiscard]] THRIFTLENS_COLD std::vector<diagnostic> diagnostics(std::span<const program> programs) const {
    const bool is_cut = errors_ > limit_;
    // Of its final size, because a vector that grows is more code than all else here.
    std::vector<diagnostic> result(findings_.size() + (is_cut ? 1 : 0));
    line_walk lines;
    std::size_t count = 0;
    for (const std::uint32_t at : order()) {
      write(findings_[at], programs[findings_[at].program], lines, result[count++]);
    }
    if (is_cut) write_count_of_cut(result[count - 1], result[count]);
    return result;
  }

 private:
  template <class T>
  using pod_vector = thriftlens::detail::pod_vector<T>;

  using level = diagnostic::level;
  struct finding {
    level severity;
    const char* kind;
    std::uint32_t program;
    position where;
    std::size_t message_begin, message_size;  ///< in messages_
  };
  THRIFTLENS_COLD void add(level severity, const char* kind, std::uint32_t program, position where,
                           const char* text, message_args args) {
    const std::size_t begin = messages_.size();
    append_message(messages_, text, args);
    findings_.push_back({severity, kind, program, where, begin, messages_.size() - begin});
  }
  /// Positions in findings_ by program, line and column.
  [[nodiscard]] THRIFTLENS_COLD pod_vector<std::uint32_t> order() const {
    // Sorts by position, then by program.
    pod_vector<std::uint64_t> keys;
    for (const finding& entry : findings_) keys.push_back(entry.where.order_key());
    pod_vector<std::uint32_t> by_position, sorted;
    thriftlens::detail::order_of(keys, by_position);
    for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = findings_[by_position[i]].program;
    thriftlens::detail::order_of(keys, sorted);
    for (std::uint32_t& at : sorted) at = by_position[at];
    return sorted;
  }
  /// A warning at the position of the last finding.
  THRIFTLENS_COLD void write_count_of_cut(const diagnostic& last, diagnostic& to) const {
    to = last;
    to.severity = level::warning;
    to.kind = "cut";
    to.message = compose("% more errors are not shown", {errors_ - limit_});
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
  THRIFTLENS_COLD void write(const finding& from, const program& in, line_walk& lines, diagnostic& to) const {
    to.severity = from.severity;
    to.kind = from.kind;
    to.file = in.file;
    to.line = from.where.line;
    to.column = from.where.column;
    to.message = printable(std::string_view(messages_).substr(from.message_begin, from.message_size));
    show(lines.line_of(in, to.line), to);
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
  pod_vector<finding> findings_;
  std::string messages_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::idl
