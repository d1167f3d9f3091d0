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

/// Reads one text. Used once. `Owner`: a class whose hooks handle some keys, fields and values
/// (http/read_request.hpp), or void.
template <protocol Protocol, class Owner = void>
class json_reader {
  using scalar_reader = json_scalar_reader<Protocol>;
  using key_reader = json_key_reader<Protocol>;
  using field_writer = json_field_writer<Protocol>;
  using open_map = json_read::open_map;
  using open_struct = json_read::open_struct;
  using field_mark = json_read::field_mark;
  using object_keys = key_predictor::object_keys;
  static constexpr bool has_owner = !std::is_void_v<Owner>;

 public:
  json_reader(std::string_view text, const schema_image& image, buffer& to, const from_json_options& options,
              const limits& bounds, Owner* owner = nullptr)
      : state_(image, to, options, bounds, text.size()),
        text_(text),
        predictor_(image, options.names),
        owner_(owner) {}

  /// Reads a text that is one value of the type. After an error the buffer is unchanged.
  [[nodiscard]] result<void> run(type root) {
    if (reads(root)) [[likely]]
      return {};
    return state_.make_error(text_);
  }

  // ---- for the owner

  [[nodiscard]] json_read_state& state() noexcept { return state_; }
  /// Like run(); after false the fault is in the state.
  [[nodiscard]] bool reads(type root) {
    json_position pos{nullptr, state_.out.at()};
    const errc opened = state_.in.open(text_, pos.at);
    if (opened != errc::ok) return reject_ill_formed(pos.at, root);
    pos = sole_value(pos, root.kind(), root.index());
    if (!pos) return false;
    state_.out.move_to(pos.to);
    return state_.out.finish() || state_.reject(errc::output_limit, pos.at);
  }
  // Inline with calls as branches, so that a number does not save the registers that a map needs.
  THRIFTLENS_INLINE json_position value(json_position pos, type_kind kind, std::uint32_t type,
                                        std::uint8_t first) {
    if constexpr (has_owner) {
      if (owner_->is_own_value(kind, first)) return owner_->own_value(pos, kind, type, first);
    }
    switch (kind) {
      case type_kind::bool_:
        return scalar_reader::bool_value(state_, pos, first);
      case type_kind::i8:
      case type_kind::i16:
        return scalar_reader::template integer_value<std::int16_t>(state_, pos, kind);
      case type_kind::i32:
        return scalar_reader::template integer_value<std::int32_t>(state_, pos, kind);
      case type_kind::i64:
        return scalar_reader::template integer_value<std::int64_t>(state_, pos, kind);
      case type_kind::double_:
        return scalar_reader::double_value(state_, pos, first);
      case type_kind::string:
        return scalar_reader::string_value(state_, pos, first);
      case type_kind::binary:
        return scalar_reader::binary_value(state_, pos, first);
      case type_kind::enum_:
        return scalar_reader::enum_value(state_, pos, first, type);
      case type_kind::list:
        return list_value(pos, state_.image.types[type], first);
      case type_kind::map:
        return map_value(pos, state_.image.types[type], first);
      case type_kind::struct_:
        return struct_value(pos, state_.image.struct_of(type), first);
      default:
        return other_value(pos, kind, type, first);
    }
  }
  // Reads a value from another text. Only `to` of the result is meaningful.
  json_position inner_text(std::string_view text, std::uint8_t* to, type_kind kind, std::uint32_t type) {
    const text_source outer = state_.in;
    state_.forget_capacity();
    const json_position pos = part_value(text, to, kind, type);
    state_.in = outer;
    state_.forget_capacity();
    return pos;
  }
  // The header of a container; only its size is unknown before the end.
  [[nodiscard]] std::uint8_t* put_header_of(std::uint8_t* to, const image::type_node& type,
                                            std::uint32_t count) const {
    const ttype first = state_.image.types[type.first].wire;
    if (type.kind == type_kind::map)
      return Protocol::put_map(to, {first, state_.image.types[type.second].wire, count});
    return type.kind == type_kind::set ? Protocol::put_set(to, {first, count})
                                       : Protocol::put_list(to, {first, count});
  }
  json_position end_container(json_position pos, const image::type_node& type, std::size_t header,
                              std::uint32_t count) {
    if (!state_.reserve(pos)) return {};
    std::uint8_t header_bytes[16];
    const std::ptrdiff_t reserved = put_header_of(header_bytes, type, 1) - header_bytes;
    const std::ptrdiff_t size = put_header_of(header_bytes, type, count) - header_bytes;
    return state_.replace_header(pos, header, reserved, header_bytes, size);
  }
  // Reads the value of a field whose key ends at `key_end`.
  THRIFTLENS_INLINE json_position member(json_position pos, open_struct& open, std::uint32_t field,
                                         const std::uint8_t* key_end) {
    if constexpr (has_owner) {
      if (owner_->is_own_field(field)) return owner_->own_field(pos, open, field, key_end);
    }
    return known_member(pos, open, field, key_end);
  }
  THRIFTLENS_INLINE json_position known_member(json_position pos, open_struct& open, std::uint32_t field,
                                               const std::uint8_t* key_end) {
    if (!open.seen.add(field - open.node.fields.begin)) [[unlikely]] {
      if (!state_.last_counts()) return second_key(key_end, field);
      open.repeated = true;
    }
    pos = field_value(pos, open, field);
    if (!pos) return state_.no_field(field);
    if (open.node.kind == type_kind::union_ && !is_only_member(open)) {
      field_writer::two_members(state_, key_start(key_end), open);
      return {};
    }
    return pos;
  }
  // A null, or any value if the last of equal keys counts: the end of the struct then decides what is
  // present.
  THRIFTLENS_NOINLINE json_position odd_field(json_position pos, open_struct& open, std::uint32_t field,
                                              std::uint8_t first) {
    const image::field_node& known = state_.image.fields[field];
    field_mark mark{state_.offset(pos.to), 0, field, {known.wire, known.id}};
    mark.absent = first == 'n';
    pos = mark.absent ? json_skipper(state_).value(pos) : header_and_value(pos, open, known, first, mark);
    if (!pos) return {};
    if (state_.last_counts())
      state_.field_marks.push_back(mark);
    else
      field_writer::add_null(state_, open, field);
    return pos;
  }
  THRIFTLENS_COLD json_failed second_key(const std::uint8_t* key_end, std::uint32_t field) {
    state_.reject(errc::duplicate_key, key_start(key_end), "duplicate key in an object");
    return state_.no_field(field);
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

 private:
  // Reports the first fault of a text whose first ill-formed byte is at `bad`. Reads the text before it.
  THRIFTLENS_COLD json_failed reject_ill_formed(const std::uint8_t* bad, type root) {
    const auto size = static_cast<std::size_t>(bad - state_.in.begin());
    static_cast<void>(part_value(text_.substr(0, size), state_.out.at(), root.kind(), root.index()));
    if (state_.failure.code != errc::ok && state_.failure.offset < size) return {};
    state_.failure = {errc::invalid_utf8, 0, size};
    state_.detail.clear();
    state_.option = nullptr;
    return {};
  }
  json_position part_value(std::string_view text, std::uint8_t* to, type_kind kind, std::uint32_t type) {
    json_position pos{nullptr, to};
    state_.in.open_part(text, pos.at);
    return sole_value(pos, kind, type);
  }
  // The value of a text that holds nothing else.
  json_position sole_value(json_position pos, type_kind kind, std::uint32_t type) {
    const std::uint8_t first = state_.peek(pos);
    pos = any_value(pos, kind, type, first);
    return pos && state_.at_text_end(pos.at) ? pos : json_position();
  }
  THRIFTLENS_INLINE json_position next_value(json_position pos, type_kind kind, std::uint32_t type,
                                             std::uint8_t first) {
    return state_.reserve(pos) ? value(pos, kind, type, first) : json_position();
  }
  // A call of next_value(), for values that are rare.
  THRIFTLENS_NOINLINE json_position any_value(json_position pos, type_kind kind, std::uint32_t type,
                                              std::uint8_t first) {
    return next_value(pos, kind, type, first);
  }
  THRIFTLENS_NOINLINE json_position other_value(json_position pos, type_kind kind, std::uint32_t type,
                                                std::uint8_t first) {
    if (kind == type_kind::uuid) return scalar_reader::uuid_value(state_, pos, first);
    if (kind == type_kind::set) return list_value(pos, state_.image.types[type], first);
    if (kind == type_kind::void_) return state_.reject(errc::bad_ttype, pos.at);
    return struct_value(pos, state_.image.struct_of(type), first);
  }

  THRIFTLENS_NOINLINE json_position list_value(json_position pos, const image::type_node& type,
                                               std::uint8_t first) {
    if (first != '[') return state_.mismatch(pos.at, type.kind);
    if (!state_.enter(pos.at)) return {};
    const std::size_t header = state_.offset(pos.to);
    std::uint32_t count = 0;
    pos.to = put_header_of(pos.to, type, 1);
    pos = type.kind == type_kind::set ? set_elements(pos, type, count) : elements(pos, type.first, count);
    state_.leave();
    return pos ? end_container(pos, type, header, count) : pos;
  }
  THRIFTLENS_INLINE json_position elements(json_position pos, std::uint32_t type, std::uint32_t& count) {
    const type_kind kind = state_.image.types[type].kind;
    std::uint8_t next = 0;
    bool more = state_.is_filled(pos, ']', next);
    while (more) {
      pos = next_value(pos, kind, type, next);
      if (!pos) return state_.no_element(count);
      if (!is_counted(pos, count) || !state_.more_follows(pos, ']', more, next)) return {};
    }
    return pos;
  }
  THRIFTLENS_NOINLINE json_position set_elements(json_position pos, const image::type_node& type,
                                                 std::uint32_t& count) {
    const image::type_node& element = state_.image.types[type.first];
    open_map set{type, element, element, pos.at, state_.marks.size()};
    std::uint8_t next = 0;
    bool more = state_.is_filled(pos, ']', next);
    while (more) {
      entry_mark mark{state_.offset(pos.to), 0};
      pos = any_value(pos, element.kind, type.first, next);
      if (!pos) return state_.no_element(set.count);
      mark.key_end = state_.offset(pos.to);
      state_.marks.push(mark);
      if (!next_entry(pos, set, ']', more, next)) return {};
    }
    if (set.count > 1) pos = key_reader::unique(state_, pos, set);
    state_.marks.drop_to(set.marks);
    count = set.count;
    return pos;
  }
  // Counts an entry or element and moves to the next.
  THRIFTLENS_INLINE bool next_entry(json_position& pos, open_map& map, char close, bool& more,
                                    std::uint8_t& next) {
    if (!is_counted(pos, map.count) || !state_.more_follows(pos, close, more, next)) return false;
    if (map.count == map.next_look && more) [[unlikely]]
      pos = key_reader::unique_so_far(state_, pos, map);
    return static_cast<bool>(pos);
  }
  // One element or entry more.
  THRIFTLENS_INLINE bool is_counted(json_position pos, std::uint32_t& count) {
    return !state_.too_many(++count) || state_.reject(errc::size_limit, pos.at);
  }

  THRIFTLENS_NOINLINE json_position map_value(json_position pos, const image::type_node& type,
                                              std::uint8_t first) {
    const bool pairs = first == '[' && !is_scalar(state_.image.types[type.first].kind);
    if (first != '{' && !pairs) return state_.mismatch(pos.at, type_kind::map);
    return state_.enter(pos.at) ? entries_of(pos, type, pairs ? ']' : '}') : json_position();
  }
  THRIFTLENS_INLINE json_position entries_of(json_position pos, const image::type_node& type, char close) {
    open_map map{type, state_.image.types[type.first], state_.image.types[type.second], pos.at,
                 state_.marks.size()};
    const std::size_t header = state_.offset(pos.to);
    pos.to = put_header_of(pos.to, type, 1);
    pos = entries(pos, map, close);
    if (!pos) return {};
    state_.marks.drop_to(map.marks);
    state_.leave();
    return end_container(pos, type, header, map.count);
  }
  THRIFTLENS_INLINE json_position entries(json_position pos, open_map& map, char close) {
    std::uint8_t next = 0;
    bool more = state_.is_filled(pos, close, next);
    while (more) {
      pos = close == '}' ? object_entry(pos, map, next) : pair_entry(pos, map, next);
      if (!pos || !next_entry(pos, map, close, more, next)) [[unlikely]]
        return {};
    }
    return map.count > 1 ? key_reader::unique(state_, pos, map) : pos;
  }
  THRIFTLENS_INLINE json_position object_entry(json_position pos, const open_map& map, std::uint8_t next) {
    if (next != '"') return state_.no_quote(pos.at);
    if (!state_.reserve(pos)) return {};
    entry_mark mark{state_.offset(pos.to), 0};
    pos = object_key(pos, map);
    if (!pos) return key_reader::no_key(state_, map.count);
    mark.key_end = state_.offset(pos.to);
    if (!state_.take_colon(pos)) return {};
    state_.marks.push(mark);
    next = state_.peek(pos);
    pos = next_value(pos, map.value.kind, map.type.second, next);
    if (!pos) return key_reader::no_entry(state_, map, mark);
    return pos;
  }
  THRIFTLENS_NOINLINE json_position pair_entry(json_position pos, const open_map& map, std::uint8_t next) {
    entry_mark mark{state_.offset(pos.to), 0};
    if (next == '[')
      pos = half_of_pair(pos, map.type.first);
    else
      pos = state_.mismatch(pos.at, type_kind::list, "a [key, value] pair");
    if (!pos) return key_reader::no_key(state_, map.count);
    mark.key_end = state_.offset(pos.to);
    state_.marks.push(mark);
    pos = item_of_pair(pos, map);
    if (!pos) return key_reader::no_entry(state_, map, mark);
    return pos;
  }
  json_position item_of_pair(json_position pos, const open_map& map) {
    if (state_.peek(pos) != ',')
      return state_.reject(errc::json_syntax, pos.at, "expected ',' and the value of the pair");
    pos = half_of_pair(pos, map.type.second);
    if (!pos) return pos;
    if (state_.peek(pos) != ']')
      return state_.reject(errc::json_syntax, pos.at, "expected ']' after the pair");
    state_.advance(pos);
    return pos;
  }
  // Reads the value after a bracket or comma.
  json_position half_of_pair(json_position pos, std::uint32_t type) {
    state_.advance(pos);
    const std::uint8_t first = state_.peek(pos);
    return any_value(pos, state_.image.types[type].kind, type, first);
  }
  THRIFTLENS_INLINE json_position object_key(json_position pos, const open_map& map) {
    return map.key.kind == type_kind::string ? scalar_reader::string_value(state_, pos, '"')
                                             : other_key(pos, map.key.kind, map.type.first);
  }
  THRIFTLENS_NOINLINE json_position other_key(json_position pos, type_kind kind, std::uint32_t type) {
    return is_scalar(kind) ? key_reader::scalar_key(state_, pos, kind, type) : nested_key(pos, kind, type);
  }
  // A struct or container as key of an object: its JSON is the text of the key.
  json_position nested_key(json_position pos, type_kind kind, std::uint32_t type) {
    const std::uint8_t* start = pos.at;
    std::string_view text;
    if (!state_.short_string(pos, text)) return {};
    const std::string copy(text);
    const json_position inner = inner_text(copy, pos.to, kind, type);
    if (inner) return {pos.at, inner.to};
    state_.failure.offset = static_cast<std::size_t>(start - state_.in.begin());
    return {};
  }

  THRIFTLENS_NOINLINE json_position struct_value(json_position pos, const image::struct_node& node,
                                                 std::uint8_t first) {
    if (first != '{') return state_.mismatch(pos.at, node.kind);
    if (!state_.enter(pos.at)) return {};
    field_set seen(node.fields.size, field_sets_);
    open_struct open{{state_.offset(pos.to), state_.field_marks.size()}, node, seen, state_.nulls.size()};
    if constexpr (has_owner) pos = owner_->begin_fields(pos, open);
    if (pos && state_.is_filled(pos, '}', first)) pos = members(pos, open);
    state_.leave();
    if constexpr (has_owner) return pos ? owner_->end_fields(pos, open) : pos;
    return pos ? field_writer::end_struct(state_, pos, open) : pos;
  }
  THRIFTLENS_INLINE json_position members(json_position pos, open_struct& open) {
    if constexpr (has_owner) {
      if (owner_->has_own_keys(open.node)) return own_members(pos, open);
    }
    object_keys keys = predictor_.keys_of(open.node);
    predictor_.expect_next(keys);
    bool known = predictor_.take_any(state_.in, pos.at, keys);
    for (bool more = true; more;) {
      pos = known ? member(pos, open, keys.field, pos.at) : other_member(pos, open, keys.field);
      if (!pos) [[unlikely]]
        return {};
      predictor_.expect_next(keys);
      known = predictor_.take_expected(state_.in, pos.at, keys);
      if (!known && !next_key(pos, keys, known, more)) return {};
    }
    return pos;
  }
  // Members of a struct whose keys a derived reader looks up.
  json_position own_members(json_position pos, open_struct& open) {
    std::uint8_t next = 0;
    for (bool more = true; more;) {
      pos = owner_->own_member(pos, open);
      if (!pos || !state_.more_follows(pos, '}', more, next)) return {};
    }
    return pos;
  }
  // Moves to the next key, if there is one, and over it if it is `known`.
  THRIFTLENS_INLINE bool next_key(json_position& pos, object_keys& keys, bool& known, bool& more) {
    const std::uint8_t* end = pos.at;
    std::uint8_t next = 0;
    if (!state_.more_follows(pos, '}', more, next)) return false;
    // Without blanks the expected key was already tried.
    if (more)
      known = pos.at == end + 1 ? predictor_.take_other(state_.in, pos.at, keys)
                                : predictor_.take_any(state_.in, pos.at, keys);
    return true;
  }
  // If the last of equal keys counts, the end of the union decides.
  [[nodiscard]] bool is_only_member(const open_struct& open) const noexcept {
    return state_.last_counts() || open.seen.count() + open.unknown - (state_.nulls.size() - open.nulls) <= 1;
  }
  // A member whose key was not predicted. Sets `known_field` if the IDL has the key.
  THRIFTLENS_NOINLINE json_position other_member(json_position pos, open_struct& open,
                                                 std::uint32_t& known_field) {
    std::uint32_t field = image::none;
    pos = any_key(pos, open.node, field);
    const std::uint8_t* key_end = pos.at;
    if (!pos || !state_.take_colon(pos)) return {};
    if (field == image::none)
      return json_unknown_reader<Protocol>(state_).unknown_value(pos, open, key_start(key_end));
    known_field = field;
    return member(pos, open, field, key_end);
  }
  // Reads a key in any spelling. `field` becomes image::none for a key that the options accept without a
  // field.
  json_position any_key(json_position pos, const image::struct_node& node, std::uint32_t& field) {
    state_.peek(pos);
    const std::uint8_t* start = pos.at;
    std::string_view key;
    if (!state_.take_key(pos, key)) return {};
    field = predictor_.find(node, key);
    if (field == image::none && !json_unknown_reader<Protocol>(state_).takes_unknown(node, key, start))
      return {};
    return pos;
  }

  THRIFTLENS_INLINE json_position field_value(json_position pos, open_struct& open, std::uint32_t field) {
    const image::field_node& known = state_.image.fields[field];
    const std::uint8_t first = state_.peek(pos);
    if (!state_.reserve(pos)) [[unlikely]]
      return {};
    if (first == 'n' || state_.last_counts()) [[unlikely]]
      return odd_field(pos, open, field, first);
    field_mark unused;
    pos = header_and_value(pos, open, known, first, unused);
    field_writer::count_required(open, known);
    return pos;
  }
  THRIFTLENS_INLINE json_position header_and_value(json_position pos, open_struct& open,
                                                   const image::field_node& known, std::uint8_t first,
                                                   field_mark& mark) {
    if constexpr (Protocol::traits.has_inline_bool) {
      if (known.kind == type_kind::bool_) return header_with_bool(pos, open, known.id, first, mark);
    }
    pos.to = Protocol::put_field(pos.to, known.wire, known.id, open.last_id);
    mark.body = state_.offset(pos.to);
    return value(pos, known.kind, known.type, first);
  }
  THRIFTLENS_INLINE json_position header_with_bool(json_position pos, open_struct& open, std::int16_t id,
                                                   std::uint8_t first, field_mark& mark) {
    bool value = false;
    if (!scalar_reader::take_bool(state_, pos, first, value))
      return state_.mismatch(pos.at, type_kind::bool_);
    pos.to = Protocol::put_bool_field(pos.to, id, value, open.last_id);
    mark.truth = value ? 1 : 0;
    mark.body = state_.offset(pos.to);
    return pos;
  }

  json_read_state state_;
  std::string_view text_;
  key_predictor predictor_;
  field_set::pool field_sets_;
  Owner* owner_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
