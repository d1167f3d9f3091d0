// write: converts Thrift bytes to JSON text in one pass. Keys of objects are unique.
#pragma once

#include <thriftlens/core/result.hpp>
#include <thriftlens/json/write/write_fields.hpp>
#include <thriftlens/protocol/convert.hpp>
#include <thriftlens/protocol/id_set.hpp>

#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Writes one value. Used once. `Self`: a derived writer that handles some fields and values itself
/// (http/write_answer.hpp), or void.
template <protocol Protocol, class Self = void>
class json_writer : protected json_field_filter<Protocol> {
  using base = json_field_filter<Protocol>;

 public:
  json_writer(byte_view bytes, const schema_image& image, buffer& to, const to_json_options& options,
              const limits& bounds, utf8_check when = utf8_check::deferred)
      : base(bytes, image, to, options, bounds, when),
        to_(to),
        key_(options.names == json_names::alias ? &image::field_text::json_alias
                                                : &image::field_text::json_name),
        writes_defaults_(options.defaults == on_absent::write) {
    const selection* const selected = options.select.compiled();
    if (selected == nullptr) return;
    nodes_ = selected->nodes();
    selected_ = selected->root();
  }

  /// Writes bytes that hold exactly one value of the type. After an error the buffer is unchanged.
  [[nodiscard]] result<void> run(type root) {
    const selection* const selected = options_.select.compiled();
    const bool foreign = selected != nullptr && selected->from() != root;
    if (foreign) return error(errc::wrong_type, "the selection is of another type");
    const std::size_t start = out_.offset();
    if (!value(root.kind(), root.index()) || !at_end()) return base::make_error(root);
    if (!base::has_unchecked_text() || simd::valid_utf8({to_.data() + start, to_.size() - start})) return {};
    // Again, with a check of every string, to locate the fault.
    to_.truncate(start);
    return json_writer(base::bytes_, image_, to_, options_, base::bounds_, utf8_check::immediate).run(root);
  }
  /// Writes the value at a position in the bytes, without a selection; returns the position after it. Null
  /// after a fault, with the buffer unchanged.
  [[nodiscard]] const std::uint8_t* part(std::uint32_t type, const wire_position& from) {
    in_.seek(from);
    selected_ = selection_node::entire;
    if (value(image_.types[type].kind, type) && out_.finish()) return in_.at();
    out_.abandon();
    return nullptr;
  }

 protected:
  static constexpr bool is_derived = !std::is_void_v<Self>;
  [[nodiscard]] auto& self() noexcept { return *static_cast<Self*>(this); }
  using base::begin_entry, base::binary_value, base::bool_value, base::bounds_, base::close,
      base::double_value, base::dropped_field, base::end_entry, base::entry_prefix, base::enum_value,
      base::fail_at_field, base::fail_at_id, base::follows, base::has_selected, base::hide_unselected,
      base::image_, base::in_, base::is_fit, base::is_required, base::last_counts, base::map_key,
      base::marks_, base::mismatch, base::mismatched_field, base::missing_field, base::name_of, base::need,
      base::no_entry, base::options_, base::out_, base::path_, base::put_colon, base::put_number, base::read,
      base::repeated_field, base::reports_missing, base::since, base::string_value, base::unique,
      base::unique_so_far, base::unknown_field, base::usual_, base::uuid_value, typename base::kinds,
      typename base::open_map, typename base::open_struct, typename base::reader;

  [[nodiscard]] bool at_end() {
    if (!in_.at_end()) return in_.reject(errc::trailing_bytes);
    return out_.finish() || in_.reject(errc::output_limit);
  }
  // Inline with calls as branches, so that a number does not save the registers that a map needs.
  THRIFTLENS_INLINE bool value(type_kind kind, std::uint32_t type) {
    if constexpr (is_derived) {
      if (self().is_own_value(kind)) return self().own_value(kind);
    }
    switch (kind) {
      case kinds::bool_:
        return bool_value();
      case kinds::i8:
        return base::template integer<std::int8_t>();
      case kinds::i16:
        return base::template integer<std::int16_t>();
      case kinds::i32:
        return base::template integer<std::int32_t>();
      case kinds::i64:
        return base::i64_value();
      case kinds::double_:
        return double_value();
      case kinds::string:
        return string_value();
      case kinds::binary:
        return binary_value();
      case kinds::enum_:
        return enum_value(image_.types[type]);
      case kinds::list:
        return list_value(image_.types[type]);
      case kinds::map:
        return map_value(image_.types[type]);
      case kinds::struct_:
        return struct_value(image_.structs[image_.types[type].first]);
      default:
        return other_value(kind, type);
    }
  }
  THRIFTLENS_NOINLINE bool other_value(type_kind kind, std::uint32_t type) {
    if (kind == kinds::uuid) return uuid_value();
    if (kind == kinds::set) return list_value(image_.types[type]);
    if (kind == kinds::void_) return in_.reject(errc::bad_ttype);
    return struct_value(image_.structs[image_.types[type].first]);
  }
  // Writes a key: selections apply to values of maps only.
  bool full_value(type_kind kind, std::uint32_t type) {
    const std::uint32_t saved = std::exchange(selected_, selection_node::entire);
    const bool written = value(kind, type);
    selected_ = saved;
    return written;
  }

  // ---- lists and sets

  THRIFTLENS_NOINLINE bool list_value(const image::type_node& type) {
    const std::uint8_t* at = in_.at();
    list_header list;
    const bool is_read = type.kind == kinds::set ? in_.read_set(list) : in_.read_list(list);
    if (!is_read || !in_.enter()) return false;
    const image::type_node& element = image_.types[type.first];
    if (list.size != 0 && list.element != element.wire) return mismatch(element.kind, list.element, at);
    const std::size_t begin = out_.offset();
    if constexpr (is_derived) self().enter_container();
    const bool is_set = type.kind == kinds::set;
    if (!(is_set ? set_elements(type, list.size) : elements(element.kind, type.first, list.size)))
      return false;
    if constexpr (is_derived) self().leave_container();
    in_.leave();
    return close(begin, '[', ']');
  }
  THRIFTLENS_INLINE bool elements(type_kind kind, std::uint32_t type, std::uint32_t count) {
    if (usual_ && kind == kinds::i32) return integers<std::int32_t>(count);
    if (usual_ && kind == kinds::i64 && !base::quotes_i64()) return integers<std::int64_t>(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      if (!begin_entry()) return false;
      if (!value(kind, type)) return path_.index(i);
      end_entry();
    }
    return true;
  }
  [[nodiscard]] std::size_t offset_of(const std::uint8_t* at) const noexcept {
    return static_cast<std::size_t>(at - in_.begin());
  }
  THRIFTLENS_NOINLINE bool set_elements(const image::type_node& type, std::uint32_t count) {
    const image::type_node& element = image_.types[type.first];
    open_map set{type, element, element, in_.here(), marks_.size(), count};
    bool ascending = !has_spellings(element.wire);
    for (std::uint32_t i = 0; i < count; ++i) {
      entry_mark mark{out_.offset(), 0, offset_of(in_.at())};
      if (!begin_entry()) return false;
      set.prefix = out_.offset() - mark.entry;
      if (!value(element.kind, type.first)) return path_.index(i);
      end_entry();
      mark.key_end = out_.offset();
      if (ascending && i != 0) ascending = follows(marks_.top(), mark, set);
      marks_.push(mark);
      if (!ascending && !unique_so_far(set)) return false;
    }
    if (!ascending && !unique(set)) return false;
    marks_.drop_to(set.marks);
    return true;
  }
  template <class Int>
  bool integers(std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      Int number = 0;
      if (!read(number)) return path_.index(i);
      if (!need(integer_text_room + 1)) return false;
      out_.put(',');
      put_number(number);
    }
    return true;
  }

  // ---- maps

  THRIFTLENS_NOINLINE bool map_value(const image::type_node& type) {
    const std::uint8_t* at = in_.at();
    map_header header;
    if (!in_.read_map(header) || !in_.enter()) return false;
    open_map map{type,       image_.types[type.first], image_.types[type.second], in_.here(), marks_.size(),
                 header.size};
    if (header.size != 0 && !has_types(map, header, at)) [[unlikely]]
      return false;
    const std::size_t begin = out_.offset();
    const bool object = is_scalar(map.key.kind);
    if constexpr (is_derived) self().enter_container();
    if (!(object ? object_entries(map) : pair_entries(map))) return false;
    if constexpr (is_derived) self().leave_container();
    marks_.drop_to(map.marks);
    in_.leave();
    return object ? close(begin, '{', '}') : close(begin, '[', ']');
  }
  THRIFTLENS_INLINE bool has_types(const open_map& map, const map_header& header, const std::uint8_t* at) {
    if (header.key != map.key.wire) return mismatch(map.key.kind, header.key, at);
    if (header.value != map.value.wire) return mismatch(map.value.kind, header.value, at);
    return true;
  }
  THRIFTLENS_INLINE bool one_key(const open_map& map) {
    if constexpr (is_derived) {
      if (self().is_own_value(map.key.kind)) return self().own_key(map.key.kind);
    }
    return map_key(map);
  }
  THRIFTLENS_INLINE bool object_entries(open_map& map) {
    map.prefix = entry_prefix() + 1;
    bool ascending = !map.has_spellings();
    for (std::uint32_t i = 0; i < map.size; ++i) {
      const std::uint8_t* key = in_.at();
      entry_mark mark{out_.offset(), 0, offset_of(key)};
      if (!begin_entry()) return false;
      if (!one_key(map)) return path_.key_at(i);
      mark.key_end = out_.offset() - 1;
      if (ascending && i != 0) ascending = follows(marks_.top(), mark, map);
      marks_.push(mark);
      const byte_view bytes = since(key);
      if (!put_colon()) return false;
      if (!value(map.value.kind, map.type.second)) return no_entry(map, bytes);
      end_entry();
      if (!ascending && !unique_so_far(map)) return false;
    }
    return ascending || unique(map);
  }
  // [key, value] pairs, for keys that are not strings in JSON.
  THRIFTLENS_NOINLINE bool pair_entries(open_map& map) {
    for (std::uint32_t i = 0; i < map.size; ++i) {
      entry_mark mark{out_.offset(), 0, offset_of(in_.at())};
      if (!begin_entry()) return false;
      const std::size_t pair = out_.offset();
      const std::uint8_t* key = in_.at();
      if (!pair_key(map, mark)) return path_.key_at(i);
      const byte_view bytes = since(key);
      if (!begin_entry()) return false;
      if (!value(map.value.kind, map.type.second)) return no_entry(map, bytes);
      end_entry();
      if (!close(pair, '[', ']')) return false;
      end_entry();
      if (!unique_so_far(map)) return false;
    }
    return unique(map);
  }
  bool pair_key(open_map& map, entry_mark& mark) {
    if (!begin_entry()) return false;
    map.prefix = out_.offset() - mark.entry;
    if (!full_value(map.key.kind, map.type.first)) return false;
    end_entry();
    mark.key_end = out_.offset();
    marks_.push(mark);
    return true;
  }

  // ---- structs

  THRIFTLENS_NOINLINE bool struct_value(const image::struct_node& node) {
    if (selected_ != selection_node::entire) [[unlikely]]
      return selected_struct(node);
    const struct_mark outer = in_.begin_struct();
    field_set seen(node.fields.size, field_sets_);
    open_struct open{{out_.offset(), marks_.size()}, node, seen};
    const std::uint8_t* stop = nullptr;
    if (!fields(open, stop)) return false;
    in_.end_struct(outer);
    if constexpr (is_derived) {
      if (!self().end_fields(open)) return false;
    }
    if (open.required != node.required_count && reports_missing()) return missing_field(open, stop);
    return close_struct(open);
  }
  // Writes the fields up to the stop, whose position is then `at`.
  THRIFTLENS_INLINE bool fields(open_struct& open, const std::uint8_t*& at) {
    std::uint32_t expected = open.node.fields.begin;
    for (;;) {
      field_header header;
      at = in_.at();
      if (!in_.read_field(header)) [[unlikely]]
        return false;
      if (header.type == ttype::stop) return true;
      std::uint32_t field = expected;
      if (!find_field(open, header, field, at)) [[unlikely]]
        return false;
      if (field == image::none) continue;
      expected = field + 1;
      if (!count_field(open, field, at) || !put_field(field)) [[unlikely]]
        return false;
    }
  }
  THRIFTLENS_INLINE bool count_field(open_struct& open, std::uint32_t field, const std::uint8_t* at) {
    if (!open.seen.add(field - open.node.fields.begin)) return repeated_field(open, field, at);
    open.required += is_required(field) ? 1u : 0u;
    return may_stay(open, field, at);
  }
  // Rejects a second member of a union.
  THRIFTLENS_INLINE bool may_stay(const open_struct& open, std::uint32_t field, const std::uint8_t* at) {
    return base::has_one_member(open) || fail_at_field(errc::union_members, field, at);
  }
  // Sets `field`, initially the expected one, to that of the header, or to none if it was skipped.
  THRIFTLENS_INLINE bool find_field(open_struct& open, field_header header, std::uint32_t& field,
                                    const std::uint8_t* at) {
    const image::struct_node& node = open.node;
    if (field == node.fields.begin + node.fields.size || image_.fields[field].id != header.id) {
      field = image_.find_field(node, header.id);
      if (field == image::none) return unknown_field(open, header, at);
    }
    if (is_fit(image_.fields[field], header.type)) return true;
    const bool passed = mismatched_field(field, header, at);
    field = image::none;
    return passed;
  }
  THRIFTLENS_INLINE bool put_field(std::uint32_t field) {
    if constexpr (is_derived) {
      if (self().is_own_field(field)) return self().own_field(field);
    }
    if (!usual_) [[unlikely]]
      return put_unusual_field(field);
    const image::field_node& known = image_.fields[field];
    const image::slice name = image_.field_texts[field].*key_;
    // The name is copied in blocks, and a number may follow.
    if (!need(name.size + 96)) return false;
    out_.put_padded(image_.text.data() + name.begin, name.size);
    return value(known.kind, known.type) || path_.field(name_of(field));
  }
  THRIFTLENS_NOINLINE bool put_unusual_field(std::uint32_t field) {
    const image::field_node& known = image_.fields[field];
    const std::size_t entry = out_.offset();
    if (!begin_entry() || !put_name(field)) return false;
    if (last_counts()) marks_.push({entry, out_.offset() - 2});  // the name without quotes is the key
    if (options_.pretty != 0) out_.put(' ');
    if (!value(known.kind, known.type)) return path_.field(name_of(field));
    end_entry();
    return true;
  }
  // The name with its colon, without the comma.
  bool put_name(std::uint32_t field) {
    const image::slice name = image_.field_texts[field].*key_;
    if (!need(name.size + 96)) return false;
    out_.put_padded(image_.text.data() + name.begin + 1, name.size - 1);
    return true;
  }
  THRIFTLENS_INLINE bool close_struct(open_struct& open) {
    const bool may_default = open.node.has_defaults && open.node.kind != kinds::union_;
    if (may_default && writes_defaults_ && !put_defaults(open)) return false;
    if (open.repeated)
      out_.back_to(marks_.keep_last(out_.at(0), open.marks, entry_prefix() + 1, out_.offset()));
    if (last_counts()) marks_.drop_to(open.marks);
    return close(open.begin, '{', '}');
  }
  // Defaults of structs inside defaults are not written: they could be exponentially many, or infinite.
  bool put_defaults(open_struct& open) {
    writes_defaults_ = false;
    for (std::uint32_t i = 0; i < open.node.fields.size; ++i) {
      const std::uint32_t field = open.node.fields.begin + i;
      const bool has_default = (image_.fields[field].flags & image::has_default) != 0;
      if (has_default && !open.seen.has(i) && !put_default(field)) return false;
    }
    writes_defaults_ = true;
    return true;
  }
  bool put_default(std::uint32_t field) {
    buffer spare;  // for a protocol that the schema holds no defaults for
    const reader outer = in_;
    in_ = reader(bytes_in<Protocol>(field_info(&image_, field).defaults(), image_.fields[field].wire, spare),
                 bounds_);
    const bool written = put_field(field);
    const fault failure = in_.fault();
    in_ = outer;
    return written || in_.reject(failure.code);
  }

  // ---- structs of which a part is selected

  THRIFTLENS_NOINLINE bool selected_struct(const image::struct_node& node) {
    const std::uint32_t saved = std::exchange(selected_, selection_node::entire);
    const selection_node& selected = nodes_[saved];
    const struct_mark outer = in_.begin_struct();
    field_set seen(node.fields.size, field_sets_);
    open_struct open{{out_.offset(), marks_.size()}, node, seen};
    const std::uint8_t* stop = nullptr;
    if (!selected_fields(open, selected, stop)) return false;
    in_.end_struct(outer);
    if (!has_selected(open, selected, stop)) return false;
    if (node.kind != kinds::union_ && writes_defaults_) hide_unselected(open, selected);
    const bool written = close_struct(open);
    selected_ = saved;
    return written;
  }
  // Writes the selected fields up to the stop, whose position is then `at`.
  bool selected_fields(open_struct& open, const selection_node& selected, const std::uint8_t*& at) {
    id_set<Protocol> ids(in_.here());
    for (;;) {
      field_header header;
      at = in_.at();
      if (!in_.read_field(header)) return false;
      if (header.type == ttype::stop) return true;
      if (!last_counts() && !ids.add(header.id, in_, at))
        return fail_at_id(errc::duplicate_field, open.node, header.id, at);
      const selection_node::part* part = selected.find(header.id);
      const bool written = part != nullptr ? selected_field(open, *part, header, at)
                                           : dropped_field(open, selected, header, at);
      if (!written) return false;
    }
  }
  bool selected_field(open_struct& open, const selection_node::part& part, field_header header,
                      const std::uint8_t* at) {
    if (!is_fit(image_.fields[part.field], header.type)) return mismatched_field(part.field, header, at);
    if (!open.seen.add(part.field - open.node.fields.begin)) open.repeated = true;
    if (!may_stay(open, part.field, at)) return false;
    selected_ = part.child;
    const bool written = put_field(part.field);
    selected_ = selection_node::entire;
    return written;
  }

  buffer& to_;
  image::slice image::field_text::*key_;
  bool writes_defaults_;                             // false while a default is written
  std::uint32_t selected_ = selection_node::entire;  // in nodes_: selection for the structs in the value
  std::span<const selection_node> nodes_;
  field_set::pool field_sets_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
