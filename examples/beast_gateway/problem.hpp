// problem: why a request has no good answer, as application/problem+json (RFC 9457).
// In: a status and an error of the library. Out: JSON text with the code, and the place in the value.
// Never throws for words that are no UTF-8.
#pragma once

#include <thriftlens/json.hpp>
#include <thriftlens/thriftlens.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace gateway {

namespace tl = thriftlens;

/// The members of the document; the names of these are the keys.
struct problem {
  std::string type = "about:blank";
  std::string title;
  std::int32_t status = 500;
  std::string detail;
  std::string code;
  std::optional<std::string> path;  ///< "$.author.id"
  std::optional<std::int64_t> offset;
  std::optional<std::int64_t> line;
  std::optional<std::int64_t> column;
  std::optional<std::string> exception;  ///< of the IDL, whose fields stand beside it
};

[[nodiscard]] constexpr const char* title_of(unsigned status) noexcept {
  switch (status) {
    case 400:
      return "Bad Request";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 413:
      return "Content Too Large";
    case 415:
      return "Unsupported Media Type";
    case 431:
      return "Request Header Fields Too Large";
    case 502:
      return "Bad Gateway";
    case 504:
      return "Gateway Timeout";
    default:
      return "Internal Server Error";
  }
}
[[nodiscard]] inline problem problem_of(unsigned status, std::string_view code, std::string_view detail) {
  problem made;
  made.title = title_of(status);
  made.status = static_cast<std::int32_t>(status);
  made.code = code;
  made.detail = detail;
  return made;
}
[[nodiscard]] inline problem problem_of(unsigned status, const tl::error& why) {
  problem made = problem_of(status, tl::to_string(why.code()), why.what());
  if (!why.path().empty()) made.path = why.path();
  if (why.offset() != tl::error::no_offset) made.offset = static_cast<std::int64_t>(why.offset());
  if (why.line() != 0) {
    made.line = static_cast<std::int64_t>(why.line());
    made.column = static_cast<std::int64_t>(why.column());
  }
  return made;
}

}  // namespace gateway

template <>
struct thriftlens::binding<gateway::problem> : thriftlens::numbered {};

namespace gateway {

[[nodiscard]] inline std::string to_json(const problem& of) {
  static const tl::bound_json<problem> json;
  return json.to_json(of, {.invalid_utf8 = tl::on_invalid_utf8::replace}).str();
}

}  // namespace gateway
