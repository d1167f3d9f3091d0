// fast_write: converts Binary to JSON text under common options. Falls back to json_writer, which also
// reports faults.
#pragma once

#include <thriftlens/core/rollback.hpp>
#include <thriftlens/json/fast/fast_scalar.hpp>
#include <thriftlens/json/fast/key_order.hpp>
#include <thriftlens/json/write/write.hpp>
#include <thriftlens/protocol/binary.hpp>
#include <thriftlens/view/scan.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <optional>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Assumes valid bytes and fields in the order of their ids; see docs/fast-paths.md. Writes the same text as
/// json_writer, or nothing. Used once.
class fast_json_writer : fast_scalar_writer {
 public:
  /// Whether it supports all options that are set. Options added later are not supported by default.
  [[nodiscard]] static bool serves(const to_json_options& options) noexcept {
    const to_json_leniency& leniency = options.leniency;
    if (!are_valid(options.format.enums, leniency.unknown, options.names, leniency.missing_required))
        [[unlikely]]
      return false;
    to_json_options known;
    known.format.enums = options.format.enums;
    known.format.int64 = options.format.int64;
    known.leniency.nonfinite = leniency.nonfinite;
    known.leniency.unknown = leniency.unknown;
    known.leniency.missing_required = leniency.missing_required;
    known.names = options.names;
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
        name_(json_key_of(options.names)),
        bounds_(bounds) {
    if (const selection* selected = options.select.compiled()) select(*selected);
  }

  /// Writes bytes that hold exactly one value of the type. False to fall back; the buffer is then unchanged.
  [[nodiscard]] bool run(type root) {
    if (writes(root)) [[likely]]
      return true;
    to_.truncate(start_);
    return false;
  }

 private:
  // Header and value of a number.
  static constexpr std::size_t widest_field = 11;

  bool writes(type root) {
    const image::type_node& node = root.node();
    const std::uint32_t depth = bounds_.depth < limits::max_depth ? bounds_.depth : limits::max_depth;
    const position start{bytes_.begin(), reserve_first()};
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
  // Output is reserved, and input of values of fixed width is checked.
  THRIFTLENS_INLINE position value(position at, type_kind kind, std::uint32_t type, std::uint32_t depth) {
    switch (kind) {
      case kinds::bool_:
        return bool_value(at);
      case kinds::i8:
      case kinds::i16:
        return short_integer(at, kind);
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
        return struct_value(at, image_.struct_of(type), depth);
      default:
        return other_value(at, kind, type, depth);
    }
  }
  THRIFTLENS_NOINLINE position other_value(position at, type_kind kind, std::uint32_t type,
                                           std::uint32_t depth) {
    if (kind == kinds::uuid) return uuid_value(at);
    if (kind == kinds::set) return generic_value(at, type, depth);
    if (kind == kinds::void_) return fallen_back;
    return struct_value(at, image_.struct_of(type), depth);
  }
  // Rare values, by json_writer.
  THRIFTLENS_NOINLINE position generic_value(position at, std::uint32_t type, std::uint32_t depth) {
    const std::size_t size = written(at.out);
    if (size >= max_size_ || selected_ != selection_node::entire) return fallen_back;
    limits rest = bounds_;
    rest.output_size = max_size_ - size;
    rollback guard(to_);
    to_.commit(at.out);
    const std::uint8_t* in = json_writer<binary>(bytes_, image_, to_, options_, rest, utf8_check::immediate)
                                 .part(type, {at.in, depth});
    return in == nullptr ? fallen_back : position{in, reserve_more(to_.end(), 0)};
  }

  // ---- lists and sets

  THRIFTLENS_NOINLINE position list_value(position at, const image::type_node& type, std::uint32_t depth) {
    if (depth-- == 0 || remaining(at.in) < 5) [[unlikely]]
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
    return count <= bounds_.container_size && count * width <= remaining(in);
  }
  THRIFTLENS_INLINE position close(position at, char bracket) {
    *at.out++ = static_cast<std::uint8_t>(bracket);
    return reserve(at.out) ? at : fallen_back;
  }
  THRIFTLENS_INLINE position elements(position at, type_kind kind, std::uint32_t type, std::size_t count,
                                      std::uint32_t depth) {
    if (kind == kinds::i32)
      return write_values(at, count,
                          [](position from) THRIFTLENS_INLINE_LAMBDA { return integer<std::int32_t>(from); });
    if (kind == kinds::i64)
      return write_values(at, count,
                          [this](position from) THRIFTLENS_INLINE_LAMBDA { return i64_value(from); });
    if (kind == kinds::string)
      return write_values(at, count,
                          [this](position from) THRIFTLENS_INLINE_LAMBDA { return string_value(from); });
    if (kind == kinds::struct_) {
      const image::struct_node& node = image_.struct_of(type);
      return write_values(
          at, count, [&](position from) THRIFTLENS_INLINE_LAMBDA { return struct_value(from, node, depth); });
    }
    return write_values(at, count, [&](position from) THRIFTLENS_INLINE_LAMBDA {
      return any_value(from, kind, type, depth);
    });
  }
  // Writes `count` values, every one with a comma after it.
  template <class Write>
  THRIFTLENS_INLINE position write_values(position at, std::size_t count, Write write) {
    for (std::size_t i = 0; i < count; ++i) {
      if (!reserve(at.out)) [[unlikely]]
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
    if (depth-- == 0 || remaining(at.in) < 6) [[unlikely]]
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
  // Keys whose texts differ if their bytes differ.
  [[nodiscard]] static bool is_usual_key(type_kind kind) noexcept {
    return kind == kinds::string || (kind >= kinds::i8 && kind <= kinds::i64);
  }
  // Entries, every one with a comma after it.
  THRIFTLENS_INLINE position entries(position at, const image::type_node& type, std::size_t count,
                                     std::uint32_t depth) {
    const type_kind key = image_.types[type.first].kind, item = image_.types[type.second].kind;
    const std::size_t width = image_.types[type.second].width;
    if (!marks_) marks_.emplace();
    const std::size_t base = marks_->size();
    key_order order;
    std::size_t next_look = entry_marks::first_look;
    for (std::size_t i = 0; i < count; ++i) {
      if (!reserve(at.out)) [[unlikely]]
        return fallen_back;
      at = put_key(at, key, order);
      if (!at || remaining(at.in) < width) [[unlikely]]
        return fallen_back;
      at = item == kinds::string ? string_value(at) : any_value(at, item, type.second, depth);
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
  // A key and its colon; reserves output for a number after it.
  THRIFTLENS_INLINE position put_key(position at, type_kind kind, key_order& order) {
    const std::uint8_t* from = at.in;
    if (kind == kinds::string) {
      byte_view text;
      if (!read_bytes(at.in, text)) [[unlikely]]
        return fallen_back;
      from += 4;
      order.follow(text, end_);
      at.out = put_text(at.out, text);
      if (at.out == nullptr || !reserve(at.out)) [[unlikely]]
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
    if (remaining(in) < sizeof(Int)) [[unlikely]]
      return false;
    number = load_be<Int>(in);
    in += sizeof(Int);
    return true;
  }

  // ---- structs

  // State of a struct whose fields are not all in the order of their ids. Fields in [run, expected field) are
  // written but not yet in `seen`; fields from `top` on are not.
  struct open_struct {
    open_struct(const image::struct_node& of, const image::field_node* begin, std::uint32_t levels,
                field_set::pool& pool)
        : node(of),
          first(begin),
          last(begin + of.fields.size),
          run(begin),
          top(begin),
          depth(levels),
          seen(of.fields.size, pool) {}
    const image::struct_node& node;
    const image::field_node* first;
    const image::field_node* last;
    const image::field_node* run;
    const image::field_node* top;
    std::uint32_t depth;
    field_set seen;
    std::uint32_t required = 0;
    std::uint32_t members = 0;
    // Shared by the loop, which has them in registers, and look().
    const image::field_node* field = nullptr;
    position at = fallen_back;
  };
  // Constructed on demand. (A std::optional initializes all its bytes first.)
  class late_struct {
   public:
    late_struct() noexcept {}
    ~late_struct() {
      if (is_open_) [[unlikely]]
        value_.~open_struct();
    }
    late_struct(const late_struct&) = delete;
    late_struct& operator=(const late_struct&) = delete;
    [[nodiscard]] explicit operator bool() const noexcept { return is_open_; }
    open_struct& operator*() noexcept { return value_; }
    open_struct* operator->() noexcept { return &value_; }
    void make(const image::struct_node& of, const image::field_node* begin, std::uint32_t levels,
              field_set::pool& pool) {
      ::new (static_cast<void*>(&value_)) open_struct(of, begin, levels, pool);
      is_open_ = true;
    }

   private:
    union {
      open_struct value_;
    };
    bool is_open_ = false;
  };
  enum class next_field : std::uint8_t { expected, passed, none };

  THRIFTLENS_NOINLINE position struct_value(position at, const image::struct_node& node,
                                            std::uint32_t depth) {
    if (selected_ != selection_node::entire) [[unlikely]]
      return selected_struct(at, depth);
    if (depth-- == 0) return fallen_back;
    const std::ptrdiff_t begin = at.out - base_;
    const image::field_node* field = fields_ + node.fields.begin;
    late_struct late;
    at = all_fields(at, node, field, late, depth);
    if (!at || !is_complete(node, late, field)) [[unlikely]]
      return fallen_back;
    return close_struct(at, begin);
  }
  // Writes the fields up to the stop; `field` is the expected one.
  THRIFTLENS_INLINE position all_fields(position at, const image::struct_node& node,
                                        const image::field_node*& field, late_struct& late,
                                        std::uint32_t depth) {
    const image::field_node* const last = field + node.fields.size;
    const image::field_text* name = names_ + node.fields.begin;
    for (;;) {
      // Far enough from the end for the header and any number: one comparison.
      if (at.in >= far_ || field == last || (load_le<std::uint32_t>(at.in) & 0xffffffu) != field->header)
          [[unlikely]] {
        if (at.in != end_ && *at.in == 0) [[likely]]
          return at;
        if (!late) late.make(node, fields_ + node.fields.begin, depth, field_sets_);
        late->field = field;
        late->at = at;
        const next_field next = look(*late);
        field = late->field;
        at = late->at;
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
  // `at` is at the stop. `begin`: start of the struct in the output, where its first comma is.
  THRIFTLENS_INLINE position close_struct(position at, std::ptrdiff_t begin) {
    *at.out = '{';
    at.out += at.out - base_ == begin;
    base_[begin] = '{';
    ++at.in;
    return close(at, '}');
  }
  // `,"name":`; reserves output for a number after it.
  THRIFTLENS_INLINE bool put_name(std::uint8_t*& out, const image::field_text* texts) {
    const image::slice name = texts->*name_;
    if (!reserve(out)) [[unlikely]]
      return false;
    const char* text = text_ + name.begin;
    std::memcpy(out, text, 32);
    if (name.size > 32) [[unlikely]] {
      if (!reserve(out, name.size)) return false;
      std::memcpy(out, text, name.size);
    }
    out += name.size;
    return true;
  }
  // Whether all required fields are present and a union has at most one member.
  [[nodiscard]] bool refuses_missing() const noexcept {
    return options_.leniency.missing_required == on_missing::error;
  }
  THRIFTLENS_INLINE bool is_complete(const image::struct_node& node, late_struct& late,
                                     const image::field_node* field) const noexcept {
    const image::field_node* first = fields_ + node.fields.begin;
    std::uint32_t required = rank(node, first, field), members = static_cast<std::uint32_t>(field - first);
    if (late) {
      close_run(*late, field);
      required = late->required;
      members = late->members;
    }
    if (required != node.required_count && refuses_missing()) [[unlikely]]
      return false;
    return node.kind != kinds::union_ || members <= 1;
  }
  // Required fields before `field`.
  THRIFTLENS_INLINE static std::uint32_t rank(const image::struct_node& node, const image::field_node* first,
                                              const image::field_node* field) noexcept {
    return field == first + node.fields.size ? node.required_count : field->required_rank;
  }

  // Handles the header at open.at, which is neither the expected field's nor the stop.
  THRIFTLENS_NOINLINE next_field look(open_struct& open) {
    close_run(open, open.field);
    const std::uint8_t* in = open.at.in;
    const std::size_t available = remaining(in);
    if (available < 3 || !is_value_type(*in)) return next_field::none;
    const std::uint32_t index = image_.find_field(open.node, load_be<std::int16_t>(in + 1));
    if (index == image::none) return skip_unknown(open) ? next_field::passed : next_field::none;
    const image::field_node* field = fields_ + index;
    if (static_cast<std::uint8_t>(field->wire) != *in || available - 3 < field->width)
      return next_field::none;
    if (field < open.top) return out_of_order(open, field) ? next_field::passed : next_field::none;
    open.field = open.run = field;
    return next_field::expected;
  }
  THRIFTLENS_INLINE static void close_run(open_struct& open, const image::field_node* field) noexcept {
    if (open.run == field) return;
    open.seen.add_new(static_cast<std::size_t>(open.run - open.first),
                      static_cast<std::size_t>(field - open.first));
    open.required += rank(open.node, open.first, field) - rank(open.node, open.first, open.run);
    open.members += static_cast<std::uint32_t>(field - open.run);
    open.run = open.top = field;
  }
  bool skip_unknown(open_struct& open) const {
    if (options_.leniency.unknown != on_unknown::drop) return false;
    binary_skipper skipper(end_);
    open.at.in = skipper.skip(open.at.in + 3, static_cast<ttype>(*open.at.in), open.depth);
    return open.at.in != nullptr;
  }
  // Writes a field after one of a higher id. The next field in the order of ids is expected only if no later
  // one was seen.
  THRIFTLENS_NOINLINE bool out_of_order(open_struct& open, const image::field_node* field) {
    if (!open.seen.add(static_cast<std::size_t>(field - open.first))) return false;
    open.required += (field->flags & image::required) != 0 ? 1 : 0;
    ++open.members;
    if (!put_name(open.at.out, names_ + (field - fields_))) return false;
    open.at = any_value({open.at.in + 3, open.at.out}, field->kind, field->type, open.depth);
    open.field = open.run = field + 1 < open.top ? open.last : field + 1;
    return static_cast<bool>(open.at);
  }

  // ---- structs of which a part is selected

  THRIFTLENS_COLD void select(const selection& selected) {
    nodes_ = selected.nodes().data();
    selected_ = selected.root();
    scan_.emplace(end_);
  }
  THRIFTLENS_NOINLINE position selected_struct(position at, std::uint32_t depth) {
    const std::uint32_t saved = std::exchange(selected_, selection_node::entire);
    if (depth-- == 0) return fallen_back;
    const selection_node& selected = nodes_[saved];
    const std::ptrdiff_t begin = at.out - base_;
    const selection_node::part* part = selected.parts.data();
    std::uint32_t members = 0;
    at = selected_fields(at, selected, part, members, depth);
    const bool is_union = selected.structure.kind() == kinds::union_;
    if (!at || (is_union && members > 1) || misses(selected, part, 0x8000)) return fallen_back;
    selected_ = saved;
    return close_struct(at, begin);
  }
  // Writes the selected fields up to the stop; falls back if ids do not ascend. `part` is the next one.
  position selected_fields(position at, const selection_node& selected, const selection_node::part*& part,
                           std::uint32_t& members, std::uint32_t depth) {
    const selection_node::part* const last = selected.parts.data() + selected.parts.size();
    std::int32_t highest = -0x8001;
    for (;;) {
      if (at.in != end_ && *at.in == 0) return at;
      if (remaining(at.in) < 3) return fallen_back;
      const detail::scan_field header{static_cast<ttype>(*at.in), load_be<std::int16_t>(at.in + 1), -1};
      const std::int32_t id = header.id;
      if (id <= highest || misses(selected, part, id)) return fallen_back;
      highest = id;
      at.in += 3;
      if (part != last && part->id == id) {
        at = selected_field(at, *part++, header.type, depth);
        ++members;
      } else if (!dropped_field(at.in, selected, header, depth)) {
        return fallen_back;
      }
      if (!at) return fallen_back;
    }
  }
  // Whether a required part below `id` is missing. `part` moves to the first with an id not below `id`.
  bool misses(const selection_node& selected, const selection_node::part*& part,
              std::int32_t id) const noexcept {
    const selection_node::part* const last = selected.parts.data() + selected.parts.size();
    bool missed = false;
    for (; part != last && part->id < id; ++part)
      missed |= (fields_[part->field].flags & image::required) != 0;
    return missed && refuses_missing();
  }
  position selected_field(position at, const selection_node::part& part, ttype wire, std::uint32_t depth) {
    const image::field_node& known = fields_[part.field];
    if (known.wire != wire || remaining(at.in) < known.width || !put_name(at.out, names_ + part.field))
      return fallen_back;
    selected_ = part.child;
    at = any_value(at, known.kind, known.type, depth);
    selected_ = selection_node::entire;
    return at;
  }
  bool dropped_field(const std::uint8_t*& in, const selection_node& selected,
                     const detail::scan_field& header, std::uint32_t depth) {
    const bool refuses = selected.unknown && options_.leniency.unknown != on_unknown::drop;
    if (refuses && !selected.structure.find_field(header.id)) return false;
    return is_value_type(static_cast<std::uint8_t>(header.type)) &&
           scan_->skip_field(in, header, selected.structure.index(), image_, depth);
  }

  const std::uint8_t* far_;  // widest_field bytes are readable before it
  const image::field_node* fields_;
  const image::field_text* names_;
  const char* text_;
  image::slice image::field_text::*name_;
  const limits& bounds_;
  std::uint32_t selected_ = selection_node::entire;  // in nodes_: selection for the structs in the value
  const selection_node* nodes_ = nullptr;
  std::optional<detail::scanner<binary>> scan_;
  field_set::pool field_sets_;
  std::optional<entry_marks> marks_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
