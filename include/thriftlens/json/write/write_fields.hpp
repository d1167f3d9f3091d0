// write_fields: checks fields of Thrift structs before they are written as JSON.
#pragma once

#include <thriftlens/core/joined.hpp>
#include <thriftlens/json/field_set.hpp>
#include <thriftlens/json/write/write_unknown.hpp>

#include <cstdint>
#include <string>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

namespace json_write {

/// The struct that is being written.
struct open_struct : open_object {
  const image::struct_node& node;
  field_set& seen;
  std::uint32_t required = 0;
};

}  // namespace json_write

/// The part of json_writer that accepts or rejects fields.
template <protocol Protocol>
class json_field_filter {
 public:
  using open_struct = json_write::open_struct;

  explicit json_field_filter(json_write_state<Protocol>& state) noexcept : state_(state) {}

  [[nodiscard]] bool is_required(std::uint32_t field) const noexcept {
    return (state_.image.fields[field].flags & image::required) != 0;
  }
  [[nodiscard]] bool reports_missing() const noexcept {
    return state_.options.leniency.missing_required == on_missing::error;
  }
  // Whether the wire type of a field and, if mismatches are skipped, of its elements match the IDL.
  [[nodiscard]] THRIFTLENS_INLINE bool is_fit(const image::field_node& known, ttype seen) const {
    if (known.wire != seen) [[unlikely]]
      return false;
    return state_.options.leniency.mismatch == on_mismatch::error ||
           has_fit_elements(state_.image.types[known.type]);
  }

  bool dropped_field(open_struct& open, const selection_node& selected, field_header header,
                     const std::uint8_t* at) {
    const std::uint32_t field = state_.image.find_field(open.node, header.id);
    if (field == image::none && selected.unknown) return unknown_field(open, header, at);
    return state_.pass_over(header.type) || name_id(open.node, header.id);
  }
  // Required fields of the selection and of the type that it was compiled from.
  bool has_selected(const open_struct& open, const selection_node& selected, const std::uint8_t* stop) {
    if (!reports_missing()) return true;
    for (const selection_node::part& part : selected.parts) {
      const bool seen = open.seen.has(part.field - open.node.fields.begin);
      if (!seen && must_have(selected, part))
        return fail_at_id(errc::missing_required, open.node, part.id, stop);
    }
    if (!selected.target) return true;
    for (const field_info field : selected.target.fields())
      if (field.required() && selected.find(field.id()) == nullptr)
        return fail_at_id(errc::missing_required, open.node, field.id(), stop);
    return true;
  }
  // Marks unselected fields as seen, so that no defaults are written for them.
  void hide_unselected(open_struct& open, const selection_node& selected) {
    for (std::uint32_t i = 0; i < open.node.fields.size; ++i) {
      const std::int16_t id = state_.image.fields[open.node.fields.begin + i].id;
      if (selected.find(id) == nullptr) static_cast<void>(open.seen.add(i));
    }
  }

  [[nodiscard]] static bool has_one_member(const open_struct& open) noexcept {
    return open.node.kind != type_kind::union_ || open.seen.count() + open.unknown <= 1;
  }
  THRIFTLENS_NOINLINE bool unknown_field(open_struct& open, field_header header, const std::uint8_t* at) {
    if (state_.options.leniency.unknown == on_unknown::drop && state_.pass_over(header.type)) [[likely]]
      return true;
    if (state_.options.leniency.unknown == on_unknown::keep && keep_field(open, header, at)) return true;
    if (!state_.in.failed()) {
      state_.detail = joined({"the IDL has no field with id ", header.id});
      state_.reject(errc::unknown_field, at);
    }
    return state_.path.field_id(header.id);
  }
  THRIFTLENS_COLD bool mismatched_field(std::uint32_t field, field_header header, const std::uint8_t* at) {
    if (state_.options.leniency.mismatch == on_mismatch::drop && state_.pass_over(header.type)) return true;
    if (!state_.in.failed()) state_.mismatch(state_.image.fields[field].kind, header.type, at);
    return state_.no_field(field);
  }
  THRIFTLENS_COLD bool repeated_field(open_struct& open, std::uint32_t field, const std::uint8_t* at) {
    open.repeated = true;
    return state_.last_counts() || fail_at_field(errc::duplicate_field, field, at);
  }
  THRIFTLENS_COLD bool fail_at_field(errc code, std::uint32_t field, const std::uint8_t* at) {
    state_.no_field(field);
    return state_.reject(code, at);
  }
  THRIFTLENS_COLD bool fail_at_id(errc code, const image::struct_node& node, std::int16_t id,
                                  const std::uint8_t* at) {
    name_id(node, id);
    return state_.reject(code, at);
  }
  THRIFTLENS_COLD bool name_id(const image::struct_node& node, std::int16_t id) {
    const std::uint32_t field = state_.image.find_field(node, id);
    return field == image::none ? state_.path.field_id(id) : state_.no_field(field);
  }
  THRIFTLENS_COLD bool missing_field(const open_struct& open, const std::uint8_t* stop) {
    std::uint32_t i = 0;
    while (!is_required(open.node.fields.begin + i) || open.seen.has(i)) ++i;
    return fail_at_field(errc::missing_required, open.node.fields.begin + i, stop);
  }

 private:
  // Looks only at the container's header.
  [[nodiscard]] THRIFTLENS_COLD bool has_fit_elements(const image::type_node& type) const {
    if (type.kind == type_kind::map) return has_fit_entries(type);
    if (type.kind != type_kind::list && type.kind != type_kind::set) return true;
    auto ahead = state_.in;
    list_header list;
    const bool is_read = type.kind == type_kind::set ? ahead.read_set(list) : ahead.read_list(list);
    return !is_read || list.size == 0 || list.element == state_.image.types[type.first].wire;
  }
  [[nodiscard]] THRIFTLENS_COLD bool has_fit_entries(const image::type_node& type) const {
    auto ahead = state_.in;
    map_header map;
    if (!ahead.read_map(map) || map.size == 0) return true;
    return map.key == state_.image.types[type.first].wire &&
           map.value == state_.image.types[type.second].wire;
  }
  [[nodiscard]] bool must_have(const selection_node& selected, const selection_node::part& part) const {
    return is_required(part.field) || (selected.target && selected.target.find_field(part.id).required());
  }
  THRIFTLENS_COLD bool keep_field(open_struct& open, field_header header, const std::uint8_t* at) {
    const bool has_aliases = state_.options.names == json_names::alias;
    if (!has_aliases || state_.image.find_alias(open.node, unknown_key(header.id)) == image::none) {
      if (!json_unknown_writer(state_).put_field(open, header, at)) return false;
      return has_one_member(open) || state_.reject(errc::union_members, at);
    }
    state_.detail = "an alias in the IDL has the key of the unknown field";
    return state_.reject(errc::duplicate_field, at);
  }

  json_write_state<Protocol>& state_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
