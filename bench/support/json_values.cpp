// Writes the canonical text from simdjson's DOM.
#include "json_values.hpp"

#include <simdjson.h>
#include <thrift/protocol/TBase64Utils.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

namespace bench {
namespace {

using simdjson::dom::element;
using simdjson::dom::element_type;

std::string canonical(element value);

std::string canonical_object(simdjson::dom::object object) {
  std::vector<std::pair<std::string, std::string>> fields;
  for (auto [key, value] : object) {
    std::string text = canonical(value);
    const bool empty = text == "0" || text == "\"\"" || text == "[]" || text == "{}";
    if (!empty) fields.emplace_back(std::string(key), std::move(text));
  }
  std::sort(fields.begin(), fields.end());
  std::string object_text = "{";
  for (const auto& [key, text] : fields) object_text += key + ':' + text + ',';
  return object_text + '}';
}

std::string canonical(element value) {
  switch (value.type()) {
    case element_type::OBJECT: {
      std::string text = canonical_object(value.get_object());
      return text == "{}" ? "{}" : text;
    }
    case element_type::ARRAY: {
      std::string array_text = "[";
      for (element element : value.get_array()) array_text += canonical(element) + ',';
      return array_text == "[" ? "[]" : array_text + ']';
    }
    case element_type::STRING:
      return '"' + std::string(value.get_string().value()) + '"';
    case element_type::INT64:
      return std::to_string(value.get_int64().value());
    case element_type::UINT64:
      return std::to_string(value.get_uint64().value());
    case element_type::DOUBLE: {
      char text[40];
      std::snprintf(text, sizeof text, "%.17g", value.get_double().value());
      return text;
    }
    case element_type::BOOL:
      return value.get_bool().value() ? "true" : "false";
    case element_type::NULL_VALUE:
      return "null";
  }
  return "?";
}

}  // namespace

std::string json_values(std::string_view json) {
  simdjson::dom::parser parser;
  element root;
  if (parser.parse(json.data(), json.size()).get(root) != simdjson::SUCCESS) return "not JSON";
  return canonical(root);
}

std::string base64(const std::string& bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(3, bytes.size() - at));
    std::uint8_t four[4] = {'=', '=', '=', '='};
    apache::thrift::protocol::base64_encode(reinterpret_cast<const std::uint8_t*>(bytes.data()) + at, count,
                                            four);
    text.append(reinterpret_cast<const char*>(four), 4);
  }
  return text;
}

std::string from_base64(std::string_view text) {
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3 + 3);
  for (std::size_t at = 0; at < text.size(); at += 4) {
    const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(4, text.size() - at));
    std::uint8_t four[4] = {};
    std::copy_n(text.data() + at, count, four);
    apache::thrift::protocol::base64_decode(four, count);
    bytes.append(reinterpret_cast<const char*>(four), count - 1);
  }
  return bytes;
}

}  // namespace bench
