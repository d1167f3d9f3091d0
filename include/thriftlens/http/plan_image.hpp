// plan_image: compiled annotations of the structs and fields of a plan.
#pragma once

#include <thriftlens/http/key_table.hpp>
#include <thriftlens/http/options.hpp>
#include <thriftlens/http/sparse_table.hpp>
#include <thriftlens/schema/type.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

/// The part of a message that a field is in.
enum class http_part : std::uint8_t {
  path,
  query,
  header,
  cookie,
  form,
  body,      ///< a key of the JSON body's root, or of the form
  raw_body,  ///< the body, unparsed
  raw_uri,
  status,
  no_body_struct,  ///< a struct filled from other parts only
};
/// "path", "query" …, "raw_body", "http_code", "no_body_struct".
[[nodiscard]] constexpr std::string_view to_string(http_part part) noexcept {
  constexpr std::string_view names[] = {"path", "query",    "header",  "cookie",    "form",
                                        "body", "raw_body", "raw_uri", "http_code", "no_body_struct"};
  return names[static_cast<std::uint8_t>(part)];
}
template <>
inline constexpr bool detail::is_printed<http_part> = true;

namespace detail {

/// One annotation: the part and key of a value, and its slot in http_parts.
struct http_mapping {
  http_part part = http_part::query;
  std::uint32_t slot = key_table::none;
  std::string key;
};

/// How a field's JSON differs from that of its type.
enum class json_form : std::uint8_t {
  plain,
  js_conv,  ///< numbers in quotes
  dynamic,  ///< a string that holds JSON text
};

struct http_field {
  std::vector<http_mapping> request;   ///< in the order in which they are tried
  std::vector<http_mapping> response;  ///< all of them: an answer's
  json_form form = json_form::plain;
  bool removed = false;                     ///< treated as if the IDL did not have it
  bool no_answer = false;                   ///< answers leave it out
  bool is_base = false;                     ///< Base of a request
  bool is_base_resp = false;                ///< BaseResp of an answer
  std::array<std::uint32_t, 5> fallback{};  ///< slots of its key: path, query, header, cookie, body
  std::string key;                          ///< in JSON
  std::string json_key;                     ///< `,"key":` and 64 bytes of padding
  std::uint32_t json_key_size = 0;
  /// Bit 0: requests treat it in their own way; bit 1: answers.
  std::uint8_t special = 0;

  [[nodiscard]] bool is_mapped() const noexcept { return !response.empty(); }
};
inline constexpr std::uint8_t special_request = 1, special_response = 2;

/// A key of an object: the field of that key and the fields that api.body maps to it.
struct own_key {
  std::uint32_t field = image::none;
  std::vector<std::uint32_t> body;
  bool is_nested = false;  ///< fields of other structs
};

struct http_struct {
  bool is_known = false;              ///< it was compiled
  bool has_own_keys = false;          ///< keys are found in `keys`, not in the schema
  bool is_special = false;            ///< some field is
  bool has_removed = false;           ///< has removed required fields
  std::vector<std::uint32_t> mapped;  ///< fields that requests fill from parts, in the IDL's order
  key_table keys;
  std::vector<own_key> own;  ///< what the numbers of `keys` are
};

/// Parts of requests whose values are looked up by key.
inline constexpr std::size_t keyed_parts = 6;  // path … body

struct plan_image {
  const schema_image* image = nullptr;
  type root;
  sparse_table<http_struct> structs;  ///< by struct node
  sparse_table<http_field> fields;    ///< by field node
  std::array<key_table, keyed_parts> keys;
  std::uint32_t slot_count = 0;
  std::vector<bool> repeats;  ///< by slot: a list takes all values of a repeated key
  bool reads_raw_body = false;
  bool reads_json = false;       ///< fields of the root have keys in the JSON body
  bool reads_body_keys = false;  ///< of the root, for fields elsewhere
  bool has_root_body = false;    ///< api.body in fields of the root
  http_options options;
  std::vector<std::string> faults;    ///< annotations that make the plan useless
  std::vector<std::string> losses;    ///< fields that no request fills, or no answer can hold
  std::vector<std::string> warnings;  ///< annotations that can never be reached

  [[nodiscard]] const http_struct& of(const image::struct_node& node) const noexcept {
    return structs[static_cast<std::size_t>(&node - image->structs.data())];
  }
  // Whether a field that is absent is written, with its default or zero.
  [[nodiscard]] bool writes_absent(std::uint32_t field) const noexcept {
    const http_absent_options& absent = options.absent;
    const std::uint8_t flags = image->fields[field].flags;
    if ((flags & image::required) != 0) return absent.required == http_absent::write;
    if ((flags & image::optional) == 0) return absent.default_ == http_absent::write;
    const bool plain = absent.plain_optional;
    return absent.optional == http_absent::write && (fields[field].is_mapped() || plain);
  }
  [[nodiscard]] bool writes_some_absent() const noexcept {
    const http_absent_options& absent = options.absent;
    return absent.required == http_absent::write || absent.default_ == http_absent::write ||
           absent.optional == http_absent::write;
  }
  [[nodiscard]] bool has_default(std::uint32_t field) const noexcept {
    return (image->fields[field].flags & image::has_default) != 0 && options.idl.defaults;
  }
  [[nodiscard]] std::string_view json_key(std::uint32_t field) const noexcept {
    return {fields[field].json_key.data(), fields[field].json_key_size};
  }
};

}  // namespace detail

}  // namespace thriftlens::inline THRIFTLENS_ABI
