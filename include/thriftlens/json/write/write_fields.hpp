// write_fields: checks fields of Thrift structs before they are written as JSON.
#pragma once

#include <thriftlens/json/field_set.hpp>
#include <thriftlens/json/write/write_unknown.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// The part of json_writer that accepts or rejects fields.
template <protocol Protocol>
class json_field_filter : protected json_unknown_writer<Protocol> {
 protected:
  using base = json_unknown_writer<Protocol>;
  using base::base, base::detail_, base::image_, base::in_, base::last_counts, base::mismatch, base::options_,
      base::pass_over, base::path_, typename base::kinds, typename base::reader;

  struct open_struct : base::open_object {
    const image::struct_node& node;
    field_set& seen;
    std::uint32_t required = 0;
  };

  [[nodiscard]] std::string_view name_of(std::uint32_t field) const noexcept {
    return image_.view(image_.field_texts[field].name);
  }
  [[nodiscard]] bool is_required(std::uint32_t field) const noexcept {
    return (image_.fields[field].flags & image::required) != 0;
  }
  [[nodiscard]] bool reports_missing() const noexcept {
    return options_.missing_required == on_missing::error;
  }
  // Whether the wire type of a field and, if mismatches are skipped, of its elements match the IDL.
  [[nodiscard]] THRIFTLENS_INLINE bool is_fit(const image::field_node& known, ttype seen) const {
    if (known.wire != seen) [[unlikely]]
      return false;
    return options_.mismatch == on_mismatch::error || has_fit_elements(image_.types[known.type]);
  }
  // Looks only at the container's header.
  [[nodiscard]] bool has_fit_elements(const image::type_node& type) const {
    if (type.kind == kinds::map) return has_fit_entries(type);
    if (type.kind != kinds::list && type.kind != kinds::set) return true;
    reader ahead = in_;
    list_header list;
    const bool is_read = type.kind == kinds::set ? ahead.read_set(list) : ahead.read_list(list);
    return !is_read || list.size == 0 || list.element == image_.types[type.first].wire;
  }
  [[nodiscard]] bool has_fit_entries(const image::type_node& type) const {
    reader ahead = in_;
    map_header map;
    if (!ahead.read_map(map) || map.size == 0) return true;
    return map.key == image_.types[type.first].wire && map.value == image_.types[type.second].wire;
  }

  // ---- structs of which a part is selected

  bool dropped_field(open_struct& open, const selection_node& selected, field_header header,
                     const std::uint8_t* at) {
    const std::uint32_t field = image_.find_field(open.node, header.id);
    if (field == image::none && selected.unknown) return unknown_field(open, header, at);
    return pass_over(header.type) || name_id(open.node, header.id);
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
  [[nodiscard]] bool must_have(const selection_node& selected, const selection_node::part& part) const {
    return is_required(part.field) || (selected.target && selected.target.find_field(part.id).required());
  }
  // Marks unselected fields as seen, so that no defaults are written for them.
  void hide_unselected(open_struct& open, const selection_node& selected) {
    for (std::uint32_t i = 0; i < open.node.fields.size; ++i) {
      const std::int16_t id = image_.fields[open.node.fields.begin + i].id;
      if (selected.find(id) == nullptr) static_cast<void>(open.seen.add(i));
    }
  }

  // ---- faults

  [[nodiscard]] static bool has_one_member(const open_struct& open) noexcept {
    return open.node.kind != kinds::union_ || open.seen.count() + open.unknown <= 1;
  }
  THRIFTLENS_NOINLINE bool unknown_field(open_struct& open, field_header header, const std::uint8_t* at) {
    if (options_.unknown == on_unknown::drop && pass_over(header.type)) [[likely]]
      return true;
    if (options_.unknown == on_unknown::keep && keep_field(open, header, at)) return true;
    if (!in_.failed()) {
      detail_ = "the IDL has no field with id " + std::to_string(header.id);
      in_.reject(errc::unknown_field, at);
    }
    return path_.field_id(header.id);
  }
  bool keep_field(open_struct& open, field_header header, const std::uint8_t* at) {
    const bool has_aliases = options_.names == json_names::alias;
    if (!has_aliases || image_.find_alias(open.node, unknown_key(header.id)) == image::none) {
      if (!base::put_unknown(open, header, at)) return false;
      return has_one_member(open) || in_.reject(errc::union_members, at);
    }
    detail_ = "an alias in the IDL is the key that the unknown field would have";
    return in_.reject(errc::duplicate_field, at);
  }
  THRIFTLENS_COLD bool mismatched_field(std::uint32_t field, field_header header, const std::uint8_t* at) {
    if (options_.mismatch == on_mismatch::drop && pass_over(header.type)) return true;
    if (!in_.failed()) mismatch(image_.fields[field].kind, header.type, at);
    return path_.field(name_of(field));
  }
  THRIFTLENS_COLD bool repeated_field(open_struct& open, std::uint32_t field, const std::uint8_t* at) {
    open.repeated = true;
    return last_counts() || fail_at_field(errc::duplicate_field, field, at);
  }
  THRIFTLENS_COLD bool fail_at_field(errc code, std::uint32_t field, const std::uint8_t* at) {
    path_.field(name_of(field));
    return in_.reject(code, at);
  }
  THRIFTLENS_COLD bool fail_at_id(errc code, const image::struct_node& node, std::int16_t id,
                                  const std::uint8_t* at) {
    name_id(node, id);
    return in_.reject(code, at);
  }
  THRIFTLENS_COLD bool name_id(const image::struct_node& node, std::int16_t id) {
    const std::uint32_t field = image_.find_field(node, id);
    return field == image::none ? path_.field_id(id) : path_.field(name_of(field));
  }
  THRIFTLENS_COLD bool missing_field(const open_struct& open, const std::uint8_t* stop) {
    std::uint32_t i = 0;
    while (!is_required(open.node.fields.begin + i) || open.seen.has(i)) ++i;
    return fail_at_field(errc::missing_required, open.node.fields.begin + i, stop);
  }
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
