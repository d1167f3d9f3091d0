// read: JSON text to Thrift bytes in one pass.
// In: a text, the type it should have. Out: the bytes of one value at the end of a buffer, or a fault with
// its path. Never builds a tree, never rounds an integer, never leaves half a value in the buffer.
#pragma once

#include <thriftlens/core/result.hpp>
#include <thriftlens/json/key_predictor.hpp>
#include <thriftlens/json/read_fields.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Reads one text. Used once.
template <protocol Protocol>
class json_reader : json_field_writer<Protocol> {
  using base = json_field_writer<Protocol>;

 public:
  json_reader(std::string_view text, const schema_image& image, buffer& to, const from_json_options& options,
              const limits& bounds)
      : base(image, to, options, bounds, text.size()), text_(text), predictor_(image, options.names) {}

  /// The whole of the text must be one value of the type. After an error the buffer is as before.
  /// `use`: for tests; how tokens are found changes no answer.
  [[nodiscard]] result<void> run(type root, text_source::stage use = text_source::stage::from_256_bytes) {
    json_position now{nullptr, out_.at()};
    const errc opened = in_.open(text_, now.at, use);
    if (opened != errc::ok) {
      base::fail(opened, now.at);
      return base::give_error(text_);
    }
    now = whole(now, root.kind(), root.index());
    if (!now) return base::give_error(text_);
    out_.move_to(now.to);
    if (out_.finish()) return {};
    base::fail(errc::output_limit, now.at);
    return base::give_error(text_);
  }

 private:
  using base::image_;
  using base::in_;
  using base::marks_;
  using base::options_;
  using base::out_;
  using typename base::field_mark;
  using typename base::kinds;
  using typename base::open_map;
  using typename base::open_struct;
  using object_keys = key_predictor::object_keys;

  // A text that is one value.
  json_position whole(json_position now, type_kind kind, std::uint32_t type) {
    const std::uint8_t first = in_.peek(now.at);
    now = value_in_room(now, kind, type, first);
    return now && base::at_text_end(now.at) ? now : json_position();
  }
  THRIFTLENS_INLINE json_position value_in_room(json_position now, type_kind kind, std::uint32_t type,
                                                std::uint8_t first) {
    return base::room(now) ? value(now, kind, type, first) : json_position();
  }
  // The switch is put where a value is asked for and its branches are calls, so that a number does not pay
  // for the registers of a map.
  THRIFTLENS_INLINE json_position value(json_position now, type_kind kind, std::uint32_t type,
                                        std::uint8_t first) {
    switch (kind) {
      case kinds::bool_:
        return base::bool_value(now, first);
      case kinds::i8:
        return base::template integer_value<std::int8_t>(now, kind);
      case kinds::i16:
        return base::template integer_value<std::int16_t>(now, kind);
      case kinds::i32:
        return base::template integer_value<std::int32_t>(now, kind);
      case kinds::i64:
        return base::template integer_value<std::int64_t>(now, kind);
      case kinds::double_:
        return base::double_value(now, first);
      case kinds::string:
        return base::string_value(now, first);
      case kinds::binary:
        return base::binary_value(now, first);
      case kinds::enum_:
        return base::enum_value(now, first, type);
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
    if (kind == kinds::uuid) return base::uuid_value(now, first);
    if (kind == kinds::set) return list_value(now, image_.types[type], first);
    if (kind == kinds::void_) return base::fail(errc::bad_ttype, now.at);
    return struct_value(now, image_.structs[image_.types[type].first], first);
  }

  // ---- lists and sets

  THRIFTLENS_NOINLINE json_position list_value(json_position now, const image::type_node& type,
                                               std::uint8_t first) {
    if (first != '[') [[unlikely]]
      return base::mismatch(now.at, type.kind);
    if (!base::enter(now.at)) return {};
    const std::size_t header = base::offset(now.to);
    std::uint32_t count = 0;
    now.to = put_header_of(now.to, type, 1);
    now = elements(now, image_.types[type.first].kind, type.first, count);
    base::leave();
    return now ? end_container(now, type, header, count) : now;
  }
  THRIFTLENS_INLINE json_position elements(json_position now, type_kind kind, std::uint32_t type,
                                           std::uint32_t& count) {
    std::uint8_t next = 0;
    bool more = base::is_filled(now, ']', next);
    while (more) {
      now = value_in_room(now, kind, type, next);
      if (!now) [[unlikely]]
        return no_element(count);
      ++count;
      if (base::too_many(count)) [[unlikely]]
        return base::fail(errc::size_limit, now.at);
      if (!base::more_follows(now, ']', more, next)) return {};
    }
    return now;
  }
  THRIFTLENS_COLD json_failed no_element(std::uint32_t count) {
    base::path_.index(count);
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
    if (!base::room(now)) return {};
    std::uint8_t one[16], many[16];
    const auto reserved = static_cast<std::size_t>(put_header_of(one, type, 1) - one);
    const auto size = static_cast<std::size_t>(put_header_of(many, type, count) - many);
    std::uint8_t* to = out_.at(header);
    if (size != reserved) {
      std::memmove(to + size, to + reserved, static_cast<std::size_t>(now.to - to) - reserved);
      now.to = now.to - reserved + size;
    }
    std::memcpy(to, many, size);
    return now;
  }

  // ---- maps

  THRIFTLENS_NOINLINE json_position map_value(json_position now, const image::type_node& type,
                                              std::uint8_t first) {
    open_map map{type, image_.types[type.first], image_.types[type.second], now.at, marks_.size()};
    const bool pairs = first == '[' && !base::is_scalar(map.key.kind);
    if (first != '{' && !pairs) [[unlikely]]
      return base::mismatch(now.at, kinds::map);
    if (!base::enter(now.at)) return {};
    const std::size_t header = base::offset(now.to);
    now.to = put_header_of(now.to, type, 1);
    now = entries(now, map, pairs ? ']' : '}');
    if (!now) return {};
    marks_.drop_to(map.marks);
    base::leave();
    return end_container(now, type, header, map.count);
  }
  THRIFTLENS_INLINE json_position entries(json_position now, open_map& map, char close) {
    std::size_t next_look = entry_marks::first_look;
    std::uint8_t next = 0;
    bool more = base::is_filled(now, close, next);
    while (more) {
      now = close == '}' ? object_entry(now, map, next) : pair_entry(now, map, next);
      if (!now) [[unlikely]]
        return {};
      ++map.count;
      if (base::too_many(map.count)) [[unlikely]]
        return base::fail(errc::size_limit, now.at);
      if (!base::more_follows(now, close, more, next)) return {};
      if (map.count == next_look && more) [[unlikely]] {
        now = base::unique(now, map);
        if (!now) return {};
        next_look = 2 * std::size_t{map.count};
      }
    }
    return map.count > 1 ? base::unique(now, map) : now;
  }
  THRIFTLENS_INLINE json_position object_entry(json_position now, const open_map& map, std::uint8_t next) {
    if (next != '"') [[unlikely]]
      return base::fail(errc::json_syntax, now.at, "expected a key in quotes");
    if (!base::room(now)) return {};
    entry_mark mark{base::offset(now.to), 0};
    now = map.key.kind == kinds::string ? base::string_value(now, next)
                                        : object_key(now, map.key.kind, map.type.first);
    if (!now) [[unlikely]]
      return base::no_key(map.count);
    mark.key_end = base::offset(now.to);
    if (!base::take_colon(now)) return {};
    marks_.push(mark);
    next = in_.peek(now.at);
    now = value_in_room(now, map.value.kind, map.type.second, next);
    if (!now) [[unlikely]]
      return base::no_entry(map, mark);
    return now;
  }
  THRIFTLENS_NOINLINE json_position pair_entry(json_position now, const open_map& map, std::uint8_t next) {
    if (next != '[') {
      base::mismatch(now.at, kinds::list, "a [key, value] pair");
      return base::no_key(map.count);
    }
    entry_mark mark{base::offset(now.to), 0};
    now = half_of_pair(now, map.key.kind, map.type.first);
    if (!now) return base::no_key(map.count);
    mark.key_end = base::offset(now.to);
    marks_.push(mark);
    if (in_.peek(now.at) != ',') {
      base::fail(errc::json_syntax, now.at, "expected ',' and the value of the pair");
      return base::no_entry(map, mark);
    }
    now = half_of_pair(now, map.value.kind, map.type.second);
    if (!now) return base::no_entry(map, mark);
    if (in_.peek(now.at) != ']') {
      base::fail(errc::json_syntax, now.at, "expected ']' after the pair");
      return base::no_entry(map, mark);
    }
    in_.advance(now.at);
    return now;
  }
  // What follows a bracket or a comma.
  json_position half_of_pair(json_position now, type_kind kind, std::uint32_t type) {
    in_.advance(now.at);
    const std::uint8_t first = in_.peek(now.at);
    return value_in_room(now, kind, type, first);
  }
  THRIFTLENS_NOINLINE json_position object_key(json_position now, type_kind kind, std::uint32_t type) {
    return base::is_scalar(kind) ? base::scalar_key(now, kind, type) : nested_key(now, kind, type);
  }
  // A struct or container as key of a JSON object: the key's text is the JSON of it.
  json_position nested_key(json_position now, type_kind kind, std::uint32_t type) {
    const std::uint8_t* start = now.at;
    std::string_view text;
    if (!base::short_string(now, text)) return {};
    const std::string copy(text);
    text_source outer = std::exchange(in_, text_source());
    base::forget_room();
    json_position inner{nullptr, now.to};
    in_.open_part(copy, inner.at);
    inner = whole(inner, kind, type);
    in_ = std::move(outer);
    base::forget_room();
    if (inner) return {now.at, inner.to};
    base::fault_.offset = static_cast<std::size_t>(start - in_.begin());
    return {};
  }

  // ---- structs

  THRIFTLENS_NOINLINE json_position struct_value(json_position now, const image::struct_node& node,
                                                 std::uint8_t first) {
    if (first != '{') [[unlikely]]
      return base::mismatch(now.at, node.kind);
    if (!base::enter(now.at)) return {};
    field_set seen(node.fields.size, words_);
    open_struct open{node, seen, base::offset(now.to), base::field_marks_.size(), base::nulls_.size()};
    if (base::is_filled(now, '}', first)) {
      now = members(now, open);
      if (!now) [[unlikely]]
        return {};
    }
    base::leave();
    return base::end_struct(now, open);
  }
  THRIFTLENS_INLINE json_position members(json_position now, open_struct& open) {
    object_keys keys = predictor_.keys_of(open.node);
    predictor_.expect_next(keys);
    bool known = predictor_.take_any(in_, now.at, keys);
    for (;;) {
      now = known ? member(now, open, keys.field, now.at) : other_member(now, open, keys.field);
      if (!now) [[unlikely]]
        return {};
      predictor_.expect_next(keys);
      known = predictor_.take_expected(in_, now.at, keys);
      if (known) continue;
      const std::uint8_t* end = now.at;
      bool more = false;
      std::uint8_t next = 0;
      if (!base::more_follows(now, '}', more, next)) return {};
      if (!more) return now;
      // Without blanks the expected key was looked for already.
      known = now.at == end + 1 ? predictor_.take_other(in_, now.at, keys)
                                : predictor_.take_any(in_, now.at, keys);
    }
  }
  // The value of a field whose key, which ends at `key_end`, was passed.
  THRIFTLENS_INLINE json_position member(json_position now, open_struct& open, std::uint32_t field,
                                         const std::uint8_t* key_end) {
    if (!open.seen.add(field - open.node.fields.begin)) [[unlikely]] {
      if (!base::last_counts()) return second_key(key_end, field);
      open.repeated = true;
    }
    now = field_value(now, open, field);
    if (!now) [[unlikely]]
      return base::no_field(field);
    return now;
  }
  THRIFTLENS_COLD json_failed second_key(const std::uint8_t* key_end, std::uint32_t field) {
    const std::uint8_t* at = key_end;
    while (*--at != '"') {
    }
    while (*--at != '"' || at[-1] == '\\') {
    }
    base::fail(errc::duplicate_key, at, "a key stands twice in an object");
    return base::no_field(field);
  }
  // A member whose key was not foreseen. `field`: the one it is of, where that is known.
  THRIFTLENS_NOINLINE json_position other_member(json_position now, open_struct& open, std::uint32_t& field) {
    if (in_.peek(now.at) != '"') return base::fail(errc::json_syntax, now.at, "expected a key in quotes");
    const std::uint8_t* start = now.at;
    std::string_view key;
    if (!base::room(now) || !base::short_string(now, key)) return {};
    const std::uint32_t found = predictor_.find(open.node, key);
    if (found == image::none && options_.unknown == json_unknown::error)
      return base::fail(errc::unknown_key, start, no_such_field_text({&image_, open.node.type}, key));
    const std::uint8_t* key_end = now.at;
    if (!base::take_colon(now)) return {};
    if (found == image::none) return base::skip_value(now);
    field = found;
    return member(now, open, found, key_end);
  }

  THRIFTLENS_INLINE json_position field_value(json_position now, open_struct& open, std::uint32_t field) {
    const image::field_node& known = image_.fields[field];
    const std::uint8_t first = in_.peek(now.at);
    if (!base::room(now)) [[unlikely]]
      return {};
    if (first == 'n' || base::last_counts()) [[unlikely]]
      return odd_field(now, open, field, first);
    field_mark unused;
    now = header_and_value(now, open, known, first, unused);
    base::count_required(open, known);
    return now;
  }
  THRIFTLENS_INLINE json_position header_and_value(json_position now, open_struct& open,
                                                   const image::field_node& known, std::uint8_t first,
                                                   field_mark& mark) {
    if constexpr (Protocol::traits.has_inline_bool) {
      if (known.kind == kinds::bool_) {
        bool value = false;
        if (!base::take_bool(now, first, value)) [[unlikely]]
          return base::mismatch(now.at, kinds::bool_);
        now.to = Protocol::put_bool_field(now.to, known.id, value, open.last_id);
        mark.truth = value ? 1 : 0;
        mark.body = base::offset(now.to);
        return now;
      }
    }
    now.to = Protocol::put_field(now.to, known.wire, known.id, open.last_id);
    mark.body = base::offset(now.to);
    return value(now, known.kind, known.type, first);
  }
  // Of null, and of anything where the last of equal keys counts: only the end of the struct knows then what
  // is present.
  THRIFTLENS_NOINLINE json_position odd_field(json_position now, open_struct& open, std::uint32_t field,
                                              std::uint8_t first) {
    const image::field_node& known = image_.fields[field];
    field_mark mark{base::offset(now.to), 0, field};
    mark.absent = first == 'n';
    if (mark.absent) {
      if (!in_.take_literal(now.at, "null")) return base::fail(errc::json_syntax, now.at);
    } else {
      now = header_and_value(now, open, known, first, mark);
      if (!now) return {};
    }
    if (base::last_counts())
      base::field_marks_.push_back(mark);
    else
      base::add_null(open, field);
    return now;
  }

  std::string_view text_;
  key_predictor predictor_;
  field_set::pool words_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
