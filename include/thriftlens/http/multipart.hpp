// multipart: the fields of a multipart form.
#pragma once

#include <thriftlens/core/joined.hpp>
#include <thriftlens/http/header_text.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// The value of a header of a part, or an empty text. `name` is in lower case.
[[nodiscard]] inline std::string_view part_header(std::string_view headers, std::string_view name) {
  while (!headers.empty()) {
    const std::size_t end = headers.find("\r\n");
    const std::string_view line = headers.substr(0, end);
    headers = end == std::string_view::npos ? std::string_view() : headers.substr(end + 2);
    const std::size_t colon = line.find(':');
    if (colon != std::string_view::npos && lower_text(trim_blanks(line.substr(0, colon))) == name)
      return trim_blanks(line.substr(colon + 1));
  }
  return {};
}

/// Splits a form at its boundaries.
class part_cutter {
 public:
  part_cutter(std::string_view body, std::string_view boundary)
      : body_(body), between_(joined({"\r\n--", boundary})) {}

  /// Moves to the first boundary. False if the form has no boundary.
  [[nodiscard]] bool start() {
    at_ = body_.find(std::string_view(between_).substr(2));
    if (at_ == std::string_view::npos) return false;
    at_ += between_.size() - 2;
    return true;
  }
  [[nodiscard]] bool is_end() const noexcept { return body_.substr(at_).starts_with("--"); }
  /// Headers and content of the next part. False for a part without an end or without headers.
  [[nodiscard]] bool next(std::string_view& headers, std::string_view& content) {
    const std::size_t line = body_.find("\r\n", at_);
    if (line == std::string_view::npos) return false;
    const std::size_t end = body_.find(between_, line);
    if (end == std::string_view::npos) return false;
    at_ = end + between_.size();
    const std::string_view part = body_.substr(line, end - line);
    const std::size_t blank = part.find("\r\n\r\n");
    if (blank == std::string_view::npos) return false;
    headers = part.substr(0, blank);
    content = part.substr(blank + 4);
    return true;
  }

 private:
  std::string_view body_;
  std::string between_;
  std::size_t at_ = 0;
};

/// Calls `visit(name, value)` for the fields that are not files. False for a malformed form and for more than
/// `max` parts.
template <class Visitor>
[[nodiscard]] bool each_form_field(std::string_view body, std::string_view boundary, std::size_t max,
                                   const Visitor& visit) {
  constexpr std::size_t max_boundary = 70;
  if (boundary.empty() || boundary.size() > max_boundary) return false;
  part_cutter cut(body, boundary);
  if (!cut.start()) return false;
  for (std::size_t count = 0; !cut.is_end(); ++count) {
    std::string_view headers, content;
    if (count == max || !cut.next(headers, content)) return false;
    const std::string_view about = part_header(headers, "content-disposition");
    const std::string name = parameter_of(about, "name");
    if (!name.empty() && parameter_of(about, "filename").empty()) visit(name, content);
  }
  return true;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
