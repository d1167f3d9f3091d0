// read: JSON text to Thrift bytes in one pass.
// In: a text, the type it should have. Out: the bytes of one value at the end of a buffer, or a fault with its path.
// Never builds a tree, never rounds an integer, never leaves half a value in the buffer.
#pragma once

#include <thriftlens/core/result.hpp>
#include <thriftlens/json/entry_marks.hpp>
#include <thriftlens/json/field_set.hpp>
#include <thriftlens/json/read_scalar.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

/// One text's way to bytes. Used once.
template <protocol Protocol, class Source>
class json_reader : json_scalar_reader<Protocol, Source> {
  using base = json_scalar_reader<Protocol, Source>;

 public:
  json_reader(std::string_view text, const schema_image& image, buffer& to, const from_json_options& options, const limits& bounds)
      : base(image, to, options, bounds), text_(text) {}

  /// The whole of the text must be one value of the type. After an error the buffer is as before.
  [[nodiscard]] result<void> run(type root) {
    const errc opened = in_.open(text_);
    if (opened != errc::ok) {
      fail(opened);
    } else if (room() && value(root.kind(), root.index()) && at_text_end() && (out_.finish() || fail(errc::output_limit))) {
      return {};
    }
    out_.abandon();
    error why(fault_.code, std::move(detail_), fault_.offset, trail_.text());
    const std::string_view before = text_.substr(0, fault_.offset);
    const std::size_t line_start = before.rfind('\n') + 1;
    why.locate(static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1, fault_.offset - line_start + 1);
    return why;
  }

 private:
  using typename base::kinds;
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
  using base::options_;
  using base::out_;
  using base::room;
  using base::short_string;
  using base::slack;
  using base::trail_;

  // Every function below answers false after a fault. Who wants a value has asked for room() before. The switch is put where a
  // value is wanted and its branches are calls, so that a number does not pay for the registers of a map.
  THRIFTLENS_INLINE bool value(type_kind kind, std::uint32_t type) {
    switch (kind) {
      case kinds::bool_: return base::bool_value();
      case kinds::i8: return base::template integer_value<std::int8_t>(kind);
      case kinds::i16: return base::template integer_value<std::int16_t>(kind);
      case kinds::i32: return base::template integer_value<std::int32_t>(kind);
      case kinds::i64: return base::template integer_value<std::int64_t>(kind);
      case kinds::double_: return base::double_value();
      case kinds::string: return base::string_value();
      case kinds::binary: return base::binary_value();
      case kinds::uuid: return base::uuid_value();
      case kinds::enum_: return base::enum_value(type);
      case kinds::list:
      case kinds::set: return list_value(image_.types[type]);
      case kinds::map: return map_value(image_.types[type]);
      case kinds::struct_:
      case kinds::union_:
      case kinds::exception_: return struct_value(image_.structs[image_.types[type].first]);
      case kinds::void_: break;
    }
    return fail(errc::bad_ttype);
  }

  // ---- lists and sets

  THRIFTLENS_NOINLINE bool list_value(const image::type_node& type) {
    if (in_.peek() != '[') [[unlikely]] return mismatch(type.kind);
    if (!enter()) return false;
    const image::type_node& element = image_.types[type.first];
    const std::size_t head = begin_container(type, element.wire, ttype::stop);
    std::uint32_t count = 0;
    in_.advance();
    if (in_.peek() == ']') {
      in_.advance();
    } else {
      for (;;) {
        if (!room() || !value(element.kind, type.first)) [[unlikely]] return trail_.index(count);
        if (++count > bounds_.container_size || count > 0x7fffffffu) [[unlikely]] return fail(errc::size_limit);
        bool more = false;
        if (!more_follows(']', more)) return false;
        if (!more) break;
      }
    }
    ++depth_left_;
    return end_container(type, element.wire, ttype::stop, head, count);
  }

  // Leaves a place for a container's header; its size is known at the end.
  [[nodiscard]] std::size_t begin_container(const image::type_node& type, ttype first, ttype second) {
    const std::size_t head = out_.offset();
    out_.move_to(put_head(out_.at(), type, first, second, 1));
    return head;
  }
  [[nodiscard]] static std::uint8_t* put_head(std::uint8_t* to, const image::type_node& type, ttype first, ttype second,
                                              std::uint32_t count) {
    if (type.kind == kinds::map) return Protocol::put_map(to, {first, second, count});
    return type.kind == kinds::set ? Protocol::put_set(to, {first, count}) : Protocol::put_list(to, {first, count});
  }
  bool end_container(const image::type_node& type, ttype first, ttype second, std::size_t head, std::uint32_t count) {
    if (!room()) return false;
    std::uint8_t now[16], one[16];
    const auto size = static_cast<std::size_t>(put_head(now, type, first, second, count) - now);
    const auto kept = static_cast<std::size_t>(put_head(one, type, first, second, 1) - one);
    if (size != kept) {
      const std::size_t body = out_.offset() - head - kept;
      std::memmove(out_.at(head + size), out_.at(head + kept), body);
      out_.back_to(head + size + body);
    }
    std::memcpy(out_.at(head), now, size);
    return true;
  }

  // ---- maps

  THRIFTLENS_NOINLINE bool map_value(const image::type_node& type) {
    const std::uint8_t open = in_.peek();
    const image::type_node& key = image_.types[type.first];
    const image::type_node& item = image_.types[type.second];
    if (open != '{' && (open != '[' || is_scalar(key.kind))) [[unlikely]] return mismatch(kinds::map);
    if (!enter()) return false;
    const std::size_t head = begin_container(type, key.wire, item.wire);
    const std::size_t first = marks_.size();
    const std::uint8_t* start = in_.at();
    std::uint32_t count = 0;
    const char close = open == '{' ? '}' : ']';
    in_.advance();
    if (in_.peek() == static_cast<std::uint8_t>(close)) {
      in_.advance();
    } else {
      for (;;) {
        if (!(open == '{' ? object_entry(type, key.kind, item.kind) : pair_entry(type, key.kind, item.kind, count))) return false;
        if (++count > bounds_.container_size || count > 0x7fffffffu) [[unlikely]] return fail(errc::size_limit);
        bool more = false;
        if (!more_follows(close, more)) return false;
        if (!more) break;
      }
    }
    if (!unique(first, count, start)) return false;
    marks_.drop_to(first);
    ++depth_left_;
    return end_container(type, key.wire, item.wire, head, count);
  }
  [[nodiscard]] static bool is_scalar(type_kind kind) noexcept { return kind < kinds::list; }

  THRIFTLENS_INLINE bool object_entry(const image::type_node& type, type_kind key, type_kind item) {
    if (in_.peek() != '"') [[unlikely]] return fail(errc::json_syntax, "expected a key in quotes");
    const std::uint8_t* at = in_.at();
    if (!room()) return false;
    entry_mark mark{out_.offset(), 0};
    if (!(key == kinds::string ? base::string_content() : map_key(key, type.first))) [[unlikely]] return false;
    mark.key_end = out_.offset();
    if (in_.peek() != ':') [[unlikely]] return fail(errc::json_syntax, "expected ':'");
    in_.advance();
    marks_.push(mark);
    if (!room() || !value(item, type.second)) [[unlikely]] return trail_.key(key_text(at, key));
    return true;
  }
  bool pair_entry(const image::type_node& type, type_kind key, type_kind item, std::uint32_t count) {
    if (in_.peek() != '[') return mismatch(kinds::list, "a [key, value] pair"), trail_.index(count);
    in_.advance();
    entry_mark mark{out_.offset(), 0};
    if (!room() || !value(key, type.first)) return trail_.index(0), trail_.index(count);
    mark.key_end = out_.offset();
    marks_.push(mark);
    if (in_.peek() != ',') return fail(errc::json_syntax, "expected ',' and the value of the pair"), trail_.index(count);
    in_.advance();
    if (!room() || !value(item, type.second)) return trail_.index(1), trail_.index(count);
    if (in_.peek() != ']') return fail(errc::json_syntax, "expected ']' after the pair"), trail_.index(count);
    in_.advance();
    return true;
  }

  THRIFTLENS_NOINLINE bool map_key(type_kind kind, std::uint32_t type) {
    if (is_scalar(kind)) return base::scalar_key(kind, type);
    // A struct or container as key of a JSON object: the key's text is the JSON of it.
    const std::uint8_t* at = in_.at();
    std::string_view text;
    if (!short_string(text)) return false;
    const std::string kept(text);
    Source outer = std::exchange(in_, Source());
    const bool done = in_.open_part(kept) == errc::ok && room() && value(kind, type) && at_text_end();
    in_ = std::move(outer);
    if (done) return true;
    fail(errc::json_syntax);
    fault_.offset = static_cast<std::size_t>(at - in_.begin());
    return trail_.key(key_text(at, kind));
  }

  // Also drops all but the last of equal keys where the caller wants that. `start`: the map's bracket in the text.
  bool unique(std::size_t first, std::uint32_t& count, const std::uint8_t* start) {
    if (count < 2) return true;
    if (options_.duplicates == json_duplicates::last) {
      std::size_t kept = 0;
      out_.back_to(marks_.keep_last(out_.at(0), first, 0, out_.offset(), kept));
      count = static_cast<std::uint32_t>(kept);
      return true;
    }
    if (ascending(first)) return true;
    const std::size_t repeated = marks_.find_repeated(out_.at(0), first, 0);
    return repeated == entry_marks::none || repeated_key(start, repeated);
  }
  [[nodiscard]] bool ascending(std::size_t first) {
    const std::span<const entry_mark> marks = marks_.since(first);
    const std::uint8_t* out = out_.at(0);
    for (std::size_t i = 1; i < marks.size(); ++i) {
      const entry_mark &before = marks[i - 1], &mark = marks[i];
      if (!ascend(out + before.entry, before.key_end - before.entry, out + mark.entry, mark.key_end - mark.entry)) return false;
    }
    return true;
  }
  // Goes over the map's text again to find the place.
  THRIFTLENS_COLD bool repeated_key(const std::uint8_t* start, std::size_t entry) {
    const auto before = static_cast<std::size_t>(start - in_.begin());
    const std::string_view rest(reinterpret_cast<const char*>(start), static_cast<std::size_t>(in_.end() - start));
    in_ = Source();
    if (in_.open_part(rest) != errc::ok || in_.peek() == 0) return fail(errc::duplicate_key);
    const bool object = *start == '{';
    in_.advance();
    for (std::size_t i = 0; i < entry; ++i) {
      bool more = false;
      if (!room() || !(object ? skip_member() : skip_value()) || !more_follows(object ? '}' : ']', more)) return false;
    }
    in_.peek();
    if (object) trail_.key(key_text(in_.at(), kinds::string));
    else trail_.index(entry);
    fail(errc::duplicate_key);
    fault_.offset += before;
    return false;
  }

  // ---- structs

  // One key of an object with `duplicates last`: what its field became in the output.
  struct field_mark {
    std::size_t entry = 0;
    std::size_t body = 0;          ///< behind the header
    std::uint32_t field = 0;
    std::int8_t as_bool = -1;      ///< Compact has bools in the header
    bool absent = false;
    bool dropped = false;
  };
  struct open_struct {
    const image::struct_node& node;
    field_set& seen;               ///< keys
    field_set& present;            ///< those of them whose value is not null
    std::size_t open;
    std::size_t marks;
    std::uint32_t expected;
    std::int16_t last_id = 0;
    std::uint32_t required = 0;
    std::uint32_t members = 0;
    bool repeated = false;
  };

  THRIFTLENS_NOINLINE bool struct_value(const image::struct_node& node) {
    if (in_.peek() != '{') [[unlikely]] return mismatch(node.kind);
    if (!enter()) return false;
    field_set seen(node.fields.size, words_), present(node.fields.size, words_);
    open_struct now{node, seen, present, out_.offset(), field_marks_.size(), node.fields.begin};
    in_.advance();
    if (in_.peek() == '}') {
      in_.advance();
    } else {
      for (;;) {
        if (!member(now)) [[unlikely]] return false;
        bool more = false;
        if (!more_follows('}', more)) return false;
        if (!more) break;
      }
    }
    ++depth_left_;
    return end_struct(now);
  }
  THRIFTLENS_INLINE bool member(open_struct& now) {
    const std::uint8_t* at = in_.at();
    std::uint32_t field = now.expected;
    if (!expected_key(now)) {
      if (!other_key(now, field)) return false;
      if (field == image::none) return room() && skip_value();
    }
    now.expected = field + 1;
    if (!now.seen.add(field - now.node.fields.begin)) [[unlikely]] {
      if (options_.duplicates == json_duplicates::error) {
        fail(errc::duplicate_key, at, "a key stands twice in an object");
        return trail_.field(name_of(field));
      }
      now.repeated = true;
    }
    return field_value(now, field) || trail_.field(name_of(field));
  }
  // The key of the field that follows the last one, written without blanks: one comparison.
  THRIFTLENS_INLINE bool expected_key(open_struct& now) {
    if (now.expected == now.node.fields.begin + now.node.fields.size) return false;
    const image::field_text& texts = image_.field_texts[now.expected];
    const image::slice key = options_.names == json_names::alias ? texts.json_alias : texts.json_name;
    return in_.take_key(image_.text.data() + key.begin + 1, key.size - 1);
  }
  THRIFTLENS_NOINLINE bool other_key(open_struct& now, std::uint32_t& field) {
    if (in_.peek() != '"') return fail(errc::json_syntax, "expected a key in quotes");
    const std::uint8_t* at = in_.at();
    std::string_view key;
    if (!room() || !short_string(key)) return false;
    field = find(now.node, key);
    if (field == image::none && options_.unknown == json_unknown::error)
      return fail(errc::unknown_key, at, no_such_field_text({&image_, now.node.type}, key.substr(0, 200)));
    if (in_.peek() != ':') return fail(errc::json_syntax, "expected ':'");
    in_.advance();
    in_.peek();
    return true;
  }
  [[nodiscard]] std::uint32_t find(const image::struct_node& node, std::string_view key) const noexcept {
    if (options_.names == json_names::alias) return image_.find_alias(node, key);
    const std::uint32_t field = image_.find_field(node, key);
    return field == image::none && options_.names == json_names::both ? image_.find_alias(node, key) : field;
  }

  THRIFTLENS_INLINE bool field_value(open_struct& now, std::uint32_t field) {
    const image::field_node& known = image_.fields[field];
    field_mark mark{out_.offset(), 0, field};
    const std::uint8_t first = in_.peek();
    if (!room()) [[unlikely]] return false;
    if (first == 'n') [[unlikely]] {
      if (!in_.take_literal("null")) return fail(errc::json_syntax);
      mark.absent = true;
      if (options_.duplicates == json_duplicates::last) field_marks_.push_back(mark);
      return true;
    }
    if (known.kind == kinds::bool_) {
      bool is = false;
      if (first == 0 || !base::take_bool(is)) [[unlikely]] return mismatch(kinds::bool_);
      mark.as_bool = is ? 1 : 0;
      out_.move_to(Protocol::put_bool_field(out_.at(), known.id, is, now.last_id));
      mark.body = out_.offset();
    } else {
      out_.move_to(Protocol::put_field(out_.at(), known.wire, known.id, now.last_id));
      mark.body = out_.offset();
      if (!value(known.kind, known.type)) [[unlikely]] return false;
    }
    // With `last` only the end of the struct knows what is present.
    if (options_.duplicates == json_duplicates::last) [[unlikely]] return field_marks_.push_back(mark), true;
    static_cast<void>(now.present.add(field - now.node.fields.begin));
    now.required += (known.flags & image::required) != 0 ? 1 : 0;
    ++now.members;
    return true;
  }
  bool end_struct(open_struct& now) {
    if (options_.duplicates == json_duplicates::last && !settle_marks(now)) [[unlikely]] return false;
    const image::struct_node& node = now.node;
    if (now.required != node.required_count) [[unlikely]] return missing_field(now);
    if (node.kind == kinds::union_) {
      if (now.members > 1) [[unlikely]] return fail(errc::union_members);
    } else if (node.has_defaults && options_.defaults == json_defaults::write) {
      if (!put_defaults(now)) return false;
    }
    if (!room()) return false;
    out_.move_to(Protocol::put_stop(out_.at()));
    return true;
  }
  THRIFTLENS_COLD bool settle_marks(open_struct& now) {
    const std::span<field_mark> marks = std::span(field_marks_).subspan(now.marks);
    for (std::size_t i = marks.size(); i-- > 0;) {
      field_mark& mark = marks[i];
      const std::size_t position = mark.field - now.node.fields.begin;
      // `seen` holds every field met; taking each out once leaves the last mark of each.
      mark.dropped = !now.seen.has(position);
      now.seen.remove(position);
      if (mark.dropped || mark.absent) continue;
      static_cast<void>(now.present.add(position));
      now.required += (image_.fields[mark.field].flags & image::required) != 0 ? 1u : 0u;
      ++now.members;
    }
    if (now.repeated && !rewrite_fields(now, marks)) return false;
    field_marks_.resize(now.marks);
    return true;
  }
  // Compact counts ids from field to field, so what stays gets new headers.
  bool rewrite_fields(open_struct& now, std::span<const field_mark> marks) {
    const std::size_t end = out_.offset();
    const std::vector<std::uint8_t> old(out_.at(now.open), out_.at(end));
    out_.back_to(now.open);
    if (!out_.need(old.size() + marks.size() * 4 + slack)) return fail(errc::output_limit);
    now.last_id = 0;
    for (std::size_t i = 0; i < marks.size(); ++i) {
      const field_mark& mark = marks[i];
      if (mark.dropped || mark.absent) continue;
      const image::field_node& known = image_.fields[mark.field];
      if (mark.as_bool >= 0) {
        out_.move_to(Protocol::put_bool_field(out_.at(), known.id, mark.as_bool != 0, now.last_id));
        continue;
      }
      out_.move_to(Protocol::put_field(out_.at(), known.wire, known.id, now.last_id));
      const std::size_t size = (i + 1 < marks.size() ? marks[i + 1].entry : end) - mark.body;
      std::memcpy(out_.at(), old.data() + (mark.body - now.open), size);
      out_.move_to(out_.at() + size);
    }
    return true;
  }
  bool put_defaults(open_struct& now) {
    for (std::uint32_t i = 0; i < now.node.fields.size; ++i) {
      const std::uint32_t field = now.node.fields.begin + i;
      const image::field_node& known = image_.fields[field];
      if ((known.flags & image::has_default) == 0 || now.present.has(i)) continue;
      const image::field_text& texts = image_.field_texts[field];
      const byte_view bytes = image_.value(Protocol::id == protocol_id::binary ? texts.default_binary : texts.default_compact);
      if (!out_.need(bytes.size() + slack)) return fail(errc::output_limit);
      if (known.kind == kinds::bool_) {
        out_.move_to(Protocol::put_bool_field(out_.at(), known.id, bytes[0] == 1, now.last_id));
        continue;
      }
      out_.move_to(Protocol::put_field(out_.at(), known.wire, known.id, now.last_id));
      out_.put(bytes.text());
    }
    return true;
  }
  THRIFTLENS_COLD bool missing_field(open_struct& now) {
    fail(errc::missing_required);
    for (std::uint32_t i = 0; i < now.node.fields.size; ++i) {
      const std::uint32_t field = now.node.fields.begin + i;
      if ((image_.fields[field].flags & image::required) != 0 && !now.present.has(i)) return trail_.field(name_of(field));
    }
    return false;
  }
  [[nodiscard]] std::string_view name_of(std::uint32_t field) const noexcept { return image_.view(image_.field_texts[field].name); }

  // ---- values nobody wants

  // Checked like any other, then forgotten.
  bool skip_value() {
    const std::uint8_t first = in_.peek();
    switch (first) {
      case '"': return in_.take_string(out_.at()) != nullptr || bad_string();
      case '{': return skip_nested('}');
      case '[': return skip_nested(']');
      case 't': return in_.take_literal("true") || fail(errc::json_syntax);
      case 'f': return in_.take_literal("false") || fail(errc::json_syntax);
      case 'n': return in_.take_literal("null") || fail(errc::json_syntax);
      default: break;
    }
    json_number number;
    if (first != '-' && !detail::is_digit(first)) return fail(errc::json_syntax, "expected a value");
    return in_.take_number(number) || fail(errc::json_syntax, "a number that JSON does not allow");
  }
  bool skip_member() {
    if (in_.peek() != '"') return fail(errc::json_syntax, "expected a key in quotes");
    if (in_.take_string(out_.at()) == nullptr) return bad_string();
    if (in_.peek() != ':') return fail(errc::json_syntax, "expected ':'");
    in_.advance();
    return skip_value();
  }
  bool skip_nested(char close) {
    if (!enter()) return false;
    in_.advance();
    if (in_.peek() == static_cast<std::uint8_t>(close)) return in_.advance(), ++depth_left_, true;
    for (;;) {
      if (!(close == '}' ? skip_member() : skip_value())) return false;
      bool more = false;
      if (!more_follows(close, more)) return false;
      if (!more) return ++depth_left_, true;
    }
  }

  std::string_view text_;
  field_set::pool words_;
  entry_marks marks_;
  std::vector<field_mark> field_marks_;
};

}  // namespace thriftlens
