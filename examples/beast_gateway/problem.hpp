// problem: an error as application/problem+json (RFC 9457). Does not throw for text that is not valid UTF-8.
#pragma once

#include <thriftlens/json/bound.hpp>
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
  std::optional<std::string> exception;  ///< declared exception whose fields are added
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
  problem result;
  result.title = title_of(status);
  result.status = static_cast<std::int32_t>(status);
  result.code = code;
  result.detail = detail;
  return result;
}
[[nodiscard]] inline problem problem_of(unsigned status, const tl::error& cause) {
  problem result = problem_of(status, tl::to_string(cause.code()), cause.what());
  if (!cause.path().empty()) result.path = cause.path();
  if (cause.offset() != tl::error::no_offset) result.offset = static_cast<std::int64_t>(cause.offset());
  if (cause.line() != 0) {
    result.line = static_cast<std::int64_t>(cause.line());
    result.column = static_cast<std::int64_t>(cause.column());
  }
  return result;
}

}  // namespace gateway

template <>
struct thriftlens::binding<gateway::problem> : thriftlens::numbered {};

namespace gateway {

[[nodiscard]] inline std::string to_json(const problem& of) {
  static const tl::bound_json<problem> json;
  return json.to_json(of, {.leniency = {.invalid_utf8 = tl::on_invalid_utf8::replace}}).str();
}

}  // namespace gateway
