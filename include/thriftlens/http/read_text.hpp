// read_text: converts texts of the parts of a request to Thrift values.
#pragma once

#include <thriftlens/core/joined.hpp>
#include <thriftlens/http/header_text.hpp>
#include <thriftlens/http/plain_text.hpp>
#include <thriftlens/http/plan_image.hpp>
#include <thriftlens/json/read/read.hpp>

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// The part of http_request_reader that reads texts.
template <protocol Protocol, class Owner>
class http_text_reader {
 public:
  using open_struct = json_read::open_struct;

  http_text_reader(const plan_image& plan, json_reader<Protocol, Owner>& json) noexcept
      : json_(json), state_(json.state()), plan_(plan) {}

  // Header and value of a field.
  json_position text_field(json_position pos, open_struct& open, std::uint32_t field, std::string_view text) {
    const image::field_node& known = state_.image.fields[field];
    if (known.kind == type_kind::bool_) return bool_field(pos, open, known, text);
    pos = field_writer::begin_field(state_, pos, open, field, text.size());
    return pos ? text_value(pos, known.kind, known.type, text) : pos;
  }
  // A list whose elements are the texts of a repeated key.
  json_position texts_field(json_position pos, open_struct& open, std::uint32_t field,
                            std::span<const std::string_view> texts) {
    const image::type_node& node = state_.image.types[state_.image.fields[field].type];
    if (!state_.enter(pos.at)) return {};
    pos = field_writer::begin_field(state_, pos, open, field, 64);
    if (!pos) return {};
    const std::size_t header = state_.offset(pos.to);
    open_map list = open_list(node);
    pos.to = json_.put_header_of(pos.to, node, 1);
    for (const std::string_view text : texts) {
      pos = element(pos, list, text);
      if (!pos) return {};
    }
    state_.leave();
    return end_list(pos, header, list);
  }
  json_position text_value(json_position pos, type_kind kind, std::uint32_t type, std::string_view text) {
    switch (kind) {
      case type_kind::bool_:
        return bool_text(pos, text);
      case type_kind::double_:
        return double_text(pos, text);
      case type_kind::string:
        return string_text(pos, text);
      case type_kind::binary:
        return binary_text(pos, text);
      case type_kind::uuid:
        return uuid_text(pos, text);
      case type_kind::list:
      case type_kind::set:
        return list_text(pos, state_.image.types[type], type, text);
      case type_kind::i8:
      case type_kind::i16:
      case type_kind::i32:
      case type_kind::i64:
        return integer_text(pos, kind, text);
      case type_kind::enum_:
        return enum_text(pos, type, text);
      default:
        return json_text(pos, kind, type, trim_blanks(text));
    }
  }

  json_position sized_bytes(json_position pos, std::string_view bytes) {
    if (state_.too_long(bytes.size())) return state_.reject(errc::size_limit, pos.at);
    pos = state_.reserve_more(pos, bytes.size() + 16);
    if (!pos) return {};
    pos.to = Protocol::put_size(pos.to, static_cast<std::uint32_t>(bytes.size()));
    if (!bytes.empty()) std::memcpy(pos.to, bytes.data(), bytes.size());
    return {pos.at, pos.to + bytes.size()};
  }
  [[nodiscard]] bool is_raw_binary() const noexcept { return plan_.options.binary == http_binary::raw; }

 private:
  using scalar_reader = json_scalar_reader<Protocol>;
  using key_reader = json_key_reader<Protocol>;
  using field_writer = json_field_writer<Protocol>;
  using open_map = json_read::open_map;

  json_position unfit(json_position pos, type_kind kind, std::string_view text) {
    constexpr std::size_t max_shown = 32;
    std::string message = joined({"expected ", to_string(kind), ", found "});
    append_quoted(message, text.substr(0, max_shown));
    return state_.reject(errc::json_type, pos.at, message);
  }
  // Replaces control characters and non-ASCII bytes, for logs.
  static void append_quoted(std::string& message, std::string_view text) {
    message += '"';
    for (const char c : text) message += c >= ' ' && c < 0x7f ? c : '?';
    message += '"';
  }

  json_position bool_field(json_position pos, open_struct& open, const image::field_node& known,
                           std::string_view text) {
    bool value = false;
    if (!text_to_bool(text, value)) return unfit(pos, type_kind::bool_, text);
    pos = state_.reserve_more(pos, 32);
    if (!pos) return {};
    pos.to = put_header<Protocol>(pos.to, {known.wire, known.id}, value, open.last_id);
    if constexpr (!Protocol::traits.has_inline_bool) pos.to = Protocol::put_bool(pos.to, value);
    return pos;
  }
  json_position bool_text(json_position pos, std::string_view text) {
    bool value = false;
    if (!text_to_bool(text, value)) return unfit(pos, type_kind::bool_, text);
    return {pos.at, Protocol::put_bool(pos.to, value)};
  }
  json_position integer_text(json_position pos, type_kind kind, std::string_view text) {
    std::uint64_t magnitude = 0;
    bool negative = false;
    const errc code = text_to_integer(text, magnitude, negative);
    if (code == errc::integer_range) return state_.reject_range(pos.at, kind);
    return code == errc::ok ? scalar_reader::put_integer_of(state_, pos, kind, magnitude, negative, pos.at)
                            : unfit(pos, kind, text);
  }
  json_position enum_text(json_position pos, std::uint32_t type, std::string_view text) {
    std::uint64_t magnitude = 0;
    bool negative = false;
    const bool is_number = text_to_integer(text, magnitude, negative) != errc::json_type;
    if (is_number || plan_.options.request.enums == enum_values::number)
      return integer_text(pos, type_kind::enum_, text);
    return scalar_reader::put_member(state_, pos, text, type, pos.at);
  }
  json_position double_text(json_position pos, std::string_view text) {
    double value = 0;
    const errc code = text_to_double(text, value);
    if (code == errc::double_range) return state_.reject(code, pos.at);
    if (code != errc::ok) return unfit(pos, type_kind::double_, text);
    return {pos.at, Protocol::put_double(pos.to, value)};
  }
  json_position string_text(json_position pos, std::string_view text) {
    const bool checks = plan_.options.request.invalid_utf8 == on_invalid_utf8::error;
    if (checks && !simd::valid_utf8({text.data(), text.size()}))
      return state_.reject(errc::invalid_utf8, pos.at);
    return sized_bytes(pos, text);
  }
  json_position binary_text(json_position pos, std::string_view text) {
    if (is_raw_binary()) return sized_bytes(pos, text);
    pos = state_.reserve_more(pos, text.size() + 32);
    return pos ? scalar_reader::put_base64(state_, pos, text, pos.at) : pos;
  }
  json_position uuid_text(json_position pos, std::string_view text) {
    uuid_bytes id;
    if (!parse_uuid(text, id)) return state_.reject(errc::bad_uuid, pos.at);
    return {pos.at, Protocol::put_uuid(pos.to, id)};
  }

  json_position json_text(json_position pos, type_kind kind, std::uint32_t type, std::string_view text) {
    if (!looks_like_json(text)) return unfit(pos, kind, text);
    if (!simd::valid_utf8({text.data(), text.size()})) return state_.reject(errc::invalid_utf8, pos.at);
    const json_position inner = json_.inner_text(text, pos.to, kind, type);
    return inner ? json_position{pos.at, inner.to} : inner;
  }
  json_position list_text(json_position pos, const image::type_node& node, std::uint32_t type,
                          std::string_view text) {
    if (const std::string_view json = trim_blanks(text); looks_like_json(json))
      return json_text(pos, node.kind, type, json);
    if (!state_.enter(pos.at)) return {};
    const std::size_t header = state_.offset(pos.to);
    open_map list = open_list(node);
    pos.to = json_.put_header_of(pos.to, node, 1);
    pos = split_elements(pos, list, text);
    state_.leave();
    return pos ? end_list(pos, header, list) : pos;
  }
  // A list or set that is not an array in JSON text.
  [[nodiscard]] open_map open_list(const image::type_node& node) {
    const image::type_node& element = state_.image.types[node.first];
    return {node, element, element, nullptr, state_.marks.size()};
  }
  json_position end_list(json_position pos, std::size_t header, open_map& list) {
    if (list.type.kind == type_kind::set && list.count > 1) pos = key_reader::unique(state_, pos, list);
    state_.marks.drop_to(list.marks);
    return pos ? json_.end_container(pos, list.type, header, list.count) : pos;
  }
  json_position element(json_position pos, open_map& list, std::string_view text) {
    pos = state_.reserve_more(pos, text.size() + 32);
    entry_mark mark{pos ? state_.offset(pos.to) : 0, 0};
    if (pos) pos = text_value(pos, list.key.kind, list.type.first, text);
    if (!pos) return state_.no_element(list.count);
    mark.key_end = state_.offset(pos.to);
    if (list.type.kind == type_kind::set) state_.marks.push(mark);
    return state_.too_many(++list.count) ? json_position(state_.reject(errc::size_limit, pos.at)) : pos;
  }
  // Empty elements too.
  json_position split_elements(json_position pos, open_map& list, std::string_view text) {
    for (bool more = true; more;) {
      const std::size_t comma = text.find(',');
      const std::string_view first = text.substr(0, comma);
      more = comma != std::string_view::npos;
      if (more) text.remove_prefix(comma + 1);
      pos = element(pos, list, first);
      if (!pos) return {};
    }
    return pos;
  }

  json_reader<Protocol, Owner>& json_;
  json_read_state& state_;
  const plan_image& plan_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
