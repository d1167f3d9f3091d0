// path_builder: bodies of path_builder.hpp.
#pragma once

#include <thriftlens/core/path_builder.hpp>

#include <thriftlens/core/quote.hpp>
#include <thriftlens/core/small_algorithm.hpp>
#include <thriftlens/core/utf8.hpp>
#include <thriftlens/core/uuid.hpp>

#include <charconv>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

THRIFTLENS_COLD THRIFTLENS_BODY bool path_builder::field(std::string_view name) {
  const std::size_t begin = steps_.size();
  steps_ += '.';
  steps_ += name;
  return added(begin);
}
THRIFTLENS_COLD THRIFTLENS_BODY bool path_builder::real_key(double key, byte_view wire) {
  if (!(key <= key) && !wire.empty()) return wire_key(wire);
  char digits[32];
  std::string text(digits, std::to_chars(digits, digits + sizeof digits, key).ptr);
  // Writes a fraction, so that the key is parsed as a double without a schema.
  if (text.find_first_not_of("-0123456789") == std::string::npos) text += ".0";
  return step("{", text, "}");
}
THRIFTLENS_COLD THRIFTLENS_BODY bool path_builder::text_key(std::string_view key, byte_view wire) {
  const std::string_view valid = utf8_begin(key);
  if (valid.size() != key.size() && !wire.empty()) return wire_key(wire);
  const std::string_view shown = utf8_cut(valid, max_key_size);
  const std::size_t begin = steps_.size();
  steps_ += '{';
  append_quoted(steps_, shown);
  return close_key(begin, shown.size() < key.size());
}
THRIFTLENS_COLD THRIFTLENS_BODY bool path_builder::uuid_key(const std::uint8_t* id) {
  char text[uuid_text_size];
  return step("{\"", {text, static_cast<std::size_t>(put_uuid_text(text, id) - text)}, "\"}");
}
THRIFTLENS_COLD THRIFTLENS_BODY bool path_builder::wire_key(byte_view wire) {
  const std::size_t begin = steps_.size(), shown = detail::least(wire.size(), max_key_size / 2);
  steps_ += "{x\"";
  for (std::size_t i = 0; i < shown; ++i) detail::append_hex(steps_, wire[i]);
  steps_ += '"';
  return close_key(begin, shown < wire.size());
}
THRIFTLENS_COLD THRIFTLENS_BODY bool path_builder::step(std::string_view open, std::string_view text,
                                                        std::string_view close) {
  const std::size_t begin = steps_.size();
  steps_ += open;
  steps_ += text;
  steps_ += close;
  return added(begin);
}
THRIFTLENS_COLD THRIFTLENS_BODY bool path_builder::close_key(std::size_t begin, bool cut) {
  steps_ += cut ? "…}" : "}";
  return added(begin);
}
THRIFTLENS_COLD THRIFTLENS_BODY bool path_builder::field_id(std::int16_t id) {
  return step(".#", std::to_string(id), "");
}
THRIFTLENS_COLD THRIFTLENS_BODY bool path_builder::index(std::size_t at) {
  return step("[", std::to_string(at), "]");
}
THRIFTLENS_COLD THRIFTLENS_BODY bool path_builder::boolean_key(bool key) {
  return step("{", key ? "true" : "false", "}");
}
THRIFTLENS_COLD THRIFTLENS_BODY bool path_builder::integer_key(std::int64_t key) {
  return step("{", std::to_string(key), "}");
}
THRIFTLENS_COLD THRIFTLENS_BODY bool path_builder::key_at(std::size_t entry) {
  return step("{key ", std::to_string(entry), "}");
}
THRIFTLENS_COLD THRIFTLENS_BODY bool path_builder::steps_of(const path_builder& inside) {
  return step({}, inside.steps(), {});
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
