// read: converts JSON text to Thrift bytes in one pass. Integers are not rounded.
#pragma once

#include <thriftlens/core/result.hpp>
#include <thriftlens/json/read/key_predictor.hpp>
#include <thriftlens/json/read/read_unknown.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Reads one text. Used once. `Self`: a derived reader that handles some keys, fields and values itself
/// (http/read_request.hpp), or void.
template <protocol Protocol, class Self = void>
class json_reader : protected json_unknown_reader<Protocol> {
  using base = json_unknown_reader<Protocol>;

 public:
  json_reader(std::string_view text, const schema_image& image, buffer& to, const from_json_options& options,
              const limits& bounds)
      : base(image, to, options, bounds, text.size()), text_(text), predictor_(image, options.names) {}

  /// Reads a text that is one value of the type. After an error the buffer is unchanged. `use`: for tests;
  /// does not change the result.
  [[nodiscard]] result<void> run(type root, text_source::stage use = text_source::stage::from_256_bytes) {
    if (reads(root, use)) [[likely]]
      return {};
    return base::make_error(text_);
  }

 protected:
  using base::add_null, base::at_text_end, base::binary_value, base::bool_value, base::count_required,
      base::detail_, base::double_value, base::end_struct, base::enter, base::enum_value, base::fault_,
      base::field_marks_, base::forget_capacity, base::image_, base::in_, base::is_filled, base::last_counts,
      base::leave, base::marks_, base::mismatch, base::more_follows, base::no_entry, base::no_field,
      base::no_key, base::no_quote, base::nulls_, base::offset, base::option_, base::options_, base::out_,
      base::path_, base::reject, base::reserve, base::scalar_key, base::short_string, base::skip_value,
      base::string_value, base::take_bool, base::take_colon, base::takes_unknown, base::too_many,
      base::two_members, base::unique, base::unique_so_far, base::unknown_value, base::uuid_value,
      typename base::field_mark, typename base::kinds, typename base::open_map, typename base::open_struct;
  using object_keys = key_predictor::object_keys;
  static constexpr bool is_derived = !std::is_void_v<Self>;
  [[nodiscard]] auto& self() noexcept { return *static_cast<Self*>(this); }

  bool reads(type root, text_source::stage use) {
    json_position pos{nullptr, out_.at()};
    const errc opened = in_.open(text_, pos.at, use);
    if (opened != errc::ok) return reject_ill_formed(pos.at, root);
    pos = sole_value(pos, root.kind(), root.index());
    if (!pos) return false;
    out_.move_to(pos.to);
    return out_.finish() || reject(errc::output_limit, pos.at);
  }
  // Reports the first fault of a text whose first ill-formed byte is at `bad`. Reads the text before it.
  THRIFTLENS_COLD json_failed reject_ill_formed(const std::uint8_t* bad, type root) {
    const auto size = static_cast<std::size_t>(bad - in_.begin());
    json_position pos{nullptr, out_.at()};
    in_.open_part(text_.substr(0, size), pos.at);
    static_cast<void>(sole_value(pos, root.kind(), root.index()));
    if (fault_.code != errc::ok && fault_.offset < size) return {};
    fault_ = {errc::invalid_utf8, 0, size};
    detail_.clear();
    option_ = nullptr;
    return {};
  }
  // The value of a text that holds nothing else.
  json_position sole_value(json_position pos, type_kind kind, std::uint32_t type) {
    const std::uint8_t first = in_.peek(pos.at);
    pos = next_value(pos, kind, type, first);
    return pos && at_text_end(pos.at) ? pos : json_position();
  }
  THRIFTLENS_INLINE json_position next_value(json_position pos, type_kind kind, std::uint32_t type,
                                             std::uint8_t first) {
    return reserve(pos) ? value(pos, kind, type, first) : json_position();
  }
  // Inline with calls as branches, so that a number does not save the registers that a map needs.
  THRIFTLENS_INLINE json_position value(json_position pos, type_kind kind, std::uint32_t type,
                                        std::uint8_t first) {
    if constexpr (is_derived) {
      if (self().is_own_value(kind, first)) return self().own_value(pos, kind, type, first);
    }
    switch (kind) {
      case kinds::bool_:
        return bool_value(pos, first);
      case kinds::i8:
        return base::template integer_value<std::int8_t>(pos, kind);
      case kinds::i16:
        return base::template integer_value<std::int16_t>(pos, kind);
      case kinds::i32:
        return base::template integer_value<std::int32_t>(pos, kind);
      case kinds::i64:
        return base::template integer_value<std::int64_t>(pos, kind);
      case kinds::double_:
        return double_value(pos, first);
      case kinds::string:
        return string_value(pos, first);
      case kinds::binary:
        return binary_value(pos, first);
      case kinds::enum_:
        return enum_value(pos, first, type);
      case kinds::list:
        return list_value(pos, image_.types[type], first);
      case kinds::map:
        return map_value(pos, image_.types[type], first);
      case kinds::struct_:
        return struct_value(pos, image_.structs[image_.types[type].first], first);
      default:
        return other_value(pos, kind, type, first);
    }
  }
  THRIFTLENS_NOINLINE json_position other_value(json_position pos, type_kind kind, std::uint32_t type,
                                                std::uint8_t first) {
    if (kind == kinds::uuid) return uuid_value(pos, first);
    if (kind == kinds::set) return list_value(pos, image_.types[type], first);
    if (kind == kinds::void_) return reject(errc::bad_ttype, pos.at);
    return struct_value(pos, image_.structs[image_.types[type].first], first);
  }

  // ---- lists and sets

  THRIFTLENS_NOINLINE json_position list_value(json_position pos, const image::type_node& type,
                                               std::uint8_t first) {
    if (first != '[') return mismatch(pos.at, type.kind);
    if (!enter(pos.at)) return {};
    const std::size_t header = offset(pos.to);
    std::uint32_t count = 0;
    pos.to = put_header_of(pos.to, type, 1);
    pos = type.kind == kinds::set ? set_elements(pos, type, count) : elements(pos, type.first, count);
    leave();
    return pos ? end_container(pos, type, header, count) : pos;
  }
  THRIFTLENS_INLINE json_position elements(json_position pos, std::uint32_t type, std::uint32_t& count) {
    const type_kind kind = image_.types[type].kind;
    std::uint8_t next = 0;
    bool more = is_filled(pos, ']', next);
    while (more) {
      pos = next_value(pos, kind, type, next);
      if (!pos) return no_element(count);
      if (!is_counted(pos, count) || !more_follows(pos, ']', more, next)) return {};
    }
    return pos;
  }
  THRIFTLENS_NOINLINE json_position set_elements(json_position pos, const image::type_node& type,
                                                 std::uint32_t& count) {
    const image::type_node& element = image_.types[type.first];
    open_map set{type, element, element, pos.at, marks_.size()};
    std::uint8_t next = 0;
    bool more = is_filled(pos, ']', next);
    while (more) {
      entry_mark mark{offset(pos.to), 0};
      pos = next_value(pos, element.kind, type.first, next);
      if (!pos) return no_element(set.count);
      mark.key_end = offset(pos.to);
      marks_.push(mark);
      if (!is_counted(pos, set.count) || !more_follows(pos, ']', more, next)) return {};
      if (set.count == set.next_look && more) pos = unique_so_far(pos, set);
      if (!pos) return {};
    }
    if (set.count > 1) pos = unique(pos, set);
    marks_.drop_to(set.marks);
    count = set.count;
    return pos;
  }
  // One element or entry more.
  THRIFTLENS_INLINE bool is_counted(json_position pos, std::uint32_t& count) {
    return !too_many(++count) || reject(errc::size_limit, pos.at);
  }
  THRIFTLENS_COLD json_failed no_element(std::uint32_t count) {
    path_.index(count);
    return {};
  }

  // The header of a container; only its size is unknown before the end.
  [[nodiscard]] std::uint8_t* put_header_of(std::uint8_t* to, const image::type_node& type,
                                            std::uint32_t count) const {
    const ttype first = image_.types[type.first].wire;
    if (type.kind == kinds::map) return Protocol::put_map(to, {first, image_.types[type.second].wire, count});
    return type.kind == kinds::set ? Protocol::put_set(to, {first, count})
                                   : Protocol::put_list(to, {first, count});
  }
  json_position end_container(json_position pos, const image::type_node& type, std::size_t header,
                              std::uint32_t count) {
    if (!reserve(pos)) return {};
    std::uint8_t header_bytes[16];
    const std::ptrdiff_t reserved = put_header_of(header_bytes, type, 1) - header_bytes;
    const std::ptrdiff_t size = put_header_of(header_bytes, type, count) - header_bytes;
    return base::replace_header(pos, header, reserved, header_bytes, size);
  }

  // ---- maps

  THRIFTLENS_NOINLINE json_position map_value(json_position pos, const image::type_node& type,
                                              std::uint8_t first) {
    const bool pairs = first == '[' && !is_scalar(image_.types[type.first].kind);
    if (first != '{' && !pairs) return mismatch(pos.at, kinds::map);
    return enter(pos.at) ? entries_of(pos, type, pairs ? ']' : '}') : json_position();
  }
  THRIFTLENS_INLINE json_position entries_of(json_position pos, const image::type_node& type, char close) {
    open_map map{type, image_.types[type.first], image_.types[type.second], pos.at, marks_.size()};
    const std::size_t header = offset(pos.to);
    pos.to = put_header_of(pos.to, type, 1);
    pos = entries(pos, map, close);
    if (!pos) return {};
    marks_.drop_to(map.marks);
    leave();
    return end_container(pos, type, header, map.count);
  }
  THRIFTLENS_INLINE json_position entries(json_position pos, open_map& map, char close) {
    std::uint8_t next = 0;
    bool more = is_filled(pos, close, next);
    while (more) {
      pos = close == '}' ? object_entry(pos, map, next) : pair_entry(pos, map, next);
      if (!pos || !is_counted(pos, map.count) || !more_follows(pos, close, more, next)) [[unlikely]]
        return {};
      if (map.count == map.next_look && more) [[unlikely]]
        pos = unique_so_far(pos, map);
      if (!pos) return {};
    }
    return map.count > 1 ? unique(pos, map) : pos;
  }
  THRIFTLENS_INLINE json_position object_entry(json_position pos, const open_map& map, std::uint8_t next) {
    if (next != '"') return no_quote(pos.at);
    if (!reserve(pos)) return {};
    entry_mark mark{offset(pos.to), 0};
    pos = object_key(pos, map);
    if (!pos) return no_key(map.count);
    mark.key_end = offset(pos.to);
    if (!take_colon(pos)) return {};
    marks_.push(mark);
    next = in_.peek(pos.at);
    pos = next_value(pos, map.value.kind, map.type.second, next);
    if (!pos) return no_entry(map, mark);
    return pos;
  }
  THRIFTLENS_NOINLINE json_position pair_entry(json_position pos, const open_map& map, std::uint8_t next) {
    entry_mark mark{offset(pos.to), 0};
    if (next == '[')
      pos = half_of_pair(pos, map.type.first);
    else
      pos = mismatch(pos.at, kinds::list, "a [key, value] pair");
    if (!pos) return no_key(map.count);
    mark.key_end = offset(pos.to);
    marks_.push(mark);
    pos = item_of_pair(pos, map);
    if (!pos) return no_entry(map, mark);
    return pos;
  }
  json_position item_of_pair(json_position pos, const open_map& map) {
    if (in_.peek(pos.at) != ',')
      return reject(errc::json_syntax, pos.at, "expected ',' and the value of the pair");
    pos = half_of_pair(pos, map.type.second);
    if (!pos) return pos;
    if (in_.peek(pos.at) != ']') return reject(errc::json_syntax, pos.at, "expected ']' after the pair");
    in_.advance(pos.at);
    return pos;
  }
  // Reads the value after a bracket or comma.
  json_position half_of_pair(json_position pos, std::uint32_t type) {
    in_.advance(pos.at);
    const std::uint8_t first = in_.peek(pos.at);
    return next_value(pos, image_.types[type].kind, type, first);
  }
  THRIFTLENS_INLINE json_position object_key(json_position pos, const open_map& map) {
    return map.key.kind == kinds::string ? string_value(pos, '"')
                                         : other_key(pos, map.key.kind, map.type.first);
  }
  THRIFTLENS_NOINLINE json_position other_key(json_position pos, type_kind kind, std::uint32_t type) {
    return is_scalar(kind) ? scalar_key(pos, kind, type) : nested_key(pos, kind, type);
  }
  // A struct or container as key of an object: its JSON is the text of the key.
  json_position nested_key(json_position pos, type_kind kind, std::uint32_t type) {
    const std::uint8_t* start = pos.at;
    std::string_view text;
    if (!short_string(pos, text)) return {};
    const std::string copy(text);
    const json_position inner = inner_text(copy, pos.to, kind, type);
    if (inner) return {pos.at, inner.to};
    fault_.offset = static_cast<std::size_t>(start - in_.begin());
    return {};
  }
  // Reads a value from another text. Only `to` of the result is meaningful.
  json_position inner_text(std::string_view text, std::uint8_t* to, type_kind kind, std::uint32_t type) {
    text_source outer = std::exchange(in_, text_source());
    forget_capacity();
    json_position pos{nullptr, to};
    in_.open_part(text, pos.at);
    pos = sole_value(pos, kind, type);
    in_ = std::move(outer);
    forget_capacity();
    return pos;
  }

  // ---- structs

  THRIFTLENS_NOINLINE json_position struct_value(json_position pos, const image::struct_node& node,
                                                 std::uint8_t first) {
    if (first != '{') return mismatch(pos.at, node.kind);
    if (!enter(pos.at)) return {};
    field_set seen(node.fields.size, field_sets_);
    open_struct open{{offset(pos.to), field_marks_.size()}, node, seen, nulls_.size()};
    if constexpr (is_derived) pos = self().begin_fields(pos, open);
    if (pos && is_filled(pos, '}', first)) pos = members(pos, open);
    leave();
    if constexpr (is_derived) return pos ? self().end_fields(pos, open) : pos;
    return pos ? end_struct(pos, open) : pos;
  }
  THRIFTLENS_INLINE json_position members(json_position pos, open_struct& open) {
    if constexpr (is_derived) {
      if (self().has_own_keys(open.node)) return own_members(pos, open);
    }
    object_keys keys = predictor_.keys_of(open.node);
    predictor_.expect_next(keys);
    bool known = predictor_.take_any(in_, pos.at, keys);
    for (bool more = true; more;) {
      pos = known ? member(pos, open, keys.field, pos.at) : other_member(pos, open, keys.field);
      if (!pos) [[unlikely]]
        return {};
      predictor_.expect_next(keys);
      known = predictor_.take_expected(in_, pos.at, keys);
      if (!known && !next_key(pos, keys, known, more)) return {};
    }
    return pos;
  }
  // Members of a struct whose keys a derived reader looks up.
  json_position own_members(json_position pos, open_struct& open) {
    std::uint8_t next = 0;
    for (bool more = true; more;) {
      pos = self().own_member(pos, open);
      if (!pos || !more_follows(pos, '}', more, next)) return {};
    }
    return pos;
  }
  // Moves to the next key, if there is one, and over it if it is `known`.
  THRIFTLENS_INLINE bool next_key(json_position& pos, object_keys& keys, bool& known, bool& more) {
    const std::uint8_t* end = pos.at;
    std::uint8_t next = 0;
    if (!more_follows(pos, '}', more, next)) return false;
    // Without blanks the expected key was already tried.
    if (more)
      known = pos.at == end + 1 ? predictor_.take_other(in_, pos.at, keys)
                                : predictor_.take_any(in_, pos.at, keys);
    return true;
  }
  // Reads the value of a field whose key ends at `key_end`.
  THRIFTLENS_INLINE json_position member(json_position pos, open_struct& open, std::uint32_t field,
                                         const std::uint8_t* key_end) {
    if constexpr (is_derived) {
      if (self().is_own_field(field)) return self().own_field(pos, open, field, key_end);
    }
    return known_member(pos, open, field, key_end);
  }
  THRIFTLENS_INLINE json_position known_member(json_position pos, open_struct& open, std::uint32_t field,
                                               const std::uint8_t* key_end) {
    if (!open.seen.add(field - open.node.fields.begin)) [[unlikely]] {
      if (!last_counts()) return second_key(key_end, field);
      open.repeated = true;
    }
    pos = field_value(pos, open, field);
    if (!pos) return no_field(field);
    if (open.node.kind == kinds::union_ && !is_only_member(open)) {
      two_members(key_start(key_end), open);
      return {};
    }
    return pos;
  }
  // If the last of equal keys counts, the end of the union decides.
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
  // A member whose key was not predicted. Sets `known_field` if the IDL has the key.
  THRIFTLENS_NOINLINE json_position other_member(json_position pos, open_struct& open,
                                                 std::uint32_t& known_field) {
    std::uint32_t field = image::none;
    pos = any_key(pos, open.node, field);
    const std::uint8_t* key_end = pos.at;
    if (!pos || !take_colon(pos)) return {};
    if (field == image::none) return unknown_value(pos, open, key_start(key_end));
    known_field = field;
    return member(pos, open, field, key_end);
  }
  [[nodiscard]] bool refuses_unknown() const noexcept { return options_.unknown == on_unknown::error; }
  // Reads a key in any spelling. `field` becomes image::none for a key that the options accept without a
  // field.
  json_position any_key(json_position pos, const image::struct_node& node, std::uint32_t& field) {
    if (in_.peek(pos.at) != '"') return no_quote(pos.at);
    const std::uint8_t* start = pos.at;
    std::string_view key;
    if (!reserve(pos) || !short_string(pos, key)) return {};
    field = predictor_.find(node, key);
    if (field == image::none && !takes_unknown(node, key, start)) return {};
    return pos;
  }

  THRIFTLENS_INLINE json_position field_value(json_position pos, open_struct& open, std::uint32_t field) {
    const image::field_node& known = image_.fields[field];
    const std::uint8_t first = in_.peek(pos.at);
    if (!reserve(pos)) [[unlikely]]
      return {};
    if (first == 'n' || last_counts()) [[unlikely]]
      return odd_field(pos, open, field, first);
    field_mark unused;
    pos = header_and_value(pos, open, known, first, unused);
    count_required(open, known);
    return pos;
  }
  THRIFTLENS_INLINE json_position header_and_value(json_position pos, open_struct& open,
                                                   const image::field_node& known, std::uint8_t first,
                                                   field_mark& mark) {
    if constexpr (Protocol::traits.has_inline_bool) {
      if (known.kind == kinds::bool_) return header_with_bool(pos, open, known.id, first, mark);
    }
    pos.to = Protocol::put_field(pos.to, known.wire, known.id, open.last_id);
    mark.body = offset(pos.to);
    return value(pos, known.kind, known.type, first);
  }
  THRIFTLENS_INLINE json_position header_with_bool(json_position pos, open_struct& open, std::int16_t id,
                                                   std::uint8_t first, field_mark& mark) {
    bool value = false;
    if (!take_bool(pos, first, value)) return mismatch(pos.at, kinds::bool_);
    pos.to = Protocol::put_bool_field(pos.to, id, value, open.last_id);
    mark.truth = value ? 1 : 0;
    mark.body = offset(pos.to);
    return pos;
  }
  // A null, or any value if the last of equal keys counts: the end of the struct then decides what is
  // present.
  THRIFTLENS_NOINLINE json_position odd_field(json_position pos, open_struct& open, std::uint32_t field,
                                              std::uint8_t first) {
    const image::field_node& known = image_.fields[field];
    field_mark mark{offset(pos.to), 0, field, {known.wire, known.id}};
    mark.absent = first == 'n';
    pos = mark.absent ? skip_value(pos) : header_and_value(pos, open, known, first, mark);
    if (!pos) return {};
    if (last_counts())
      field_marks_.push_back(mark);
    else
      add_null(open, field);
    return pos;
  }

  std::string_view text_;
  key_predictor predictor_;
  field_set::pool field_sets_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
