// column_writer: the bytes of one record to a row of columns, in one pass.
// In: the bytes of a struct, a plan. Out: one more value in every column, or a fault with its path.
// Never builds a value that the plan does not name; never checks what it skips but for its structure.
#pragma once

#include <thriftlens/columns/column_set.hpp>
#include <thriftlens/columns/predicate.hpp>
#include <thriftlens/core/bit_set.hpp>
#include <thriftlens/core/path_builder.hpp>
#include <thriftlens/protocol/convert.hpp>
#include <thriftlens/protocol/id_set.hpp>
#include <thriftlens/protocol/key_step.hpp>
#include <thriftlens/protocol/looks_like.hpp>
#include <thriftlens/protocol/walk.hpp>
#include <thriftlens/schema/type.hpp>
#include <thriftlens/simd/byteswap.hpp>
#include <thriftlens/simd/utf8.hpp>
#include <thriftlens/view/explain.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Writes rows of one input. Functions that answer bool answer false after a fault, which the reader then
/// holds.
template <protocol P>
class column_writer {
 public:
  column_writer(const column_plan& plan, column_set& columns, column_scratch& scratch, byte_view bytes,
                const columns_options& options)
      : plan_(plan),
        columns_(columns),
        keys_(scratch.keys),
        image_(*plan.from.image()),
        options_(options),
        bytes_(bytes),
        in_(bytes, options.limits),
        budget_(options.limits.max_objects(bytes.size())) {
    keys_.clear();
  }

  /// The whole of the bytes must be one struct: calls `each_row()` after it, unless it does not meet `where`,
  /// which may be null.
  template <class EachRow>
  [[nodiscard]] bool row(const predicate* where, EachRow each_row) {
    if (where != nullptr && !meets(*where)) return !has_failed_;
    if (!whole_row() || !is_done()) return false;
    each_row();
    return true;
  }
  /// The whole of the bytes must be a list (or set) of structs: calls `each_row()` after each that meets
  /// `where`, which may be null.
  template <class EachRow>
  [[nodiscard]] bool rows(const predicate* where, EachRow each_row) {
    const std::uint8_t* at = in_.at();
    list_header list;
    if (!open_sequence(in_, plan_.from.wire(), list)) return false;
    if (list.size != 0 && list.element != ttype::struct_)
      return mismatch(type_kind::struct_, list.element, at);
    for (std::uint32_t i = 0; i < list.size; ++i) {
      if (where != nullptr && !meets(*where)) {
        if (has_failed_ || !pass_over(ttype::struct_)) return false;
        continue;
      }
      if (!whole_row()) return path_.index(i);
      each_row();
    }
    in_.leave();
    return is_done();
  }
  /// Of the fault. Cold.
  [[nodiscard]] error why() {
    const fault& what = in_.fault();
    if (has_failed_) return std::move(failed_);
    if (is_in_skipped_) return explain<P>(bytes_, plan_.from, what, options_.limits);
    std::string words = words_with_looks(std::move(words_), what.code, bytes_, P::id, plan_.from.wire());
    return error(what.code, std::move(words), what.offset, path_.text());
  }

 private:
  using reader = typename P::reader;
  using byte_pointer = const std::uint8_t*;

  [[nodiscard]] bool is_done() { return in_.at_end() || in_.fail(errc::trailing_bytes); }
  [[nodiscard]] const column_node& node_of(std::uint32_t index) const noexcept { return plan_.nodes[index]; }

  bool whole_row() { return structure(0) && (plan_.unknown == column_node::none || close_unknown()); }

  // Whether the struct that stands next does; false after an error, too.
  bool meets(const predicate& where) {
    const view<P> whole(bytes_, plan_.from, options_.limits);
    const result<bool> known =
        where.try_matches(whole.child({in_.here(), where.from().index(), ttype::struct_}));
    if (known) return *known;
    has_failed_ = true;
    failed_ = known.error();
    return false;
  }

  bool value(std::uint32_t index) {
    const column_node& node = node_of(index);
    switch (node.form) {
      case column_form::list:
        return list(node, index);
      case column_form::map:
        return map(node, index);
      case column_form::structure:
        return structure(index);
      case column_form::dense_union:
        return dense_union(index);
      default:
        return scalar(node, columns_[index]);
    }
  }

  // ---- scalars

  bool scalar(const column_node& node, column_data& data) {
    switch (node.kind) {
      case type_kind::bool_:
        return boolean(data);
      case type_kind::i8:
        return number<std::int8_t, &reader::read_i8>(data);
      case type_kind::i16:
        return number<std::int16_t, &reader::read_i16>(data);
      case type_kind::i32:
        return number<std::int32_t, &reader::read_i32>(data);
      case type_kind::i64:
        return number<std::int64_t, &reader::read_i64>(data);
      case type_kind::double_:
        return number<double, &reader::read_double>(data);
      default:
        return wide_scalar(node, data);
    }
  }
  bool wide_scalar(const column_node& node, column_data& data) {
    switch (node.kind) {
      case type_kind::enum_:
        return enumeration(node, data);
      case type_kind::string:
        return text(data);
      case type_kind::binary:
        return bytes(data);
      case type_kind::uuid:
        return uuid(data);
      default:
        return in_.fail(errc::bad_ttype);
    }
  }
  template <class T, auto Read>
  THRIFTLENS_INLINE bool number(column_data& data) {
    T value{};
    if (!(in_.*Read)(value)) return false;
    data.values.put(value);
    data.add_valid();
    return true;
  }
  bool boolean(column_data& data) {
    bool value = false;
    if (!in_.read_bool(value)) return false;
    data.values.put_bit(data.length, value);
    data.add_valid();
    return true;
  }
  bool uuid(column_data& data) {
    uuid_bytes value{};
    if (!in_.read_uuid(value)) return false;
    data.values.append({value.data(), value.size()});
    data.add_valid();
    return true;
  }
  bool bytes(column_data& data) {
    byte_view value;
    return in_.read_bytes(value) && put_bytes(data, value);
  }
  bool text(column_data& data) {
    const byte_pointer at = in_.at();
    byte_view value;
    if (!in_.read_bytes(value)) return false;
    if (!is_ascii(value) && !simd::valid_utf8(value)) return in_.fail(errc::invalid_utf8, at);
    return put_bytes(data, value);
  }
  THRIFTLENS_INLINE bool put_bytes(column_data& data, byte_view value) {
    if (!spend(value.size())) return false;
    data.values.append(value);
    data.offsets.put(static_cast<std::int32_t>(data.values.size()));
    data.add_valid();
    return true;
  }
  [[nodiscard]] static bool is_ascii(byte_view text) noexcept {
    std::uint64_t high = 0;
    std::size_t at = 0;
    for (; at + 8 <= text.size(); at += 8) {
      std::uint64_t eight;
      std::memcpy(&eight, text.data() + at, 8);
      high |= eight;
    }
    for (; at < text.size(); ++at) high |= text[at];
    return (high & 0x8080808080808080u) == 0;
  }
  bool enumeration(const column_node& node, column_data& data) {
    std::int32_t value = 0;
    if (!in_.read_i32(value)) return false;
    data.values.put(node.form == column_form::dictionary ? dictionary_index(node, data, value) : value);
    data.add_valid();
    return true;
  }
  [[nodiscard]] std::int32_t dictionary_index(const column_node& node, column_data& data,
                                              std::int32_t value) const {
    const image::enum_node& of = image_.enums[node.of.node().first];
    const std::uint32_t member = image_.find_member(of, value);
    if (member != image::none) return static_cast<std::int32_t>(member - of.members.begin);
    std::size_t at = 0;
    while (at < data.unnamed.size() && data.unnamed[at] != value) ++at;
    if (at == data.unnamed.size()) data.unnamed.push_back(value);
    return static_cast<std::int32_t>(of.members.size + at);
  }

  // ---- containers

  bool list(const column_node& node, std::uint32_t index) {
    const byte_pointer at = in_.at();
    list_header header;
    if (!open_sequence(in_, node.of.wire(), header)) return false;
    const std::uint32_t item = node.children.front();
    const type element = node_of(item).of;
    if (header.size != 0 && header.element != element.wire())
      return mismatch(element.kind(), header.element, at);
    if (!elements(item, header.size)) return false;
    in_.leave();
    return close_container(index, item);
  }
  bool elements(std::uint32_t item, std::uint32_t count) {
    column_data& data = columns_[item];
    const type_kind kind = node_of(item).kind;
    if (kind == type_kind::i32 && is_swapped<std::int32_t>) return swapped<std::int32_t>(data, count);
    if (kind == type_kind::i64 && is_swapped<std::int64_t>) return swapped<std::int64_t>(data, count);
    if (kind == type_kind::double_ && is_swapped<double>) return swapped<double>(data, count);
    for (std::uint32_t i = 0; i < count; ++i)
      if (!value(item)) return path_.index(i);
    return true;
  }
  template <class T>
  static constexpr bool is_swapped = layout_of<P, T> == number_layout::big_endian;
  // They lie behind each other, most significant byte first. Elements of a list are never null.
  template <class T>
  bool swapped(column_data& data, std::uint32_t count) {
    byte_view raw;
    if (!in_.read_raw(std::size_t{count} * sizeof(T), raw)) return false;
    T* const to = reinterpret_cast<T*>(data.values.extend(raw.size()));
    simd::load_be_array(to, raw.data(), count);
    for (std::uint32_t i = 0; !data.validity.empty() && i < count; ++i)
      data.validity.put_bit(data.length + i, true);
    data.length += count;
    return true;
  }
  bool close_container(std::uint32_t index, std::uint32_t content) {
    column_data& data = columns_[index];
    data.offsets.put(static_cast<std::int32_t>(columns_[content].length));
    data.add_valid();
    return true;
  }

  bool map(const column_node& node, std::uint32_t index) {
    const byte_pointer at = in_.at();
    map_header header;
    if (!open_map(in_, header)) return false;
    const std::uint32_t entry = node.children.front();
    const std::uint32_t key = node_of(entry).children[0];
    const std::uint32_t item = node_of(entry).children[1];
    if (header.size != 0) {
      const type keys = node_of(key).of, items = node_of(item).of;
      if (header.key != keys.wire()) return mismatch(keys.kind(), header.key, at);
      if (header.value != items.wire()) return mismatch(items.kind(), header.value, at);
    }
    if (!entries(key, item, header.size)) return false;
    columns_[entry].length += header.size;
    in_.leave();
    return close_container(index, entry);
  }
  bool entries(std::uint32_t key, std::uint32_t item, std::uint32_t count) {
    const std::size_t begin = keys_.size();
    bool ascending = true;
    for (std::uint32_t i = 0; i < count; ++i) {
      const byte_pointer at = in_.at();
      if (!value(key)) return path_.key_at(i);
      const byte_view raw(at, static_cast<std::size_t>(in_.at() - at));
      if (ascending && i != 0) ascending = is_less(keys_.back(), raw);
      keys_.push_back(raw);
      if (!value(item)) return name_entry(key, raw);
    }
    const bool done = ascending || unique(key, begin);
    keys_.resize(begin);
    return done;
  }
  [[nodiscard]] static bool is_less(byte_view left, byte_view right) noexcept {
    return left.text() < right.text();
  }
  // Keys that do not ascend, from `begin` on: sorted, to see whether two are equal.
  bool unique(std::uint32_t key, std::size_t begin) {
    const auto first = keys_.begin() + static_cast<std::ptrdiff_t>(begin);
    std::sort(first, keys_.end(), [](byte_view left, byte_view right) { return is_less(left, right); });
    for (std::size_t i = begin + 1; i < keys_.size(); ++i) {
      if (keys_[i - 1].text() != keys_[i].text()) continue;
      const byte_view later = keys_[i].data() > keys_[i - 1].data() ? keys_[i] : keys_[i - 1];
      name_entry(key, later);
      return in_.fail(errc::duplicate_key, later.data());
    }
    return true;
  }
  THRIFTLENS_COLD bool name_entry(std::uint32_t key, byte_view raw) {
    return add_key_step<P>(path_, raw, node_of(key).of.wire());
  }

  // ---- structs

  struct open_struct {
    const column_node& node;
    const image::struct_node& known;
    std::uint64_t* seen;          ///< of the children
    std::uint32_t members = 0;    ///< known fields that were there
    std::uint32_t columns = 0;    ///< those of them that are columns
    byte_pointer stop = nullptr;  ///< the header read last: in the end the stop
  };

  bool structure(std::uint32_t index) {
    const column_node& node = node_of(index);
    if (!spend(node.null_size + 8)) return false;
    small_words words(node.children.size());
    open_struct now{node, image_.structs[node.of.node().first], words.data()};
    if (!fields(now)) return false;
    if (!fill(now)) return false;
    if (index != 0) columns_[index].add_valid();
    return true;
  }
  bool dense_union(std::uint32_t index) {
    const column_node& node = node_of(index);
    if (!spend(node.null_size + 8)) return false;
    small_words words(node.children.size());
    open_struct now{node, image_.structs[node.of.node().first], words.data()};
    open_union_ = index;
    if (!fields(now)) return false;
    if (now.columns == 0) columns_.add_null(plan_, index);
    return true;
  }
  bool fields(open_struct& now) {
    const struct_mark outer = in_.begin_struct();
    id_set<P> ids(in_.here());
    std::uint32_t expected = now.known.fields.begin;
    for (;;) {
      field_header header;
      now.stop = in_.at();
      if (!in_.read_field(header)) return false;
      if (header.type == ttype::stop) break;
      if (!ids.add(header.id, in_, now.stop)) return fail_at(errc::duplicate_field, now, header.id, now.stop);
      const std::uint32_t found = find(now, expected, header.id);
      if (!take(now, found, header)) return false;
      expected = found == image::none ? now.known.fields.begin : found + 1;
    }
    in_.end_struct(outer);
    return true;
  }
  [[nodiscard]] THRIFTLENS_INLINE std::uint32_t find(const open_struct& now, std::uint32_t expected,
                                                     std::int16_t id) const {
    const std::uint32_t end = now.known.fields.begin + now.known.fields.size;
    return expected != end && image_.fields[expected].id == id ? expected : image_.find_field(now.known, id);
  }
  // A field that the IDL knows, or none.
  bool take(open_struct& now, std::uint32_t known, field_header header) {
    if (known != image::none) return field(now, known, header, now.stop);
    const bool is_retained = plan_.unknown != column_node::none && &now.node == &plan_.root();
    const bool done = is_retained ? retain(header) : pass_over(header.type);
    return done || path_.field_id(header.id);
  }
  // Copies a field that the IDL does not know to the column of those.
  bool retain(field_header header) {
    const bool truth = in_.here().inline_bool == 1;
    const byte_pointer begin = in_.at();
    if (!pass_over(header.type)) return false;
    const byte_view raw(begin, static_cast<std::size_t>(in_.at() - begin));
    if (!spend(raw.size() + P::field_room)) return false;
    column_buffer& to = columns_[plan_.unknown].values;
    std::uint8_t room[P::field_room];
    const std::uint8_t* const end = put_header<P>(room, header, truth, last_unknown_);
    to.append({room, static_cast<std::size_t>(end - room)});
    to.append(raw);
    return true;
  }
  // Those of a row make a struct; none are null.
  bool close_unknown() {
    column_data& data = columns_[plan_.unknown];
    last_unknown_ = 0;
    if (data.values.size() == data.begin_of(data.length)) {
      columns_.add_null(plan_, plan_.unknown);
      return true;
    }
    data.values.put(static_cast<std::uint8_t>(ttype::stop));
    data.offsets.put(static_cast<std::int32_t>(data.values.size()));
    data.add_valid();
    return true;
  }
  bool field(open_struct& now, std::uint32_t field, field_header header, byte_pointer at) {
    const image::field_node& known = image_.fields[field];
    const bool is_union = now.node.kind == type_kind::union_;
    if (is_union && ++now.members > 1) return fail_at(errc::union_members, now, header.id, at);
    const std::uint32_t position = now.node.by_field[field - now.known.fields.begin];
    if (position == column_node::none) return pass_over(header.type) || name_field(field);
    if (known.wire != header.type) {
      mismatch(known.kind, header.type, at);
      return name_field(field);
    }
    bit_span(now.seen).set(position);
    ++now.columns;
    const std::uint32_t child = now.node.children[position];
    if (now.node.form == column_form::dense_union) columns_.add_member(plan_, open_union_, position);
    return value(child) || name_field(field);
  }
  // What the struct does not have.
  bool fill(open_struct& now) {
    const std::size_t count = now.node.children.size();
    if (now.columns == count) return true;
    for (std::uint32_t position = 0; position < count; ++position) {
      if (bit_span(now.seen).has(position)) continue;
      const std::uint32_t child = now.node.children[position];
      if (!absent(now, child)) return false;
    }
    return true;
  }
  bool absent(const open_struct& now, std::uint32_t child) {
    const std::uint32_t field = node_of(child).field;
    if (field == image::none) return true;  // a column beside those of the type
    const std::uint8_t flags = image_.fields[field].flags;
    const bool must = (flags & image::required) != 0 && options_.missing_required == on_missing::error;
    if (must) return fail_at(errc::missing_required, now, image_.fields[field].id, now.stop);
    const bool may_default = now.node.kind != type_kind::union_ && options_.defaults == on_absent::write;
    if (may_default && (flags & image::has_default) != 0) return default_value(field, child);
    columns_.add_null(plan_, child);
    return true;
  }
  bool default_value(std::uint32_t field, std::uint32_t child) {
    buffer spare;  // for a protocol that the schema holds no defaults for
    const field_info info(&image_, field);
    const reader outer = in_;
    in_ = reader(bytes_in<P>(info.defaults(), image_.fields[field].wire, spare), options_.limits);
    const bool done = value(child);
    const fault what = in_.fault();
    in_ = outer;
    return done || in_.fail(what.code);
  }

  /// One bit a child; without memory of its own up to 256 of them.
  class small_words {
   public:
    explicit small_words(std::size_t bits) {
      if (bits > 256) large_.resize((bits + 63) / 64);
    }
    [[nodiscard]] std::uint64_t* data() noexcept { return large_.empty() ? small_ : large_.data(); }

   private:
    std::uint64_t small_[4] = {};
    std::vector<std::uint64_t> large_;
  };

  // ---- faults

  // Bytes that a record adds to the columns.
  THRIFTLENS_INLINE bool spend(std::size_t bytes) {
    if (bytes > budget_) [[unlikely]]
      return in_.fail(errc::output_limit);
    budget_ -= bytes;
    return true;
  }
  bool pass_over(ttype wire) {
    if (in_.skip(wire)) [[likely]]
      return true;
    is_in_skipped_ = true;
    return false;
  }
  THRIFTLENS_COLD bool mismatch(type_kind expected, ttype found, byte_pointer at) {
    words_ = "expected " + std::string(to_string(expected)) + ", found " + std::string(to_string(found));
    return in_.fail(errc::type_mismatch, at);
  }
  THRIFTLENS_COLD bool name_field(std::uint32_t field) {
    return path_.field(image_.view(image_.field_texts[field].name));
  }
  THRIFTLENS_COLD bool fail_at(errc code, const open_struct& now, std::int16_t id, byte_pointer at) {
    const std::uint32_t field = image_.find_field(now.known, id);
    if (field == image::none) {
      path_.field_id(id);
    } else {
      name_field(field);
    }
    return in_.fail(code, at);
  }

  const column_plan& plan_;
  column_set& columns_;
  std::vector<byte_view>& keys_;
  const schema_image& image_;
  const columns_options& options_;
  byte_view bytes_;
  reader in_;
  std::size_t budget_;
  std::uint32_t open_union_ = column_node::none;
  std::int16_t last_unknown_ = 0;  ///< id of the field in the column of unknown ones
  path_builder path_{path_builder::order::innermost_first};
  std::string words_;
  bool is_in_skipped_ = false;
  bool has_failed_ = false;
  error failed_;  ///< of a condition
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
