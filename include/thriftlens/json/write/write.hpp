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

/// Writes one value. Used once. `Owner`: a class whose hooks handle some fields and values
/// (http/write_answer.hpp), or void.
template <protocol Protocol, class Owner = void>
class json_writer {
  using scalar_writer = json_scalar_writer<Protocol>;
  using key_writer = json_key_writer<Protocol>;
  using open_map = json_write::open_map;
  using open_struct = json_write::open_struct;
  static constexpr bool has_owner = !std::is_void_v<Owner>;

 public:
  THRIFTLENS_NOINLINE json_writer(byte_view bytes, const schema_image& image, buffer& to,
                                  const to_json_options& options, const limits& bounds,
                                  utf8_check utf8 = utf8_check::deferred, Owner* owner = nullptr)
      : state_(bytes, image, to, options, bounds, utf8),
        to_(to),
        key_(json_key_of(options.names)),
        writes_defaults_(options.defaults == on_absent::write),
        owner_(owner) {
    const selection* const selected = options.select.compiled();
    if (selected == nullptr) return;
    nodes_ = selected->nodes();
    selected_ = selected->root();
  }

  /// Writes bytes that hold exactly one value of the type. After an error the buffer is unchanged.
  [[nodiscard]] result<void> run(type root) {
    const selection* const selected = state_.options.select.compiled();
    const bool foreign = selected != nullptr && selected->from() != root;
    if (foreign) return error(errc::wrong_type, "the selection is for a different type");
    const std::size_t start = state_.offset();
    if (!any_value(root.kind(), root.index()) || !at_end()) return state_.make_error(root);
    if (!state_.has_unchecked_text || simd::valid_utf8({to_.data() + start, to_.size() - start})) return {};
    // Again, with a check of every string, to locate the fault.
    to_.truncate(start);
    return json_writer(state_.bytes, state_.image, to_, state_.options, state_.bounds, utf8_check::immediate)
        .run(root);
  }
  /// Writes the value at a position in the bytes, without a selection; returns the position after it. Null
  /// after a fault, with the buffer unchanged.
  [[nodiscard]] const std::uint8_t* part(std::uint32_t type, const wire_position& from) {
    state_.in.seek(from);
    selected_ = selection_node::entire;
    if (any_value(state_.image.types[type].kind, type) && state_.out.finish()) return state_.at();
    state_.out.abandon();
    return nullptr;
  }

  [[nodiscard]] json_write_state<Protocol>& state() noexcept { return state_; }
  [[nodiscard]] THRIFTLENS_INLINE json_field_filter<Protocol> filter() noexcept {
    return json_field_filter<Protocol>(state_);
  }
  [[nodiscard]] bool at_end() {
    if (!state_.in.at_end()) return state_.reject(errc::trailing_bytes);
    return state_.out.finish() || state_.reject(errc::output_limit);
  }
  // Inline with calls as branches, so that a number does not save the registers that a map needs.
  THRIFTLENS_INLINE bool value(type_kind kind, std::uint32_t type) {
    if constexpr (has_owner) {
      if (owner_->is_own_value(kind)) return owner_->own_value(kind);
    }
    switch (kind) {
      case type_kind::bool_:
        return scalar_writer::bool_value(state_);
      case type_kind::i8:
        return scalar_writer::template integer<std::int8_t>(state_);
      case type_kind::i16:
        return scalar_writer::template integer<std::int16_t>(state_);
      case type_kind::i32:
        return scalar_writer::template integer<std::int32_t>(state_);
      case type_kind::i64:
        return scalar_writer::i64_value(state_);
      case type_kind::double_:
        return scalar_writer::double_value(state_);
      case type_kind::string:
        return scalar_writer::string_value(state_);
      case type_kind::binary:
        return scalar_writer::binary_value(state_);
      case type_kind::enum_:
        return scalar_writer::enum_value(state_, state_.image.types[type]);
      case type_kind::list:
        return list_value(state_.image.types[type]);
      case type_kind::map:
        return map_value(state_.image.types[type]);
      case type_kind::struct_:
        return struct_value(state_.image.struct_of(type));
      default:
        return other_value(kind, type);
    }
  }
  // A call of value(), for values that are rare.
  THRIFTLENS_NOINLINE bool any_value(type_kind kind, std::uint32_t type) { return value(kind, type); }
  // Writes a field whose header was read.
  THRIFTLENS_INLINE bool put_field(std::uint32_t field) {
    if constexpr (has_owner) {
      if (owner_->is_own_field(field)) return owner_->own_field(field);
    }
    if (!state_.is_usual) [[unlikely]]
      return put_unusual_field(field);
    const image::field_node& known = state_.image.fields[field];
    if (!put_name(field, 0)) return false;
    return value(known.kind, known.type) || state_.no_field(field);
  }
  // A call of put_field(), for fields that are rare.
  THRIFTLENS_NOINLINE bool any_field(std::uint32_t field) { return put_field(field); }
  // Writes a field whose value is `bytes`, not the input.
  bool put_field_of(byte_view bytes, std::uint32_t field) {
    const auto outer = state_.in;
    state_.in = typename Protocol::reader(bytes, state_.bounds);
    const bool written = any_field(field);
    const fault failure = state_.in.fault();
    state_.in = outer;
    return written || state_.reject(failure.code);
  }
  THRIFTLENS_COLD bool put_default(std::uint32_t field) {
    buffer spare;  // for a protocol that the schema holds no defaults for
    const ttype wire = state_.image.fields[field].wire;
    return put_field_of(bytes_in<Protocol>(field_info(&state_.image, field).defaults(), wire, spare), field);
  }

 private:
  THRIFTLENS_NOINLINE bool other_value(type_kind kind, std::uint32_t type) {
    if (kind == type_kind::uuid) return scalar_writer::uuid_value(state_);
    if (kind == type_kind::set) return list_value(state_.image.types[type]);
    if (kind == type_kind::void_) return state_.reject(errc::bad_ttype);
    return struct_value(state_.image.struct_of(type));
  }
  // Writes a key: selections apply to values of maps only.
  bool full_value(type_kind kind, std::uint32_t type) {
    const std::uint32_t saved = std::exchange(selected_, selection_node::entire);
    const bool written = any_value(kind, type);
    selected_ = saved;
    return written;
  }

  THRIFTLENS_NOINLINE bool list_value(const image::type_node& type) {
    const std::uint8_t* at = state_.at();
    list_header list;
    const bool is_read = type.kind == type_kind::set ? state_.in.read_set(list) : state_.in.read_list(list);
    if (!is_read || !state_.in.enter()) return false;
    const image::type_node& element = state_.image.types[type.first];
    if (list.size != 0 && list.element != element.wire)
      return state_.mismatch(element.kind, list.element, at);
    const std::size_t begin = state_.offset();
    if constexpr (has_owner) owner_->enter_container();
    const bool is_set = type.kind == type_kind::set;
    if (!(is_set ? set_elements(type, list.size) : elements(element.kind, type.first, list.size)))
      return false;
    if constexpr (has_owner) owner_->leave_container();
    state_.in.leave();
    return state_.close(begin, '[', ']');
  }
  THRIFTLENS_INLINE bool elements(type_kind kind, std::uint32_t type, std::uint32_t count) {
    if (state_.is_usual && kind == type_kind::i32) return integers<std::int32_t>(count);
    if (state_.is_usual && kind == type_kind::i64 && !state_.quotes_i64) return integers<std::int64_t>(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      if (!state_.begin_entry()) return false;
      if (!value(kind, type)) return state_.path.index(i);
      state_.end_entry();
    }
    return true;
  }
  THRIFTLENS_NOINLINE bool set_elements(const image::type_node& type, std::uint32_t count) {
    const image::type_node& element = state_.image.types[type.first];
    open_map set{type, element, element, state_.in.here(), state_.marks.size(), count};
    for (std::uint32_t i = 0; i < count; ++i) {
      const entry_mark mark = state_.entry_here();
      if (!state_.begin_entry()) return false;
      set.prefix = state_.offset() - mark.entry;
      if (!any_value(element.kind, type.first)) return state_.path.index(i);
      state_.end_entry();
      key_writer::call_add_mark(state_, set, mark, state_.offset());
      if (!key_writer::unique_so_far(state_, set)) return false;
    }
    if (!key_writer::unique(state_, set)) return false;
    state_.marks.drop_to(set.marks);
    return true;
  }
  template <class Int>
  bool integers(std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      Int number = 0;
      if (!scalar_writer::read(state_, number)) return state_.path.index(i);
      if (!state_.need(max_integer_text + 1)) return false;
      state_.out.put(',');
      scalar_writer::put_number(state_, number);
    }
    return true;
  }

  THRIFTLENS_NOINLINE bool map_value(const image::type_node& type) {
    const std::uint8_t* at = state_.at();
    map_header header;
    if (!state_.in.read_map(header) || !state_.in.enter()) return false;
    open_map map{type,
                 state_.image.types[type.first],
                 state_.image.types[type.second],
                 state_.in.here(),
                 state_.marks.size(),
                 header.size};
    if (header.size != 0 && !has_types(map, header, at)) [[unlikely]]
      return false;
    const std::size_t begin = state_.offset();
    const bool object = is_scalar(map.key.kind);
    if constexpr (has_owner) owner_->enter_container();
    if (!(object ? object_entries(map) : pair_entries(map))) return false;
    if constexpr (has_owner) owner_->leave_container();
    state_.marks.drop_to(map.marks);
    state_.in.leave();
    return object ? state_.close(begin, '{', '}') : state_.close(begin, '[', ']');
  }
  THRIFTLENS_INLINE bool has_types(const open_map& map, const map_header& header, const std::uint8_t* at) {
    if (header.key != map.key.wire) return state_.mismatch(map.key.kind, header.key, at);
    if (header.value != map.value.wire) return state_.mismatch(map.value.kind, header.value, at);
    return true;
  }
  THRIFTLENS_INLINE bool one_key(const open_map& map) {
    if constexpr (has_owner) {
      if (owner_->is_own_value(map.key.kind)) return owner_->own_key(map.key.kind);
    }
    return key_writer::map_key(state_, map);
  }
  THRIFTLENS_INLINE bool object_entries(open_map& map) {
    map.prefix = state_.entry_prefix() + 1;
    for (std::uint32_t i = 0; i < map.size; ++i) {
      const std::uint8_t* key = state_.at();
      const entry_mark mark = state_.entry_here();
      if (!state_.begin_entry()) return false;
      if (!one_key(map)) return state_.path.key_at(i);
      key_writer::add_mark(state_, map, mark, state_.offset() - 1);
      const byte_view bytes = state_.since(key);
      if (!state_.put_colon()) return false;
      if (!value(map.value.kind, map.type.second)) return key_writer::no_entry(state_, map, bytes);
      state_.end_entry();
      if (!key_writer::unique_so_far(state_, map)) return false;
    }
    return key_writer::unique(state_, map);
  }
  // [key, value] pairs, for keys that are not strings in JSON.
  THRIFTLENS_NOINLINE bool pair_entries(open_map& map) {
    for (std::uint32_t i = 0; i < map.size; ++i) {
      const entry_mark mark = state_.entry_here();
      if (!state_.begin_entry()) return false;
      const std::size_t pair = state_.offset();
      const std::uint8_t* key = state_.at();
      if (!pair_key(map, mark)) return state_.path.key_at(i);
      const byte_view bytes = state_.since(key);
      if (!state_.begin_entry()) return false;
      if (!any_value(map.value.kind, map.type.second)) return key_writer::no_entry(state_, map, bytes);
      state_.end_entry();
      if (!state_.close(pair, '[', ']')) return false;
      state_.end_entry();
      if (!key_writer::unique_so_far(state_, map)) return false;
    }
    return key_writer::unique(state_, map);
  }
  bool pair_key(open_map& map, const entry_mark& mark) {
    if (!state_.begin_entry()) return false;
    map.prefix = state_.offset() - mark.entry;
    if (!full_value(map.key.kind, map.type.first)) return false;
    state_.end_entry();
    key_writer::call_add_mark(state_, map, mark, state_.offset());
    return true;
  }

  THRIFTLENS_NOINLINE bool struct_value(const image::struct_node& node) {
    if (selected_ != selection_node::entire) [[unlikely]]
      return selected_struct(node);
    const struct_mark outer = state_.in.begin_struct();
    field_set seen(node.fields.size, field_sets_);
    open_struct open{{state_.offset(), state_.marks.size()}, node, seen};
    const std::uint8_t* stop = nullptr;
    if (!fields(open, stop)) return false;
    state_.in.end_struct(outer);
    if constexpr (has_owner) {
      if (!owner_->end_fields(open)) return false;
    }
    if (open.required != node.required_count && filter().reports_missing())
      return filter().missing_field(open, stop);
    return close_struct(open);
  }
  // Writes the fields up to the stop, whose position is then `at`.
  THRIFTLENS_INLINE bool fields(open_struct& open, const std::uint8_t*& at) {
    std::uint32_t expected = open.node.fields.begin;
    for (;;) {
      field_header header;
      at = state_.at();
      if (!state_.in.read_field(header)) [[unlikely]]
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
    if (!open.seen.add(field - open.node.fields.begin)) return filter().repeated_field(open, field, at);
    open.required += filter().is_required(field) ? 1u : 0u;
    return may_stay(open, field, at);
  }
  // Rejects a second member of a union.
  THRIFTLENS_INLINE bool may_stay(const open_struct& open, std::uint32_t field, const std::uint8_t* at) {
    return filter().has_one_member(open) || filter().fail_at_field(errc::union_members, field, at);
  }
  // Sets `field`, initially the expected one, to that of the header, or to none if it was skipped.
  THRIFTLENS_INLINE bool find_field(open_struct& open, field_header header, std::uint32_t& field,
                                    const std::uint8_t* at) {
    const image::struct_node& node = open.node;
    if (field == node.fields.begin + node.fields.size || state_.image.fields[field].id != header.id) {
      field = state_.image.find_field(node, header.id);
      if (field == image::none) return filter().unknown_field(open, header, at);
    }
    if (filter().is_fit(state_.image.fields[field], header.type)) return true;
    return filter().mismatched_field(std::exchange(field, image::none), header, at);
  }
  THRIFTLENS_NOINLINE bool put_unusual_field(std::uint32_t field) {
    const image::field_node& known = state_.image.fields[field];
    const std::size_t entry = state_.offset();
    if (!state_.begin_entry() || !put_name(field, 1)) return false;
    if (state_.last_counts())
      state_.marks.push({entry, state_.offset() - 2});  // the name without quotes is the key
    if (state_.options.format.pretty != 0) state_.out.put(' ');
    return any_value(known.kind, known.type) ? state_.end_entry() : state_.no_field(field);
  }
  // The name with its comma and colon, from that byte on.
  THRIFTLENS_INLINE bool put_name(std::uint32_t field, std::uint32_t begin) {
    const image::slice name = state_.image.field_texts[field].*key_;
    // The name is copied in blocks, and a number may follow.
    if (!state_.need(name.size + 96)) return false;
    state_.out.put_padded(state_.image.text.data() + name.begin + begin, name.size - begin);
    return true;
  }
  THRIFTLENS_INLINE bool close_struct(open_struct& open) {
    const bool may_default = open.node.has_defaults && open.node.kind != type_kind::union_;
    if (may_default && writes_defaults_ && !put_defaults(open)) return false;
    return state_.close(open);
  }
  // Defaults of structs inside defaults are not written: they could be exponentially many, or infinite.
  THRIFTLENS_COLD bool put_defaults(open_struct& open) {
    writes_defaults_ = false;
    for (std::uint32_t i = 0; i < open.node.fields.size; ++i) {
      const std::uint32_t field = open.node.fields.begin + i;
      const bool has_default = (state_.image.fields[field].flags & image::has_default) != 0;
      if (has_default && !open.seen.has(i) && !put_default(field)) return false;
    }
    writes_defaults_ = true;
    return true;
  }

  THRIFTLENS_NOINLINE bool selected_struct(const image::struct_node& node) {
    const std::uint32_t saved = std::exchange(selected_, selection_node::entire);
    const selection_node& selected = nodes_[saved];
    const struct_mark outer = state_.in.begin_struct();
    field_set seen(node.fields.size, field_sets_);
    open_struct open{{state_.offset(), state_.marks.size()}, node, seen};
    const std::uint8_t* stop = nullptr;
    if (!selected_fields(open, selected, stop)) return false;
    state_.in.end_struct(outer);
    if (!filter().has_selected(open, selected, stop)) return false;
    if (node.kind != type_kind::union_ && writes_defaults_) filter().hide_unselected(open, selected);
    const bool written = close_struct(open);
    selected_ = saved;
    return written;
  }
  // Writes the selected fields up to the stop, whose position is then `at`.
  bool selected_fields(open_struct& open, const selection_node& selected, const std::uint8_t*& at) {
    id_set<Protocol> ids(state_.in.here());
    for (;;) {
      field_header header;
      at = state_.at();
      if (!state_.in.read_field(header)) return false;
      if (header.type == ttype::stop) return true;
      if (!state_.last_counts() && !ids.add(header.id, state_.in, at))
        return filter().fail_at_id(errc::duplicate_field, open.node, header.id, at);
      const selection_node::part* part = selected.find(header.id);
      const bool written = part != nullptr ? selected_field(open, *part, header, at)
                                           : filter().dropped_field(open, selected, header, at);
      if (!written) return false;
    }
  }
  bool selected_field(open_struct& open, const selection_node::part& part, field_header header,
                      const std::uint8_t* at) {
    if (!filter().is_fit(state_.image.fields[part.field], header.type))
      return filter().mismatched_field(part.field, header, at);
    if (!open.seen.add(part.field - open.node.fields.begin)) open.repeated = true;
    if (!may_stay(open, part.field, at)) return false;
    selected_ = part.child;
    const bool written = any_field(part.field);
    selected_ = selection_node::entire;
    return written;
  }

  json_write_state<Protocol> state_;
  buffer& to_;
  image::slice image::field_text::*key_;
  bool writes_defaults_;                             // false while a default is written
  std::uint32_t selected_ = selection_node::entire;  // in nodes_: selection for the structs in the value
  std::span<const selection_node> nodes_;
  field_set::pool field_sets_;
  Owner* owner_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
