// write_answer: converts the bytes of a struct to a response in one pass. Fields that no part takes go into
// the body.
#pragma once

#include <thriftlens/core/double_bits.hpp>
#include <thriftlens/core/joined.hpp>
#include <thriftlens/http/header_text.hpp>
#include <thriftlens/http/json_check.hpp>
#include <thriftlens/http/message.hpp>
#include <thriftlens/http/plain_text.hpp>
#include <thriftlens/http/plan_image.hpp>
#include <thriftlens/http/zero.hpp>
#include <thriftlens/json/write/write.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Writes one answer. Used once.
template <protocol Protocol>
class http_answer_writer {
  using body_writer = json_writer<Protocol, http_answer_writer>;
  friend body_writer;

 public:
  http_answer_writer(const plan_image& plan, byte_view bytes, http_response& to,
                     const to_json_options& options)
      : body_(bytes, *plan.image, to.body, options, plan.options.limits, utf8_check::immediate, this),
        state_(body_.state()),
        plan_(plan),
        answer_(to) {}

  /// After an error the response is unspecified.
  [[nodiscard]] result<void> run() {
    if (!body_.value(plan_.root.kind(), plan_.root.index()) || !body_.at_end())
      return state_.make_error(plan_.root);
    if (answer_.is_raw) {
      answer_.body.clear();
      answer_.body.append(byte_view(raw_body_.data(), raw_body_.size()));
    }
    return {};
  }

 private:
  using scalar_writer = json_scalar_writer<Protocol>;
  using open_struct = json_write::open_struct;

  [[nodiscard]] const http_response_options& settings() const noexcept { return plan_.options.response; }
  [[nodiscard]] bool is_unsigned() const noexcept { return settings().unsigned_bytes; }
  [[nodiscard]] bool is_raw_binary() const noexcept { return plan_.options.binary == http_binary::raw; }

  // ---- hooks of json_writer

  [[nodiscard]] bool is_own_value(type_kind kind) const noexcept {
    return (kind == type_kind::i8 && is_unsigned()) || (kind == type_kind::binary && is_raw_binary()) ||
           (kind == type_kind::double_ && settings().null_nonfinite) || (quotes_numbers_ && is_number(kind));
  }
  bool own_value(type_kind kind) {
    if (quotes_numbers_ && is_number(kind)) return quoted_number(kind);
    if (kind == type_kind::binary) return scalar_writer::string_value(state_);
    return kind == type_kind::i8 ? number(kind) : double_or_null();
  }
  bool own_key(type_kind kind) {
    return kind == type_kind::binary ? scalar_writer::string_value(state_) : quoted_number(kind);
  }
  void enter_container() noexcept { ++containers_; }
  void leave_container() noexcept { --containers_; }
  [[nodiscard]] THRIFTLENS_INLINE bool is_own_field(std::uint32_t field) const noexcept {
    return (plan_.fields[field].special & special_response) != 0;
  }
  // A field whose header was read.
  bool own_field(std::uint32_t field) {
    const http_field& plan = plan_.fields[field];
    if (plan.removed || plan.no_answer) return state_.pass_over(state_.image.fields[field].wire);
    if (plan.is_base_resp) return base_field(field);
    bool is_placed = false, is_lost = false;
    if (containers_ == 0 && !place_field(field, is_placed, is_lost)) return state_.no_field(field);
    if (is_lost && !is_placed) return state_.pass_over(state_.image.fields[field].wire);
    return is_placed || body_field(field);
  }
  // Adds absent fields.
  bool end_fields(open_struct& open) {
    if (open.node.kind == type_kind::union_) return true;
    for (std::uint32_t i = 0; i < open.node.fields.size; ++i) {
      const std::uint32_t field = open.node.fields.begin + i;
      const http_field& plan = plan_.fields[field];
      if (open.seen.has(i)) continue;
      const bool leaves_out = plan.removed || plan.no_answer;
      const bool written = !is_filling_ && !leaves_out && plan_.writes_absent(field);
      if (body_.filter().is_required(field) && (leaves_out || written)) ++open.required;
      if (written && !zero_field(field)) return false;
    }
    return true;
  }

  // ---- absent fields

  // Fields of the value that is added are not filled: a type may contain itself.
  bool zero_field(std::uint32_t field) {
    is_filling_ = true;
    const bool written = put_zero_field(field);
    is_filling_ = false;
    return written;
  }
  // The default of the IDL or zero; zero is not a status.
  bool put_zero_field(std::uint32_t field) {
    for (const http_mapping& mapping : plan_.fields[field].response)
      if (mapping.part == http_part::status && !plan_.has_default(field)) return true;
    if (plan_.has_default(field)) return body_.put_default(field);
    buffer zero;
    if (!append_zero<Protocol>(plan_, state_.image.fields[field].type, state_.bounds.depth, zero))
      return state_.reject(errc::depth_limit);
    return body_.put_field_of(zero, field);
  }

  // ---- parts

  bool base_field(std::uint32_t field) {
    const std::uint8_t* begin = state_.at();
    if (!state_.pass_over(state_.image.fields[field].wire)) return false;
    answer_.base.clear();
    answer_.base.append({begin, static_cast<std::size_t>(state_.at() - begin)});
    return true;
  }
  // The first annotation that takes the value; false after a fault.
  bool place_field(std::uint32_t field, bool& is_placed, bool& is_lost) {
    const auto start = state_.in.here();
    const std::uint8_t* at = state_.at();
    for (const http_mapping& mapping : plan_.fields[field].response) {
      if (mapping.part == http_part::body || mapping.part == http_part::raw_uri) return true;
      std::string reason;
      if (!has_place(mapping.part)) {
        if (settings().unplaced == http_unplaced::error) return unfit(no_place_text(mapping.part), at);
        continue;
      }
      if (!place_field_in(mapping, field, reason)) return false;
      is_placed = reason.empty();
      if (is_placed) return true;
      if (settings().unfit == http_unplaced::error) return unfit(std::move(reason), at);
      state_.in.seek(start);
      is_lost = settings().unfit == http_unplaced::drop;
    }
    return true;
  }
  // Sets `reason` if the value does not fit; false after a fault.
  bool place_field_in(const http_mapping& where, std::uint32_t field, std::string& reason) {
    std::string text;
    if (!text_of(state_.image.fields[field], where.part, text)) return false;
    reason = take(where, std::move(text), state_.image.fields[field].kind);
    return true;
  }
  [[nodiscard]] static std::string no_place_text(http_part part) {
    return joined({"api.", to_string(part), " is not supported in a response"});
  }
  [[nodiscard]] static bool has_place(http_part part) noexcept {
    return part == http_part::header || part == http_part::cookie || part == http_part::status ||
           part == http_part::raw_body;
  }
  bool unfit(std::string reason, const std::uint8_t* at) {
    state_.detail = std::move(reason);
    return state_.reject(errc::broken_rule, at);
  }
  // Returns why the value does not fit, or an empty text.
  [[nodiscard]] std::string take(const http_mapping& where, std::string text, type_kind kind) {
    if (where.part == http_part::raw_body) {
      answer_.is_raw = true;
      raw_body_ = std::move(text);
      return {};
    }
    if (where.part == http_part::status) return take_status(text, kind);
    const bool is_header = where.part == http_part::header;
    if (!is_token(where.key))
      return joined({'"', where.key, "\" is not a valid name of a ", to_string(where.part)});
    if (is_header && !is_header_value(text))
      return "a header cannot contain line breaks or control characters";
    if (!is_header && !is_cookie_value(text)) return "a cookie cannot contain these characters";
    if (is_header)
      set_header(where.key, std::move(text));
    else
      answer_.cookies.push_back({where.key, std::move(text)});
    return {};
  }
  [[nodiscard]] std::string take_status(const std::string& text, type_kind kind) {
    std::uint64_t code = 0;
    bool negative = false;
    const bool is_number = kind != type_kind::bool_ && kind != type_kind::double_ &&
                           text_to_integer(text, code, negative) == errc::ok;
    if (!is_number || negative || code < 100 || code > 599)
      return "an HTTP status is a number from 100 to 599";
    answer_.status = static_cast<int>(code);
    return {};
  }
  void set_header(const std::string& name, std::string text) {
    const std::string lower = lower_text(name);
    for (http_response::pair& header : answer_.headers) {
      if (lower_text(header.name) != lower) continue;
      header = {name, std::move(text)};
      return;
    }
    answer_.headers.push_back({name, std::move(text)});
  }

  // ---- values as text

  bool text_of(const image::field_node& known, http_part part, std::string& text) {
    if (known.kind == type_kind::string || (known.kind == type_kind::binary && is_raw_here(part)))
      return bytes_text(text);
    if (known.kind == type_kind::double_) return double_text(text);
    if (is_scalar(known.kind)) return scalar_text(known, text);
    if (settings().text == http_text::kitex) return go_text(known.kind, known.type, true, text);
    return json_text(known.kind, known.type, text);
  }
  // A raw body is never base64.
  [[nodiscard]] bool is_raw_here(http_part part) const noexcept {
    return is_raw_binary() || part == http_part::raw_body;
  }
  bool bytes_text(std::string& text) {
    byte_view bytes;
    if (!state_.in.read_bytes(bytes)) return false;
    text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return true;
  }
  bool double_text(std::string& text) {
    double value = 0;
    const std::uint8_t* at = state_.at();
    if (!state_.in.read_double(value)) return false;
    if (!is_finite(value)) return state_.reject(errc::nonfinite, at);
    std::uint8_t digit_bytes[max_double_text];
    std::string_view digits(reinterpret_cast<const char*>(digit_bytes),
                            static_cast<std::size_t>(put_double(digit_bytes, value) - digit_bytes));
    if (digits.ends_with(".0")) digits.remove_suffix(2);  // as Go prints it
    text.append(digits);
    return true;
  }
  bool scalar_text(const image::field_node& known, std::string& text) {
    const std::size_t begin = state_.offset();
    if (!(is_number(known.kind) ? number(known.kind) : body_.value(known.kind, known.type))) return false;
    cut(begin, text);
    if (text.size() > 1 && text.front() == '"') text = text.substr(1, text.size() - 2);
    return true;
  }
  bool json_text(type_kind kind, std::uint32_t type, std::string& text) {
    const std::size_t begin = state_.offset();
    ++containers_;
    if (!body_.value(kind, type)) return false;
    --containers_;
    cut(begin, text);
    return true;
  }
  // Moves the output from `begin` on to `text`.
  void cut(std::size_t begin, std::string& text) {
    text.append(reinterpret_cast<const char*>(state_.out.at(begin)), state_.offset() - begin);
    state_.out.back_to(begin);
  }
  // As Go prints it: elements between commas at the outside, map[k:v] and [a b] inside.
  bool go_text(type_kind kind, std::uint32_t type, bool outside, std::string& text) {
    const image::type_node& node = state_.image.types[type];
    if (is_sequence(kind)) return go_list(node, outside, text);
    if (kind == type_kind::map) return go_map(node, text);
    if (is_struct(kind)) return go_struct(state_.image.structs[node.first], text);
    image::field_node as;
    as.kind = kind;
    as.type = type;
    return text_of(as, http_part::header, text);
  }
  bool go_list(const image::type_node& node, bool outside, std::string& text) {
    list_header list;
    if (!open_list(node, list)) return false;
    if (!outside) text += '[';
    for (std::uint32_t i = 0; i < list.size; ++i) {
      if (i != 0) text += outside ? ',' : ' ';
      if (!go_text(state_.image.types[node.first].kind, node.first, false, text)) return state_.path.index(i);
      if (!fits(text)) return false;
    }
    if (!outside) text += ']';
    state_.in.leave();
    return true;
  }
  // The header of a list or set of the type that the IDL has.
  bool open_list(const image::type_node& node, list_header& list) {
    const bool is_read = node.kind == type_kind::set ? state_.in.read_set(list) : state_.in.read_list(list);
    if (!is_read || !state_.in.enter()) return false;
    const bool fits_type = list.size == 0 || list.element == state_.image.types[node.first].wire;
    return fits_type || state_.reject(errc::type_mismatch);
  }
  bool go_map(const image::type_node& node, std::string& text) {
    map_header map;
    if (!state_.in.read_map(map) || !state_.in.enter()) return false;
    const image::type_node& key = state_.image.types[node.first];
    const image::type_node& value = state_.image.types[node.second];
    if (map.size != 0 && (map.key != key.wire || map.value != value.wire))
      return state_.reject(errc::type_mismatch);
    text += "map[";
    for (std::uint32_t i = 0; i < map.size; ++i) {
      if (i != 0) text += ' ';
      if (!go_entry(node, text)) return state_.path.key_at(i);
    }
    text += ']';
    state_.in.leave();
    return true;
  }
  bool go_entry(const image::type_node& map, std::string& text) {
    if (!go_text(state_.image.types[map.first].kind, map.first, false, text)) return false;
    text += ':';
    return go_text(state_.image.types[map.second].kind, map.second, false, text) && fits(text);
  }
  bool fits(const std::string& text) {
    return text.size() <= state_.bounds.max_output(state_.bytes.size()) || state_.reject(errc::output_limit);
  }
  bool go_struct(const image::struct_node& node, std::string& text) {
    const struct_mark outer = state_.in.begin_struct();
    text += "map[";
    for (bool first = true;; first = false) {
      field_header header;
      if (!state_.in.read_field(header)) return false;
      if (header.type == ttype::stop) break;
      if (!first) text += ' ';
      if (!go_field(node, header, text)) return false;
    }
    state_.in.end_struct(outer);
    text += ']';
    return true;
  }
  bool go_field(const image::struct_node& node, field_header header, std::string& text) {
    const std::uint32_t field = state_.image.find_field(node, header.id);
    if (field == image::none) return state_.reject(errc::unknown_field);
    const image::field_node& known = state_.image.fields[field];
    if (known.wire != header.type) return state_.reject(errc::type_mismatch);
    text += plan_.fields[field].key + ':';
    return go_text(known.kind, known.type, false, text) || state_.no_field(field);
  }

  // ---- the body

  bool body_field(std::uint32_t field) {
    const image::field_node& known = state_.image.fields[field];
    const http_field& plan = plan_.fields[field];
    if (!state_.need(plan.json_key_size + 96)) return false;
    state_.out.put_padded(plan.json_key.data(), plan.json_key_size);
    bool written = false;
    if (plan.form == json_form::js_conv)
      written = converted_value(known.kind, known.type);
    else
      written = plan.form == json_form::dynamic ? dynamic_value() : body_.value(known.kind, known.type);
    return written || state_.no_field(field);
  }
  bool quote() {
    if (!state_.need(1)) return false;
    state_.out.put('"');
    return true;
  }
  // An integer without quotes.
  bool number(type_kind kind) {
    if (kind == type_kind::i64) return scalar_writer::template integer<std::int64_t>(state_);
    if (kind == type_kind::i16) return scalar_writer::template integer<std::int16_t>(state_);
    if (kind != type_kind::i8) return scalar_writer::template integer<std::int32_t>(state_);
    std::int8_t value = 0;
    if (!state_.in.read_i8(value) || !state_.need(max_integer_text)) return false;
    scalar_writer::put_number(state_, is_unsigned() ? static_cast<std::uint8_t>(value) : value);
    return true;
  }
  bool double_or_null() {
    double value = 0;
    if (!state_.in.read_double(value) || !state_.need(max_double_text)) return false;
    if (is_finite(value))
      state_.out.move_to(put_double(state_.out.at(), value));
    else
      state_.out.put("null");
    return true;
  }
  // Quotes numbers, also in containers; other types are written as usual.
  bool converted_value(type_kind kind, std::uint32_t type) {
    if (!holds_numbers(kind, type)) return body_.value(kind, type);
    const bool outside = std::exchange(state_.is_usual, false);  // is_own_value() is called for every number
    quotes_numbers_ = true;
    const bool written = body_.value(kind, type);
    quotes_numbers_ = false;
    state_.is_usual = outside;
    return written;
  }
  // Whether the values are numbers, in lists, sets and maps too.
  [[nodiscard]] bool holds_numbers(type_kind kind, std::uint32_t type) const noexcept {
    for (;;) {
      if (is_number(kind)) return true;
      const image::type_node& node = state_.image.types[type];
      const bool is_list = is_sequence(kind);
      const bool is_object = kind == type_kind::map && is_scalar(state_.image.types[node.first].kind);
      if (!is_list && !is_object) return false;
      type = is_list ? node.first : node.second;
      kind = state_.image.types[type].kind;
    }
  }
  [[nodiscard]] static bool is_number(type_kind kind) noexcept {
    return (kind <= type_kind::double_ && kind != type_kind::bool_) || kind == type_kind::enum_;
  }
  bool quoted_number(type_kind kind) {
    if (!quote()) return false;
    return (kind == type_kind::double_ ? scalar_writer::double_value(state_) : number(kind)) && quote();
  }
  // Copies a string that holds JSON.
  bool dynamic_value() {
    const std::uint8_t* at = state_.at();
    byte_view text;
    if (!state_.in.read_bytes(text)) return false;
    const std::string_view json(reinterpret_cast<const char*>(text.data()), text.size());
    if (!is_json(state_.image, json, state_.bounds)) return state_.reject(errc::json_syntax, at);
    if (!state_.need(text.size())) return false;
    state_.out.put(json);
    return true;
  }

  body_writer body_;
  json_write_state<Protocol>& state_;
  const plan_image& plan_;
  http_response& answer_;
  std::string raw_body_;
  std::uint32_t containers_ = 0;
  bool is_filling_ = false;
  bool quotes_numbers_ = false;  // in a value of api.js_conv
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
