// request_head: strict checks of a request's head, so that a proxy in front cannot see other requests in the
// same bytes. Beast accepts more than RFC 9112 allows: other transfer codings than chunked, lists of lengths,
// several Hosts.
#pragma once

#include <boost/beast/core/string.hpp>
#include <boost/beast/http/fields.hpp>
#include <boost/beast/http/message.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>

namespace gateway {

namespace beast = boost::beast;
namespace http = beast::http;

/// The only value of a field; an empty view if the field is missing or repeated.
[[nodiscard]] inline std::string_view single_value(const http::fields& head, http::field name) {
  const auto [first, last] = head.equal_range(name);
  if (first == last || std::next(first) != last) return {};
  return {first->value().data(), first->value().size()};
}

/// Host and port as RFC 3986 spells them, but no comma: it is how proxies join repeated fields.
[[nodiscard]] inline bool is_host(std::string_view value) {
  const std::string_view allowed = "-._~%:[]!$&'()*+;=";
  const auto is_allowed = [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           allowed.find(c) != std::string_view::npos;
  };
  return !value.empty() && std::ranges::all_of(value, is_allowed);
}

/// Whether a line of these headers continues the one before it (obsolete line folding).
[[nodiscard]] inline bool has_folded_line(std::string_view headers) {
  return headers.find("\r\n ") != std::string_view::npos || headers.find("\r\n\t") != std::string_view::npos;
}

/// The error of a request head; empty if it is valid. After an invalid head the connection is closed, since
/// the end of the request is unknown.
[[nodiscard]] inline std::string_view find_fault(const http::request_header<>& head) {
  const bool is_old = head.version() < 11;
  const std::size_t hosts = head.count(http::field::host);
  if (hosts > 1 || (hosts == 0 && !is_old)) return "expected one Host header";
  if (hosts == 1 && !is_host(single_value(head, http::field::host))) return "invalid Host header";
  const bool has_length = head.count(http::field::content_length) != 0;
  if (has_length) {
    const std::string_view length = single_value(head, http::field::content_length);
    const bool is_number =
        !length.empty() && length.find_first_not_of("0123456789") == std::string_view::npos;
    if (!is_number) return "expected one Content-Length header, a decimal number";
  }
  if (head.count(http::field::transfer_encoding) == 0) return {};
  if (is_old) return "HTTP/1.0 does not allow Transfer-Encoding";
  if (has_length) return "expected Transfer-Encoding or Content-Length, found both";
  if (!beast::iequals(head[http::field::transfer_encoding], "chunked") ||
      head.count(http::field::transfer_encoding) != 1)
    return "expected one Transfer-Encoding header with the value chunked";
  return {};
}

}  // namespace gateway
