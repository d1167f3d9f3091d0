// message: requests and responses of HTTP plans, split into their parts.
#pragma once

#include <thriftlens/core/buffer.hpp>
#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/http/fwd.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

/// A name and its value, borrowed.
struct http_pair {
  std::string_view name;
  std::string_view value;
};

/// A request, all of it borrowed. Path parameters are decoded, as http_router hands them out; the query is
/// part of the URL and still encoded. Cookies may be given in `cookies`, in a header, or both.
struct http_request {
  std::string_view method = "GET";
  std::string_view url = {};
  std::span<const http_pair> headers = {};
  std::span<const http_pair> cookies = {};
  std::span<const http_pair> path_params = {};
  std::string_view body = {};
  byte_view base = {};  ///< the caller's Base, in the protocol that is written; empty: none
};

/// An answer. `status` 0: no field has set one.
struct http_response {
  struct pair {
    std::string name;
    std::string value;
    friend bool operator==(const pair&, const pair&) = default;
  };

  int status = 0;
  std::vector<pair> headers;
  std::vector<pair> cookies;  ///< values as a client reads them; set_cookie() makes the header's text
  buffer body;
  bool is_raw = false;  ///< the body is what api.raw_body gave, no JSON
  buffer base;          ///< BaseResp in the protocol that was read; empty: none
};

/// The value of a Set-Cookie header: with quotes where a value has blanks or commas.
[[nodiscard]] inline std::string set_cookie(const http_response::pair& cookie) {
  const bool quoted = cookie.value.find_first_of(" ,") != std::string::npos;
  const std::string_view quote = quoted ? "\"" : "";
  std::string text = cookie.name;
  text += '=';
  text += quote;
  text += cookie.value;
  text += quote;
  return text;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
