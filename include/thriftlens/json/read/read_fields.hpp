// read_fields: writes the members of a JSON object as fields of a Thrift struct.
#pragma once

#include <thriftlens/json/field_set.hpp>
#include <thriftlens/json/read/read_key.hpp>
#include <thriftlens/protocol/convert.hpp>
#include <thriftlens/schema/suggest.hpp>
#include <thriftlens/schema/zero_value.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <set>
#include <span>
#include <string_view>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// The part of json_reader that writes structs.
template <protocol Protocol>
class json_field_writer : protected json_key_reader<Protocol> {
 protected:
  using base = json_key_reader<Protocol>;
  using base::base, base::image_, base::offset, base::options_, base::out_, base::path_, base::reject,
      base::reserve, base::reserve_more, typename base::kinds;

  // A member and its field in the output, recorded if the last of equal keys counts.
  struct field_mark {
    std::size_t entry = 0;
    std::size_t body = 0;     ///< of the value, unless that is in the header
    std::uint32_t field = 0;  ///< none: the IDL does not know it
    field_header header = {};
    std::uint8_t truth = 0;  ///< of a bool
    bool absent = false;
    bool dropped = false;
    [[nodiscard]] bool stays() const noexcept { return !dropped && !absent; }
  };
  /// The struct that is being written.
  struct open_fields {
    std::size_t begin;  ///< in the output
    std::size_t marks;  ///< its first in field_marks_
    std::int16_t last_id = 0;
    bool repeated = false;
    std::uint32_t unknown = 0;                       ///< fields that the IDL does not know
    std::int16_t first_unknown = 0, unknown_id = 0;  ///< the first of them, and the last
  };
  struct open_struct : open_fields {
    const image::struct_node& node;
    field_set& seen;    ///< keys; at the end, fields
    std::size_t nulls;  ///< its first in nulls_
    std::uint32_t required = 0;
  };

  [[nodiscard]] bool last_counts() const noexcept { return options_.duplicates == on_duplicate::last; }
  [[nodiscard]] bool writes_defaults() const noexcept { return options_.defaults == on_absent::write; }
  [[nodiscard]] std::string_view name_of(std::uint32_t field) const noexcept {
    return image_.view(image_.field_texts[field].name);
  }
  THRIFTLENS_COLD json_failed no_field(std::uint32_t field) {
    path_.field(name_of(field));
    return {};
  }
  THRIFTLENS_INLINE void count_required(open_struct& open, const image::field_node& known) noexcept {
    open.required += (known.flags & image::required) != 0 ? 1 : 0;
  }
  // A member whose value is null.
  void add_null(const open_struct& open, std::uint32_t field) {
    nulls_.push_back(field - open.node.fields.begin);
  }

  THRIFTLENS_INLINE json_position end_struct(json_position pos, open_struct& open) {
    if (last_counts()) pos = settle_marks(pos, open);
    if (!pos) return {};
    if (nulls_.size() != open.nulls) drop_nulls(open);
    if (open.required != open.node.required_count) [[unlikely]]
      pos = fill_missing(pos, open);
    if (!pos || !has_one_member(pos, open)) return {};
    const bool may_default = open.node.has_defaults && open.node.kind != kinds::union_;
    if (may_default && writes_defaults()) pos = put_defaults(pos, open);
    if (!pos || !reserve(pos)) return {};
    pos.to = Protocol::put_stop(pos.to);
    return pos;
  }

  // Ends a struct of unknown fields only.
  json_position settle_unknown(json_position pos, open_fields& open) {
    const auto marks = std::span(field_marks_).subspan(open.marks);
    drop_unknown_but_last(marks);
    if (open.repeated) pos = rewrite_fields(pos, open, marks);
    field_marks_.resize(open.marks);
    return pos;
  }

  THRIFTLENS_COLD void drop_nulls(const open_struct& open) {
    for (std::size_t i = open.nulls; i < nulls_.size(); ++i) open.seen.remove(nulls_[i]);
    nulls_.resize(open.nulls);
  }
  // Checks that all required fields are present and a union has at most one member.
  THRIFTLENS_INLINE bool is_complete(json_position pos, const open_struct& open) {
    if (open.required != open.node.required_count) return missing_field(pos.at, open);
    return has_one_member(pos, open);
  }
  THRIFTLENS_INLINE bool has_one_member(json_position pos, const open_struct& open) {
    return open.node.kind != kinds::union_ || open.seen.count() + open.unknown <= 1 ||
           two_members(pos.at, open);
  }
  // Names two of the members of a union, unknown ones last.
  THRIFTLENS_COLD bool two_members(const std::uint8_t* at, const open_struct& open) {
    std::int16_t ids[2] = {open.first_unknown, open.unknown_id};
    std::size_t count = 0;
    for (std::uint32_t i = 0; i < open.node.fields.size && count < 2; ++i)
      if (open.seen.has(i) && !is_null(open, i)) ids[count++] = image_.fields[open.node.fields.begin + i].id;
    return reject(errc::union_members, at, two_members_text({&image_, open.node.type}, ids[0], ids[1]));
  }
  [[nodiscard]] bool is_null(const open_struct& open, std::uint32_t position) const {
    return std::ranges::count(nulls_.begin() + static_cast<std::ptrdiff_t>(open.nulls), nulls_.end(),
                              position) != 0;
  }
  THRIFTLENS_COLD json_failed missing_field(const std::uint8_t* at, const open_struct& open) {
    reject(errc::missing_required, at);
    for (std::uint32_t i = 0; i < open.node.fields.size; ++i) {
      const std::uint32_t field = open.node.fields.begin + i;
      if ((image_.fields[field].flags & image::required) != 0 && !open.seen.has(i)) return no_field(field);
    }
    return {};
  }

  static void note_unknown(open_fields& open, std::int16_t id) noexcept {
    if (open.unknown++ == 0) open.first_unknown = id;
    open.unknown_id = id;
  }

  std::vector<field_mark> field_marks_;
  std::vector<std::uint32_t> nulls_;  // positions of fields whose value is null

 private:
  // Drops all but the last mark of a field; leaves the present fields in `seen`.
  THRIFTLENS_COLD json_position settle_marks(json_position pos, open_struct& open) {
    const auto marks = std::span(field_marks_).subspan(open.marks);
    drop_all_but_last(open, marks);
    for (const field_mark& mark : marks) {
      if (!mark.stays()) continue;
      if (mark.field == image::none) {
        note_unknown(open, mark.header.id);
        continue;
      }
      const std::size_t position = mark.field - open.node.fields.begin;
      open.seen.add_new(position, position + 1);
      count_required(open, image_.fields[mark.field]);
    }
    if (open.repeated) pos = rewrite_fields(pos, open, marks);
    field_marks_.resize(open.marks);
    return pos;
  }
  static void drop_unknown_but_last(std::span<field_mark> marks) {
    std::set<std::int16_t> later;
    for (std::size_t i = marks.size(); i-- > 0;)
      if (marks[i].field == image::none) marks[i].dropped = !later.insert(marks[i].header.id).second;
  }
  // Also removes the fields from `seen`.
  static void drop_all_but_last(open_struct& open, std::span<field_mark> marks) {
    drop_unknown_but_last(marks);
    for (std::size_t i = marks.size(); i-- > 0;) {
      if (marks[i].field == image::none) continue;
      const std::size_t position = marks[i].field - open.node.fields.begin;
      marks[i].dropped = !open.seen.has(position);
      open.seen.remove(position);
    }
  }
  // Writes the remaining fields with new headers, which may depend on the previous field.
  json_position rewrite_fields(json_position pos, open_fields& open, std::span<const field_mark> marks) {
    const std::size_t end = offset(pos.to);
    const std::vector<std::uint8_t> old(out_.at(open.begin), pos.to);
    pos = reserve_more({pos.at, out_.at(open.begin)}, old.size() + marks.size() * 4);
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
  [[nodiscard]] std::uint8_t* rewrite_field(std::uint8_t* to, const field_mark& mark, byte_view body,
                                            std::int16_t& last_id) const {
    to = put_header<Protocol>(to, mark.header, mark.truth != 0, last_id);
    if (!body.empty()) std::memcpy(to, body.data(), body.size());
    return to + body.size();
  }
  THRIFTLENS_NOINLINE json_position put_defaults(json_position pos, open_struct& open) {
    for (std::uint32_t i = 0; i < open.node.fields.size && pos; ++i) {
      const std::uint32_t field = open.node.fields.begin + i;
      const bool has_default = (image_.fields[field].flags & image::has_default) != 0;
      if (has_default && !open.seen.has(i)) pos = put_default(pos, open, field);
    }
    return pos;
  }
  json_position put_default(json_position pos, open_struct& open, std::uint32_t field) {
    buffer spare;  // for a protocol that the schema holds no defaults for
    const image::field_node& known = image_.fields[field];
    const byte_view bytes = bytes_in<Protocol>(field_info(&image_, field).defaults(), known.wire, spare);
    pos = reserve_more(pos, bytes.size());
    if (!pos) return {};
    pos.to = put_raw_field<Protocol>(pos.to, {known.wire, known.id}, bytes, open.last_id);
    return pos;
  }
  THRIFTLENS_COLD json_position fill_missing(json_position pos, open_struct& open) {
    if (options_.missing == on_missing::error) return missing_field(pos.at, open);
    for (std::uint32_t i = 0; i < open.node.fields.size && pos; ++i) {
      const std::uint32_t field = open.node.fields.begin + i;
      const bool is_missing = (image_.fields[field].flags & image::required) != 0 && open.seen.add(i);
      if (is_missing) pos = put_zero(pos, open, field);
    }
    return pos;
  }
  json_position put_zero(json_position pos, open_struct& open, std::uint32_t field) {
    buffer bytes;
    zero_writer<Protocol> zero(image_, bytes, base::depth_left_, base::bounds_.max_output(0));
    if (!zero.field(field)) {
      reject(zero.code(), pos.at, zero.message());
      path_.steps_of(zero.steps());
      return no_field(field);
    }
    const image::field_node& known = image_.fields[field];
    pos = reserve_more(pos, bytes.size());
    if (pos) pos.to = put_raw_field<Protocol>(pos.to, {known.wire, known.id}, bytes, open.last_id);
    return pos;
  }
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
