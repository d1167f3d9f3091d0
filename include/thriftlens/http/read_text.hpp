// read_text: texts of a request's parts to Thrift values.
#pragma once

#include <thriftlens/http/header_text.hpp>
#include <thriftlens/http/plain_text.hpp>
#include <thriftlens/http/plan_image.hpp>
#include <thriftlens/json/read.hpp>

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// The part of http_request_reader that reads texts.
template <protocol Protocol, class Self>
class http_text_reader : protected json_reader<Protocol, Self> {
 protected:
  using base = json_reader<Protocol, Self>;
  using base::bounds_;
  using base::count_required;
  using base::end_container;
  using base::image_;
  using base::inner_text;
  using base::more_room;
  using base::no_element;
  using base::offset;
  using base::options_;
  using base::put_header_of;
  using base::put_integer_of;
  using base::put_member;
  using base::range_text;
  using base::reject;
  using base::room;
  using base::too_many;
  using typename base::kinds;
  using typename base::open_struct;

  http_text_reader(const plan_image& plan, std::string_view json, buffer& to,
                   const from_json_options& options, const limits& bounds)
      : base(json, *plan.image, to, options, bounds), plan_(plan) {}

  // Header and value of a field.
  json_position text_field(json_position now, open_struct& open, std::uint32_t field, std::string_view text) {
    const image::field_node& known = image_.fields[field];
    now = more_room(now, text.size() + 32);
    if (!now) return {};
    if (known.kind == kinds::bool_) return bool_field(now, open, known, text);
    now.to = Protocol::put_field(now.to, known.wire, known.id, open.last_id);
    return text_value(now, known.kind, known.type, text);
  }
  // A list out of the texts of a repeated key, an element each.
  json_position texts_field(json_position now, open_struct& open, std::uint32_t field,
                            std::span<const std::string_view> texts) {
    const image::field_node& known = image_.fields[field];
    const image::type_node& node = image_.types[known.type];
    now = more_room(now, 64);
    if (!now || !base::enter(now.at)) return {};
    now.to = Protocol::put_field(now.to, known.wire, known.id, open.last_id);
    const std::size_t header = offset(now.to);
    typename base::open_map list = open_list(node);
    now.to = put_header_of(now.to, node, 1);
    for (const std::string_view each : texts) {
      now = element(now, list, each);
      if (!now) return {};
    }
    base::leave();
    return end_list(now, header, list);
  }
  json_position text_value(json_position now, type_kind kind, std::uint32_t type, std::string_view text) {
    switch (kind) {
      case kinds::bool_:
        return bool_text(now, text);
      case kinds::double_:
        return double_text(now, text);
      case kinds::string:
        return string_text(now, text);
      case kinds::binary:
        return binary_text(now, text);
      case kinds::uuid:
        return uuid_text(now, text);
      case kinds::list:
      case kinds::set:
        return list_text(now, image_.types[type], type, text);
      case kinds::i8:
      case kinds::i16:
      case kinds::i32:
      case kinds::i64:
        return integer_text(now, kind, text);
      case kinds::enum_:
        return enum_text(now, type, text);
      default:
        return json_text(now, kind, type, trim_blanks(text));
    }
  }

  // Bytes with their size before them.
  json_position sized_bytes(json_position now, std::string_view bytes) {
    if (bytes.size() > bounds_.string_size || bytes.size() > 0x7fffffffu)
      return reject(errc::size_limit, now.at);
    now = more_room(now, bytes.size() + 16);
    if (!now) return {};
    now.to = Protocol::put_size(now.to, static_cast<std::uint32_t>(bytes.size()));
    if (!bytes.empty()) std::memcpy(now.to, bytes.data(), bytes.size());
    return {now.at, now.to + bytes.size()};
  }
  [[nodiscard]] bool is_raw_binary() const noexcept { return plan_.options.binary == http_binary::raw; }

  const plan_image& plan_;

 private:
  json_position unfit(json_position now, type_kind kind, std::string_view text) {
    constexpr std::size_t max_shown = 32;
    std::string words = "expected " + std::string(to_string(kind)) + ", found ";
    append_quoted(words, text.substr(0, max_shown));
    return reject(errc::json_type, now.at, words);
  }
  // Control characters and what is not ASCII are left out: the words go to people and logs.
  static void append_quoted(std::string& words, std::string_view text) {
    words += '"';
    for (const char each : text) words += each >= ' ' && each < 0x7f ? each : '?';
    words += '"';
  }

  json_position bool_field(json_position now, open_struct& open, const image::field_node& known,
                           std::string_view text) {
    bool value = false;
    if (!text_to_bool(text, value)) return unfit(now, kinds::bool_, text);
    now.to = put_header<Protocol>(now.to, {known.wire, known.id}, value, open.last_id);
    if constexpr (!Protocol::traits.has_inline_bool) now.to = Protocol::put_bool(now.to, value);
    return now;
  }
  json_position bool_text(json_position now, std::string_view text) {
    bool value = false;
    if (!text_to_bool(text, value)) return unfit(now, kinds::bool_, text);
    return {now.at, Protocol::put_bool(now.to, value)};
  }
  json_position integer_text(json_position now, type_kind kind, std::string_view text) {
    std::uint64_t magnitude = 0;
    bool negative = false;
    const errc code = text_to_integer(text, magnitude, negative);
    if (code == errc::integer_range) return reject(code, now.at, range_text(kind));
    return code == errc::ok ? put_integer_of(now, kind, magnitude, negative, now.at) : unfit(now, kind, text);
  }
  json_position enum_text(json_position now, std::uint32_t type, std::string_view text) {
    std::uint64_t magnitude = 0;
    bool negative = false;
    const bool is_number = text_to_integer(text, magnitude, negative) != errc::json_type;
    if (is_number || plan_.options.request.enums == json_enums::number)
      return integer_text(now, kinds::enum_, text);
    return put_member(now, text, type, now.at);
  }
  json_position double_text(json_position now, std::string_view text) {
    double value = 0;
    const errc code = text_to_double(text, value);
    if (code == errc::double_range) return reject(code, now.at);
    if (code != errc::ok) return unfit(now, kinds::double_, text);
    return {now.at, Protocol::put_double(now.to, value)};
  }
  json_position string_text(json_position now, std::string_view text) {
    const bool checks = plan_.options.request.invalid_utf8 == on_invalid_utf8::error;
    if (checks && !simd::valid_utf8({text.data(), text.size()})) return reject(errc::invalid_utf8, now.at);
    return sized_bytes(now, text);
  }
  json_position binary_text(json_position now, std::string_view text) {
    if (is_raw_binary()) return sized_bytes(now, text);
    now = more_room(now, text.size() + 32);
    return now ? base::put_base64(now, text, now.at) : now;
  }
  json_position uuid_text(json_position now, std::string_view text) {
    uuid_bytes id;
    if (!parse_uuid(text, id)) return reject(errc::bad_uuid, now.at);
    return {now.at, Protocol::put_uuid(now.to, id)};
  }

  json_position json_text(json_position now, type_kind kind, std::uint32_t type, std::string_view text) {
    if (!looks_like_json(text)) return unfit(now, kind, text);
    if (!simd::valid_utf8({text.data(), text.size()})) return reject(errc::invalid_utf8, now.at);
    const json_position inner = inner_text(text, now.to, kind, type);
    return inner ? json_position{now.at, inner.to} : inner;
  }
  json_position list_text(json_position now, const image::type_node& node, std::uint32_t type,
                          std::string_view text) {
    if (const std::string_view json = trim_blanks(text); looks_like_json(json))
      return json_text(now, node.kind, type, json);
    if (!base::enter(now.at)) return {};
    const std::size_t header = offset(now.to);
    typename base::open_map list = open_list(node);
    now.to = put_header_of(now.to, node, 1);
    now = split_elements(now, list, text);
    base::leave();
    return now ? end_list(now, header, list) : now;
  }
  // A list or set that is not an array in JSON text.
  [[nodiscard]] typename base::open_map open_list(const image::type_node& node) {
    const image::type_node& element = image_.types[node.first];
    return {node, element, element, nullptr, base::marks_.size()};
  }
  json_position end_list(json_position now, std::size_t header, typename base::open_map& list) {
    if (list.type.kind == kinds::set && list.count > 1) now = base::unique(now, list);
    base::marks_.drop_to(list.marks);
    return now ? end_container(now, list.type, header, list.count) : now;
  }
  json_position element(json_position now, typename base::open_map& list, std::string_view text) {
    now = more_room(now, text.size() + 32);
    entry_mark mark{now ? offset(now.to) : 0, 0};
    if (now) now = text_value(now, list.key.kind, list.type.first, text);
    if (!now) return no_element(list.count);
    mark.key_end = offset(now.to);
    if (list.type.kind == kinds::set) base::marks_.push(mark);
    return too_many(++list.count) ? json_position(reject(errc::size_limit, now.at)) : now;
  }
  // Empty elements too.
  json_position split_elements(json_position now, typename base::open_map& list, std::string_view text) {
    for (bool more = true; more;) {
      const std::size_t comma = text.find(',');
      const std::string_view first = text.substr(0, comma);
      more = comma != std::string_view::npos;
      if (more) text.remove_prefix(comma + 1);
      now = element(now, list, first);
      if (!now) return {};
    }
    return now;
  }
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
