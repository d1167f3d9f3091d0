// write: Thrift bytes to JSON text in one pass.
// In: the bytes of one value, its type. Out: text at the end of a buffer, or a fault with its path.
// Never builds a tree, never writes a key twice, never leaves half a value in the buffer.
#pragma once

#include <thriftlens/core/result.hpp>
#include <thriftlens/json/entry_marks.hpp>
#include <thriftlens/json/field_set.hpp>
#include <thriftlens/json/options.hpp>
#include <thriftlens/json/out_cursor.hpp>
#include <thriftlens/json/path_trail.hpp>
#include <thriftlens/json/string_out.hpp>
#include <thriftlens/path/selection.hpp>
#include <thriftlens/protocol/concept.hpp>
#include <thriftlens/protocol/id_set.hpp>
#include <thriftlens/protocol/looks_like.hpp>
#include <thriftlens/schema/type.hpp>
#include <thriftlens/text/number_out.hpp>

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

/// One value's way to text. Used once.
template <protocol Protocol>
class json_writer {
 public:
  json_writer(byte_view bytes, const schema_image& image, buffer& to, const to_json_options& options,
              const limits& bounds, utf8_check when = utf8_check::later)
      : in_(bytes, bounds),
        out_(to, bounds.max_output(bytes.size())),
        image_(image),
        options_(options),
        bounds_(bounds),
        when_(options.invalid_utf8 == json_utf8::error ? when : utf8_check::now),
        bytes_(bytes),
        to_(to),
        usual_(options.pretty == 0 && options.duplicates == json_duplicates::error &&
               options.mismatch == json_mismatch::error),
        aliases_(options.names == json_names::alias),
        quoted_i64_(options.int64 == json_int64::string) {
    if (options.select == nullptr) return;
    nodes_ = options.select->nodes();
    selected_ = options.select->root();
  }

  /// The whole of the bytes must be one value of the type. After an error the buffer is as before.
  [[nodiscard]] result<void> run(type root) {
    const bool foreign = options_.select != nullptr && options_.select->from() != root;
    if (foreign) return error(errc::wrong_type, "the selection is of another type");
    const image::type_node& node = root.node();
    const std::size_t start = out_.offset();
    if (value(node.kind, root.index()) && (in_.at_end() || in_.fail(errc::trailing_bytes)) &&
        (out_.finish() || in_.fail(errc::output_limit))) {
      if (!unchecked_ || simd::valid_utf8({to_.data() + start, to_.size() - start})) return {};
      // Once more, string by string, to say where.
      to_.truncate(start);
      return json_writer(bytes_, image_, to_, options_, bounds_, utf8_check::now).run(root);
    }
    out_.abandon();
    const fault& why = in_.fault();
    std::string words = words_with_looks(std::move(detail_), why.code, bytes_, Protocol::id, root.wire());
    return error(why.code, std::move(words), why.offset, trail_.text());
  }
  /// Writes the whole value of the type at a place in the bytes; returns the place behind. After a fault
  /// null, and the buffer is as before.
  [[nodiscard]] const std::uint8_t* part(std::uint32_t type, const wire_position& place) {
    in_.seek(place);
    selected_ = selection_node::whole;
    if (value(image_.types[type].kind, type) && out_.finish()) return in_.at();
    out_.abandon();
    return nullptr;
  }

 private:
  using reader = typename Protocol::reader;
  using kinds = type_kind;

  // ---- values

  // Every function below answers false after a fault, which the reader then holds. The switch is put where a
  // value is wanted and its branches are calls, so that a number does not pay for the registers of a map.
  THRIFTLENS_INLINE bool value(type_kind kind, std::uint32_t type) {
    switch (kind) {
      case kinds::bool_:
        return bool_value();
      case kinds::i8:
        return integer<std::int8_t>();
      case kinds::i16:
        return integer<std::int16_t>();
      case kinds::i32:
        return integer<std::int32_t>();
      case kinds::i64:
        return i64_value();
      case kinds::double_:
        return double_value();
      case kinds::string:
        return string_value();
      case kinds::binary:
        return binary_value();
      case kinds::uuid:
        return uuid_value();
      case kinds::enum_:
        return enum_value(image_.types[type]);
      case kinds::list:
      case kinds::set:
        return list_value(image_.types[type]);
      case kinds::map:
        return map_value(image_.types[type]);
      case kinds::struct_:
      case kinds::union_:
      case kinds::exception_:
        return struct_value(image_.structs[image_.types[type].first]);
      case kinds::void_:
        break;
    }
    return in_.fail(errc::bad_ttype);
  }

  THRIFTLENS_NOINLINE bool bool_value() {
    bool is = false;
    if (!in_.read_bool(is) || !need(8)) return false;
    out_.put_eight(is ? "true\0\0\0" : "false\0\0", is ? 4 : 5);
    return true;
  }
  THRIFTLENS_INLINE bool read(std::int8_t& number) { return in_.read_i8(number); }
  THRIFTLENS_INLINE bool read(std::int16_t& number) { return in_.read_i16(number); }
  THRIFTLENS_INLINE bool read(std::int32_t& number) { return in_.read_i32(number); }
  THRIFTLENS_INLINE bool read(std::int64_t& number) { return in_.read_i64(number); }
  template <class Int>
  THRIFTLENS_NOINLINE bool integer() {
    Int number = 0;
    if (!read(number) || !need(integer_text_room)) return false;
    out_.move_to(put_integer(out_.at(), std::int64_t{number}));
    return true;
  }
  THRIFTLENS_NOINLINE bool i64_value() {
    std::int64_t number = 0;
    if (!in_.read_i64(number) || !need(integer_text_room + 2)) return false;
    if (quoted_i64_) [[unlikely]]
      out_.put('"');
    out_.move_to(put_integer(out_.at(), number));
    if (quoted_i64_) [[unlikely]]
      out_.put('"');
    return true;
  }
  THRIFTLENS_NOINLINE bool double_value() {
    double number = 0;
    const std::uint8_t* at = in_.at();
    if (!in_.read_double(number) || !need(double_text_room)) return false;
    if (!std::isfinite(number)) [[unlikely]]
      return nonfinite(number, at);
    out_.move_to(put_double(out_.at(), number));
    return true;
  }
  THRIFTLENS_COLD bool nonfinite(double number, const std::uint8_t* at) {
    if (options_.nonfinite == json_nonfinite::error) return in_.fail(errc::nonfinite, at);
    out_.put(nonfinite_text(number));
    return true;
  }
  THRIFTLENS_NOINLINE bool string_value() {
    const std::uint8_t* at = in_.at();
    byte_view text;
    return in_.read_bytes(text) &&
           put_ok(put_string(out_, text, options_.invalid_utf8, when_, unchecked_), at);
  }
  THRIFTLENS_NOINLINE bool binary_value() {
    const std::uint8_t* at = in_.at();
    byte_view bytes;
    return in_.read_bytes(bytes) && put_ok(put_base64(out_, bytes), at);
  }
  THRIFTLENS_NOINLINE bool uuid_value() {
    const std::uint8_t* at = in_.at();
    uuid_bytes id;
    return in_.read_uuid(id) && put_ok(put_uuid(out_, id), at);
  }
  THRIFTLENS_NOINLINE bool enum_value(const image::type_node& type) {
    std::int32_t number = 0;
    if (!in_.read_i32(number)) return false;
    if (options_.enums == json_enums::name) {
      const std::uint32_t member = image_.find_member(image_.enums[type.first], number);
      if (member != image::none) {
        const std::string_view name = image_.view(image_.enum_members[member].json_name);
        if (!need(name.size())) return false;
        out_.put(name);
        return true;
      }
    }
    if (!need(integer_text_room)) return false;
    out_.move_to(put_integer(out_.at(), std::int64_t{number}));
    return true;
  }

  // ---- lists and sets

  THRIFTLENS_NOINLINE bool list_value(const image::type_node& type) {
    const std::uint8_t* at = in_.at();
    list_header list;
    if (!(type.kind == kinds::set ? in_.read_set(list) : in_.read_list(list)) || !in_.enter()) return false;
    const image::type_node& element = image_.types[type.first];
    if (list.size != 0 && list.element != element.wire) [[unlikely]]
      return element_mismatch(element.kind, list.element, at);
    const std::size_t open = out_.offset();
    if (usual_ && element.kind == kinds::i32) {
      if (!integers<std::int32_t>(list.size)) return false;
    } else if (usual_ && element.kind == kinds::i64 && !quoted_i64_) {
      if (!integers<std::int64_t>(list.size)) return false;
    } else {
      for (std::uint32_t i = 0; i < list.size; ++i) {
        if (!begin_entry()) return false;
        if (!value(element.kind, type.first)) [[unlikely]]
          return trail_.index(i);
        --level_;
      }
    }
    in_.leave();
    return close(open, '[', ']');
  }
  template <class Int>
  bool integers(std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      Int number = 0;
      if (!read(number)) [[unlikely]]
        return trail_.index(i);
      if (!need(integer_text_room + 1)) return false;
      out_.put(',');
      out_.move_to(put_integer(out_.at(), std::int64_t{number}));
    }
    return true;
  }

  // ---- maps

  THRIFTLENS_NOINLINE bool map_value(const image::type_node& type) {
    const std::uint8_t* at = in_.at();
    map_header map;
    if (!in_.read_map(map) || !in_.enter()) return false;
    const image::type_node& key = image_.types[type.first];
    const image::type_node& item = image_.types[type.second];
    if (map.size != 0) {
      if (map.key != key.wire) [[unlikely]]
        return element_mismatch(key.kind, map.key, at);
      if (map.value != item.wire) [[unlikely]]
        return element_mismatch(item.kind, map.value, at);
    }
    const std::size_t open = out_.offset();
    const bool object = is_scalar(key.kind);
    if (!(object ? object_entries(type, key.kind, item.kind, map.size)
                 : pair_entries(type, key.kind, item.kind, map.size)))
      return false;
    in_.leave();
    return object ? close(open, '{', '}') : close(open, '[', ']');
  }
  [[nodiscard]] static bool is_scalar(type_kind kind) noexcept { return kind < kinds::list; }
  /// True for kinds whose text is not a JSON string by itself.
  [[nodiscard]] bool needs_quotes(type_kind kind) const noexcept {
    if (kind == kinds::i64) return !quoted_i64_;
    return kind < kinds::string || kind == kinds::enum_;
  }

  bool object_entries(const image::type_node& type, type_kind key, type_kind item, std::uint32_t count) {
    const wire_position first = in_.here();
    const std::size_t base = marks_.size(), lead = entry_lead() + 1;
    const bool quotes = needs_quotes(key);
    bool ascending = true;
    std::size_t look = entry_marks::first_look;
    for (std::uint32_t i = 0; i < count; ++i) {
      entry_mark mark{out_.offset(), 0};
      if (!begin_entry()) return false;
      if (!map_key(quotes, key, type.first)) [[unlikely]]
        return trail_.key_at(i);
      mark.key_end = out_.offset() - 1;
      if (ascending && i != 0) ascending = follows(marks_.top(), mark, lead, key < kinds::string);
      marks_.push(mark);
      if (!put_colon()) return false;
      if (!value(item, type.second)) [[unlikely]]
        return trail_.key(key_text(mark, lead, key));
      --level_;
      if (marks_.size() - base == look) [[unlikely]] {
        if (!ascending && !unique(base, lead, key, first, type)) return false;
        look = 2 * (marks_.size() - base);
      }
    }
    return (ascending || unique(base, lead, key, first, type)) && (marks_.drop_to(base), true);
  }
  THRIFTLENS_INLINE bool map_key(bool quotes, type_kind kind, std::uint32_t type) {
    if (kind == kinds::string) return string_value();
    if (kind == kinds::i32) return integer_key<std::int32_t>();
    if (kind == kinds::i64) return integer_key<std::int64_t>();
    return odd_key(quotes, kind, type);
  }
  template <class Int>
  THRIFTLENS_INLINE bool integer_key() {
    Int number = 0;
    if (!read(number) || !need(integer_text_room + 2)) return false;
    out_.put('"');
    out_.move_to(put_integer(out_.at(), std::int64_t{number}));
    out_.put('"');
    return true;
  }
  THRIFTLENS_NOINLINE bool odd_key(bool quotes, type_kind kind, std::uint32_t type) {
    if (!quotes) return value(kind, type);
    if (!need(1)) return false;
    const std::size_t at = out_.offset();
    out_.put('"');
    if (!value(kind, type) || !need(1)) return false;
    // Enum names and "NaN" bring their own quotes.
    if (*out_.at(at + 1) == '"') {
      const std::size_t size = out_.offset() - at - 1;
      std::memmove(out_.at(at), out_.at(at + 1), size);
      out_.back_to(at + size);
    } else {
      out_.put('"');
    }
    return true;
  }

  THRIFTLENS_NOINLINE bool pair_entries(const image::type_node& type, type_kind key, type_kind item,
                                        std::uint32_t count) {
    const wire_position first = in_.here();
    const std::size_t base = marks_.size();
    std::size_t lead = 0, look = entry_marks::first_look;
    for (std::uint32_t i = 0; i < count; ++i) {
      entry_mark mark{out_.offset(), 0};
      if (!begin_entry()) return false;
      const std::size_t pair = out_.offset();
      if (!begin_entry()) return false;
      lead = out_.offset() - mark.entry;
      if (!whole_value(key, type.first)) [[unlikely]]
        return trail_.key_at(i);
      --level_;
      mark.key_end = out_.offset();
      marks_.push(mark);
      if (!begin_entry()) return false;
      if (!value(item, type.second)) [[unlikely]]
        return trail_.entry(i);
      --level_;
      if (!close(pair, '[', ']')) return false;
      --level_;
      if (marks_.size() - base == look) [[unlikely]] {
        if (!unique(base, lead, key, first, type)) return false;
        look = 2 * (marks_.size() - base);
      }
    }
    return unique(base, lead, key, first, type) && (marks_.drop_to(base), true);
  }

  // Selections lead to values of maps; keys are not cut.
  bool whole_value(type_kind kind, std::uint32_t type) {
    const std::uint32_t selected = std::exchange(selected_, selection_node::whole);
    const bool done = value(kind, type);
    selected_ = selected;
    return done;
  }

  // Keys in strictly ascending order, the usual case, cannot repeat. Numbers ascend by length first.
  [[nodiscard]] THRIFTLENS_INLINE bool follows(const entry_mark& before, const entry_mark& mark,
                                               std::size_t lead, bool numbers) const noexcept {
    const std::size_t left = before.key_end - before.entry - lead, right = mark.key_end - mark.entry - lead;
    if (numbers && left != right) return left < right;
    return ascend(out_.at(before.entry + lead), left, out_.at(mark.entry + lead), right);
  }
  THRIFTLENS_NOINLINE bool unique(std::size_t base, std::size_t lead, type_kind key,
                                  const wire_position& first, const image::type_node& type) {
    if (marks_.size() - base < 2) return true;
    if (options_.duplicates == json_duplicates::last) {
      out_.back_to(marks_.keep_last(out_.at(0), base, lead, out_.offset()));
      return true;
    }
    const std::size_t at = marks_.find_repeated(out_.at(0), base, lead);
    if (at == entry_marks::none) return true;
    in_.seek(first);
    for (std::size_t i = 0; i < at; ++i) {
      if (!in_.skip(image_.types[type.first].wire) || !in_.skip(image_.types[type.second].wire)) return false;
    }
    if (is_scalar(key))
      trail_.key(key_text(marks_.since(base)[at], lead, key));
    else
      trail_.key_at(at);
    return in_.fail(errc::duplicate_key);
  }
  [[nodiscard]] std::string_view key_text(const entry_mark& mark, std::size_t lead,
                                          type_kind key) const noexcept {
    const bool quoted = key == kinds::string || key == kinds::binary || key == kinds::uuid;
    const std::size_t begin = mark.entry + lead - (quoted ? 1 : 0);
    return {reinterpret_cast<const char*>(out_.at(begin)), mark.key_end - begin + (quoted ? 1 : 0)};
  }

  // ---- structs

  struct open_struct {
    const image::struct_node& node;
    field_set& seen;
    std::size_t open;
    std::size_t marks;
    std::uint32_t required = 0;
    std::uint32_t members = 0;
    bool repeated = false;
  };

  THRIFTLENS_NOINLINE bool struct_value(const image::struct_node& node) {
    if (selected_ != selection_node::whole) [[unlikely]]
      return selected_struct(node);
    const struct_mark outer = in_.begin_struct();
    field_set seen(node.fields.size, words_);
    open_struct now{node, seen, out_.offset(), marks_.size()};
    std::uint32_t expected = node.fields.begin, top = expected;  // top: behind every field seen so far
    field_header header;
    const std::uint8_t* at = nullptr;
    for (;;) {
      if (expected >= top) {
        const std::uint32_t first = expected;
        if (!fields_in_order(now, expected)) [[unlikely]]
          return false;
        seen.add_new(first - node.fields.begin, expected - node.fields.begin);
        now.members += expected - first;
        top = expected;
      }
      at = in_.at();
      if (!in_.read_field(header)) [[unlikely]]
        return false;
      if (header.type == ttype::stop) break;
      std::uint32_t field = expected;
      if (!other_field(node, header, field, at)) [[unlikely]]
        return false;
      if (field == image::none) continue;
      expected = field + 1;
      const image::field_node& known = image_.fields[field];
      if (!seen.add(field - node.fields.begin)) [[unlikely]] {
        if (!repeated_field(now, field, at)) return false;
      } else {
        now.required += (known.flags & image::required) != 0 ? 1 : 0;
        ++now.members;
        if (expected > top) top = expected;
      }
      if (!(usual_ ? put_field(known, field) : put_unusual_field(known, field))) [[unlikely]]
        return false;
    }
    in_.end_struct(outer);
    return end_struct(now, at);
  }
  // Writes fields as long as the expected one is next, which is one comparison in Binary (Compact's ids count
  // from the last field). Nothing from `expected` on has been seen, so none of them is repeated.
  THRIFTLENS_INLINE bool fields_in_order(open_struct& now, std::uint32_t& expected) {
    if constexpr (Protocol::id == protocol_id::binary) {
      if (!usual_) [[unlikely]]
        return true;
      const std::uint32_t end = now.node.fields.begin + now.node.fields.size;
      for (; expected != end && in_.remaining() >= 4; ++expected) {
        const image::field_node& known = image_.fields[expected];
        if ((load_le<std::uint32_t>(in_.at()) & 0xffffffu) != known.header) break;
        in_.seek(in_.at() + 3);
        now.required += (known.flags & image::required) != 0 ? 1 : 0;
        if (!put_field(known, expected)) [[unlikely]]
          return false;
      }
    }
    return true;
  }
  // The field whose header was read, `field` being the expected one; none where it is passed over.
  THRIFTLENS_INLINE bool other_field(const image::struct_node& node, field_header header,
                                     std::uint32_t& field, const std::uint8_t* at) {
    if (field == node.fields.begin + node.fields.size || image_.fields[field].id != header.id) {
      field = image_.find_field(node, header.id);
      if (field == image::none) return unknown_field(header, at);
    }
    const image::field_node& known = image_.fields[field];
    if (known.wire == header.type && (usual_ || options_.mismatch == json_mismatch::error || fits(known)))
        [[likely]]
      return true;
    const bool passed = mismatched_field(known, field, header, at);
    field = image::none;
    return passed;
  }

  THRIFTLENS_INLINE bool put_field(const image::field_node& known, std::uint32_t field) {
    const image::field_text& texts = image_.field_texts[field];
    const image::slice name = aliases_ ? texts.json_alias : texts.json_name;
    // Room for the name in blocks and for a number behind it.
    if (!need(name.size + 96)) return false;
    out_.put_padded(image_.text.data() + name.begin, name.size);
    return value(known.kind, known.type) || trail_.field(name_of(field));
  }
  THRIFTLENS_NOINLINE bool put_unusual_field(const image::field_node& known, std::uint32_t field) {
    const image::field_text& texts = image_.field_texts[field];
    const image::slice name = aliases_ ? texts.json_alias : texts.json_name;
    const std::size_t entry = out_.offset();
    if (!begin_entry() || !need(name.size + 96)) return false;
    out_.put_padded(image_.text.data() + name.begin + 1, name.size - 1);
    if (options_.pretty != 0) out_.put(' ');
    if (options_.duplicates == json_duplicates::last) mark_field(entry);
    if (!value(known.kind, known.type)) return trail_.field(name_of(field));
    --level_;
    return true;
  }
  [[nodiscard]] std::string_view name_of(std::uint32_t field) const noexcept {
    return image_.view(image_.field_texts[field].name);
  }
  // The name, without what stands around it, is the key.
  THRIFTLENS_COLD void mark_field(std::size_t entry) {
    marks_.push({entry, out_.offset() - (options_.pretty != 0 ? 3 : 2)});
  }

  // `at`: the stop, which is where something is missing or too much.
  bool end_struct(open_struct& now, const std::uint8_t* at) {
    const image::struct_node& node = now.node;
    if (now.required != node.required_count && reports_missing()) [[unlikely]]
      return missing_field(now, at);
    return close_struct(now, at);
  }
  [[nodiscard]] bool reports_missing() const noexcept {
    return options_.missing_required == missing_required::error;
  }
  THRIFTLENS_INLINE bool close_struct(open_struct& now, const std::uint8_t* at) {
    const image::struct_node& node = now.node;
    if (node.kind == kinds::union_) {
      if (now.members > 1) [[unlikely]]
        return in_.fail(errc::union_members, at);
    } else if (node.has_defaults && options_.defaults == json_defaults::write && !in_default_) {
      if (!put_defaults(now)) return false;
    }
    if (now.repeated) out_.back_to(marks_.keep_last(out_.at(0), now.marks, entry_lead() + 1, out_.offset()));
    if (options_.duplicates == json_duplicates::last) marks_.drop_to(now.marks);
    return close(now.open, '{', '}');
  }
  // As the constants stand in the IDL. Defaults of structs inside them are not written: they may be as many
  // as 2 to the number of types, or have no end.
  bool put_defaults(open_struct& now) {
    in_default_ = true;
    for (std::uint32_t i = 0; i < now.node.fields.size; ++i) {
      const std::uint32_t field = now.node.fields.begin + i;
      const image::field_node& known = image_.fields[field];
      if ((known.flags & image::has_default) == 0 || now.seen.has(i)) continue;
      const image::field_text& texts = image_.field_texts[field];
      const reader outer = in_;
      in_ = reader(
          image_.value(Protocol::id == protocol_id::binary ? texts.default_binary : texts.default_compact),
          bounds_);
      const bool done = usual_ ? put_field(known, field) : put_unusual_field(known, field);
      const fault why = in_.fault();
      in_ = outer;
      if (!done) return in_.fail(why.code);
    }
    in_default_ = false;
    return true;
  }

  // Whether the elements of a container field have the types of the IDL; looks only at its header.
  [[nodiscard]] bool fits(const image::field_node& known) const {
    const image::type_node& type = image_.types[known.type];
    reader ahead = in_;
    if (type.kind == kinds::map) {
      map_header map;
      return !ahead.read_map(map) || map.size == 0 ||
             (map.key == image_.types[type.first].wire && map.value == image_.types[type.second].wire);
    }
    if (type.kind != kinds::list && type.kind != kinds::set) return true;
    list_header list;
    return !(type.kind == kinds::set ? ahead.read_set(list) : ahead.read_list(list)) || list.size == 0 ||
           list.element == image_.types[type.first].wire;
  }

  // ---- structs of which a part is selected

  THRIFTLENS_NOINLINE bool selected_struct(const image::struct_node& node) {
    const std::uint32_t selected = std::exchange(selected_, selection_node::whole);
    const selection_node& what = nodes_[selected];
    const struct_mark outer = in_.begin_struct();
    id_set<Protocol> ids(in_.here());
    field_set seen(node.fields.size, words_);
    open_struct now{node, seen, out_.offset(), marks_.size()};
    const std::uint8_t* at = nullptr;
    for (;;) {
      at = in_.at();
      field_header header;
      if (!in_.read_field(header)) return false;
      if (header.type == ttype::stop) break;
      const bool fresh = options_.duplicates == json_duplicates::last || ids.add(header.id, in_, at);
      if (!fresh) return repeated_id(node, header.id, at);
      const selection_node::part* part = what.find(header.id);
      const bool done =
          part != nullptr ? selected_field(now, *part, header, at) : dropped_field(node, what, header, at);
      if (!done) return false;
    }
    in_.end_struct(outer);
    const bool done = end_selected(now, what, at);
    selected_ = selected;
    return done;
  }
  bool selected_field(open_struct& now, const selection_node::part& part, field_header header,
                      const std::uint8_t* at) {
    const image::field_node& known = image_.fields[part.field];
    if (known.wire != header.type || (options_.mismatch == json_mismatch::skip && !fits(known))) {
      return mismatched_field(known, part.field, header, at);
    }
    if (now.seen.add(part.field - now.node.fields.begin))
      ++now.members;
    else
      now.repeated = true;
    selected_ = part.child;
    const bool done = usual_ ? put_field(known, part.field) : put_unusual_field(known, part.field);
    selected_ = selection_node::whole;
    return done;
  }
  bool dropped_field(const image::struct_node& node, const selection_node& what, field_header header,
                     const std::uint8_t* at) {
    const std::uint32_t field = image_.find_field(node, header.id);
    if (field == image::none && what.unknown) return unknown_field(header, at);
    return in_.skip(header.type) || name_id(node, header.id);
  }
  // The fields that the selection names, and those that the type it was made from must have.
  bool end_selected(open_struct& now, const selection_node& what, const std::uint8_t* stop) {
    const std::uint32_t first = now.node.fields.begin;
    for (std::size_t i = 0; reports_missing() && i < what.parts.size(); ++i) {
      const selection_node::part& part = what.parts[i];
      const bool required_there = what.target && what.target.field(part.id).required();
      const bool required = required_there || (image_.fields[part.field].flags & image::required) != 0;
      if (required && !now.seen.has(part.field - first)) return missing_id(now.node, part.id, stop);
    }
    if (what.target && reports_missing()) {
      for (const field_info wanted : what.target.fields()) {
        const bool unknown_here = what.find(wanted.id()) == nullptr;
        if (wanted.required() && unknown_here) return missing_id(now.node, wanted.id(), stop);
      }
    }
    if (options_.defaults == json_defaults::write) hide_unselected(now, what);
    return close_struct(now, stop);
  }
  // From the defaults, which are written where a field was not seen.
  void hide_unselected(open_struct& now, const selection_node& what) {
    for (std::uint32_t i = 0; i < now.node.fields.size; ++i) {
      const std::int16_t id = image_.fields[now.node.fields.begin + i].id;
      if (what.find(id) == nullptr) static_cast<void>(now.seen.add(i));
    }
  }

  // ---- faults of structs

  THRIFTLENS_NOINLINE bool unknown_field(field_header header, const std::uint8_t* at) {
    if (options_.unknown == json_unknown::skip && in_.skip(header.type)) [[likely]]
      return true;
    if (!in_.failed()) {
      detail_ = "the IDL has no field with id " + std::to_string(header.id);
      in_.fail(errc::unknown_field, at);
    }
    return trail_.field('#' + std::to_string(header.id));
  }
  THRIFTLENS_COLD bool mismatched_field(const image::field_node& known, std::uint32_t field,
                                        field_header header, const std::uint8_t* at) {
    if (options_.mismatch == json_mismatch::skip && in_.skip(header.type)) return true;
    if (!in_.failed()) element_mismatch(known.kind, header.type, at);
    return trail_.field(name_of(field));
  }
  THRIFTLENS_COLD bool element_mismatch(type_kind expected, ttype found, const std::uint8_t* at) {
    detail_ = "expected " + std::string(to_string(expected)) + ", found " + std::string(to_string(found));
    return in_.fail(errc::type_mismatch, at);
  }
  THRIFTLENS_COLD bool repeated_field(open_struct& now, std::uint32_t field, const std::uint8_t* at) {
    now.repeated = true;
    if (options_.duplicates == json_duplicates::last) return true;
    trail_.field(name_of(field));
    return in_.fail(errc::duplicate_field, at);
  }
  THRIFTLENS_COLD bool repeated_id(const image::struct_node& node, std::int16_t id, const std::uint8_t* at) {
    name_id(node, id);
    return in_.fail(errc::duplicate_field, at);
  }
  THRIFTLENS_COLD bool missing_id(const image::struct_node& node, std::int16_t id, const std::uint8_t* stop) {
    name_id(node, id);
    return in_.fail(errc::missing_required, stop);
  }
  THRIFTLENS_COLD bool name_id(const image::struct_node& node, std::int16_t id) {
    const std::uint32_t field = image_.find_field(node, id);
    return trail_.field(field == image::none ? '#' + std::to_string(id) : std::string(name_of(field)));
  }
  THRIFTLENS_COLD bool missing_field(open_struct& now, const std::uint8_t* at) {
    for (std::uint32_t i = 0; i < now.node.fields.size; ++i) {
      const std::uint32_t field = now.node.fields.begin + i;
      if ((image_.fields[field].flags & image::required) == 0 || now.seen.has(i)) continue;
      trail_.field(name_of(field));
      break;
    }
    return in_.fail(errc::missing_required, at);
  }

  // ---- punctuation

  THRIFTLENS_INLINE bool need(std::size_t count) { return out_.need(count) || in_.fail(errc::output_limit); }
  THRIFTLENS_INLINE bool put_ok(errc code, const std::uint8_t* at) {
    return code == errc::ok || in_.fail(code, at);
  }

  // A comma (close() turns the first into a bracket) and, if pretty, a new line. One level deeper until
  // `--level_`.
  THRIFTLENS_INLINE bool begin_entry() {
    if (!need(64)) return false;
    out_.put(',');
    ++level_;
    return options_.pretty == 0 || new_line();
  }
  [[nodiscard]] std::size_t entry_lead() const noexcept {
    return options_.pretty == 0 ? 1 : 2 + (level_ + 1) * std::size_t{options_.pretty};
  }
  THRIFTLENS_NOINLINE bool new_line() {
    const std::size_t blanks = level_ * std::size_t{options_.pretty};
    if (!need(blanks + 64)) return false;
    out_.put('\n');
    std::memset(out_.at(), ' ', blanks);
    out_.move_to(out_.at() + blanks);
    return true;
  }
  THRIFTLENS_INLINE bool put_colon() {
    if (!need(2)) return false;
    out_.put(':');
    if (options_.pretty != 0) out_.put(' ');
    return true;
  }
  THRIFTLENS_INLINE bool close(std::size_t open, char left, char right) {
    if (!need(2)) return false;
    if (out_.offset() == open) {
      out_.put(left);
    } else {
      *out_.at(open) = static_cast<std::uint8_t>(left);
      if (options_.pretty != 0 && !new_line()) return false;
    }
    if (!need(1)) return false;
    out_.put(right);
    return true;
  }

  reader in_;
  out_cursor out_;
  const schema_image& image_;
  const to_json_options& options_;
  const limits& bounds_;
  utf8_check when_;
  bool unchecked_ = false;
  byte_view bytes_;
  buffer& to_;
  bool usual_;  // nothing that concerns every field is asked for
  bool aliases_;
  bool quoted_i64_;
  bool in_default_ = false;
  std::uint32_t selected_ = selection_node::whole;  // in nodes_: what is kept of the structs inside the value
  std::span<const selection_node> nodes_;
  std::size_t level_ = 0;
  field_set::pool words_;
  entry_marks marks_;
  path_trail trail_;
  std::string detail_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
