// read: JSON text to Thrift bytes in one pass.
// In: a text, the type it should have. Out: the bytes of one value at the end of a buffer, or a fault with
// its path. Never builds a tree, never rounds an integer, never leaves half a value in the buffer.
#pragma once

#include <thriftlens/core/result.hpp>
#include <thriftlens/json/entry_marks.hpp>
#include <thriftlens/json/field_set.hpp>
#include <thriftlens/json/read_scalar.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

/// One text's way to bytes. Used once.
template <protocol Protocol>
class json_reader : json_scalar_reader<Protocol> {
  using base = json_scalar_reader<Protocol>;

 public:
  json_reader(std::string_view text, const schema_image& image, buffer& to, const from_json_options& options,
              const limits& bounds)
      : base(image, to, options, bounds, text.size()), text_(text) {}

  /// The whole of the text must be one value of the type. After an error the buffer is as before.
  /// `use`: for tests; how tokens are found changes no answer.
  [[nodiscard]] result<void> run(type root, text_source::stage use = text_source::stage::from_256_bytes) {
    json_place now{nullptr, out_.at()};
    const errc opened = in_.open(text_, now.at, use);
    if (opened != errc::ok) {
      fail(opened, now.at);
    } else {
      now = whole(now, root.kind(), root.index());
      if (now) {
        out_.move_to(now.to);
        if (out_.finish()) return {};
        fail(errc::output_limit, now.at);
      }
    }
    out_.abandon();
    error why(fault_.code, std::move(detail_), fault_.offset, trail_.text());
    const std::string_view before = text_.substr(0, fault_.offset);
    const std::size_t line_start = before.rfind('\n') + 1;
    why.locate(static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1,
               fault_.offset - line_start + 1);
    return why;
  }

 private:
  using base::at_text_end;
  using base::bad_string;
  using base::bounds_;
  using base::depth_left_;
  using base::detail_;
  using base::enter;
  using base::fail;
  using base::fault_;
  using base::image_;
  using base::in_;
  using base::key_text;
  using base::mismatch;
  using base::more_follows;
  using base::more_room;
  using base::options_;
  using base::out_;
  using base::room;
  using base::short_string;
  using base::slack;
  using base::trail_;
  using typename base::kinds;

  // Every function below answers false or no place after a fault. Who wants a value has asked for room()
  // before. The switch is put where a value is wanted and its branches are calls, so that a number does not
  // pay for the registers of a map.
  THRIFTLENS_INLINE json_place value(json_place now, type_kind kind, std::uint32_t type, std::uint8_t first) {
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
      case kinds::uuid:
        return base::uuid_value(now, first);
      case kinds::enum_:
        return base::enum_value(now, first, type);
      case kinds::list:
      case kinds::set:
        return list_value(now, image_.types[type], first);
      case kinds::map:
        return map_value(now, image_.types[type], first);
      case kinds::struct_:
      case kinds::union_:
      case kinds::exception_:
        return struct_value(now, image_.structs[image_.types[type].first], first);
      case kinds::void_:
        break;
    }
    return fail(errc::bad_ttype, now.at);
  }
  // A text that is one value.
  json_place whole(json_place now, type_kind kind, std::uint32_t type) {
    const std::uint8_t first = in_.peek(now.at);
    if (!room(now)) return {};
    now = value(now, kind, type, first);
    return now && at_text_end(now.at) ? now : json_place();
  }
  [[nodiscard]] std::size_t offset(const std::uint8_t* to) const noexcept {
    return static_cast<std::size_t>(to - out_.at(0));
  }

  // ---- lists and sets

  THRIFTLENS_NOINLINE json_place list_value(json_place now, const image::type_node& type,
                                            std::uint8_t first) {
    if (first != '[') [[unlikely]]
      return mismatch(now.at, type.kind);
    if (!enter(now.at)) return {};
    const image::type_node& element = image_.types[type.first];
    const std::size_t head = offset(now.to);
    now.to = put_head(now.to, type, element.wire, ttype::stop, 1);
    std::uint32_t count = 0;
    in_.advance(now.at);
    first = in_.peek(now.at);
    if (first == ']') {
      in_.advance(now.at);
    } else {
      for (;;) {
        if (!room(now)) [[unlikely]]
          return no_element(count);
        now = value(now, element.kind, type.first, first);
        if (!now) [[unlikely]]
          return no_element(count);
        if (++count > bounds_.container_size || count > 0x7fffffffu) [[unlikely]]
          return fail(errc::size_limit, now.at);
        bool more = false;
        if (!more_follows(now, ']', more, first)) return {};
        if (!more) break;
      }
    }
    ++depth_left_;
    return end_container(now, type, element.wire, ttype::stop, head, count);
  }
  THRIFTLENS_COLD json_place no_element(std::uint32_t count) { return trail_.index(count), json_place(); }

  // Of a container's header only the size is not known before its end.
  [[nodiscard]] static std::uint8_t* put_head(std::uint8_t* to, const image::type_node& type, ttype first,
                                              ttype second, std::uint32_t count) {
    if (type.kind == kinds::map) return Protocol::put_map(to, {first, second, count});
    return type.kind == kinds::set ? Protocol::put_set(to, {first, count})
                                   : Protocol::put_list(to, {first, count});
  }
  json_place end_container(json_place now, const image::type_node& type, ttype first, ttype second,
                           std::size_t head, std::uint32_t count) {
    if (!room(now)) return {};
    std::uint8_t one[16], many[16];
    const auto kept = static_cast<std::size_t>(put_head(one, type, first, second, 1) - one);
    const auto size = static_cast<std::size_t>(put_head(many, type, first, second, count) - many);
    std::uint8_t* to = out_.at(head);
    if (size != kept) {
      std::memmove(to + size, to + kept, static_cast<std::size_t>(now.to - to) - kept);
      now.to = now.to - kept + size;
    }
    std::memcpy(to, many, size);
    return now;
  }

  // ---- maps

  THRIFTLENS_NOINLINE json_place map_value(json_place now, const image::type_node& type, std::uint8_t open) {
    const image::type_node& key = image_.types[type.first];
    const image::type_node& item = image_.types[type.second];
    if (open != '{' && (open != '[' || is_scalar(key.kind))) [[unlikely]]
      return mismatch(now.at, kinds::map);
    if (!enter(now.at)) return {};
    const std::size_t head = offset(now.to), first = marks_.size();
    now.to = put_head(now.to, type, key.wire, item.wire, 1);
    const std::uint8_t* start = now.at;
    std::uint32_t count = 0;
    std::size_t look = entry_marks::first_look;
    const char close = open == '{' ? '}' : ']';
    in_.advance(now.at);
    std::uint8_t next = in_.peek(now.at);
    if (next == static_cast<std::uint8_t>(close)) {
      in_.advance(now.at);
    } else {
      for (;;) {
        now = open == '{' ? object_entry(now, type, key.kind, item.kind, next)
                          : pair_entry(now, type, key.kind, item.kind, next, count);
        if (!now) [[unlikely]]
          return {};
        if (++count > bounds_.container_size || count > 0x7fffffffu) [[unlikely]]
          return fail(errc::size_limit, now.at);
        bool more = false;
        if (!more_follows(now, close, more, next)) return {};
        if (!more) break;
        if (count == look) [[unlikely]] {
          now = unique(now, first, key.kind, count, start);
          if (!now) return {};
          look = 2 * std::size_t{count};
        }
      }
    }
    if (count > 1) now = unique(now, first, key.kind, count, start);
    if (!now) return {};
    marks_.drop_to(first);
    ++depth_left_;
    return end_container(now, type, key.wire, item.wire, head, count);
  }
  [[nodiscard]] static bool is_scalar(type_kind kind) noexcept { return kind < kinds::list; }

  THRIFTLENS_INLINE json_place object_entry(json_place now, const image::type_node& type, type_kind key,
                                            type_kind item, std::uint8_t next) {
    if (next != '"') [[unlikely]]
      return fail(errc::json_syntax, now.at, "expected a key in quotes");
    const std::uint8_t* start = now.at;
    if (!room(now)) return {};
    entry_mark mark{offset(now.to), 0};
    now = key == kinds::string ? base::string_value(now, next) : map_key(now, key, type.first);
    if (!now) [[unlikely]]
      return no_key(start);
    mark.key_end = offset(now.to);
    if (in_.peek(now.at) != ':') [[unlikely]]
      return fail(errc::json_syntax, now.at, "expected ':'");
    in_.advance(now.at);
    marks_.push(mark);
    next = in_.peek(now.at);
    if (!room(now)) return {};
    now = value(now, item, type.second, next);
    return now ? now : no_entry(start, key);
  }
  // A key that does not fit is shown as the string it is; one that ends nowhere is not shown.
  THRIFTLENS_COLD json_place no_key(const std::uint8_t* start) {
    if (fault_.code != errc::json_syntax && trail_.empty()) trail_.key(key_text(start, kinds::string));
    return {};
  }
  THRIFTLENS_COLD json_place no_entry(const std::uint8_t* start, type_kind key) {
    return trail_.key(key_text(start, key)), json_place();
  }

  THRIFTLENS_NOINLINE json_place pair_entry(json_place now, const image::type_node& type, type_kind key,
                                            type_kind item, std::uint8_t next, std::uint32_t count) {
    const auto half = [&](type_kind kind, std::uint32_t of, std::size_t which) {
      in_.advance(now.at);
      const std::uint8_t first = in_.peek(now.at);
      if (!room(now)) return false;
      now = value(now, kind, of, first);
      return now || (trail_.index(which), trail_.index(count));
    };
    if (next != '[') return mismatch(now.at, kinds::list, "a [key, value] pair"), no_element(count);
    entry_mark mark{offset(now.to), 0};
    if (!half(key, type.first, 0)) return {};
    mark.key_end = offset(now.to);
    marks_.push(mark);
    if (in_.peek(now.at) != ',')
      return fail(errc::json_syntax, now.at, "expected ',' and the value of the pair"), no_element(count);
    if (!half(item, type.second, 1)) return {};
    if (in_.peek(now.at) != ']')
      return fail(errc::json_syntax, now.at, "expected ']' after the pair"), no_element(count);
    in_.advance(now.at);
    return now;
  }

  THRIFTLENS_NOINLINE json_place map_key(json_place now, type_kind kind, std::uint32_t type) {
    if (is_scalar(kind)) return base::scalar_key(now, kind, type);
    // A struct or container as key of a JSON object: the key's text is the JSON of it.
    const std::uint8_t* start = now.at;
    std::string_view text;
    if (!short_string(now, text)) return {};
    const std::string kept(text);
    text_source outer = std::exchange(in_, text_source());
    base::forget_room();
    json_place inner{nullptr, now.to};
    in_.open_part(kept, inner.at);
    inner = whole(inner, kind, type);
    in_ = std::move(outer);
    base::forget_room();
    if (inner) return {now.at, inner.to};
    fail(errc::json_syntax, start);
    fault_.offset = static_cast<std::size_t>(start - in_.begin());
    return no_entry(start, kind);
  }

  // Also drops all but the last of equal keys where the caller wants that. `start`: the map's bracket in the
  // text.
  THRIFTLENS_NOINLINE json_place unique(json_place now, std::size_t first, type_kind key,
                                        std::uint32_t& count, const std::uint8_t* start) {
    if (options_.duplicates == json_duplicates::last) {
      now.to = out_.at(marks_.keep_last(out_.at(0), first, 0, offset(now.to)));
      count = static_cast<std::uint32_t>(marks_.size() - first);
      return now;
    }
    if (ascending(first, key)) return now;
    const std::size_t repeated = marks_.find_repeated(out_.at(0), first, 0);
    return repeated == entry_marks::none ? now : repeated_key(start, now.to, key, repeated);
  }
  // Whether the keys ascend, read as a ring: signed numbers in their order do, though their bytes begin anew
  // once.
  [[nodiscard]] bool ascending(std::size_t first, type_kind key) {
    const std::span<const entry_mark> marks = marks_.since(first);
    const std::uint8_t* out = out_.at(0);
    const std::size_t lead =
        key == kinds::string || key == kinds::binary ? base::size_front : 0;  // texts ascend, not their sizes
    const auto in_order = [&](const entry_mark& before, const entry_mark& mark) {
      const std::size_t left = before.entry + lead, right = mark.entry + lead;
      return ascend(out + left, before.key_end - left, out + right, mark.key_end - right);
    };
    bool anew = false;
    for (std::size_t i = 1; i < marks.size(); ++i) {
      if (in_order(marks[i - 1], marks[i])) continue;
      if (anew) return false;
      anew = true;
    }
    return !anew || in_order(marks.back(), marks.front());
  }
  // Goes over the map's text again to find the place.
  THRIFTLENS_COLD json_failed repeated_key(const std::uint8_t* start, std::uint8_t* to, type_kind key,
                                           std::size_t entry) {
    const auto before = static_cast<std::size_t>(start - in_.begin());
    const std::string_view rest(reinterpret_cast<const char*>(start),
                                static_cast<std::size_t>(in_.end() - start));
    in_ = text_source();
    base::forget_room();
    depth_left_ = ~std::uint32_t{0};  // it was read within its bounds, in which pairs do not count
    json_place now{nullptr, to};
    in_.open_part(rest, now.at);
    if (in_.peek(now.at) == 0) return fail(errc::duplicate_key, now.at);
    const bool object = *start == '{';
    in_.advance(now.at);
    for (std::size_t i = 0; i < entry; ++i) {
      bool more = false;
      std::uint8_t next = 0;
      if (!room(now)) return {};
      now = object ? skip_member(now) : skip_value(now);
      if (!now || !more_follows(now, object ? '}' : ']', more, next)) return {};
    }
    in_.peek(now.at);
    if (object)
      trail_.key(key_text(now.at, key));
    else
      trail_.index(entry);
    fail(errc::duplicate_key, now.at);
    fault_.offset += before;
    return {};
  }

  // ---- structs

  // One key of an object with `duplicates last`: what its field became in the output.
  struct field_mark {
    std::size_t entry = 0;
    std::size_t body = 0;  ///< behind the header
    std::uint32_t field = 0;
    std::int8_t as_bool = -1;  ///< Compact has bools in the header
    bool absent = false;
    bool dropped = false;
  };
  struct open_struct {
    const image::struct_node& node;
    field_set& seen;    ///< keys
    field_set& absent;  ///< those of them whose value is null
    std::size_t open;
    std::size_t marks;
    std::int16_t last_id = 0;
    std::uint32_t required = 0;
    std::uint32_t members = 0;
    bool repeated = false;

    [[nodiscard]] bool has(std::uint32_t position) const noexcept {
      return seen.has(position) && !absent.has(position);
    }
  };

  THRIFTLENS_NOINLINE json_place struct_value(json_place now, const image::struct_node& node,
                                              std::uint8_t first) {
    if (first != '{') [[unlikely]]
      return mismatch(now.at, node.kind);
    if (!enter(now.at)) return {};
    field_set seen(node.fields.size, words_), absent(node.fields.size, words_);
    open_struct open{node, seen, absent, offset(now.to), field_marks_.size()};
    in_.advance(now.at);
    first = in_.peek(now.at);
    if (first == '}') {
      in_.advance(now.at);
    } else {
      key_list keys(image_, node, options_.names);
      foresee(keys);
      bool known = take_foreseen_key(now, keys, 1) || take_plain_key(now, keys, node);
      for (;;) {
        now = known ? member(now, open, keys.field, now.at) : other_member(now, open, keys.field);
        if (!now) [[unlikely]]
          return {};
        foresee(keys);
        known = take_foreseen_key(now, keys, 0);
        if (known) continue;
        bool more = false;
        if (!more_follows(now, '}', more, first)) return {};
        if (!more) break;
        known = take_foreseen_key(now, keys, 1) || take_plain_key(now, keys, node);
      }
    }
    ++depth_left_;
    return end_struct(now, open);
  }
  // The keys of a struct as JSON has them, with the comma in front, and the field whose key is expected next.
  struct key_list {
    const image::field_text* texts;
    const char* text;
    image::slice image::field_text::*which;
    std::uint32_t begin, size, field, last;

    key_list(const schema_image& image, const image::struct_node& node, json_names names)
        : texts(image.field_texts.data()),
          text(image.text.data()),
          which(names == json_names::alias ? &image::field_text::json_alias : &image::field_text::json_name),
          begin(node.fields.begin),
          size(node.fields.size),
          field(begin - 1),
          last(field) {}
  };
  // Writers keep one order of keys, if not that of the IDL: what came after a field last time is expected
  // after it. Kept as the distance from the IDL's order, so that a reader begins with that; fields that share
  // a place only guess worse.
  [[nodiscard]] THRIFTLENS_INLINE std::int8_t& detour(std::uint32_t field) noexcept {
    return detours_[field % detours_.size()];
  }
  // After a member (of the field `keys.field`), or none.
  THRIFTLENS_INLINE void foresee(key_list& keys) noexcept {
    keys.last = keys.field;
    keys.field += 1 + static_cast<std::uint32_t>(std::int32_t{detour(keys.last)});
  }
  // The key of the field that follows the last one, written without blanks: one comparison. `skip`: 1 when
  // the comma before it has been taken.
  THRIFTLENS_INLINE bool take_foreseen_key(json_place& now, const key_list& keys, std::uint32_t skip) {
    return keys.field - keys.begin < keys.size && take_key(now, keys, keys.field, skip);
  }
  // The key of any field, of up to 16 letters without escapes and without a blank before the colon.
  THRIFTLENS_INLINE bool take_plain_key(json_place& now, key_list& keys, const image::struct_node& node) {
    if (options_.names == json_names::both || in_.remaining(now.at) < 32) return false;
    const std::uint8_t* name = now.at + 1;
    const auto size = static_cast<std::size_t>(simd::find_json_special(name, name + 16) - name);
    if (size - 1 > 15 || name[size] != '"') return false;
    const image::name_table& table =
        options_.names == json_names::alias && node.has_aliases ? node.aliases : node.names;
    const std::uint32_t found =
        image_.find_hashed(table, hash_short_text(name, size, table.seed),
                           [&](std::uint32_t field) { return take_key(now, keys, field, 1); });
    if (found == image::none) return false;
    detour(keys.last) = static_cast<std::int8_t>(found - keys.last - 1);  // one too far is a wrong guess
    keys.field = found;
    return true;
  }
  THRIFTLENS_INLINE bool take_key(json_place& now, const key_list& keys, std::uint32_t field,
                                  std::uint32_t skip) {
    const image::slice key = keys.texts[field].*keys.which;
    return in_.take_key(now.at, keys.text + key.begin + skip, key.size - skip, 3 - skip);
  }
  // The value of a field whose key, which ends at `key_end`, has been taken.
  THRIFTLENS_INLINE json_place member(json_place now, open_struct& open, std::uint32_t field,
                                      const std::uint8_t* key_end) {
    if (!open.seen.add(field - open.node.fields.begin)) [[unlikely]] {
      if (options_.duplicates == json_duplicates::error) return second_key(key_end, field);
      open.repeated = true;
    }
    now = field_value(now, open, field);
    return now ? now : no_field(field);
  }
  THRIFTLENS_COLD json_place no_field(std::uint32_t field) {
    return trail_.field(name_of(field)), json_place();
  }
  THRIFTLENS_COLD json_place second_key(const std::uint8_t* key_end, std::uint32_t field) {
    const std::uint8_t* at = key_end;
    while (*--at != '"') {
    }
    while (*--at != '"' || at[-1] == '\\') {
    }
    fail(errc::duplicate_key, at, "a key stands twice in an object");
    return no_field(field);
  }
  // A member whose key was not foreseen. `field`: the one it is of, where that is known.
  THRIFTLENS_NOINLINE json_place other_member(json_place now, open_struct& open, std::uint32_t& field) {
    if (in_.peek(now.at) != '"') return fail(errc::json_syntax, now.at, "expected a key in quotes");
    const std::uint8_t* start = now.at;
    std::string_view key;
    if (!room(now) || !short_string(now, key)) return {};
    const std::uint32_t found = find(open.node, key);
    if (found == image::none && options_.unknown == json_unknown::error)
      return fail(errc::unknown_key, start, no_such_field_text({&image_, open.node.type}, key));
    const std::uint8_t* key_end = now.at;
    if (in_.peek(now.at) != ':') return fail(errc::json_syntax, now.at, "expected ':'");
    in_.advance(now.at);
    if (found == image::none) return room(now) ? skip_value(now) : json_place();
    field = found;
    return member(now, open, found, key_end);
  }
  [[nodiscard]] std::uint32_t find(const image::struct_node& node, std::string_view key) const noexcept {
    if (options_.names == json_names::alias) return image_.find_alias(node, key);
    const std::uint32_t field = image_.find_field(node, key);
    return field == image::none && options_.names == json_names::both ? image_.find_alias(node, key) : field;
  }

  THRIFTLENS_INLINE json_place field_value(json_place now, open_struct& open, std::uint32_t field) {
    const image::field_node& known = image_.fields[field];
    const std::uint8_t first = in_.peek(now.at);
    if (!room(now)) [[unlikely]]
      return {};
    if (first == 'n' || options_.duplicates == json_duplicates::last) [[unlikely]]
      return odd_field(now, open, field, first);
    if (known.kind == kinds::bool_) {
      bool is = false;
      if (!base::take_bool(now, first, is)) [[unlikely]]
        return mismatch(now.at, kinds::bool_);
      now.to = Protocol::put_bool_field(now.to, known.id, is, open.last_id);
    } else {
      now.to = Protocol::put_field(now.to, known.wire, known.id, open.last_id);
      now = value(now, known.kind, known.type, first);
      if (!now) [[unlikely]]
        return {};
    }
    open.required += (known.flags & image::required) != 0 ? 1 : 0;
    ++open.members;
    return now;
  }
  // Of null, and of anything where the last of equal keys counts: only the end of the struct knows then what
  // is present.
  THRIFTLENS_NOINLINE json_place odd_field(json_place now, open_struct& open, std::uint32_t field,
                                           std::uint8_t first) {
    const image::field_node& known = image_.fields[field];
    const bool last = options_.duplicates == json_duplicates::last;
    field_mark mark{offset(now.to), 0, field};
    if (first == 'n') {
      if (!in_.take_literal(now.at, "null")) return fail(errc::json_syntax, now.at);
      mark.absent = true;
      if (!last) static_cast<void>(open.absent.add(field - open.node.fields.begin));
    } else if (known.kind == kinds::bool_) {
      bool is = false;
      if (!base::take_bool(now, first, is)) return mismatch(now.at, kinds::bool_);
      mark.as_bool = is ? 1 : 0;
      now.to = Protocol::put_bool_field(now.to, known.id, is, open.last_id);
      mark.body = offset(now.to);
    } else {
      now.to = Protocol::put_field(now.to, known.wire, known.id, open.last_id);
      mark.body = offset(now.to);
      now = value(now, known.kind, known.type, first);
      if (!now) return {};
    }
    if (last) field_marks_.push_back(mark);
    return now;
  }
  json_place end_struct(json_place now, open_struct& open) {
    if (options_.duplicates == json_duplicates::last) [[unlikely]] {
      now = settle_marks(now, open);
      if (!now) return {};
    }
    const image::struct_node& node = open.node;
    if (open.required != node.required_count) [[unlikely]]
      return missing_field(now.at, open);
    if (node.kind == kinds::union_) {
      if (open.members > 1) [[unlikely]]
        return fail(errc::union_members, now.at);
    } else if (node.has_defaults && options_.defaults == json_defaults::write) {
      now = put_defaults(now, open);
      if (!now) return {};
    }
    if (!room(now)) return {};
    now.to = Protocol::put_stop(now.to);
    return now;
  }
  THRIFTLENS_COLD json_place settle_marks(json_place now, open_struct& open) {
    const std::span<field_mark> marks = std::span(field_marks_).subspan(open.marks);
    // `seen` holds every field met; taking each out once leaves the last mark of each.
    for (std::size_t i = marks.size(); i-- > 0;) {
      field_mark& mark = marks[i];
      const std::size_t position = mark.field - open.node.fields.begin;
      mark.dropped = !open.seen.has(position);
      open.seen.remove(position);
    }
    for (const field_mark& mark : marks) {
      if (mark.dropped) continue;
      const std::size_t position = mark.field - open.node.fields.begin;
      static_cast<void>(open.seen.add(position));
      if (mark.absent) {
        static_cast<void>(open.absent.add(position));
        continue;
      }
      open.required += (image_.fields[mark.field].flags & image::required) != 0 ? 1u : 0u;
      ++open.members;
    }
    if (open.repeated) now = rewrite_fields(now, open, marks);
    field_marks_.resize(open.marks);
    return now;
  }
  // Compact counts ids from field to field, so what stays gets new headers.
  json_place rewrite_fields(json_place now, open_struct& open, std::span<const field_mark> marks) {
    const std::size_t end = offset(now.to);
    const std::vector<std::uint8_t> old(out_.at(open.open), now.to);
    now = more_room({now.at, out_.at(open.open)}, old.size() + marks.size() * 4);
    if (!now) return {};
    open.last_id = 0;
    for (std::size_t i = 0; i < marks.size(); ++i) {
      const field_mark& mark = marks[i];
      if (mark.dropped || mark.absent) continue;
      const image::field_node& known = image_.fields[mark.field];
      if (mark.as_bool >= 0) {
        now.to = Protocol::put_bool_field(now.to, known.id, mark.as_bool != 0, open.last_id);
        continue;
      }
      now.to = Protocol::put_field(now.to, known.wire, known.id, open.last_id);
      const std::size_t size = (i + 1 < marks.size() ? marks[i + 1].entry : end) - mark.body;
      std::memcpy(now.to, old.data() + (mark.body - open.open), size);
      now.to += size;
    }
    return now;
  }
  json_place put_defaults(json_place now, open_struct& open) {
    for (std::uint32_t i = 0; i < open.node.fields.size; ++i) {
      const std::uint32_t field = open.node.fields.begin + i;
      const image::field_node& known = image_.fields[field];
      if ((known.flags & image::has_default) == 0 || open.has(i)) continue;
      const image::field_text& texts = image_.field_texts[field];
      const byte_view bytes =
          image_.value(Protocol::id == protocol_id::binary ? texts.default_binary : texts.default_compact);
      now = more_room(now, bytes.size());
      if (!now) return {};
      if (known.kind == kinds::bool_) {
        now.to = Protocol::put_bool_field(now.to, known.id, bytes[0] == 1, open.last_id);
        continue;
      }
      now.to = Protocol::put_field(now.to, known.wire, known.id, open.last_id);
      std::memcpy(now.to, bytes.data(), bytes.size());
      now.to += bytes.size();
    }
    return now;
  }
  THRIFTLENS_COLD json_place missing_field(const std::uint8_t* at, const open_struct& open) {
    fail(errc::missing_required, at);
    for (std::uint32_t i = 0; i < open.node.fields.size; ++i) {
      const std::uint32_t field = open.node.fields.begin + i;
      if ((image_.fields[field].flags & image::required) != 0 && !open.has(i)) return no_field(field);
    }
    return {};
  }
  [[nodiscard]] std::string_view name_of(std::uint32_t field) const noexcept {
    return image_.view(image_.field_texts[field].name);
  }

  // ---- values nobody wants

  // Checked like any other, then forgotten.
  json_place skip_value(json_place now) {
    const std::uint8_t first = in_.peek(now.at);
    bool taken = false;
    switch (first) {
      case '"':
        if (in_.take_string(now.at, now.to) == nullptr) return bad_string(now.at);
        return now;
      case '{':
        return skip_nested(now, '}');
      case '[':
        return skip_nested(now, ']');
      case 't':
        taken = in_.take_literal(now.at, "true");
        break;
      case 'f':
        taken = in_.take_literal(now.at, "false");
        break;
      case 'n':
        taken = in_.take_literal(now.at, "null");
        break;
      default: {
        json_number number;
        if (first != '-' && !detail::is_digit(first))
          return fail(errc::json_syntax, now.at, "expected a value");
        if (!in_.take_number(now.at, number))
          return fail(errc::json_syntax, now.at, "a number that JSON does not allow");
        return now;
      }
    }
    return taken ? now : json_place(fail(errc::json_syntax, now.at));
  }
  json_place skip_member(json_place now) {
    if (in_.peek(now.at) != '"') return fail(errc::json_syntax, now.at, "expected a key in quotes");
    if (in_.take_string(now.at, now.to) == nullptr) return bad_string(now.at);
    if (in_.peek(now.at) != ':') return fail(errc::json_syntax, now.at, "expected ':'");
    in_.advance(now.at);
    return skip_value(now);
  }
  json_place skip_nested(json_place now, char close) {
    if (!enter(now.at)) return {};
    in_.advance(now.at);
    bool more = in_.peek(now.at) != static_cast<std::uint8_t>(close);
    if (!more) in_.advance(now.at);
    while (more) {
      std::uint8_t next = 0;
      now = close == '}' ? skip_member(now) : skip_value(now);
      if (!now || !more_follows(now, close, more, next)) return {};
    }
    ++depth_left_;
    return now;
  }

  std::string_view text_;
  std::array<std::int8_t, 64> detours_{};
  field_set::pool words_;
  entry_marks marks_;
  std::vector<field_mark> field_marks_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
