// options: options of HTTP plans.
#pragma once

#include <thriftlens/core/leniency.hpp>
#include <thriftlens/core/limits.hpp>
#include <thriftlens/http/fwd.hpp>
#include <thriftlens/json/options.hpp>

#include <cstddef>
#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Treatment of fields without a value.
enum class http_absent : std::uint8_t {
  as_declared,  ///< required: an error; others stay out
  write,        ///< the default of the IDL, else the zero of its type
};
/// `binary` as text: in the parts of a request, in JSON and in the parts of an answer.
enum class http_binary : std::uint8_t { base64, raw };
/// Treatment of a Base that the caller passes with the request.
enum class http_base : std::uint8_t {
  off,      ///< Base and BaseResp are structs like others
  context,  ///< the caller's Base replaces the request's; BaseResp leaves the body
  merge,    ///< the caller's fields replace the request's; maps are merged, the caller's keys win
};
/// Treatment of a field of a response that its annotation cannot hold.
enum class http_unplaced : std::uint8_t { body, error, drop };
constexpr std::string_view enumerators(http_unplaced) noexcept { return "body,error,drop"; }
/// How lists, maps and structs become the text of a header.
enum class http_text : std::uint8_t { json, kitex };

/// Bodies in which api.body looks up keys.
enum class http_body : std::uint8_t {
  any,  ///< all bodies that are read as JSON
  /// Bodies whose Content-Type is JSON. An empty string is then a value only for required texts, and null is
  /// an error for all but texts.
  stated,
};

/// How queries and urlencoded forms are read.
enum class http_url_syntax : std::uint8_t {
  /// The URL standard: a percent sign without two digits and a semicolon are literal. A list is split at
  /// commas that are not percent-encoded.
  standard,
  /// Go's net/url and dynamicgo: pairs with a malformed percent sign or a semicolon are dropped. A list is
  /// split at all commas.
  go,
};

/// How annotations and names of the IDL are read.
struct http_idl_options {
  bool mapping = true;  ///< false: annotations about HTTP are not read
  bool js_conv = true;
  bool agw = true;
  bool body_as_alias = false;  ///< api.body of a root field is its alias
  bool defaults = true;        ///< what is written for an absent field is its IDL default
  json_names names = json_names::alias;
};
/// How requests become Thrift.
struct http_request_options {
  choice<on_unknown::error, on_unknown::drop> unknown = {};
  json_quoted_numbers quoted_numbers = json_quoted_numbers::error;
  choice<enum_values::name, enum_values::number> enums = {};                ///< name: also by number
  choice<on_invalid_utf8::error, on_invalid_utf8::keep> invalid_utf8 = {};  ///< in `string` out of parts
  /// Annotated fields without a value are read from JSON by their key. Without a body all fields are read
  /// from the parts by theirs.
  bool fallback = false;
  /// Fields that JSON has left unset are looked up in path, query, headers, cookies and body by their key.
  bool traceback = false;
  http_body body = http_body::any;
  http_url_syntax url_syntax = http_url_syntax::standard;
};
/// How Thrift becomes answers.
struct http_response_options {
  choice<on_unknown::drop, on_unknown::error> unknown = {};
  json_int64 int64 = json_int64::number;
  bool unsigned_bytes = false;  ///< i8 as 0 to 255
  bool null_nonfinite = false;  ///< NaN and infinities are null in the body; false: errors
  choice<http_unplaced::body, http_unplaced::error> unplaced = {};  ///< annotated as if it were a request's
  http_unplaced unfit = http_unplaced::error;  ///< its value can be no header, cookie or status
  http_text text = http_text::json;
  choice<on_missing::error, on_missing::omit> missing_required = {};  ///< omit takes what trim leaves
};
/// What is written for absent fields, both ways.
struct http_absent_options {
  http_absent required = http_absent::as_declared;
  http_absent default_ = http_absent::as_declared;
  http_absent optional = http_absent::as_declared;  ///< annotated ones
  /// Optional fields without annotation are filled too.
  bool plain_optional = false;
};
/// Bounds on requests, besides limits.
struct http_limits {
  std::size_t body_size = std::size_t{64} << 20;
  std::size_t url_size = 65536;
  std::size_t header_size = 65536;  ///< of one name with its value
  std::size_t headers = 256;
  std::size_t parameters = 4096;  ///< pairs of a query, a form, all cookies

  friend constexpr bool operator==(const http_limits&, const http_limits&) noexcept = default;
};

struct http_options {
  thriftlens::limits limits = {};
  http_limits bounds = {};
  http_idl_options idl = {};
  http_request_options request = {};
  http_response_options response = {};
  http_absent_options absent = {};
  http_binary binary = http_binary::base64;
  http_base base = http_base::context;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
