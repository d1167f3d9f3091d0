// read_request: converts a request to the bytes of a struct in one pass over its JSON.
#pragma once

#include <thriftlens/core/joined.hpp>
#include <thriftlens/http/merge_base.hpp>
#include <thriftlens/http/parts.hpp>
#include <thriftlens/http/read_text.hpp>
#include <thriftlens/http/zero.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Reads one request. Used once.
template <protocol Protocol>
class http_request_reader {
  using root_reader = json_reader<Protocol, http_request_reader>;
  friend root_reader;
  using scalar_reader = json_scalar_reader<Protocol>;
  using field_writer = json_field_writer<Protocol>;
  using open_struct = json_read::open_struct;

 public:
  /// `options` are changed while some values are read.
  http_request_reader(const plan_image& plan, http_parts& parts, buffer& to, from_json_options& options)
      : json_(parts.json(), *plan.image, to, options, plan.options.limits, this),
        state_(json_.state()),
        texts_(plan, json_),
        plan_(plan),
        parts_(parts),
        request_options_(options),
        root_depth_(state_.depth_left),
        fills_(plan.writes_some_absent() || plan.options.request.fallback || plan.options.request.traceback) {
  }

  /// After an error the buffer is as before.
  [[nodiscard]] result<void> run() {
    if (json_.reads(plan_.root)) [[likely]]
      return {};
    return part_error();
  }

 private:
  [[nodiscard]] static bool is_number(type_kind kind) noexcept {
    return kind == type_kind::i8 || kind == type_kind::i16 || kind == type_kind::i32 ||
           kind == type_kind::i64 || kind == type_kind::double_;
  }
  [[nodiscard]] static std::size_t position(const open_struct& open, std::uint32_t field) noexcept {
    return field - open.node.fields.begin;
  }
  void count(open_struct& open, std::uint32_t field) {
    static_cast<void>(open.seen.add(position(open, field)));
    field_writer::count_required(open, state_.image.fields[field]);
  }
  // Whether the struct being read is the root. Its depth is already restored in end_fields().
  [[nodiscard]] bool is_root() const noexcept {
    return state_.depth_left + (is_ending_ ? 0 : 1) == root_depth_;
  }

  // ---- hooks of json_reader

  [[nodiscard]] bool is_own_value(type_kind kind, std::uint8_t first) const noexcept {
    if (first != '"') [[likely]]
      return false;
    return (kind == type_kind::binary && texts_.is_raw_binary()) ||
           (kind == type_kind::enum_ && !takes_names()) || (is_number(kind) && state_.accepts_quoted());
  }
  json_position own_value(json_position pos, type_kind kind, std::uint32_t, std::uint8_t first) {
    if (kind == type_kind::binary) return scalar_reader::string_value(state_, pos, first);
    if (kind == type_kind::enum_ && !state_.accepts_quoted()) return state_.mismatch(pos.at, kind);
    const std::uint8_t* start = pos.at;
    std::string_view text;
    if (!state_.short_string(pos, text)) return {};
    if (text.empty()) return zero_number(pos, kind);
    return quoted(pos, kind, text, start);
  }
  json_position zero_number(json_position pos, type_kind kind) {
    if (kind == type_kind::double_) return {pos.at, Protocol::put_double(pos.to, 0)};
    return scalar_reader::put_integer_of(state_, pos, kind, 0, false, pos.at);
  }
  json_position quoted(json_position pos, type_kind kind, std::string_view text, const std::uint8_t* start) {
    json_number number;
    if (!json_read_state::is_number(text, number))
      return state_.reject_kind(start, kind, "a string that is not a number");
    if (kind != type_kind::double_)
      return scalar_reader::put_integral(state_, pos, kind, number, errc::json_type, start);
    double value = 0;
    if (!to_double(number, value)) return state_.reject(errc::double_range, start);
    return {pos.at, Protocol::put_double(pos.to, value)};
  }
  [[nodiscard]] bool takes_names() const noexcept { return plan_.options.request.enums == enum_values::name; }

  json_position begin_fields(json_position pos, open_struct& open) {
    const http_struct& known = plan_.of(open.node);
    if (known.mapped.empty()) [[likely]]
      return pos;
    for (const std::uint32_t field : known.mapped) {
      pos = plan_.fields[field].is_base ? context_base(pos, open, field, false)
                                        : mapped_field(pos, open, field);
      if (!pos) return state_.no_field(field);
    }
    return pos;
  }
  [[nodiscard]] bool has_own_keys(const image::struct_node& node) const noexcept {
    return plan_.of(node).has_own_keys;
  }
  [[nodiscard]] THRIFTLENS_INLINE bool is_own_field(std::uint32_t field) const noexcept {
    return (plan_.fields[field].special & special_request) != 0;
  }
  // A field whose key was read from JSON.
  json_position own_field(json_position pos, open_struct& open, std::uint32_t field,
                          const std::uint8_t* key_end) {
    const http_field& plan = plan_.fields[field];
    if (plan.removed)
      return unknown_member(pos, open, json_.key_start(key_end), state_.image.field_name(field));
    if (plan.is_base && !parts_.base().empty()) return request_base(pos, open, field);
    if (plan.is_mapped() && (!has_fallback() || has_part(field))) return json_skipper(state_).value(pos);
    if (plan.form == json_form::plain || state_.image.fields[field].kind == type_kind::bool_)
      return json_.known_member(pos, open, field, key_end);
    return formed_member(pos, open, field, key_end);
  }
  json_position unknown_member(json_position pos, const open_struct& open, const std::uint8_t* key_at,
                               std::string_view key) {
    if (!state_.refuses_unknown()) return json_skipper(state_).value(pos);
    return state_.reject(errc::unknown_key, key_at, no_such_field_text({&state_.image, open.node.type}, key));
  }
  json_position own_member(json_position pos, open_struct& open) {
    state_.peek(pos);
    const std::uint8_t* start = pos.at;
    std::string_view key;
    if (!state_.take_key(pos, key)) return {};
    const http_struct& known = plan_.of(open.node);
    const std::uint32_t number = known.keys.find(key);
    if (number == key_table::none && state_.refuses_unknown())
      return unknown_member(pos, open, start, std::string(key));
    const std::uint8_t* key_end = pos.at;
    if (!state_.take_colon(pos)) return {};
    return number == key_table::none ? json_skipper(state_).value(pos)
                                     : target_member(pos, open, known.own[number], key_end);
  }
  json_position target_member(json_position pos, open_struct& open, const own_key& target,
                              const std::uint8_t* key_end) {
    if (!target.body.empty() && is_root() && finds_body_keys())
      return body_member(pos, open, target, key_end);
    if (target.field != image::none) return json_.member(pos, open, target.field, key_end);
    if (!state_.refuses_unknown() || target.is_nested) return json_skipper(state_).value(pos);
    return state_.reject(errc::unknown_key, json_.key_start(key_end),
                         "the key belongs to api.body of a nested struct");
  }

  json_position end_fields(json_position pos, open_struct& open) {
    if (state_.nulls.size() != open.nulls) field_writer::drop_nulls(state_, open);
    const bool outside = std::exchange(is_ending_, true);
    const bool has_removed = plan_.of(open.node).has_removed;
    if ((fills_ || has_removed || is_root()) && open.node.kind != type_kind::union_) pos = fill(pos, open);
    is_ending_ = outside;
    if (!pos || !field_writer::is_complete(state_, pos, open) || !state_.reserve(pos)) return {};
    pos.to = Protocol::put_stop(pos.to);
    return pos;
  }

  // ---- fields out of parts

  [[nodiscard]] bool has_fallback() const noexcept { return plan_.options.request.fallback; }
  [[nodiscard]] bool finds_body_keys() const noexcept {
    return parts_.is_json_declared() || plan_.options.request.body == http_body::any;
  }
  // The text of the request for a mapping; null without one. Empty texts are absent, except strings in
  // the body.
  [[nodiscard]] std::string_view text_of(const http_mapping& mapping, type_kind kind) {
    if (mapping.part == http_part::raw_body) return parts_.raw_body();
    if (mapping.part == http_part::raw_uri) return parts_.raw_uri();
    if (mapping.part == http_part::body) find_body_keys();
    if (mapping.part == http_part::body && parts_.kind() == body_kind::json && takes_empty(kind, false))
      return parts_.text(mapping.slot);
    const std::string_view text = parts_.text(mapping.slot);
    return text.empty() ? std::string_view() : text;
  }
  // Whether the value of a field of the root follows under its key in the JSON body.
  [[nodiscard]] bool comes_later(const http_mapping& mapping) const noexcept {
    return mapping.part == http_part::body && is_root() && parts_.kind() == body_kind::json;
  }
  [[nodiscard]] bool has_part(std::uint32_t field) {
    const type_kind kind = state_.image.fields[field].kind;
    for (const http_mapping& mapping : plan_.fields[field].request) {
      if (mapping.part == http_part::no_body_struct) return is_struct(kind);
      if (text_of(mapping, kind).data() != nullptr) return true;
    }
    return false;
  }

  json_position mapped_field(json_position pos, open_struct& open, std::uint32_t field) {
    const type_kind kind = state_.image.fields[field].kind;
    for (const http_mapping& mapping : plan_.fields[field].request) {
      if (mapping.part == http_part::no_body_struct) {
        if (is_struct(kind)) return struct_of_parts(pos, open, field);
        continue;
      }
      if (comes_later(mapping)) continue;
      const std::string_view text = text_of(mapping, kind);
      if (text.data() == nullptr || (text.empty() && mapping.part != http_part::body)) continue;
      pos = mapping.part == http_part::raw_body && kind == type_kind::binary
                ? bytes_field(pos, open, field, text)
                : one_or_more(pos, open, field, mapping.slot, text);
      if (!pos) return name_part(mapping);
      count(open, field);
      return pos;
    }
    return pos;
  }
  // The unchanged text, independent of the option `binary`.
  json_position bytes_field(json_position pos, open_struct& open, std::uint32_t field,
                            std::string_view text) {
    pos = field_writer::begin_field(state_, pos, open, field, 0);
    return pos ? texts_.sized_bytes(pos, text) : pos;
  }
  [[nodiscard]] bool is_list(std::uint32_t field) const noexcept {
    const type_kind kind = state_.image.fields[field].kind;
    return is_sequence(kind);
  }
  json_position one_or_more(json_position pos, open_struct& open, std::uint32_t field, std::uint32_t slot,
                            std::string_view text) {
    if (slot >= plan_.repeats.size() || !plan_.repeats[slot] || !is_list(field))
      return texts_.text_field(pos, open, field, text);
    const std::vector<std::string_view> texts = parts_.repeated_texts(slot);
    return texts.empty() ? texts_.text_field(pos, open, field, text)
                         : texts_.texts_field(pos, open, field, texts);
  }
  THRIFTLENS_COLD json_failed name_part(const http_mapping& mapping) {
    if (!where_.empty()) return {};
    where_ = to_string(mapping.part);
    if (!mapping.key.empty() && static_cast<std::size_t>(mapping.part) < keyed_parts)
      where_ += joined({" \"", mapping.key, '"'});
    return {};
  }

  // All annotated fields of the struct, those without a text as their default or zero.
  json_position struct_of_parts(json_position pos, open_struct& outer, std::uint32_t field) {
    if (!state_.enter(pos.at)) return {};
    pos = field_writer::begin_field(state_, pos, outer, field, 0);
    if (!pos) return {};
    pos = parts_alone(pos, state_.image.struct_of(state_.image.fields[field].type));
    state_.leave();
    if (pos) count(outer, field);
    return pos;
  }
  json_position parts_alone(json_position pos, const image::struct_node& node) {
    field_set seen(node.fields.size, field_sets_);
    open_struct open{{state_.offset(pos.to), 0}, node, seen, state_.nulls.size()};
    for (const std::uint32_t field : plan_.of(node).mapped) {
      if (plan_.fields[field].request.empty()) continue;
      pos = mapped_field(pos, open, field);
      if (pos && !open.seen.has(position(open, field))) pos = zero_field(pos, open, field);
      if (!pos) return state_.no_field(field);
    }
    if (!field_writer::is_complete(state_, pos, open) || !state_.reserve(pos)) return {};
    pos.to = Protocol::put_stop(pos.to);
    return pos;
  }

  // ---- keys of the body that api.body names

  // A member of the root that api.body of some fields names.
  json_position body_member(json_position pos, open_struct& open, const own_key& target,
                            const std::uint8_t* key_end) {
    state_.peek(pos);
    const std::uint8_t* begin = pos.at;
    pos = target.field == image::none ? json_skipper(state_).value(pos)
                                      : json_.member(pos, open, target.field, key_end);
    if (!pos) return {};
    std::string unescaped;
    std::string_view text;
    const bool is_there = json_text_of({begin, static_cast<std::size_t>(pos.at - begin)}, unescaped, text);
    for (const std::uint32_t field : target.body) {
      const bool has_value = is_there || refuses_null(state_.image.fields[field].kind);
      if (has_value && wants_body(open, field, text)) pos = body_field(pos, open, field, text);
      if (!pos) return {};
    }
    return pos;
  }
  json_position body_field(json_position pos, open_struct& open, std::uint32_t field, std::string_view text) {
    pos = texts_.text_field(pos, open, field, text);
    if (!pos) {
      name_part(plan_.fields[field].request.back());
      return state_.no_field(field);
    }
    count(open, field);
    return pos;
  }
  // Whether null is an error.
  [[nodiscard]] bool refuses_null(type_kind kind) const noexcept {
    return plan_.options.request.body == http_body::stated && kind != type_kind::string &&
           kind != type_kind::binary;
  }
  [[nodiscard]] bool wants_body(const open_struct& open, std::uint32_t field, std::string_view text) const {
    const image::field_node& known = state_.image.fields[field];
    const bool required = (known.flags & image::required) != 0;
    return !open.seen.has(position(open, field)) && (!text.empty() || takes_empty(known.kind, required));
  }
  // Whether an empty string in the body is a value.
  [[nodiscard]] bool takes_empty(type_kind kind, bool required) const noexcept {
    const bool is_text = kind == type_kind::string || kind == type_kind::binary;
    return is_text && (required || plan_.options.request.body == http_body::any);
  }
  // The text of a JSON value: the content of a string, else the JSON. False for null.
  [[nodiscard]] static bool json_text_of(byte_view value, std::string& unescaped, std::string_view& text) {
    text = {reinterpret_cast<const char*>(value.data()), value.size()};
    text = trim_blanks(text);
    if (text == "null") return false;
    if (!text.starts_with('"')) return true;
    if (text.find('\\') == std::string_view::npos) {
      text = text.substr(1, text.size() - 2);
      return true;
    }
    if (!unescape(text, unescaped)) return false;
    text = unescaped;
    return true;
  }
  // The content of a string with its quotes.
  [[nodiscard]] static bool unescape(std::string_view text, std::string& content) {
    content.resize(text.size() + 64);  // more than blocks overwrite
    auto* to = reinterpret_cast<std::uint8_t*>(content.data());
    const auto* from = reinterpret_cast<const std::uint8_t*>(text.data()) + 1;
    const simd::json_unescaped unescaped = simd::unescape_json(to, from, from + text.size() - 1);
    if (unescaped.end == nullptr) return false;
    content.resize(static_cast<std::size_t>(unescaped.end - to));
    return true;
  }
  // Collects the members of the root once, for fields of nested structs. Malformed JSON is left to the
  // reader.
  void find_body_keys() {
    if (std::exchange(has_body_keys_, true) || parts_.kind() != body_kind::json || !finds_body_keys()) return;
    text_source in;
    const std::uint8_t* at = nullptr;
    in.open_part(parts_.json(), at);
    if (in.peek(at) != '{') return;
    do {
      in.advance(at);
      if (in.peek(at) != '"' || !body_key(in, at)) return;
    } while (in.peek(at) == ',');
  }
  // One member of the root.
  [[nodiscard]] bool body_key(text_source& in, const std::uint8_t*& at) {
    std::string unescaped;
    std::string_view name;
    byte_view value;
    if (!take_token(in, at, value) || in.peek(at) != ':') return false;
    if (!json_text_of(value, unescaped, name)) return false;
    const std::uint32_t slot = plan_.keys[static_cast<std::size_t>(http_part::body)].find(name);
    in.advance(at);
    in.peek(at);
    if (!take_token(in, at, value)) return false;
    if (slot != key_table::none) set_body_text(slot, value);
    return true;
  }
  void set_body_text(std::uint32_t slot, byte_view value) {
    std::string unescaped;
    std::string_view text;
    if (!json_text_of(value, unescaped, text)) return;
    if (text.data() == unescaped.data())
      text = *body_texts_.emplace_back(std::make_unique<std::string>(std::move(unescaped)));
    parts_.set(slot, text);
  }
  [[nodiscard]] static bool take_token(text_source& in, const std::uint8_t*& at, byte_view& value) {
    const std::uint8_t* begin = at;
    if (!pass(in, at)) return false;
    value = {begin, static_cast<std::size_t>(at - begin)};
    return true;
  }
  // Skips one value by its brackets and quotes; the reader validates it later.
  [[nodiscard]] static bool pass(text_source& in, const std::uint8_t*& at) {
    const std::uint8_t* const end = in.end();
    std::size_t depth = 0;
    for (; at != end; ++at) {
      if (*at == '"' && !pass_string(at, end)) return false;
      depth += *at == '{' || *at == '[';
      const bool closes = *at == '}' || *at == ']';
      if (depth == 0 && (closes || *at == ',' || *at == ':')) return true;
      depth -= closes;
    }
    return false;
  }
  // To the closing quote.
  [[nodiscard]] static bool pass_string(const std::uint8_t*& at, const std::uint8_t* end) {
    for (++at; at != end && *at != '"'; ++at)
      if (*at == '\\' && ++at == end) return false;
    return at != end;
  }

  // ---- values in a form of their own

  json_position formed_member(json_position pos, open_struct& open, std::uint32_t field,
                              const std::uint8_t* key_end) {
    if (!open.seen.add(position(open, field))) return json_.second_key(key_end, field);
    const std::uint8_t first = state_.peek(pos);
    if (!state_.reserve(pos)) return {};
    if (first == 'n') return json_.odd_field(pos, open, field, first);
    pos = formed_value(pos, open, field, first);
    if (!pos) return state_.no_field(field);
    field_writer::count_required(open, state_.image.fields[field]);
    return pos;
  }
  json_position formed_value(json_position pos, open_struct& open, std::uint32_t field, std::uint8_t first) {
    const image::field_node& known = state_.image.fields[field];
    pos.to = Protocol::put_field(pos.to, known.wire, known.id, open.last_id);
    const bool dynamic = plan_.fields[field].form == json_form::dynamic;
    return dynamic ? dynamic_value(pos) : converted_value(pos, known, first);
  }
  // The JSON text of any value.
  json_position dynamic_value(json_position pos) {
    state_.peek(pos);
    const std::uint8_t* begin = pos.at;
    pos = json_skipper(state_).value(pos);
    if (!pos) return {};
    const auto size = static_cast<std::size_t>(pos.at - begin);
    return texts_.sized_bytes(pos, trim_blanks({reinterpret_cast<const char*>(begin), size}));
  }
  // A number from a string, or a string from a number; also in lists.
  json_position converted_value(json_position pos, const image::field_node& known, std::uint8_t first) {
    if (known.kind == type_kind::string && state_.is_number_start(first)) return dynamic_value(pos);
    const json_quoted_numbers outside =
        std::exchange(request_options_.leniency.quoted_numbers, json_quoted_numbers::accept);
    pos = json_.value(pos, known.kind, known.type, first);
    request_options_.leniency.quoted_numbers = outside;
    return pos;
  }

  // ---- Base

  json_position context_base(json_position pos, open_struct& open, std::uint32_t field, bool at_end) {
    const bool merges = plan_.options.base == http_base::merge;
    if (parts_.base().empty() || merges != at_end || open.seen.has(position(open, field))) return pos;
    return raw_field(pos, open, field, parts_.base());
  }
  json_position raw_field(json_position pos, open_struct& open, std::uint32_t field, byte_view bytes) {
    pos = field_writer::put_bytes(state_, pos, open, field, bytes);
    if (!pos) return {};
    count(open, field);
    return pos;
  }
  // Merges or replaces the Base of the request with that of the caller.
  json_position request_base(json_position pos, open_struct& open, std::uint32_t field) {
    if (plan_.options.base != http_base::merge || state_.peek(pos) == 'n')
      return json_skipper(state_).value(pos);
    const image::field_node& known = state_.image.fields[field];
    const std::size_t begin = state_.offset(pos.to);
    if (!state_.reserve(pos)) return {};
    pos = json_.value(pos, known.kind, known.type, state_.peek(pos));
    if (!pos) return state_.no_field(field);
    buffer merged;
    const byte_view read(state_.out.at(begin), state_.offset(pos.to) - begin);
    if (!merge_structs<Protocol>(parts_.base(), read, merged))
      return state_.reject(errc::type_mismatch, pos.at, "the bytes of the Base argument are malformed");
    pos.to = state_.out.at(begin);
    return raw_field(pos, open, field, merged);
  }

  // ---- fields without a value

  json_position fill(json_position pos, open_struct& open) {
    for (std::uint32_t i = 0; i < open.node.fields.size && pos; ++i) {
      if (open.seen.has(i)) continue;
      const std::uint32_t field = open.node.fields.begin + i;
      const http_field& plan = plan_.fields[field];
      const bool is_base = plan.is_base && is_root();
      if (is_base) pos = context_base(pos, open, field, true);
      if (pos && fills_ && !plan.removed && !open.seen.has(i)) pos = unset_field(pos, open, field);
      if (!pos) return state_.no_field(field);
      if ((plan.removed || is_base) && !open.seen.has(i))
        field_writer::count_required(open, state_.image.fields[field]);
    }
    return pos;
  }
  json_position unset_field(json_position pos, open_struct& open, std::uint32_t field) {
    if (is_looked_up(field)) {
      pos = looked_up_field(pos, open, field);
      if (!pos || open.seen.has(position(open, field))) return pos;
    }
    return plan_.writes_absent(field) ? zero_field(pos, open, field) : pos;
  }
  [[nodiscard]] bool is_plain_optional() const noexcept { return plan_.options.absent.plain_optional; }
  [[nodiscard]] bool is_looked_up(std::uint32_t field) const noexcept {
    const bool required = (state_.image.fields[field].flags & image::required) != 0;
    const bool optional = (state_.image.fields[field].flags & image::optional) != 0;
    const bool without_body = parts_.kind() != body_kind::json && has_fallback() && is_root();
    const bool traced = plan_.options.request.traceback && (is_root() || required);
    return (without_body || traced) && (!optional || is_plain_optional());
  }
  json_position looked_up_field(json_position pos, open_struct& open, std::uint32_t field) {
    static constexpr http_part order[] = {http_part::path, http_part::query, http_part::header,
                                          http_part::cookie, http_part::body};
    const http_field& plan = plan_.fields[field];
    for (std::size_t i = 0; i < plan.fallback.size(); ++i) {
      const http_mapping mapping{order[i], plan.fallback[i], plan.key};
      const std::string_view text = text_of(mapping, state_.image.fields[field].kind);
      if (text.empty()) continue;
      if (!state_.enter(pos.at))
        return name_part(mapping);  // a struct in the text must not count as the root
      pos = texts_.text_field(pos, open, field, text);
      state_.leave();
      if (!pos) return name_part(mapping);
      count(open, field);
      return pos;
    }
    return pos;
  }
  // The default of the IDL, or zero.
  json_position zero_field(json_position pos, open_struct& open, std::uint32_t field) {
    if (plan_.has_default(field)) {
      pos = field_writer::put_default(state_, pos, open, field);
      if (pos) count(open, field);
      return pos;
    }
    buffer zero;
    if (!append_zero<Protocol>(plan_, state_.image.fields[field].type, state_.depth_left, zero))
      return state_.reject(errc::depth_limit, pos.at);
    return raw_field(pos, open, field, zero);
  }

  // ---- faults

  // The offset is one of the body; errors in other parts have no offset.
  THRIFTLENS_COLD error part_error() {
    if (where_.empty() && parts_.kind() == body_kind::json) return state_.make_error(parts_.json());
    state_.out.abandon();
    std::string message = std::move(state_.detail);
    if (message.empty()) message = sentence(state_.failure.code);
    if (!where_.empty()) message += joined({" in ", where_});
    return error(state_.failure.code, message, error::no_offset, state_.path.text());
  }

  root_reader json_;
  json_read_state& state_;
  http_text_reader<Protocol, http_request_reader> texts_;
  const plan_image& plan_;
  http_parts& parts_;
  from_json_options& request_options_;
  std::string where_;
  std::vector<std::unique_ptr<std::string>> body_texts_;
  field_set::pool field_sets_;
  std::uint32_t root_depth_;
  bool fills_;
  bool has_body_keys_ = false;
  bool is_ending_ = false;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
