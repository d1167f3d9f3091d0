// read_fields: writes the members of a JSON object as fields of a Thrift struct.
#pragma once

#include <thriftlens/json/field_set.hpp>
#include <thriftlens/json/read/read_key.hpp>
#include <thriftlens/protocol/convert.hpp>
#include <thriftlens/protocol/struct_ids.hpp>
#include <thriftlens/schema/suggest.hpp>
#include <thriftlens/schema/zero_value.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

namespace json_read {

/// The struct that is being written.
struct open_fields {
  std::size_t begin;  ///< in the output
  std::size_t marks;  ///< its first in json_read_state::field_marks
  std::int16_t last_id = 0;
  bool repeated = false;
  std::uint32_t unknown = 0;                       ///< fields that the IDL does not know
  std::int16_t first_unknown = 0, unknown_id = 0;  ///< the first of them, and the last
};
struct open_struct : open_fields {
  const image::struct_node& node;
  field_set& seen;    ///< keys; at the end, fields
  std::size_t nulls;  ///< its first in json_read_state::nulls
  std::uint32_t required = 0;
};

}  // namespace json_read

/// The part of json_reader that writes structs.
template <protocol Protocol>
struct json_field_writer {
  using field_mark = json_read::field_mark;
  using open_fields = json_read::open_fields;
  using open_struct = json_read::open_struct;

  static THRIFTLENS_INLINE void count_required(open_struct& open, const image::field_node& known) noexcept {
    open.required += (known.flags & image::required) != 0 ? 1 : 0;
  }
  // A member whose value is null.
  static void add_null(json_read_state& state, const open_struct& open, std::uint32_t field) {
    state.nulls.push_back(field - open.node.fields.begin);
  }

  static THRIFTLENS_INLINE json_position end_struct(json_read_state& state, json_position pos,
                                                    open_struct& open) {
    if (state.last_counts()) pos = settle_marks(state, pos, open);
    if (!pos) return {};
    if (state.nulls.size() != open.nulls) drop_nulls(state, open);
    if (open.required != open.node.required_count) [[unlikely]]
      pos = fill_missing(state, pos, open);
    if (!pos || !has_one_member(state, pos, open)) return {};
    const bool may_default = open.node.has_defaults && open.node.kind != type_kind::union_;
    if (may_default && state.writes_defaults()) pos = put_defaults(state, pos, open);
    if (!pos || !state.reserve(pos)) return {};
    pos.to = Protocol::put_stop(pos.to);
    return pos;
  }

  // Writes the header of a field and reserves `size` bytes for its value.
  static json_position begin_field(json_read_state& state, json_position pos, open_struct& open,
                                   std::uint32_t field, std::size_t size) {
    const image::field_node& known = state.image.fields[field];
    pos = state.reserve_more(pos, size + 32);
    if (pos) pos.to = Protocol::put_field(pos.to, known.wire, known.id, open.last_id);
    return pos;
  }
  // Writes a field whose value is `bytes`.
  static json_position put_bytes(json_read_state& state, json_position pos, open_struct& open,
                                 std::uint32_t field, byte_view bytes) {
    const image::field_node& known = state.image.fields[field];
    pos = state.reserve_more(pos, bytes.size() + 32);
    if (pos) pos.to = put_raw_field<Protocol>(pos.to, {known.wire, known.id}, bytes, open.last_id);
    return pos;
  }
  static THRIFTLENS_COLD json_position put_default(json_read_state& state, json_position pos,
                                                   open_struct& open, std::uint32_t field) {
    buffer spare;  // for a protocol that the schema holds no defaults for
    const ttype wire = state.image.fields[field].wire;
    const byte_view bytes = bytes_in<Protocol>(field_info(&state.image, field).defaults(), wire, spare);
    return put_bytes(state, pos, open, field, bytes);
  }
  // Ends a struct of unknown fields only.
  static THRIFTLENS_COLD json_position settle_unknown(json_read_state& state, json_position pos,
                                                      open_fields& open) {
    const auto marks = std::span(state.field_marks).subspan(open.marks);
    drop_unknown_but_last(marks);
    if (open.repeated) pos = rewrite_fields(state, pos, open, marks);
    state.field_marks.resize(open.marks);
    return pos;
  }

  static THRIFTLENS_COLD void drop_nulls(json_read_state& state, const open_struct& open) {
    for (std::size_t i = open.nulls; i < state.nulls.size(); ++i) open.seen.remove(state.nulls[i]);
    state.nulls.resize(open.nulls);
  }
  // Checks that all required fields are present and a union has at most one member.
  static THRIFTLENS_INLINE bool is_complete(json_read_state& state, json_position pos,
                                            const open_struct& open) {
    if (open.required != open.node.required_count) return missing_field(state, pos.at, open);
    return has_one_member(state, pos, open);
  }
  static THRIFTLENS_INLINE bool has_one_member(json_read_state& state, json_position pos,
                                               const open_struct& open) {
    return open.node.kind != type_kind::union_ || open.seen.count() + open.unknown <= 1 ||
           two_members(state, pos.at, open);
  }
  // Names two of the members of a union, unknown ones last.
  static THRIFTLENS_COLD bool two_members(json_read_state& state, const std::uint8_t* at,
                                          const open_struct& open) {
    std::int16_t ids[2] = {open.first_unknown, open.unknown_id};
    std::size_t count = 0;
    for (std::uint32_t i = 0; i < open.node.fields.size && count < 2; ++i)
      if (open.seen.has(i) && !is_null(state, open, i))
        ids[count++] = state.image.fields[open.node.fields.begin + i].id;
    return state.reject(errc::union_members, at,
                        two_members_text({&state.image, open.node.type}, ids[0], ids[1]));
  }
  [[nodiscard]] static bool is_null(json_read_state& state, const open_struct& open, std::uint32_t position) {
    for (std::size_t i = open.nulls; i < state.nulls.size(); ++i)
      if (state.nulls[i] == position) return true;
    return false;
  }
  static THRIFTLENS_COLD json_failed missing_field(json_read_state& state, const std::uint8_t* at,
                                                   const open_struct& open) {
    state.reject(errc::missing_required, at);
    for (std::uint32_t i = 0; i < open.node.fields.size; ++i) {
      const std::uint32_t field = open.node.fields.begin + i;
      if ((state.image.fields[field].flags & image::required) != 0 && !open.seen.has(i))
        return state.no_field(field);
    }
    return {};
  }

  static void note_unknown(open_fields& open, std::int16_t id) noexcept {
    if (open.unknown++ == 0) open.first_unknown = id;
    open.unknown_id = id;
  }

 private:
  // Drops all but the last mark of a field; leaves the present fields in `seen`.
  static THRIFTLENS_COLD json_position settle_marks(json_read_state& state, json_position pos,
                                                    open_struct& open) {
    const auto marks = std::span(state.field_marks).subspan(open.marks);
    drop_all_but_last(open, marks);
    for (const field_mark& mark : marks) {
      if (!mark.stays()) continue;
      if (mark.field == image::none) {
        note_unknown(open, mark.header.id);
        continue;
      }
      const std::size_t position = mark.field - open.node.fields.begin;
      open.seen.add_new(position, position + 1);
      count_required(open, state.image.fields[mark.field]);
    }
    if (open.repeated) pos = rewrite_fields(state, pos, open, marks);
    state.field_marks.resize(open.marks);
    return pos;
  }
  static THRIFTLENS_COLD void drop_unknown_but_last(std::span<field_mark> marks) {
    struct_ids later;
    for (std::size_t i = marks.size(); i-- > 0;)
      if (marks[i].field == image::none) marks[i].dropped = !later.add(0, marks[i].header.id);
  }
  // Also removes the fields from `seen`.
  static THRIFTLENS_COLD void drop_all_but_last(open_struct& open, std::span<field_mark> marks) {
    drop_unknown_but_last(marks);
    for (std::size_t i = marks.size(); i-- > 0;) {
      if (marks[i].field == image::none) continue;
      const std::size_t position = marks[i].field - open.node.fields.begin;
      marks[i].dropped = !open.seen.has(position);
      open.seen.remove(position);
    }
  }
  // Writes the remaining fields with new headers, which may depend on the previous field.
  static THRIFTLENS_COLD json_position rewrite_fields(json_read_state& state, json_position pos,
                                                      open_fields& open, std::span<const field_mark> marks) {
    const std::size_t end = state.offset(pos.to);
    const std::vector<std::uint8_t> old(state.out.at(open.begin), pos.to);
    pos = state.reserve_more({pos.at, state.out.at(open.begin)}, old.size() + marks.size() * 4);
    if (!pos) return {};
    open.last_id = 0;
    for (std::size_t i = 0; i < marks.size(); ++i) {
      if (!marks[i].stays()) continue;
      const std::size_t next = i + 1 < marks.size() ? marks[i + 1].entry : end;
      const byte_view body(old.data() + (marks[i].body - open.begin), next - marks[i].body);
      pos.to = rewrite_field(pos.to, marks[i], body, open.last_id);
    }
    return pos;
  }
  [[nodiscard]] static std::uint8_t* rewrite_field(std::uint8_t* to, const field_mark& mark, byte_view body,
                                                   std::int16_t& last_id) {
    to = put_header<Protocol>(to, mark.header, mark.truth != 0, last_id);
    if (!body.empty()) std::memcpy(to, body.data(), body.size());
    return to + body.size();
  }
  static THRIFTLENS_COLD json_position put_defaults(json_read_state& state, json_position pos,
                                                    open_struct& open) {
    for (std::uint32_t i = 0; i < open.node.fields.size && pos; ++i) {
      const std::uint32_t field = open.node.fields.begin + i;
      const bool has_default = (state.image.fields[field].flags & image::has_default) != 0;
      if (has_default && !open.seen.has(i)) pos = put_default(state, pos, open, field);
    }
    return pos;
  }
  static THRIFTLENS_COLD json_position fill_missing(json_read_state& state, json_position pos,
                                                    open_struct& open) {
    if (state.options.leniency.missing == on_missing::error) return missing_field(state, pos.at, open);
    for (const std::uint32_t field : open.node.fields.indices()) {
      if ((state.image.fields[field].flags & image::required) == 0) continue;
      if (open.seen.add(field - open.node.fields.begin)) pos = put_zero(state, pos, open, field);
      if (!pos) break;
    }
    return pos;
  }
  static THRIFTLENS_COLD json_position put_zero(json_read_state& state, json_position pos, open_struct& open,
                                                std::uint32_t field) {
    buffer bytes;
    zero_writer<Protocol> zero(state.image, bytes, state.depth_left, state.bounds.max_output(0));
    if (!zero.field(field)) {
      state.reject(zero.code(), pos.at, zero.message());
      state.path.steps_of(zero.steps());
      return state.no_field(field);
    }
    return put_bytes(state, pos, open, field, bytes);
  }
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
