// write_answer: converts the bytes of a struct to a response in one pass. Fields that no part takes go into
// the body.
#pragma once

#include <thriftlens/core/double_bits.hpp>
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
class http_answer_writer : json_writer<Protocol, http_answer_writer<Protocol>> {
  using base = json_writer<Protocol, http_answer_writer<Protocol>>;
  friend base;

 public:
  http_answer_writer(const plan_image& plan, byte_view bytes, http_response& to,
                     const to_json_options& options)
      : base(bytes, *plan.image, to.body, options, plan.options.limits, utf8_check::immediate),
        plan_(plan),
        answer_(to) {}

  /// After an error the response is unspecified.
  [[nodiscard]] result<void> run() {
    if (!base::value(plan_.root.kind(), plan_.root.index()) || !base::at_end())
      return base::make_error(plan_.root);
    if (answer_.is_raw) {
      answer_.body.clear();
      answer_.body.append(byte_view(raw_body_.data(), raw_body_.size()));
    }
    return {};
  }

 private:
  using base::begin_entry, base::bounds_, base::close, base::end_entry, base::image_, base::in_,
      base::name_of, base::need, base::out_, base::path_, base::put_number, base::string_value,
      typename base::kinds, typename base::open_struct, typename base::reader;

  [[nodiscard]] const http_response_options& settings() const noexcept { return plan_.options.response; }
  [[nodiscard]] bool is_unsigned() const noexcept { return settings().unsigned_bytes == http_switch::on; }
  [[nodiscard]] bool is_raw_binary() const noexcept { return plan_.options.binary == http_binary::raw; }

  // ---- hooks of json_writer

  [[nodiscard]] bool is_own_value(type_kind kind) const noexcept {
    return (kind == kinds::i8 && is_unsigned()) || (kind == kinds::binary && is_raw_binary()) ||
           (kind == kinds::double_ && settings().null_nonfinite == http_switch::on) ||
           (quotes_numbers_ && is_number(kind));
  }
  bool own_value(type_kind kind) {
    if (quotes_numbers_ && is_number(kind)) return quoted_number(kind);
    if (kind == kinds::binary) return string_value();
    return kind == kinds::i8 ? number(kind) : double_or_null();
  }
  bool own_key(type_kind kind) { return kind == kinds::binary ? string_value() : quoted_number(kind); }
  void enter_container() noexcept { ++containers_; }
  void leave_container() noexcept { --containers_; }
  [[nodiscard]] THRIFTLENS_INLINE bool is_own_field(std::uint32_t field) const noexcept {
    return (plan_.fields[field].special & special_response) != 0;
  }
  // A field whose header was read.
  bool own_field(std::uint32_t field) {
    const http_field& plan = plan_.fields[field];
    if (plan.removed || plan.no_answer) return base::pass_over(image_.fields[field].wire);
    if (plan.is_base_resp) return base_field(field);
    bool is_placed = false, is_lost = false;
    if (containers_ == 0 && !place_field(field, is_placed, is_lost)) return path_.field(name_of(field));
    if (is_lost && !is_placed) return base::pass_over(image_.fields[field].wire);
    return is_placed || body_field(field);
  }
  // Adds absent fields.
  bool end_fields(open_struct& open) {
    const bool fills = plan_.options.absent.required == http_absent::write ||
                       plan_.options.absent.default_ == http_absent::write ||
                       plan_.options.absent.optional == http_absent::write;
    if (open.node.kind == kinds::union_) return true;
    for (std::uint32_t i = 0; i < open.node.fields.size; ++i) {
      const std::uint32_t field = open.node.fields.begin + i;
      const http_field& plan = plan_.fields[field];
      if (open.seen.has(i)) continue;
      const bool leaves_out = plan.removed || plan.no_answer;
      const bool written = fills && !is_filling_ && !leaves_out && is_written(field);
      if (base::is_required(field) && (leaves_out || written)) ++open.required;
      if (written && !zero_field(field)) return false;
    }
    return true;
  }

  // ---- absent fields

  [[nodiscard]] bool is_written(std::uint32_t field) const noexcept {
    const http_absent_options& absent = plan_.options.absent;
    const bool plain = absent.plain_optional == http_switch::on;
    const std::uint8_t flags = image_.fields[field].flags;
    if ((flags & image::required) != 0) return absent.required == http_absent::write;
    if ((flags & image::optional) == 0) return absent.default_ == http_absent::write;
    return absent.optional == http_absent::write && (plan_.fields[field].is_mapped() || plain);
  }
  [[nodiscard]] bool has_default(std::uint32_t field) const noexcept {
    return (image_.fields[field].flags & image::has_default) != 0 &&
           plan_.options.idl.defaults == http_switch::on;
  }
  // Fields of the value that is added are not filled: a type may contain itself.
  bool zero_field(std::uint32_t field) {
    is_filling_ = true;
    const bool written = put_zero_field(field);
    is_filling_ = false;
    return written;
  }
  // The default of the IDL or zero; zero is no status.
  bool put_zero_field(std::uint32_t field) {
    const http_field& plan = plan_.fields[field];
    const image::field_node& known = image_.fields[field];
    for (const http_mapping& mapping : plan.response)
      if (mapping.part == http_part::status && !has_default(field)) return true;
    if (has_default(field)) return base::put_default(field);
    buffer zero;
    if (!append_zero<Protocol>(plan_, known.type, bounds_.depth, zero)) return in_.reject(errc::depth_limit);
    const reader outer = in_;
    in_ = reader(zero, bounds_);
    const bool written = base::put_field(field);
    const fault failure = in_.fault();
    in_ = outer;
    return written || in_.reject(failure.code);
  }

  // ---- parts

  bool base_field(std::uint32_t field) {
    const std::uint8_t* begin = in_.at();
    if (!base::pass_over(image_.fields[field].wire)) return false;
    answer_.base.clear();
    answer_.base.append({begin, static_cast<std::size_t>(in_.at() - begin)});
    return true;
  }
  // The first annotation that takes the value; false after a fault.
  bool place_field(std::uint32_t field, bool& is_placed, bool& is_lost) {
    const auto start = in_.here();
    const std::uint8_t* at = in_.at();
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
      in_.seek(start);
      is_lost = settings().unfit == http_unplaced::drop;
    }
    return true;
  }
  // Sets `reason` if the value does not fit; false after a fault.
  bool place_field_in(const http_mapping& where, std::uint32_t field, std::string& reason) {
    std::string text;
    if (!text_of(image_.fields[field], where.part, text)) return false;
    reason = take(where, std::move(text), image_.fields[field].kind);
    return true;
  }
  [[nodiscard]] static std::string no_place_text(http_part part) {
    return "api." + std::string(to_string(part)) + " has no place in an answer";
  }
  [[nodiscard]] static bool has_place(http_part part) noexcept {
    return part == http_part::header || part == http_part::cookie || part == http_part::status ||
           part == http_part::raw_body;
  }
  bool unfit(std::string reason, const std::uint8_t* at) {
    base::detail_ = std::move(reason);
    return in_.reject(errc::broken_rule, at);
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
      return '"' + where.key + "\" is not a valid name of a " + std::string(to_string(where.part));
    if (is_header && !is_header_value(text)) return "a header cannot hold line breaks or control characters";
    if (!is_header && !is_cookie_value(text)) return "a cookie cannot hold such characters";
    if (is_header)
      set_header(where.key, std::move(text));
    else
      answer_.cookies.push_back({where.key, std::move(text)});
    return {};
  }
  [[nodiscard]] std::string take_status(const std::string& text, type_kind kind) {
    std::uint64_t code = 0;
    bool negative = false;
    const bool is_number =
        kind != kinds::bool_ && kind != kinds::double_ && text_to_integer(text, code, negative) == errc::ok;
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
    if (known.kind == kinds::string || (known.kind == kinds::binary && is_raw_here(part)))
      return bytes_text(text);
    if (known.kind == kinds::double_) return double_text(text);
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
    if (!in_.read_bytes(bytes)) return false;
    text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return true;
  }
  bool double_text(std::string& text) {
    double value = 0;
    const std::uint8_t* at = in_.at();
    if (!in_.read_double(value)) return false;
    if (!is_finite(value)) return in_.reject(errc::nonfinite, at);
    std::uint8_t digit_bytes[double_text_room];
    std::string_view digits(reinterpret_cast<const char*>(digit_bytes),
                            static_cast<std::size_t>(put_double(digit_bytes, value) - digit_bytes));
    if (digits.ends_with(".0")) digits.remove_suffix(2);  // as Go prints it
    text.append(digits);
    return true;
  }
  bool scalar_text(const image::field_node& known, std::string& text) {
    const std::size_t begin = out_.offset();
    const bool is_text =
        known.kind == kinds::binary || known.kind == kinds::uuid || known.kind == kinds::bool_;
    if (!(is_text ? base::value(known.kind, known.type) : number(known.kind))) return false;
    cut(begin, text);
    if (text.size() > 1 && text.front() == '"') text = text.substr(1, text.size() - 2);
    return true;
  }
  bool json_text(type_kind kind, std::uint32_t type, std::string& text) {
    const std::size_t begin = out_.offset();
    ++containers_;
    if (!base::value(kind, type)) return false;
    --containers_;
    cut(begin, text);
    return true;
  }
  // Moves the output from `begin` on to `text`.
  void cut(std::size_t begin, std::string& text) {
    text.append(reinterpret_cast<const char*>(out_.at(begin)), out_.offset() - begin);
    out_.back_to(begin);
  }
  // As Go prints it: elements between commas at the outside, map[k:v] and [a b] inside.
  bool go_text(type_kind kind, std::uint32_t type, bool outside, std::string& text) {
    const image::type_node& node = image_.types[type];
    if (kind == kinds::list || kind == kinds::set) return go_list(node, outside, text);
    if (kind == kinds::map) return go_map(node, text);
    if (is_struct(kind)) return go_struct(image_.structs[node.first], text);
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
      if (!go_text(image_.types[node.first].kind, node.first, false, text)) return path_.index(i);
      if (!fits(text)) return false;
    }
    if (!outside) text += ']';
    in_.leave();
    return true;
  }
  // The header of a list or set of the type that the IDL has.
  bool open_list(const image::type_node& node, list_header& list) {
    const bool is_read = node.kind == kinds::set ? in_.read_set(list) : in_.read_list(list);
    if (!is_read || !in_.enter()) return false;
    const bool fits_type = list.size == 0 || list.element == image_.types[node.first].wire;
    return fits_type || in_.reject(errc::type_mismatch);
  }
  bool go_map(const image::type_node& node, std::string& text) {
    map_header map;
    if (!in_.read_map(map) || !in_.enter()) return false;
    const image::type_node& key = image_.types[node.first];
    const image::type_node& value = image_.types[node.second];
    if (map.size != 0 && (map.key != key.wire || map.value != value.wire))
      return in_.reject(errc::type_mismatch);
    text += "map[";
    for (std::uint32_t i = 0; i < map.size; ++i) {
      if (i != 0) text += ' ';
      if (!go_entry(node, text)) return path_.key_at(i);
    }
    text += ']';
    in_.leave();
    return true;
  }
  bool go_entry(const image::type_node& map, std::string& text) {
    if (!go_text(image_.types[map.first].kind, map.first, false, text)) return false;
    text += ':';
    return go_text(image_.types[map.second].kind, map.second, false, text) && fits(text);
  }
  bool fits(const std::string& text) {
    return text.size() <= bounds_.max_output(base::bytes_.size()) || in_.reject(errc::output_limit);
  }
  bool go_struct(const image::struct_node& node, std::string& text) {
    const struct_mark outer = in_.begin_struct();
    text += "map[";
    for (bool first = true;; first = false) {
      field_header header;
      if (!in_.read_field(header)) return false;
      if (header.type == ttype::stop) break;
      if (!first) text += ' ';
      if (!go_field(node, header, text)) return false;
    }
    in_.end_struct(outer);
    text += ']';
    return true;
  }
  bool go_field(const image::struct_node& node, field_header header, std::string& text) {
    const std::uint32_t field = image_.find_field(node, header.id);
    if (field == image::none) return in_.reject(errc::unknown_field);
    const image::field_node& known = image_.fields[field];
    if (known.wire != header.type) return in_.reject(errc::type_mismatch);
    text += plan_.fields[field].key;
    text += ':';
    return go_text(known.kind, known.type, false, text) || path_.field(name_of(field));
  }

  // ---- the body

  bool body_field(std::uint32_t field) {
    const image::field_node& known = image_.fields[field];
    const http_field& plan = plan_.fields[field];
    if (!need(plan.json_key_size + 96)) return false;
    out_.put_padded(plan.json_key.data(), plan.json_key_size);
    bool written = false;
    if (plan.form == json_form::js_conv)
      written = converted_value(known.kind, known.type);
    else
      written = plan.form == json_form::dynamic ? dynamic_value() : base::value(known.kind, known.type);
    return written || path_.field(name_of(field));
  }
  bool quote() {
    if (!need(1)) return false;
    out_.put('"');
    return true;
  }
  // An integer without quotes.
  bool number(type_kind kind) {
    if (kind == kinds::i64) return base::template plain_integer<std::int64_t>();
    if (kind == kinds::i16) return base::template plain_integer<std::int16_t>();
    if (kind != kinds::i8) return base::template plain_integer<std::int32_t>();
    std::int8_t value = 0;
    if (!in_.read_i8(value) || !need(integer_text_room)) return false;
    put_number(is_unsigned() ? static_cast<std::uint8_t>(value) : value);
    return true;
  }
  bool double_or_null() {
    double value = 0;
    if (!in_.read_double(value) || !need(double_text_room)) return false;
    if (is_finite(value))
      out_.move_to(put_double(out_.at(), value));
    else
      out_.put("null");
    return true;
  }
  // Quotes numbers, also in containers; other types are written as usual.
  bool converted_value(type_kind kind, std::uint32_t type) {
    if (!holds_numbers(kind, type)) return base::value(kind, type);
    const bool outside = std::exchange(base::usual_, false);  // is_own_value() is called for every number
    quotes_numbers_ = true;
    const bool written = base::value(kind, type);
    quotes_numbers_ = false;
    base::usual_ = outside;
    return written;
  }
  // Whether the values are numbers, in lists, sets and maps too.
  [[nodiscard]] bool holds_numbers(type_kind kind, std::uint32_t type) const noexcept {
    for (;;) {
      if (is_number(kind)) return true;
      const image::type_node& node = image_.types[type];
      const bool is_list = kind == kinds::list || kind == kinds::set;
      const bool is_object = kind == kinds::map && is_scalar(image_.types[node.first].kind);
      if (!is_list && !is_object) return false;
      type = is_list ? node.first : node.second;
      kind = image_.types[type].kind;
    }
  }
  [[nodiscard]] static bool is_number(type_kind kind) noexcept {
    return (kind <= kinds::double_ && kind != kinds::bool_) || kind == kinds::enum_;
  }
  bool quoted_number(type_kind kind) {
    if (!quote()) return false;
    return (kind == kinds::double_ ? base::double_value() : number(kind)) && quote();
  }
  // Copies a string that holds JSON.
  bool dynamic_value() {
    const std::uint8_t* at = in_.at();
    byte_view text;
    if (!in_.read_bytes(text)) return false;
    const std::string_view json(reinterpret_cast<const char*>(text.data()), text.size());
    if (!is_json(image_, json, bounds_)) return in_.reject(errc::json_syntax, at);
    if (!need(text.size())) return false;
    out_.put(json);
    return true;
  }

  const plan_image& plan_;
  http_response& answer_;
  std::string raw_body_;
  std::uint32_t containers_ = 0;
  bool is_filling_ = false;
  bool quotes_numbers_ = false;  // in a value of api.js_conv
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
