// read: JSON text to Thrift bytes in one pass. Never builds a tree, never rounds an integer, never leaves
// half a value in the buffer.
#pragma once

#include <thriftlens/core/result.hpp>
#include <thriftlens/json/key_predictor.hpp>
#include <thriftlens/json/read_unknown.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Reads one text. Used once. `Self`: a reader derived from it that has its own way with some keys, fields
/// and values (http/read_request.hpp); void, the usual one, costs nothing.
template <protocol Protocol, class Self = void>
class json_reader : protected json_unknown_reader<Protocol> {
  using base = json_unknown_reader<Protocol>;

 public:
  json_reader(std::string_view text, const schema_image& image, buffer& to, const from_json_options& options,
              const limits& bounds)
      : base(image, to, options, bounds, text.size()), text_(text), predictor_(image, options.names) {}

  /// The whole of the text must be one value of the type. After an error the buffer is as before.
  /// `use`: for tests; how tokens are found changes no answer.
  [[nodiscard]] result<void> run(type root, text_source::stage use = text_source::stage::from_256_bytes) {
    if (reads(root, use)) [[likely]]
      return {};
    return base::give_error(text_);
  }

 protected:
  using base::add_null;
  using base::at_text_end;
  using base::binary_value;
  using base::bool_value;
  using base::count_required;
  using base::double_value;
  using base::end_struct;
  using base::enter;
  using base::enum_value;
  using base::fault_;
  using base::field_marks_;
  using base::forget_room;
  using base::image_;
  using base::in_;
  using base::is_filled;
  using base::last_counts;
  using base::leave;
  using base::marks_;
  using base::mismatch;
  using base::more_follows;
  using base::no_entry;
  using base::no_field;
  using base::no_key;
  using base::no_quote;
  using base::nulls_;
  using base::offset;
  using base::options_;
  using base::out_;
  using base::path_;
  using base::reject;
  using base::room;
  using base::scalar_key;
  using base::short_string;
  using base::skip_value;
  using base::string_value;
  using base::take_bool;
  using base::take_colon;
  using base::takes_unknown;
  using base::too_many;
  using base::two_members;
  using base::unique;
  using base::unique_so_far;
  using base::unknown_value;
  using base::uuid_value;
  using typename base::field_mark;
  using typename base::kinds;
  using typename base::open_map;
  using typename base::open_struct;
  using object_keys = key_predictor::object_keys;
  static constexpr bool is_derived = !std::is_void_v<Self>;
  [[nodiscard]] auto& self() noexcept { return *static_cast<Self*>(this); }

  bool reads(type root, text_source::stage use) {
    json_position now{nullptr, out_.at()};
    const errc opened = in_.open(text_, now.at, use);
    if (opened != errc::ok) return reject(opened, now.at);
    now = whole(now, root.kind(), root.index());
    if (!now) return false;
    out_.move_to(now.to);
    return out_.finish() || reject(errc::output_limit, now.at);
  }
  // A text that is one value.
  json_position whole(json_position now, type_kind kind, std::uint32_t type) {
    const std::uint8_t first = in_.peek(now.at);
    now = value_in_room(now, kind, type, first);
    return now && at_text_end(now.at) ? now : json_position();
  }
  THRIFTLENS_INLINE json_position value_in_room(json_position now, type_kind kind, std::uint32_t type,
                                                std::uint8_t first) {
    return room(now) ? value(now, kind, type, first) : json_position();
  }
  // The switch is put where a value is asked for and its branches are calls, so that a number does not pay
  // for the registers of a map.
  THRIFTLENS_INLINE json_position value(json_position now, type_kind kind, std::uint32_t type,
                                        std::uint8_t first) {
    if constexpr (is_derived) {
      if (self().is_own_value(kind, first)) return self().own_value(now, kind, type, first);
    }
    switch (kind) {
      case kinds::bool_:
        return bool_value(now, first);
      case kinds::i8:
        return base::template integer_value<std::int8_t>(now, kind);
      case kinds::i16:
        return base::template integer_value<std::int16_t>(now, kind);
      case kinds::i32:
        return base::template integer_value<std::int32_t>(now, kind);
      case kinds::i64:
        return base::template integer_value<std::int64_t>(now, kind);
      case kinds::double_:
        return double_value(now, first);
      case kinds::string:
        return string_value(now, first);
      case kinds::binary:
        return binary_value(now, first);
      case kinds::enum_:
        return enum_value(now, first, type);
      case kinds::list:
        return list_value(now, image_.types[type], first);
      case kinds::map:
        return map_value(now, image_.types[type], first);
      case kinds::struct_:
        return struct_value(now, image_.structs[image_.types[type].first], first);
      default:
        return other_value(now, kind, type, first);
    }
  }
  THRIFTLENS_NOINLINE json_position other_value(json_position now, type_kind kind, std::uint32_t type,
                                                std::uint8_t first) {
    if (kind == kinds::uuid) return uuid_value(now, first);
    if (kind == kinds::set) return list_value(now, image_.types[type], first);
    if (kind == kinds::void_) return reject(errc::bad_ttype, now.at);
    return struct_value(now, image_.structs[image_.types[type].first], first);
  }

  // ---- lists and sets

  THRIFTLENS_NOINLINE json_position list_value(json_position now, const image::type_node& type,
                                               std::uint8_t first) {
    if (first != '[') return mismatch(now.at, type.kind);
    if (!enter(now.at)) return {};
    const std::size_t header = offset(now.to);
    std::uint32_t count = 0;
    now.to = put_header_of(now.to, type, 1);
    now = type.kind == kinds::set ? set_elements(now, type, count) : elements(now, type.first, count);
    leave();
    return now ? end_container(now, type, header, count) : now;
  }
  THRIFTLENS_INLINE json_position elements(json_position now, std::uint32_t type, std::uint32_t& count) {
    const type_kind kind = image_.types[type].kind;
    std::uint8_t next = 0;
    bool more = is_filled(now, ']', next);
    while (more) {
      now = value_in_room(now, kind, type, next);
      if (!now) return no_element(count);
      if (!is_counted(now, count) || !more_follows(now, ']', more, next)) return {};
    }
    return now;
  }
  THRIFTLENS_NOINLINE json_position set_elements(json_position now, const image::type_node& type,
                                                 std::uint32_t& count) {
    const image::type_node& element = image_.types[type.first];
    open_map set{type, element, element, now.at, marks_.size()};
    std::uint8_t next = 0;
    bool more = is_filled(now, ']', next);
    while (more) {
      entry_mark mark{offset(now.to), 0};
      now = value_in_room(now, element.kind, type.first, next);
      if (!now) return no_element(set.count);
      mark.key_end = offset(now.to);
      marks_.push(mark);
      if (!is_counted(now, set.count) || !more_follows(now, ']', more, next)) return {};
      if (set.count == set.next_look && more) now = unique_so_far(now, set);
      if (!now) return {};
    }
    if (set.count > 1) now = unique(now, set);
    marks_.drop_to(set.marks);
    count = set.count;
    return now;
  }
  // One element or entry more.
  THRIFTLENS_INLINE bool is_counted(json_position now, std::uint32_t& count) {
    return !too_many(++count) || reject(errc::size_limit, now.at);
  }
  THRIFTLENS_COLD json_failed no_element(std::uint32_t count) {
    path_.index(count);
    return {};
  }

  // Of a container's header only the size is not known before its end.
  [[nodiscard]] std::uint8_t* put_header_of(std::uint8_t* to, const image::type_node& type,
                                            std::uint32_t count) const {
    const ttype first = image_.types[type.first].wire;
    if (type.kind == kinds::map) return Protocol::put_map(to, {first, image_.types[type.second].wire, count});
    return type.kind == kinds::set ? Protocol::put_set(to, {first, count})
                                   : Protocol::put_list(to, {first, count});
  }
  json_position end_container(json_position now, const image::type_node& type, std::size_t header,
                              std::uint32_t count) {
    if (!room(now)) return {};
    std::uint8_t made[16];
    const std::ptrdiff_t reserved = put_header_of(made, type, 1) - made;
    const std::ptrdiff_t size = put_header_of(made, type, count) - made;
    return base::replace_header(now, header, reserved, made, size);
  }

  // ---- maps

  THRIFTLENS_NOINLINE json_position map_value(json_position now, const image::type_node& type,
                                              std::uint8_t first) {
    const bool pairs = first == '[' && !is_scalar(image_.types[type.first].kind);
    if (first != '{' && !pairs) return mismatch(now.at, kinds::map);
    return enter(now.at) ? entries_of(now, type, pairs ? ']' : '}') : json_position();
  }
  THRIFTLENS_INLINE json_position entries_of(json_position now, const image::type_node& type, char close) {
    open_map map{type, image_.types[type.first], image_.types[type.second], now.at, marks_.size()};
    const std::size_t header = offset(now.to);
    now.to = put_header_of(now.to, type, 1);
    now = entries(now, map, close);
    if (!now) return {};
    marks_.drop_to(map.marks);
    leave();
    return end_container(now, type, header, map.count);
  }
  THRIFTLENS_INLINE json_position entries(json_position now, open_map& map, char close) {
    std::uint8_t next = 0;
    bool more = is_filled(now, close, next);
    while (more) {
      now = close == '}' ? object_entry(now, map, next) : pair_entry(now, map, next);
      if (!now || !is_counted(now, map.count) || !more_follows(now, close, more, next)) [[unlikely]]
        return {};
      if (map.count == map.next_look && more) [[unlikely]]
        now = unique_so_far(now, map);
      if (!now) return {};
    }
    return map.count > 1 ? unique(now, map) : now;
  }
  THRIFTLENS_INLINE json_position object_entry(json_position now, const open_map& map, std::uint8_t next) {
    if (next != '"') return no_quote(now.at);
    if (!room(now)) return {};
    entry_mark mark{offset(now.to), 0};
    now = object_key(now, map);
    if (!now) return no_key(map.count);
    mark.key_end = offset(now.to);
    if (!take_colon(now)) return {};
    marks_.push(mark);
    next = in_.peek(now.at);
    now = value_in_room(now, map.value.kind, map.type.second, next);
    if (!now) return no_entry(map, mark);
    return now;
  }
  THRIFTLENS_NOINLINE json_position pair_entry(json_position now, const open_map& map, std::uint8_t next) {
    entry_mark mark{offset(now.to), 0};
    if (next == '[')
      now = half_of_pair(now, map.type.first);
    else
      now = mismatch(now.at, kinds::list, "a [key, value] pair");
    if (!now) return no_key(map.count);
    mark.key_end = offset(now.to);
    marks_.push(mark);
    now = item_of_pair(now, map);
    if (!now) return no_entry(map, mark);
    return now;
  }
  json_position item_of_pair(json_position now, const open_map& map) {
    if (in_.peek(now.at) != ',')
      return reject(errc::json_syntax, now.at, "expected ',' and the value of the pair");
    now = half_of_pair(now, map.type.second);
    if (!now) return now;
    if (in_.peek(now.at) != ']') return reject(errc::json_syntax, now.at, "expected ']' after the pair");
    in_.advance(now.at);
    return now;
  }
  // What follows a bracket or a comma.
  json_position half_of_pair(json_position now, std::uint32_t type) {
    in_.advance(now.at);
    const std::uint8_t first = in_.peek(now.at);
    return value_in_room(now, image_.types[type].kind, type, first);
  }
  THRIFTLENS_INLINE json_position object_key(json_position now, const open_map& map) {
    return map.key.kind == kinds::string ? string_value(now, '"')
                                         : other_key(now, map.key.kind, map.type.first);
  }
  THRIFTLENS_NOINLINE json_position other_key(json_position now, type_kind kind, std::uint32_t type) {
    return is_scalar(kind) ? scalar_key(now, kind, type) : nested_key(now, kind, type);
  }
  // A struct or container as key of a JSON object: the key's text is the JSON of it.
  json_position nested_key(json_position now, type_kind kind, std::uint32_t type) {
    const std::uint8_t* start = now.at;
    std::string_view text;
    if (!short_string(now, text)) return {};
    const std::string copy(text);
    const json_position inner = inner_text(copy, now.to, kind, type);
    if (inner) return {now.at, inner.to};
    fault_.offset = static_cast<std::size_t>(start - in_.begin());
    return {};
  }
  // The value that a text of its own is; nothing of it is left in the position but where the output goes on.
  json_position inner_text(std::string_view text, std::uint8_t* to, type_kind kind, std::uint32_t type) {
    text_source outer = std::exchange(in_, text_source());
    forget_room();
    json_position now{nullptr, to};
    in_.open_part(text, now.at);
    now = whole(now, kind, type);
    in_ = std::move(outer);
    forget_room();
    return now;
  }

  // ---- structs

  THRIFTLENS_NOINLINE json_position struct_value(json_position now, const image::struct_node& node,
                                                 std::uint8_t first) {
    if (first != '{') return mismatch(now.at, node.kind);
    if (!enter(now.at)) return {};
    field_set seen(node.fields.size, words_);
    open_struct open{{offset(now.to), field_marks_.size()}, node, seen, nulls_.size()};
    if constexpr (is_derived) now = self().begin_fields(now, open);
    if (now && is_filled(now, '}', first)) now = members(now, open);
    leave();
    if constexpr (is_derived) return now ? self().end_fields(now, open) : now;
    return now ? end_struct(now, open) : now;
  }
  THRIFTLENS_INLINE json_position members(json_position now, open_struct& open) {
    if constexpr (is_derived) {
      if (self().has_own_keys(open.node)) return own_members(now, open);
    }
    object_keys keys = predictor_.keys_of(open.node);
    predictor_.expect_next(keys);
    bool known = predictor_.take_any(in_, now.at, keys);
    for (bool more = true; more;) {
      now = known ? member(now, open, keys.field, now.at) : other_member(now, open, keys.field);
      if (!now) [[unlikely]]
        return {};
      predictor_.expect_next(keys);
      known = predictor_.take_expected(in_, now.at, keys);
      if (!known && !next_key(now, keys, known, more)) return {};
    }
    return now;
  }
  // Of a struct whose keys the schema does not know.
  json_position own_members(json_position now, open_struct& open) {
    std::uint8_t next = 0;
    for (bool more = true; more;) {
      now = self().own_member(now, open);
      if (!now || !more_follows(now, '}', more, next)) return {};
    }
    return now;
  }
  // Over the key after a member, where one is there and `known`.
  THRIFTLENS_INLINE bool next_key(json_position& now, object_keys& keys, bool& known, bool& more) {
    const std::uint8_t* end = now.at;
    std::uint8_t next = 0;
    if (!more_follows(now, '}', more, next)) return false;
    // Without blanks the expected key was looked for already.
    if (more)
      known = now.at == end + 1 ? predictor_.take_other(in_, now.at, keys)
                                : predictor_.take_any(in_, now.at, keys);
    return true;
  }
  // The value of a field whose key, which ends at `key_end`, was passed.
  THRIFTLENS_INLINE json_position member(json_position now, open_struct& open, std::uint32_t field,
                                         const std::uint8_t* key_end) {
    if constexpr (is_derived) {
      if (self().is_own_field(field)) return self().own_field(now, open, field, key_end);
    }
    return known_member(now, open, field, key_end);
  }
  THRIFTLENS_INLINE json_position known_member(json_position now, open_struct& open, std::uint32_t field,
                                               const std::uint8_t* key_end) {
    if (!open.seen.add(field - open.node.fields.begin)) [[unlikely]] {
      if (!last_counts()) return second_key(key_end, field);
      open.repeated = true;
    }
    now = field_value(now, open, field);
    if (!now) return no_field(field);
    if (open.node.kind == kinds::union_ && !is_only_member(open)) {
      two_members(key_start(key_end), open);
      return {};
    }
    return now;
  }
  // Where the last of equal keys counts, the end of the union knows.
  [[nodiscard]] bool is_only_member(const open_struct& open) const noexcept {
    return last_counts() || open.seen.count() + open.unknown - (nulls_.size() - open.nulls) <= 1;
  }
  THRIFTLENS_COLD json_failed second_key(const std::uint8_t* key_end, std::uint32_t field) {
    reject(errc::duplicate_key, key_start(key_end), "duplicate key in an object");
    return no_field(field);
  }
  // The quote that opens the key before that position.
  [[nodiscard]] static const std::uint8_t* key_start(const std::uint8_t* key_end) noexcept {
    const std::uint8_t* at = key_end;
    while (*--at != '"') {
    }
    while (*--at != '"' || at[-1] == '\\') {
    }
    return at;
  }
  // A member whose key was not foreseen. `field`: the one it is of, where that is known.
  THRIFTLENS_NOINLINE json_position other_member(json_position now, open_struct& open, std::uint32_t& field) {
    std::uint32_t found = image::none;
    now = any_key(now, open.node, found);
    const std::uint8_t* key_end = now.at;
    if (!now || !take_colon(now)) return {};
    if (found == image::none) return unknown_value(now, open, key_start(key_end));
    field = found;
    return member(now, open, found, key_end);
  }
  [[nodiscard]] bool refuses_unknown() const noexcept { return options_.unknown == on_unknown::error; }
  // However it is spelled; `found` is the field of that key, or none where the IDL has none and the options
  // take that.
  json_position any_key(json_position now, const image::struct_node& node, std::uint32_t& found) {
    if (in_.peek(now.at) != '"') return no_quote(now.at);
    const std::uint8_t* start = now.at;
    std::string_view key;
    if (!room(now) || !short_string(now, key)) return {};
    found = predictor_.find(node, key);
    if (found == image::none && !takes_unknown(node, key, start)) return {};
    return now;
  }

  THRIFTLENS_INLINE json_position field_value(json_position now, open_struct& open, std::uint32_t field) {
    const image::field_node& known = image_.fields[field];
    const std::uint8_t first = in_.peek(now.at);
    if (!room(now)) [[unlikely]]
      return {};
    if (first == 'n' || last_counts()) [[unlikely]]
      return odd_field(now, open, field, first);
    field_mark unused;
    now = header_and_value(now, open, known, first, unused);
    count_required(open, known);
    return now;
  }
  THRIFTLENS_INLINE json_position header_and_value(json_position now, open_struct& open,
                                                   const image::field_node& known, std::uint8_t first,
                                                   field_mark& mark) {
    if constexpr (Protocol::traits.has_inline_bool) {
      if (known.kind == kinds::bool_) return header_with_bool(now, open, known.id, first, mark);
    }
    now.to = Protocol::put_field(now.to, known.wire, known.id, open.last_id);
    mark.body = offset(now.to);
    return value(now, known.kind, known.type, first);
  }
  THRIFTLENS_INLINE json_position header_with_bool(json_position now, open_struct& open, std::int16_t id,
                                                   std::uint8_t first, field_mark& mark) {
    bool value = false;
    if (!take_bool(now, first, value)) return mismatch(now.at, kinds::bool_);
    now.to = Protocol::put_bool_field(now.to, id, value, open.last_id);
    mark.truth = value ? 1 : 0;
    mark.body = offset(now.to);
    return now;
  }
  // Of null, and of anything where the last of equal keys counts: only the end of the struct knows then what
  // is present.
  THRIFTLENS_NOINLINE json_position odd_field(json_position now, open_struct& open, std::uint32_t field,
                                              std::uint8_t first) {
    const image::field_node& known = image_.fields[field];
    field_mark mark{offset(now.to), 0, field, {known.wire, known.id}};
    mark.absent = first == 'n';
    now = mark.absent ? skip_value(now) : header_and_value(now, open, known, first, mark);
    if (!now) return {};
    if (last_counts())
      field_marks_.push_back(mark);
    else
      add_null(open, field);
    return now;
  }

  std::string_view text_;
  key_predictor predictor_;
  field_set::pool words_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
