// fast_write: Binary to JSON text under the usual options. Never explains a fault: where it falls back,
// json_writer writes the value or says what is wrong.
#pragma once

#include <thriftlens/core/rollback.hpp>
#include <thriftlens/json/fast/fast_scalar.hpp>
#include <thriftlens/json/fast/key_order.hpp>
#include <thriftlens/json/write.hpp>
#include <thriftlens/protocol/binary.hpp>
#include <thriftlens/view/scan.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <optional>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Speculates that the bytes are sound and the fields in the order of their ids; docs/fast-paths.md. Used
/// once. It writes what json_writer writes, or nothing.
class fast_json_writer : fast_scalar_writer {
 public:
  /// Whether it knows all the options that are set: one that is added later makes it decline.
  [[nodiscard]] static bool serves(const to_json_options& options) noexcept {
    if (!are_valid(options.unknown, options.names, options.missing_required)) [[unlikely]]
      return false;
    to_json_options known;
    known.enums = options.enums;
    known.int64 = options.int64;
    known.nonfinite = options.nonfinite;
    known.unknown = options.unknown;
    known.names = options.names;
    known.missing_required = options.missing_required;
    known.limits = options.limits;
    known.select = options.select;
    const selection* const selected = options.select.compiled();
    return options == known && (selected == nullptr || !selected->checks_required());
  }

  fast_json_writer(byte_view bytes, const schema_image& image, buffer& to, const to_json_options& options,
                   const limits& bounds)
      : fast_scalar_writer(bytes, image, to, options, bounds),
        far_(bytes.size() < widest_field ? bytes.begin() : bytes.end() - (widest_field - 1)),
        fields_(image.fields.data()),
        names_(image.field_texts.data()),
        text_(image.text.data()),
        name_(options.names == json_names::alias ? &image::field_text::json_alias
                                                 : &image::field_text::json_name),
        bounds_(bounds) {
    if (const selection* what = options.select.compiled()) select(*what);
  }

  /// True if the whole of the bytes was one value of the type and is written. Returns false to fall back; the
  /// buffer is then as before.
  [[nodiscard]] bool run(type root) {
    if (writes(root)) [[likely]]
      return true;
    to_.truncate(start_);
    return false;
  }

 private:
  // Header and value of a field of a number.
  static constexpr std::size_t widest_field = 11;

  bool writes(type root) {
    const image::type_node& node = root.node();
    const std::uint32_t depth = bounds_.depth < limits::max_depth ? bounds_.depth : limits::max_depth;
    const position start{bytes_.begin(), first_room()};
    const selection* const selected = options_.select.compiled();
    const bool foreign = selected != nullptr && selected->from() != root;
    if (foreign || bytes_.size() < node.width) return false;
    const position end = is_struct(node.kind) ? struct_value(start, image_.structs[node.first], depth)
                                              : any_value(start, node.kind, root.index(), depth);
    if (!end || end.in != end_ || written(end.out) > max_size_) [[unlikely]]
      return false;
    to_.commit(end.out);
    return !unchecked_ || simd::valid_utf8({base_ + start_, to_.size() - start_});
  }

  // ---- values

  THRIFTLENS_NOINLINE position any_value(position at, type_kind kind, std::uint32_t type,
                                         std::uint32_t depth) {
    return value(at, kind, type, depth);
  }
  // There is room, and the bytes of a value of fixed width are there.
  THRIFTLENS_INLINE position value(position at, type_kind kind, std::uint32_t type, std::uint32_t depth) {
    switch (kind) {
      case kinds::bool_:
        return bool_value(at);
      case kinds::i8:
        return integer<std::int8_t>(at);
      case kinds::i16:
        return integer<std::int16_t>(at);
      case kinds::i32:
        return integer<std::int32_t>(at);
      case kinds::i64:
        return i64_value(at);
      case kinds::double_:
        return double_value(at);
      case kinds::string:
        return string_value(at);
      case kinds::binary:
        return binary_value(at);
      case kinds::enum_:
        return enum_value(at, image_.types[type]);
      case kinds::list:
        return list_value(at, image_.types[type], depth);
      case kinds::map:
        return map_value(at, type, depth);
      case kinds::struct_:
        return struct_value(at, image_.structs[image_.types[type].first], depth);
      default:
        return other_value(at, kind, type, depth);
    }
  }
  THRIFTLENS_NOINLINE position other_value(position at, type_kind kind, std::uint32_t type,
                                           std::uint32_t depth) {
    if (kind == kinds::uuid) return uuid_value(at);
    if (kind == kinds::set) return generic_value(at, type, depth);
    if (kind == kinds::void_) return fallen_back;
    return struct_value(at, image_.structs[image_.types[type].first], depth);
  }
  // By json_writer: what is rare.
  THRIFTLENS_NOINLINE position generic_value(position at, std::uint32_t type, std::uint32_t depth) {
    const std::size_t size = written(at.out);
    if (size >= max_size_ || selected_ != selection_node::whole) return fallen_back;
    limits left = bounds_;
    left.output_size = max_size_ - size;
    rollback guard(to_);
    to_.commit(at.out);
    const std::uint8_t* in =
        json_writer<binary>(bytes_, image_, to_, options_, left, utf8_check::now).part(type, {at.in, depth});
    return in == nullptr ? fallen_back : position{in, more_room(to_.end(), 0)};
  }

  // ---- lists and sets

  THRIFTLENS_NOINLINE position list_value(position at, const image::type_node& type, std::uint32_t depth) {
    if (depth-- == 0 || left(at.in) < 5) [[unlikely]]
      return fallen_back;
    const image::type_node& element = image_.types[type.first];
    const std::uint8_t wire = *at.in;
    const std::size_t count = load_be<std::uint32_t>(at.in + 1);
    at.in += 5;
    *at.out++ = '[';
    if (count != 0) {
      if (wire != static_cast<std::uint8_t>(element.wire)) [[unlikely]]
        return fallen_back;
      if (!is_plausible(count, least_width<binary>(element.wire), at.in)) [[unlikely]]
        return fallen_back;
      at = elements(at, element.kind, type.first, count, depth);
      if (!at) [[unlikely]]
        return fallen_back;
      --at.out;  // the last comma
    } else if (!binary_gets::is_empty_of(0, wire)) [[unlikely]] {
      return fallen_back;
    }
    return close(at, ']');
  }
  [[nodiscard]] THRIFTLENS_INLINE bool is_plausible(std::uint64_t count, std::size_t width,
                                                    const std::uint8_t* in) const noexcept {
    return count <= bounds_.container_size && count * width <= left(in);
  }
  THRIFTLENS_INLINE position close(position at, char bracket) {
    *at.out++ = static_cast<std::uint8_t>(bracket);
    return room(at.out) ? at : fallen_back;
  }
  THRIFTLENS_INLINE position elements(position at, type_kind kind, std::uint32_t type, std::size_t count,
                                      std::uint32_t depth) {
    if (kind == kinds::i32)
      return each(at, count,
                  [](position from) THRIFTLENS_INLINE_LAMBDA { return integer<std::int32_t>(from); });
    if (kind == kinds::i64)
      return each(at, count, [this](position from) THRIFTLENS_INLINE_LAMBDA { return i64_value(from); });
    if (kind == kinds::string)
      return each(at, count, [this](position from) THRIFTLENS_INLINE_LAMBDA { return string_value(from); });
    if (kind == kinds::struct_) {
      const image::struct_node& node = image_.structs[image_.types[type].first];
      return each(at, count,
                  [&](position from) THRIFTLENS_INLINE_LAMBDA { return struct_value(from, node, depth); });
    }
    return each(at, count,
                [&](position from) THRIFTLENS_INLINE_LAMBDA { return any_value(from, kind, type, depth); });
  }
  // Each with a comma after it.
  template <class Write>
  THRIFTLENS_INLINE position each(position at, std::size_t count, Write write) {
    for (std::size_t i = 0; i < count; ++i) {
      if (!room(at.out)) [[unlikely]]
        return fallen_back;
      at = write(at);
      if (!at) [[unlikely]]
        return fallen_back;
      *at.out++ = ',';
    }
    return at;
  }

  // ---- maps

  THRIFTLENS_NOINLINE position map_value(position at, std::uint32_t map_type, std::uint32_t depth) {
    const image::type_node& type = image_.types[map_type];
    const image::type_node &key = image_.types[type.first], &item = image_.types[type.second];
    if (!is_usual_key(key.kind)) [[unlikely]]
      return generic_value(at, map_type, depth);
    if (depth-- == 0 || left(at.in) < 6) [[unlikely]]
      return fallen_back;
    const std::uint8_t key_wire = at.in[0], item_wire = at.in[1];
    const std::size_t count = load_be<std::uint32_t>(at.in + 2);
    at.in += 6;
    *at.out++ = '{';
    if (count != 0) {
      const bool typed = key_wire == static_cast<std::uint8_t>(key.wire) &&
                         item_wire == static_cast<std::uint8_t>(item.wire);
      if (!typed || !are_plausible_entries(key, item, count, at.in)) [[unlikely]]
        return fallen_back;
      at = entries(at, type, count, depth);
      if (!at) [[unlikely]]
        return fallen_back;
      --at.out;  // the last comma
    } else if (!binary_gets::is_empty_of(0, key_wire, item_wire)) [[unlikely]] {
      return fallen_back;
    }
    return close(at, '}');
  }
  [[nodiscard]] bool are_plausible_entries(const image::type_node& key, const image::type_node& item,
                                           std::size_t count, const std::uint8_t* in) const noexcept {
    const std::size_t width = least_width<binary>(key.wire) + least_width<binary>(item.wire);
    return count <= 0x7fffffffu && is_plausible(count, width, in);
  }
  // Keys of which different bytes make different texts.
  [[nodiscard]] static bool is_usual_key(type_kind kind) noexcept {
    return kind == kinds::string || (kind >= kinds::i8 && kind <= kinds::i64);
  }
  // Each with a comma after it.
  THRIFTLENS_INLINE position entries(position at, const image::type_node& type, std::size_t count,
                                     std::uint32_t depth) {
    const type_kind key = image_.types[type.first].kind, item = image_.types[type.second].kind;
    const std::size_t width = image_.types[type.second].width;
    if (!marks_) marks_.emplace();
    const std::size_t base = marks_->size();
    key_order order;
    std::size_t next_look = entry_marks::first_look;
    for (std::size_t i = 0; i < count; ++i) {
      if (!room(at.out)) [[unlikely]]
        return fallen_back;
      at = put_key(at, key, order);
      if (!at || left(at.in) < width) [[unlikely]]
        return fallen_back;
      at = item == kinds::string ? string_value(at) : value(at, item, type.second, depth);
      if (!at) [[unlikely]]
        return fallen_back;
      *at.out++ = ',';
      if (i == next_look) [[unlikely]] {
        if (order.may_repeat() && repeats(base)) return fallen_back;
        next_look *= 2;
      }
    }
    if (order.may_repeat() && repeats(base)) return fallen_back;
    marks_->drop_to(base);
    return at;
  }
  [[nodiscard]] bool repeats(std::size_t base) {
    return marks_->find_repeated(bytes_.begin(), base, 0) != entry_marks::none;
  }
  // With its colon, and room for a number after it.
  THRIFTLENS_INLINE position put_key(position at, type_kind kind, key_order& order) {
    const std::uint8_t* from = at.in;
    if (kind == kinds::string) {
      byte_view text;
      if (!read_bytes(at.in, text)) [[unlikely]]
        return fallen_back;
      from += 4;
      order.follow(text, end_);
      at.out = put_text(at.out, text);
      if (at.out == nullptr || !room(at.out)) [[unlikely]]
        return fallen_back;
    } else {
      std::int64_t number = 0;
      if (!read_key(kind, at.in, number)) [[unlikely]]
        return fallen_back;
      order.follow(number);
      at.out = put_quoted(at.out, number);
    }
    marks_->push(
        {static_cast<std::size_t>(from - bytes_.begin()), static_cast<std::size_t>(at.in - bytes_.begin())});
    *at.out++ = ':';
    return at;
  }
  [[nodiscard]] THRIFTLENS_INLINE bool read_key(type_kind kind, const std::uint8_t*& in,
                                                std::int64_t& number) const noexcept {
    if (kind == kinds::i32) return read_integer<std::int32_t>(in, number);
    if (kind == kinds::i64) return read_integer<std::int64_t>(in, number);
    if (kind == kinds::i16) return read_integer<std::int16_t>(in, number);
    return read_integer<std::int8_t>(in, number);
  }
  template <class Int>
  [[nodiscard]] THRIFTLENS_INLINE bool read_integer(const std::uint8_t*& in,
                                                    std::int64_t& number) const noexcept {
    if (left(in) < sizeof(Int)) [[unlikely]]
      return false;
    number = load_be<Int>(in);
    in += sizeof(Int);
    return true;
  }

  // ---- structs

  // What is known of a struct whose fields did not all come in the order of their ids. Those in [run, the
  // expected one) are written and not yet in `seen`; from `top` on none is.
  struct open_struct {
    open_struct(const image::struct_node& of, const image::field_node* begin, std::uint32_t levels,
                field_set::pool& words)
        : node(of),
          first(begin),
          last(begin + of.fields.size),
          run(begin),
          top(begin),
          depth(levels),
          seen(of.fields.size, words) {}
    const image::struct_node& node;
    const image::field_node* first;
    const image::field_node* last;
    const image::field_node* run;
    const image::field_node* top;
    std::uint32_t depth;
    field_set seen;
    std::uint32_t required = 0;
    std::uint32_t members = 0;
    // Between the loop, which has them in registers, and look().
    const image::field_node* field = nullptr;
    position at = fallen_back;
  };
  // Made when it is needed. (A std::optional sets all its bytes first.)
  class late_struct {
   public:
    late_struct() noexcept {}
    ~late_struct() {
      if (made_) [[unlikely]]
        value_.~open_struct();
    }
    late_struct(const late_struct&) = delete;
    late_struct& operator=(const late_struct&) = delete;
    [[nodiscard]] explicit operator bool() const noexcept { return made_; }
    open_struct& operator*() noexcept { return value_; }
    open_struct* operator->() noexcept { return &value_; }
    void make(const image::struct_node& of, const image::field_node* begin, std::uint32_t levels,
              field_set::pool& words) {
      ::new (static_cast<void*>(&value_)) open_struct(of, begin, levels, words);
      made_ = true;
    }

   private:
    union {
      open_struct value_;
    };
    bool made_ = false;
  };
  enum class next_field : std::uint8_t { found, passed, none };

  THRIFTLENS_NOINLINE position struct_value(position at, const image::struct_node& node,
                                            std::uint32_t depth) {
    if (selected_ != selection_node::whole) [[unlikely]]
      return selected_struct(at, depth);
    if (depth-- == 0) return fallen_back;
    const std::ptrdiff_t begin = at.out - base_;
    const image::field_node* field = fields_ + node.fields.begin;
    late_struct now;
    at = all_fields(at, node, field, now, depth);
    if (!at || !is_complete(node, now, field)) [[unlikely]]
      return fallen_back;
    return close_struct(at, begin);
  }
  // Up to the stop; `field` is the expected one.
  THRIFTLENS_INLINE position all_fields(position at, const image::struct_node& node,
                                        const image::field_node*& field, late_struct& now,
                                        std::uint32_t depth) {
    const image::field_node* const last = field + node.fields.size;
    const image::field_text* name = names_ + node.fields.begin;
    for (;;) {
      // Far enough from the end for the header and any number: one comparison.
      if (at.in >= far_ || field == last || (load_le<std::uint32_t>(at.in) & 0xffffffu) != field->header)
          [[unlikely]] {
        if (at.in != end_ && *at.in == 0) [[likely]]
          return at;
        if (!now) now.make(node, fields_ + node.fields.begin, depth, words_);
        now->field = field;
        now->at = at;
        const next_field next = look(*now);
        field = now->field;
        at = now->at;
        name = names_ + (field - fields_);
        if (next == next_field::none) [[unlikely]]
          return fallen_back;
        if (next == next_field::passed) continue;
      }
      if (!put_name(at.out, name)) [[unlikely]]
        return fallen_back;
      at = value({at.in + 3, at.out}, field->kind, field->type, depth);
      if (!at) [[unlikely]]
        return fallen_back;
      ++field;
      ++name;
    }
  }
  // `at` is at the stop, and there is room. `begin`: of the struct in the output, where its first comma is.
  THRIFTLENS_INLINE position close_struct(position at, std::ptrdiff_t begin) {
    *at.out = '{';
    at.out += at.out - base_ == begin;
    base_[begin] = '{';
    ++at.in;
    return close(at, '}');
  }
  // `,"name":` with room for it and a number after it.
  THRIFTLENS_INLINE bool put_name(std::uint8_t*& out, const image::field_text* texts) {
    const image::slice name = texts->*name_;
    if (!room(out)) [[unlikely]]
      return false;
    const char* text = text_ + name.begin;
    std::memcpy(out, text, 32);
    if (name.size > 32) [[unlikely]] {
      if (!room(out, name.size)) return false;
      std::memcpy(out, text, name.size);
    }
    out += name.size;
    return true;
  }
  // Whether all that must be there is; of a union, no more than one.
  THRIFTLENS_INLINE bool is_complete(const image::struct_node& node, late_struct& now,
                                     const image::field_node* field) const noexcept {
    const image::field_node* first = fields_ + node.fields.begin;
    std::uint32_t required = rank(node, first, field), members = static_cast<std::uint32_t>(field - first);
    if (now) {
      close_run(*now, field);
      required = now->required;
      members = now->members;
    }
    if (required != node.required_count && options_.missing_required == on_missing::error) [[unlikely]]
      return false;
    return node.kind != kinds::union_ || members <= 1;
  }
  // Required fields before `field`.
  THRIFTLENS_INLINE static std::uint32_t rank(const image::struct_node& node, const image::field_node* first,
                                              const image::field_node* field) noexcept {
    return field == first + node.fields.size ? node.required_count : field->required_rank;
  }

  // The field whose header stands at now.at, where it is neither the expected one nor the end. `found`: it is
  // to be written next, as expected.
  THRIFTLENS_NOINLINE next_field look(open_struct& now) {
    close_run(now, now.field);
    const std::uint8_t* in = now.at.in;
    const std::size_t there = left(in);
    if (there < 3 || !is_value_type(*in)) return next_field::none;
    const std::uint32_t index = image_.find_field(now.node, load_be<std::int16_t>(in + 1));
    if (index == image::none) return skip_unknown(now) ? next_field::passed : next_field::none;
    const image::field_node* found = fields_ + index;
    if (static_cast<std::uint8_t>(found->wire) != *in || there - 3 < found->width) return next_field::none;
    if (found < now.top) return out_of_order(now, found) ? next_field::passed : next_field::none;
    now.field = now.run = found;
    return next_field::found;
  }
  THRIFTLENS_INLINE static void close_run(open_struct& now, const image::field_node* field) noexcept {
    if (now.run == field) return;
    now.seen.add_new(static_cast<std::size_t>(now.run - now.first),
                     static_cast<std::size_t>(field - now.first));
    now.required += rank(now.node, now.first, field) - rank(now.node, now.first, now.run);
    now.members += static_cast<std::uint32_t>(field - now.run);
    now.run = now.top = field;
  }
  bool skip_unknown(open_struct& now) const {
    if (options_.unknown != on_unknown::drop) return false;
    binary_skipper skipper(end_);
    now.at.in = skipper.skip(now.at.in + 3, static_cast<ttype>(*now.at.in), now.depth);
    return now.at.in != nullptr;
  }
  // Writes a field that stands after one of a higher id. What follows it is expected only where nothing from
  // there on was seen.
  THRIFTLENS_NOINLINE bool out_of_order(open_struct& now, const image::field_node* found) {
    if (!now.seen.add(static_cast<std::size_t>(found - now.first))) return false;
    now.required += (found->flags & image::required) != 0 ? 1 : 0;
    ++now.members;
    if (!put_name(now.at.out, names_ + (found - fields_))) return false;
    now.at = any_value({now.at.in + 3, now.at.out}, found->kind, found->type, now.depth);
    now.field = now.run = found + 1 < now.top ? now.last : found + 1;
    return static_cast<bool>(now.at);
  }

  // ---- structs of which a part is selected

  THRIFTLENS_COLD void select(const selection& what) {
    nodes_ = what.nodes().data();
    selected_ = what.root();
    scan_.emplace(end_);
  }
  THRIFTLENS_NOINLINE position selected_struct(position at, std::uint32_t depth) {
    const std::uint32_t selected = std::exchange(selected_, selection_node::whole);
    if (depth-- == 0) return fallen_back;
    const selection_node& what = nodes_[selected];
    const std::ptrdiff_t begin = at.out - base_;
    const selection_node::part* part = what.parts.data();
    std::uint32_t members = 0;
    at = selected_fields(at, what, part, members, depth);
    const bool is_union = what.structure.kind() == kinds::union_;
    if (!at || (is_union && members > 1) || misses(what, part, 0x8000)) return fallen_back;
    selected_ = selected;
    return close_struct(at, begin);
  }
  // Up to the stop; falls back where ids do not ascend. `part`: after those whose fields were passed.
  position selected_fields(position at, const selection_node& what, const selection_node::part*& part,
                           std::uint32_t& members, std::uint32_t depth) {
    const selection_node::part* const last = what.parts.data() + what.parts.size();
    std::int32_t highest = -0x8001;
    for (;;) {
      if (at.in != end_ && *at.in == 0) return at;
      if (left(at.in) < 3) return fallen_back;
      const detail::scan_field header{static_cast<ttype>(*at.in), load_be<std::int16_t>(at.in + 1), -1};
      const std::int32_t id = header.id;
      if (id <= highest || misses(what, part, id)) return fallen_back;
      highest = id;
      at.in += 3;
      if (part != last && part->id == id) {
        at = selected_field(at, *part++, header.type, depth);
        ++members;
      } else if (!dropped_field(at.in, what, header, depth)) {
        return fallen_back;
      }
      if (!at) return fallen_back;
    }
  }
  // Whether a required part below `id` was not there. `part` moves to the first that is not below.
  bool misses(const selection_node& what, const selection_node::part*& part, std::int32_t id) const noexcept {
    const selection_node::part* const last = what.parts.data() + what.parts.size();
    bool missed = false;
    for (; part != last && part->id < id; ++part)
      missed |= (fields_[part->field].flags & image::required) != 0;
    return missed && options_.missing_required == on_missing::error;
  }
  position selected_field(position at, const selection_node::part& part, ttype wire, std::uint32_t depth) {
    const image::field_node& known = fields_[part.field];
    if (known.wire != wire || left(at.in) < known.width || !put_name(at.out, names_ + part.field))
      return fallen_back;
    selected_ = part.child;
    at = any_value(at, known.kind, known.type, depth);
    selected_ = selection_node::whole;
    return at;
  }
  bool dropped_field(const std::uint8_t*& in, const selection_node& what, const detail::scan_field& header,
                     std::uint32_t depth) {
    const bool refuses = what.unknown && options_.unknown != on_unknown::drop;
    if (refuses && !what.structure.find_field(header.id)) return false;
    return is_value_type(static_cast<std::uint8_t>(header.type)) &&
           scan_->skip_field(in, header, what.structure.index(), image_, depth);
  }

  const std::uint8_t* far_;  // before it, the widest_field bytes of a field are there
  const image::field_node* fields_;
  const image::field_text* names_;
  const char* text_;
  image::slice image::field_text::*name_;
  const limits& bounds_;
  std::uint32_t selected_ = selection_node::whole;  // in nodes_: what is kept of the structs inside the value
  const selection_node* nodes_ = nullptr;
  std::optional<detail::scanner<binary>> scan_;
  field_set::pool words_;
  std::optional<entry_marks> marks_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
