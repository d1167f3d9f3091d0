// read_request: one request to the bytes of a struct, in one pass over its JSON. Never builds a tree,
// never writes a field twice.
#pragma once

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
class http_request_reader : http_text_reader<Protocol, http_request_reader<Protocol>> {
  using base = http_text_reader<Protocol, http_request_reader<Protocol>>;
  using root_reader = json_reader<Protocol, http_request_reader<Protocol>>;
  friend root_reader;

 public:
  /// `options` are changed while some values are read.
  http_request_reader(const plan_image& plan, http_parts& parts, buffer& to, from_json_options& options)
      : base(plan, parts.json(), to, options, plan.options.limits),
        parts_(parts),
        json_(options),
        fills_(wants_filling(plan.options)) {}

  /// After an error the buffer is as before.
  [[nodiscard]] result<void> run() {
    root_depth_ = base::depth_left_;
    if (root_reader::reads(plan_.root, text_source::stage::from_256_bytes)) [[likely]]
      return {};
    return part_error();
  }

 private:
  using base::bounds_;
  using base::count_required;
  using base::image_;
  using base::in_;
  using base::is_complete;
  using base::is_raw_binary;
  using base::mismatch;
  using base::more_room;
  using base::no_field;
  using base::no_quote;
  using base::nulls_;
  using base::offset;
  using base::out_;
  using base::path_;
  using base::plan_;
  using base::refuses_unknown;
  using base::reject;
  using base::room;
  using base::short_string;
  using base::sized_bytes;
  using base::skip_value;
  using base::string_value;
  using base::take_colon;
  using base::text_field;
  using typename base::kinds;
  using typename base::open_struct;

  [[nodiscard]] static bool wants_filling(const http_options& options) noexcept {
    const http_absent_options& absent = options.absent;
    return options.request.fallback == http_switch::on || options.request.traceback == http_switch::on ||
           absent.required == http_absent::write || absent.default_ == http_absent::write ||
           absent.optional == http_absent::write;
  }
  [[nodiscard]] static bool is_number(type_kind kind) noexcept {
    return kind == kinds::i8 || kind == kinds::i16 || kind == kinds::i32 || kind == kinds::i64 ||
           kind == kinds::double_;
  }
  [[nodiscard]] static std::size_t position(const open_struct& open, std::uint32_t field) noexcept {
    return field - open.node.fields.begin;
  }
  // One field more is in the output.
  void count(open_struct& open, std::uint32_t field) {
    static_cast<void>(open.seen.add(position(open, field)));
    count_required(open, image_.fields[field]);
  }
  // Inside the root struct, not in one that a part's text holds; at the end of it, it has been left.
  [[nodiscard]] bool is_root() const noexcept {
    return base::depth_left_ + (is_ending_ ? 0 : 1) == root_depth_;
  }

  // ---- what json_reader asks

  [[nodiscard]] bool is_own_value(type_kind kind, std::uint8_t first) const noexcept {
    if (first != '"') [[likely]]
      return false;
    return (kind == kinds::binary && is_raw_binary()) || (kind == kinds::enum_ && !takes_names()) ||
           (is_number(kind) && base::accepts_quoted());
  }
  json_position own_value(json_position now, type_kind kind, std::uint32_t, std::uint8_t first) {
    if (kind == kinds::binary) return string_value(now, first);
    if (kind == kinds::enum_ && !base::accepts_quoted()) return mismatch(now.at, kind);
    const std::uint8_t* start = now.at;
    std::string_view text;
    if (!short_string(now, text)) return {};
    if (text.empty()) return zero_number(now, kind);
    return quoted(now, kind, text, start);
  }
  json_position zero_number(json_position now, type_kind kind) {
    if (kind == kinds::double_) return {now.at, Protocol::put_double(now.to, 0)};
    return base::put_integer_of(now, kind, 0, false, now.at);
  }
  json_position quoted(json_position now, type_kind kind, std::string_view text, const std::uint8_t* start) {
    json_number number;
    if (!base::is_number(text, number))
      return reject(errc::json_type, start,
                    base::expected_found(to_string(kind), "a string that is no number"));
    if (kind != kinds::double_) return base::put_integral(now, kind, number, errc::json_type, start);
    double value = 0;
    if (!to_double(number, value)) return reject(errc::double_range, start);
    return {now.at, Protocol::put_double(now.to, value)};
  }
  [[nodiscard]] bool takes_names() const noexcept { return plan_.options.request.enums == json_enums::name; }

  json_position begin_fields(json_position now, open_struct& open) {
    const http_struct& known = plan_.of(open.node);
    if (known.mapped.empty()) [[likely]]
      return now;
    for (const std::uint32_t field : known.mapped) {
      now = plan_.fields[field].is_base ? context_base(now, open, field, false)
                                        : mapped_field(now, open, field);
      if (!now) return no_field(field);
    }
    return now;
  }
  [[nodiscard]] bool has_own_keys(const image::struct_node& node) const noexcept {
    return plan_.of(node).has_own_keys;
  }
  [[nodiscard]] THRIFTLENS_INLINE bool is_own_field(std::uint32_t field) const noexcept {
    return (plan_.fields[field].special & special_request) != 0;
  }
  // A field that is met under its key in JSON.
  json_position own_field(json_position now, open_struct& open, std::uint32_t field,
                          const std::uint8_t* key_end) {
    const http_field& how = plan_.fields[field];
    if (how.removed)
      return unknown_member(now, open, root_reader::key_start(key_end),
                            image_.view(image_.field_texts[field].name));
    if (how.is_base && !parts_.base().empty()) return request_base(now, open, field);
    if (how.is_mapped() && (!has_fallback() || has_part(field))) return skip_value(now);
    if (how.form == json_form::plain || image_.fields[field].kind == kinds::bool_)
      return root_reader::known_member(now, open, field, key_end);
    return formed_member(now, open, field, key_end);
  }
  json_position unknown_member(json_position now, const open_struct& open, const std::uint8_t* key_at,
                               std::string_view key) {
    if (!refuses_unknown()) return skip_value(now);
    return reject(errc::unknown_key, key_at, no_such_field_text({&image_, open.node.type}, key));
  }
  json_position own_member(json_position now, open_struct& open) {
    if (in_.peek(now.at) != '"') return no_quote(now.at);
    const std::uint8_t* start = now.at;
    std::string_view key;
    if (!room(now) || !short_string(now, key)) return {};
    const http_struct& known = plan_.of(open.node);
    const std::uint32_t found = known.keys.find(key);
    if (found == key_table::none && refuses_unknown())
      return unknown_member(now, open, start, std::string(key));
    const std::uint8_t* key_end = now.at;
    if (!take_colon(now)) return {};
    return found == key_table::none ? skip_value(now) : meant_member(now, open, known.own[found], key_end);
  }
  json_position meant_member(json_position now, open_struct& open, const own_key& meant,
                             const std::uint8_t* key_end) {
    if (!meant.body.empty() && is_root() && finds_body_keys()) return body_member(now, open, meant, key_end);
    if (meant.field != image::none) return root_reader::member(now, open, meant.field, key_end);
    if (!refuses_unknown() || meant.elsewhere) return skip_value(now);
    return reject(errc::unknown_key, root_reader::key_start(key_end), "a key that api.body names, elsewhere");
  }

  json_position end_fields(json_position now, open_struct& open) {
    if (nulls_.size() != open.nulls) base::drop_nulls(open);
    const bool outside = std::exchange(is_ending_, true);
    const bool has_removed = plan_.of(open.node).has_removed;
    if ((fills_ || has_removed || is_root()) && open.node.kind != kinds::union_) now = fill(now, open);
    is_ending_ = outside;
    if (!now || !is_complete(now, open) || !room(now)) return {};
    now.to = Protocol::put_stop(now.to);
    return now;
  }

  // ---- fields out of parts

  [[nodiscard]] bool has_fallback() const noexcept {
    return plan_.options.request.fallback == http_switch::on;
  }
  [[nodiscard]] bool finds_body_keys() const noexcept {
    return parts_.says_json() || plan_.options.request.body == http_body::any;
  }
  // The text for a mapping; without data where there is none. Empty texts are none, but for a string that the
  // body holds.
  [[nodiscard]] std::string_view text_of(const http_mapping& mapping, type_kind kind) {
    if (mapping.part == http_part::raw_body) return parts_.raw_body();
    if (mapping.part == http_part::raw_uri) return parts_.raw_uri();
    if (mapping.part == http_part::body) find_body_keys();
    if (mapping.part == http_part::body && parts_.kind() == body_kind::json && takes_empty(kind, false))
      return parts_.text(mapping.slot);
    const std::string_view found = parts_.text(mapping.slot);
    return found.empty() ? std::string_view() : found;
  }
  // Whether a field of the root waits for its key in the JSON body.
  [[nodiscard]] bool comes_later(const http_mapping& mapping) const noexcept {
    return mapping.part == http_part::body && is_root() && parts_.kind() == body_kind::json;
  }
  [[nodiscard]] bool has_part(std::uint32_t field) {
    const type_kind kind = image_.fields[field].kind;
    for (const http_mapping& each : plan_.fields[field].request) {
      if (each.part == http_part::no_body_struct) return is_struct(kind);
      if (text_of(each, kind).data() != nullptr) return true;
    }
    return false;
  }

  json_position mapped_field(json_position now, open_struct& open, std::uint32_t field) {
    const type_kind kind = image_.fields[field].kind;
    for (const http_mapping& each : plan_.fields[field].request) {
      if (each.part == http_part::no_body_struct) {
        if (is_struct(kind)) return struct_of_parts(now, open, field);
        continue;
      }
      if (comes_later(each)) continue;
      const std::string_view text = text_of(each, kind);
      if (text.data() == nullptr || (text.empty() && each.part != http_part::body)) continue;
      now = each.part == http_part::raw_body && kind == kinds::binary
                ? bytes_field(now, open, field, text)
                : one_or_more(now, open, field, each.slot, text);
      if (!now) return name_part(each);
      count(open, field);
      return now;
    }
    return now;
  }
  // The text as it is, whatever `binary` is elsewhere.
  json_position bytes_field(json_position now, open_struct& open, std::uint32_t field,
                            std::string_view text) {
    const image::field_node& known = image_.fields[field];
    now = more_room(now, 32);
    if (!now) return {};
    now.to = Protocol::put_field(now.to, known.wire, known.id, open.last_id);
    return sized_bytes(now, text);
  }
  [[nodiscard]] bool is_list(std::uint32_t field) const noexcept {
    const type_kind kind = image_.fields[field].kind;
    return kind == kinds::list || kind == kinds::set;
  }
  json_position one_or_more(json_position now, open_struct& open, std::uint32_t field, std::uint32_t slot,
                            std::string_view text) {
    if (slot >= plan_.repeats.size() || !plan_.repeats[slot] || !is_list(field))
      return text_field(now, open, field, text);
    const std::vector<std::string_view> all = parts_.all_texts(slot);
    return all.empty() ? text_field(now, open, field, text) : base::texts_field(now, open, field, all);
  }
  THRIFTLENS_COLD json_failed name_part(const http_mapping& mapping) {
    if (!where_.empty()) return {};
    where_ = to_string(mapping.part);
    if (!mapping.key.empty() && static_cast<std::size_t>(mapping.part) < keyed_parts)
      where_ += " \"" + mapping.key + '"';
    return {};
  }

  // All annotated fields of the struct, those without a text as their default or zero.
  json_position struct_of_parts(json_position now, open_struct& outer, std::uint32_t field) {
    const image::field_node& known = image_.fields[field];
    if (!base::enter(now.at)) return {};
    now = more_room(now, 32);
    if (!now) return {};
    now.to = Protocol::put_field(now.to, known.wire, known.id, outer.last_id);
    now = parts_alone(now, image_.structs[image_.types[known.type].first]);
    base::leave();
    if (now) count(outer, field);
    return now;
  }
  json_position parts_alone(json_position now, const image::struct_node& node) {
    field_set seen(node.fields.size, set_words_);
    open_struct open{{offset(now.to), 0}, node, seen, nulls_.size()};
    for (const std::uint32_t field : plan_.of(node).mapped) {
      if (plan_.fields[field].request.empty()) continue;
      now = mapped_field(now, open, field);
      if (now && !open.seen.has(position(open, field))) now = zero_field(now, open, field);
      if (!now) return no_field(field);
    }
    if (!is_complete(now, open) || !room(now)) return {};
    now.to = Protocol::put_stop(now.to);
    return now;
  }

  // ---- keys of the body that api.body names

  // A member of the root that fields are sent to.
  json_position body_member(json_position now, open_struct& open, const own_key& meant,
                            const std::uint8_t* key_end) {
    in_.peek(now.at);
    const std::uint8_t* begin = now.at;
    now = meant.field == image::none ? skip_value(now) : root_reader::member(now, open, meant.field, key_end);
    if (!now) return {};
    std::string unescaped;
    std::string_view text;
    const bool is_there = json_text_of({begin, static_cast<std::size_t>(now.at - begin)}, unescaped, text);
    for (const std::uint32_t field : meant.body) {
      const bool is_given = is_there || refuses_null(image_.fields[field].kind);
      if (is_given && wants_body(open, field, text)) now = body_field(now, open, field, text);
      if (!now) return {};
    }
    return now;
  }
  json_position body_field(json_position now, open_struct& open, std::uint32_t field, std::string_view text) {
    now = text_field(now, open, field, text);
    if (!now) {
      name_part(plan_.fields[field].request.back());
      return no_field(field);
    }
    count(open, field);
    return now;
  }
  // Null is no number.
  [[nodiscard]] bool refuses_null(type_kind kind) const noexcept {
    return plan_.options.request.body == http_body::stated && kind != kinds::string && kind != kinds::binary;
  }
  [[nodiscard]] bool wants_body(const open_struct& open, std::uint32_t field, std::string_view text) const {
    const image::field_node& known = image_.fields[field];
    const bool required = (known.flags & image::required) != 0;
    return !open.seen.has(position(open, field)) && (!text.empty() || takes_empty(known.kind, required));
  }
  // Whether an empty string in the body is a value.
  [[nodiscard]] bool takes_empty(type_kind kind, bool required) const noexcept {
    const bool is_text = kind == kinds::string || kind == kinds::binary;
    return is_text && (required || plan_.options.request.body == http_body::any);
  }
  // The text of a JSON value: a string's content, else the value as it stands. False for null.
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
    const simd::json_unescaped done = simd::unescape_json(to, from, from + text.size() - 1);
    if (done.end == nullptr) return false;
    content.resize(static_cast<std::size_t>(done.end - to));
    return true;
  }
  // Looks up the members of the root, once, for fields elsewhere. What is no JSON gives nothing: the reader
  // itself says so.
  void find_body_keys() {
    if (std::exchange(has_body_keys_, true) || parts_.kind() != body_kind::json || !finds_body_keys()) return;
    text_source in;
    json_position now{nullptr, nullptr};
    in.open_part(parts_.json(), now.at);
    std::uint8_t next = in.peek(now.at);
    if (next != '{') return;
    do {
      in.advance(now.at);
      if (in.peek(now.at) != '"' || !body_key(in, now.at)) return;
      next = in.peek(now.at);
    } while (next == ',');
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
  // Over one value, by brackets and quotes alone: whether it is JSON the reader will see.
  [[nodiscard]] static bool pass(text_source& in, const std::uint8_t*& at) {
    const std::uint8_t* const end = in.end();
    std::size_t depth = 0;
    for (; at != end; ++at) {
      if (*at == '"' && !pass_string(at, end)) return false;
      depth += *at == '{' || *at == '[' ? 1 : 0;
      const bool closes = *at == '}' || *at == ']';
      if (depth == 0 && (closes || *at == ',' || *at == ':')) return true;
      depth -= closes ? 1 : 0;
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

  json_position formed_member(json_position now, open_struct& open, std::uint32_t field,
                              const std::uint8_t* key_end) {
    if (!open.seen.add(position(open, field))) return root_reader::second_key(key_end, field);
    const std::uint8_t first = in_.peek(now.at);
    if (!room(now)) return {};
    if (first == 'n') return root_reader::odd_field(now, open, field, first);
    now = formed_value(now, open, field, first);
    if (!now) return no_field(field);
    count_required(open, image_.fields[field]);
    return now;
  }
  json_position formed_value(json_position now, open_struct& open, std::uint32_t field, std::uint8_t first) {
    const image::field_node& known = image_.fields[field];
    now.to = Protocol::put_field(now.to, known.wire, known.id, open.last_id);
    const bool dynamic = plan_.fields[field].form == json_form::dynamic;
    return dynamic ? dynamic_value(now) : converted_value(now, known, first);
  }
  // The JSON text of any value.
  json_position dynamic_value(json_position now) {
    in_.peek(now.at);
    const std::uint8_t* begin = now.at;
    now = skip_value(now);
    if (!now) return {};
    const auto size = static_cast<std::size_t>(now.at - begin);
    return sized_bytes(now, trim_blanks({reinterpret_cast<const char*>(begin), size}));
  }
  // A number in quotes, or a string out of a number; in lists too.
  json_position converted_value(json_position now, const image::field_node& known, std::uint8_t first) {
    if (known.kind == kinds::string && base::is_number_start(first)) return dynamic_value(now);
    const json_quoted_numbers outside = std::exchange(json_.quoted_numbers, json_quoted_numbers::accept);
    now = root_reader::value(now, known.kind, known.type, first);
    json_.quoted_numbers = outside;
    return now;
  }

  // ---- Base

  json_position context_base(json_position now, open_struct& open, std::uint32_t field, bool at_end) {
    const bool merges = plan_.options.base == http_base::merge;
    if (parts_.base().empty() || merges != at_end || open.seen.has(position(open, field))) return now;
    return raw_field(now, open, field, parts_.base());
  }
  json_position raw_field(json_position now, open_struct& open, std::uint32_t field, byte_view bytes) {
    const image::field_node& known = image_.fields[field];
    now = more_room(now, bytes.size() + 32);
    if (!now) return {};
    now.to = put_raw_field<Protocol>(now.to, {known.wire, known.id}, bytes, open.last_id);
    count(open, field);
    return now;
  }
  // The request's own Base, where the caller has given one.
  json_position request_base(json_position now, open_struct& open, std::uint32_t field) {
    if (plan_.options.base != http_base::merge || in_.peek(now.at) == 'n') return skip_value(now);
    const image::field_node& known = image_.fields[field];
    const std::size_t begin = offset(now.to);
    if (!room(now)) return {};
    now = root_reader::value(now, known.kind, known.type, in_.peek(now.at));
    if (!now) return no_field(field);
    buffer merged;
    const byte_view read(out_.at(begin), offset(now.to) - begin);
    if (!merge_structs<Protocol>(parts_.base(), read, merged))
      return reject(errc::type_mismatch, now.at, "the Base beside the request is none");
    now.to = out_.at(begin);
    return raw_field(now, open, field, merged);
  }

  // ---- fields that nothing gave a value

  json_position fill(json_position now, open_struct& open) {
    for (std::uint32_t i = 0; i < open.node.fields.size && now; ++i) {
      if (open.seen.has(i)) continue;
      const std::uint32_t field = open.node.fields.begin + i;
      const http_field& how = plan_.fields[field];
      const bool is_base = how.is_base && is_root();
      if (is_base) now = context_base(now, open, field, true);
      if (now && fills_ && !how.removed && !open.seen.has(i)) now = unset_field(now, open, field);
      if (!now) return no_field(field);
      if ((how.removed || is_base) && !open.seen.has(i)) count_required(open, image_.fields[field]);
    }
    return now;
  }
  json_position unset_field(json_position now, open_struct& open, std::uint32_t field) {
    if (is_looked_up(field)) {
      now = looked_up_field(now, open, field);
      if (!now || open.seen.has(position(open, field))) return now;
    }
    return is_written(field) ? zero_field(now, open, field) : now;
  }
  [[nodiscard]] bool is_plain_optional() const noexcept {
    return plan_.options.absent.plain_optional == http_switch::on;
  }
  [[nodiscard]] bool is_looked_up(std::uint32_t field) const noexcept {
    const bool required = (image_.fields[field].flags & image::required) != 0;
    const bool optional = (image_.fields[field].flags & image::optional) != 0;
    const bool without_body = parts_.kind() != body_kind::json && has_fallback() && is_root();
    const bool traced = plan_.options.request.traceback == http_switch::on && (is_root() || required);
    return (without_body || traced) && (!optional || is_plain_optional());
  }
  json_position looked_up_field(json_position now, open_struct& open, std::uint32_t field) {
    static constexpr http_part order[] = {http_part::path, http_part::query, http_part::header,
                                          http_part::cookie, http_part::body};
    const http_field& how = plan_.fields[field];
    for (std::size_t i = 0; i < how.fallback.size(); ++i) {
      const http_mapping mapping{order[i], how.fallback[i], how.key};
      const std::string_view text = text_of(mapping, image_.fields[field].kind);
      if (text.empty()) continue;
      if (!base::enter(now.at))
        return name_part(mapping);  // the struct was left: else one in the text is root
      now = text_field(now, open, field, text);
      base::leave();
      if (!now) return name_part(mapping);
      count(open, field);
      return now;
    }
    return now;
  }
  [[nodiscard]] bool is_written(std::uint32_t field) const noexcept {
    const http_absent_options& absent = plan_.options.absent;
    const std::uint8_t flags = image_.fields[field].flags;
    if ((flags & image::required) != 0) return absent.required == http_absent::write;
    if ((flags & image::optional) == 0) return absent.default_ == http_absent::write;
    return absent.optional == http_absent::write && (plan_.fields[field].is_mapped() || is_plain_optional());
  }
  // The default of the IDL, or zero.
  json_position zero_field(json_position now, open_struct& open, std::uint32_t field) {
    const image::field_node& known = image_.fields[field];
    const bool has_default = (known.flags & image::has_default) != 0;
    if (has_default && plan_.options.idl.defaults == http_switch::on) {
      buffer spare;
      const byte_view bytes = bytes_in<Protocol>(field_info(&image_, field).defaults(), known.wire, spare);
      return raw_field(now, open, field, bytes);
    }
    buffer zero;
    if (!append_zero<Protocol>(plan_, known.type, base::depth_left_, zero))
      return reject(errc::depth_limit, now.at);
    return raw_field(now, open, field, zero);
  }

  // ---- faults

  // An offset counts in the body; there is none for a fault in another part.
  THRIFTLENS_COLD error part_error() {
    if (where_.empty() && parts_.kind() == body_kind::json) return base::give_error(parts_.json());
    out_.abandon();
    std::string words = std::move(base::detail_);
    if (words.empty()) words = sentence(base::fault_.code);
    if (!where_.empty()) words += " in " + where_;
    return error(base::fault_.code, words, error::no_offset, path_.text());
  }

  http_parts& parts_;
  from_json_options& json_;
  std::string where_;
  std::vector<std::unique_ptr<std::string>> body_texts_;
  field_set::pool set_words_;
  std::uint32_t root_depth_ = 0;
  bool fills_;
  bool has_body_keys_ = false;
  bool is_ending_ = false;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
