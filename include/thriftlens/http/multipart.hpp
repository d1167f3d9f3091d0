// multipart: the fields of a multipart form.
#pragma once

#include <thriftlens/http/header_text.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// The value of a header of a part, named in small letters; empty where there is none.
[[nodiscard]] inline std::string_view part_header(std::string_view headers, std::string_view wanted) {
  while (!headers.empty()) {
    const std::size_t end = headers.find("\r\n");
    const std::string_view line = headers.substr(0, end);
    headers = end == std::string_view::npos ? std::string_view() : headers.substr(end + 2);
    const std::size_t colon = line.find(':');
    if (colon != std::string_view::npos && lower_text(trim_blanks(line.substr(0, colon))) == wanted)
      return trim_blanks(line.substr(colon + 1));
  }
  return {};
}

/// Goes from boundary to boundary.
class part_cutter {
 public:
  part_cutter(std::string_view body, std::string_view boundary)
      : body_(body), between_("\r\n--" + std::string(boundary)) {}

  /// To the first boundary. False where there is none.
  [[nodiscard]] bool start() {
    at_ = body_.find(std::string_view(between_).substr(2));
    if (at_ == std::string_view::npos) return false;
    at_ += between_.size() - 2;
    return true;
  }
  [[nodiscard]] bool is_end() const noexcept { return body_.substr(at_).starts_with("--"); }
  /// The headers and the content of the next part. False where it is not ended or has no headers.
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

/// Calls `found(name, value)` for each field that is no file. False where the text is no multipart form of
/// that boundary, is not ended, or has more than `max` parts.
template <class Found>
[[nodiscard]] bool each_form_field(std::string_view body, std::string_view boundary, std::size_t max,
                                   const Found& found) {
  constexpr std::size_t max_boundary = 70;
  if (boundary.empty() || boundary.size() > max_boundary) return false;
  part_cutter cut(body, boundary);
  if (!cut.start()) return false;
  for (std::size_t count = 0; !cut.is_end(); ++count) {
    std::string_view headers, content;
    if (count == max || !cut.next(headers, content)) return false;
    const std::string_view about = part_header(headers, "content-disposition");
    const std::string name = parameter_of(about, "name");
    if (!name.empty() && parameter_of(about, "filename").empty()) found(name, content);
  }
  return true;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
