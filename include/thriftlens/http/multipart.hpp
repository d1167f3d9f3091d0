// multipart: the fields of a multipart form.
// In: its body and boundary. Out: names and values, borrowed from the body.
// Never gives out files: those are the server's business.
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

/// Calls `found(name, value)` for each field that is no file. False where the text is no multipart form of
/// that boundary, is not ended, or has more than `max` parts.
template <class Found>
[[nodiscard]] bool each_form_field(std::string_view body, std::string_view boundary, std::size_t max,
                                   const Found& found) {
  if (boundary.empty() || boundary.size() > 70) return false;
  const std::string between = "\r\n--" + std::string(boundary);
  std::size_t at = body.find(std::string_view(between).substr(2));
  if (at == std::string_view::npos) return false;
  at += between.size() - 2;
  for (std::size_t count = 0; count <= max; ++count) {
    if (body.substr(at).starts_with("--")) return true;
    const std::size_t line = body.find("\r\n", at);
    const std::size_t end = line == std::string_view::npos ? line : body.find(between, line);
    if (end == std::string_view::npos) return false;
    const std::string_view part = body.substr(line, end - line);
    at = end + between.size();
    const std::size_t blank = part.find("\r\n\r\n");
    if (blank == std::string_view::npos) return false;
    const std::string_view about = part_header(part.substr(0, blank), "content-disposition");
    const std::string name = parameter_of(about, "name");
    if (!name.empty() && parameter_of(about, "filename").empty()) found(name, part.substr(blank + 4));
  }
  return false;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
