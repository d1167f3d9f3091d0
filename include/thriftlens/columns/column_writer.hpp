// column_writer: the bytes of one record to a row of columns, in one pass. Builds only values that the plan
// has; checks only the structure of skipped values.
#pragma once

#include <thriftlens/columns/column_scratch.hpp>
#include <thriftlens/columns/column_set.hpp>
#include <thriftlens/columns/fast/fast_columns.hpp>
#include <thriftlens/columns/predicate.hpp>
#include <thriftlens/core/joined.hpp>
#include <thriftlens/core/path_builder.hpp>
#include <thriftlens/protocol/convert.hpp>
#include <thriftlens/protocol/id_set.hpp>
#include <thriftlens/protocol/key_equality.hpp>
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

/// Writes rows of one input. Functions that return bool return false after a fault of the reader.
template <protocol P>
class column_writer {
 public:
  column_writer(const column_plan& plan, column_set& columns, column_scratch& scratch, byte_view bytes,
                const columns_options& options)
      : plan_(plan),
        columns_(columns),
        keys_(scratch.keys),
        steps_(scratch.steps),
        fault_(scratch.fault),
        image_(*plan.from.image()),
        options_(options),
        bytes_(bytes),
        in_(bytes, options.limits),
        budget_(options.limits.max_objects(bytes.size())),
        speculation_(scratch.speculation) {
    keys_.clear();
  }

  /// Reads all bytes as one struct: calls `each_row()` after it, unless it does not meet `where`, which may
  /// be null.
  template <class EachRow>
  [[nodiscard]] bool row(const predicate* where, EachRow each_row) {
    if (where != nullptr && !meets(*where)) return !fault_.of_condition;
    if (!record() || !at_end()) return false;
    each_row();
    return true;
  }
  /// Reads all bytes as a list (or set) of structs: calls `each_row()` after every one that meets `where`,
  /// which may be null.
  template <class EachRow>
  [[nodiscard]] bool rows(const predicate* where, EachRow each_row) {
    const std::uint8_t* at = in_.at();
    list_header list;
    if (!open_sequence(in_, plan_.from.wire(), list)) return false;
    if (list.size != 0 && list.element != ttype::struct_)
      return mismatch(type_kind::struct_, list.element, at);
    for (std::uint32_t i = 0; i < list.size; ++i) {
      if (where != nullptr && !meets(*where)) {
        if (fault_.of_condition || !pass_over(ttype::struct_)) return false;
        continue;
      }
      if (!record()) return fault_.path.index(i);
      each_row();
    }
    in_.leave();
    return at_end();
  }
  /// The error of the fault; resets it. Cold.
  [[nodiscard]] error failure() {
    const fault& cause = in_.fault();
    column_fault known = std::exchange(fault_, {});
    if (known.of_condition) return *std::move(known.of_condition);
    if (known.is_in_skipped) return explain<P>(bytes_, plan_.from, cause, options_.limits);
    return with_looks(error(cause.code, std::move(known.message), cause.offset, known.path.text()), bytes_,
                      P::id, plan_.from.wire());
  }

 private:
  using reader = typename P::reader;
  using byte_pointer = const std::uint8_t*;

  [[nodiscard]] bool at_end() { return in_.at_end() || in_.reject(errc::trailing_bytes); }
  [[nodiscard]] const column_node& node_of(std::uint32_t index) const noexcept { return plan_.nodes[index]; }

  bool record() { return structure(0) && (plan_.unknown == column_node::none || close_unknown()); }

  // Whether the next struct meets the condition; also false after an error.
  bool meets(const predicate& where) {
    const view<P> root(bytes_, plan_.from, options_.limits);
    const result<bool> known =
        where.try_matches(root.child({in_.here(), where.from().index(), ttype::struct_}));
    if (known) return *known;
    fault_.of_condition = known.error();
    return false;
  }

  bool value(std::uint32_t index) {
    const column_node& node = node_of(index);
    column_data& data = columns_[index];
    switch (node.task) {
      case column_task::list:
        return list(node, index);
      case column_task::map:
        return map(node, index);
      case column_task::structure:
        return structure(index);
      case column_task::dense_union:
        return dense_union(index);
      case column_task::text:
        return text(data);
      case column_task::bytes:
        return bytes(data);
      case column_task::uuid:
        return uuid(data);
      case column_task::dictionary:
        return name(node, data);
      case column_task::enum_text:
        return enum_text(node, data);
      default:
        return number(node.task, data);
    }
  }

  // ---- scalars

  THRIFTLENS_INLINE bool number(column_task task, column_data& data) {
    switch (task) {
      case column_task::boolean:
        return boolean(data);
      case column_task::i8:
        return number<std::int8_t, &reader::read_i8>(data);
      case column_task::i16:
        return number<std::int16_t, &reader::read_i16>(data);
      case column_task::i32:
        return number<std::int32_t, &reader::read_i32>(data);
      case column_task::i64:
        return number<std::int64_t, &reader::read_i64>(data);
      case column_task::real:
        return number<double, &reader::read_double>(data);
      default:
        return in_.reject(errc::bad_ttype);
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
    if (!simd::valid_utf8(value)) [[unlikely]] {
      if (options_.leniency.invalid_utf8 == on_invalid_utf8::error) return in_.reject(errc::invalid_utf8, at);
      const std::string text = replaced(value);
      return put_bytes(data, text);
    }
    return put_bytes(data, value);
  }
  // Replaces ill-formed sequences by U+FFFD.
  [[nodiscard]] THRIFTLENS_COLD static std::string replaced(byte_view text) {
    std::string result;
    while (!text.empty()) {
      const std::size_t good = simd::valid_utf8_prefix(text);
      result += text.part(0, good).text();
      text = text.part(good, text.size() - good);
      if (text.empty()) break;
      result += "\xef\xbf\xbd";
      const std::size_t bad = simd::ill_formed_utf8_size(text);
      text = text.part(bad, text.size() - bad);
    }
    return result;
  }
  THRIFTLENS_INLINE bool put_bytes(column_data& data, byte_view value) {
    if (!spend(value.size())) return false;
    data.values.append(value);
    data.offsets.put(static_cast<std::int32_t>(data.values.size()));
    data.add_valid();
    return true;
  }
  bool name(const column_node& node, column_data& data) {
    std::int32_t value = 0;
    if (!in_.read_i32(value)) return false;
    data.values.put(dictionary_index(node, data, value));
    data.add_valid();
    return true;
  }
  bool enum_text(const column_node& node, column_data& data) {
    std::int32_t value = 0;
    if (!in_.read_i32(value)) return false;
    const std::uint32_t member = image_.find_member(image_.enums[node.of.node().first], value);
    const std::string digits = member == image::none ? std::to_string(value) : std::string();
    return put_bytes(data, member == image::none ? digits : enum_member_info(&image_, member).name());
  }
  [[nodiscard]] std::int32_t dictionary_index(const column_node& node, column_data& data,
                                              std::int32_t value) const {
    const image::enum_node& of = image_.enums[node.of.node().first];
    const std::uint32_t member = image_.find_member(of, value);
    if (member != image::none) return static_cast<std::int32_t>(member - of.members.begin);
    return static_cast<std::int32_t>(of.members.size + data.find_unnamed(value));
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
    const column_task task = node_of(item).task;
    if (task == column_task::i32 && is_swapped<std::int32_t>) return swapped<std::int32_t>(data, count);
    if (task == column_task::i64 && is_swapped<std::int64_t>) return swapped<std::int64_t>(data, count);
    if (task == column_task::real && is_swapped<double>) return swapped<double>(data, count);
    switch (task) {
      case column_task::text:
        return each_of(count, [&] { return text(data); });
      case column_task::i32:
        return each_of(count, [&] { return number<std::int32_t, &reader::read_i32>(data); });
      case column_task::i64:
        return each_of(count, [&] { return number<std::int64_t, &reader::read_i64>(data); });
      default:
        return each_of(count, [&] { return value(item); });
    }
  }
  template <class Read>
  THRIFTLENS_INLINE bool each_of(std::uint32_t count, Read read) {
    for (std::uint32_t i = 0; i < count; ++i)
      if (!read()) return fault_.path.index(i);
    return true;
  }
  template <class T>
  static constexpr bool is_swapped = layout_of<P, T> == number_layout::big_endian;
  // Consecutive numbers, most significant byte first. Elements of a list are never null.
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
    bool ascending = P::traits.size_width != 0 && !has_spellings(node_of(key).of.wire());
    for (std::uint32_t i = 0; i < count; ++i) {
      const byte_pointer at = in_.at();
      if (!value(key)) return fault_.path.key_at(i);
      const byte_view raw(at, static_cast<std::size_t>(in_.at() - at));
      if (ascending && i != 0) ascending = is_less(keys_.back(), raw);
      keys_.push_back(raw);
      if (!value(item)) return name_entry(key, raw);
    }
    const bool ok = ascending || unique(key, begin);
    keys_.resize(begin);
    return ok;
  }
  [[nodiscard]] static bool is_less(byte_view lhs, byte_view rhs) noexcept { return lhs.text() < rhs.text(); }
  // Whether no two of the keys from `begin` on are equal.
  bool unique(std::uint32_t key, std::size_t begin) {
    comparable_keys<P> keys;
    for (std::size_t i = begin; i < keys_.size(); ++i)
      if (!keys.add(keys_[i], node_of(key).of.wire())) return in_.reject(errc::depth_limit, keys_[i].data());
    const std::size_t repeated = keys.find_repeated();
    if (repeated == repeated_keys::none) return true;
    name_entry(key, keys_[begin + repeated]);
    return in_.reject(errc::duplicate_key, keys_[begin + repeated].data());
  }
  THRIFTLENS_COLD bool name_entry(std::uint32_t key, byte_view raw) {
    return add_key_step<P>(fault_.path, raw, node_of(key).of.wire());
  }

  // ---- structs

  struct open_struct {
    const column_node& node;
    std::uint32_t steps;          ///< index of its first step
    std::uint32_t last;           ///< the step of the known field read last
    wire_position here;           ///< end of the fields read by the fast path
    std::uint32_t members = 0;    ///< known fields that occurred
    std::uint32_t columns = 0;    ///< known fields that are columns
    byte_pointer stop = nullptr;  ///< the last header; finally the stop
  };
  [[nodiscard]] open_struct opened(std::uint32_t index) const {
    const std::uint32_t steps = steps_.begin_of(index);
    return {node_of(index), steps, steps, {in_.at(), in_.depth_left() - 1, 0, -1}};
  }
  [[nodiscard]] const image::struct_node& known(const open_struct& open) const noexcept {
    return image_.structs[open.node.of.node().first];
  }

  bool structure(std::uint32_t index) {
    open_struct open = opened(index);
    if (!spend(open.node.null_size + 8)) return false;
    if (!is_read_at_once(open) && !fields(open)) return false;
    if (open.columns != open.node.field_columns && !fill(open, columns_[index].length)) return false;
    columns_[index].add_valid();
    return true;
  }
  bool dense_union(std::uint32_t index) {
    open_struct open = opened(index);
    if (!spend(open.node.null_size + 8)) return false;
    open_union_ = index;
    if (!fields(open)) return false;
    if (open.columns == 0) columns_.add_null(plan_, index);
    return true;
  }
  // Whether the fast path read the struct, of numbers and texts like the previous one. Otherwise it read up
  // to `open.here`.
  THRIFTLENS_INLINE bool is_read_at_once(open_struct& open) {
    if (!may_speculate(open) || in_.depth_left() == 0) return false;
    fast_columns<P> fast(columns_, steps_, options_.limits, budget_);
    open.columns = fast.run(open.here, in_.end(), open.last);
    open.stop = open.here.at;
    const byte_pointer stop_end = fast.stop(open.here, in_.end(), open.last);
    if (stop_end == nullptr) return false;
    wire_position position = in_.here();
    position.at = stop_end;
    in_.seek(position);
    return true;
  }
  bool fields(open_struct& open) {
    const struct_mark outer = in_.begin_struct();
    id_set<P> ids(in_.here());
    resume(open, ids);
    for (;;) {
      field_header header;
      open.stop = in_.at();
      if (!in_.read_field(header)) return false;
      if (header.type == ttype::stop) break;
      if (!ids.add(header.id, in_, open.stop))
        return fail_at(errc::duplicate_field, open, header.id, open.stop);
      if (!take(open, find(open, header.id), header)) return false;
      if (ids.ascends() && may_speculate(open)) speculate(open, ids);
    }
    steps_.learn(open.last, open.steps);
    in_.end_struct(outer);
    return true;
  }
  [[nodiscard]] bool may_speculate(const open_struct& open) const noexcept {
    return speculation_ == column_speculation::on && open.node.kind != type_kind::union_;
  }
  void speculate(open_struct& open, id_set<P>& ids) {
    open.here = in_.here();
    fast_columns<P> fast(columns_, steps_, options_.limits, budget_);
    open.columns += fast.run(open.here, in_.end(), open.last);
    resume(open, ids);
  }
  // Continues after the fields that the fast path read.
  void resume(const open_struct& open, id_set<P>& ids) {
    if (open.here.at == in_.at()) return;
    in_.seek(open.here);
    ids.ascend(steps_[open.last].id);
  }
  // The field with that id, probably that of the next step; or none.
  [[nodiscard]] THRIFTLENS_INLINE std::uint32_t find(const open_struct& open, std::int16_t id) const {
    const std::uint32_t predicted = steps_[open.last].next;
    const image::struct_node& of = known(open);
    if (predicted != open.steps && steps_[predicted].id == id)
      return of.fields.begin + (predicted - open.steps - 1);
    return image_.find_field(of, id);
  }
  // A field of the IDL, or none.
  bool take(open_struct& open, std::uint32_t index, field_header header) {
    if (index != image::none) return field(open, index, header);
    if (options_.leniency.unknown == on_unknown::error) [[unlikely]]
      return fail_at(errc::unknown_field, open, header.id, open.stop);
    const bool is_retained = plan_.unknown != column_node::none && &open.node == &plan_.root();
    const bool ok = is_retained ? retain(header) : pass_over(header.type);
    return ok || fault_.path.field_id(header.id);
  }
  // Appends an unknown field to the column of unknown fields.
  bool retain(field_header header) {
    const bool truth = in_.here().inline_bool == 1;
    const byte_pointer begin = in_.at();
    if (!pass_over(header.type)) return false;
    const byte_view raw(begin, static_cast<std::size_t>(in_.at() - begin));
    if (!spend(raw.size() + P::max_field_header)) return false;
    column_buffer& to = columns_[plan_.unknown].values;
    std::uint8_t header_bytes[P::max_field_header];
    const std::uint8_t* const end = put_header<P>(header_bytes, header, truth, last_unknown_);
    for (const std::uint8_t* at = header_bytes; at != end; ++at) to.put(*at);
    to.append(raw);
    return true;
  }
  // Closes the struct of unknown fields of a row, or adds a null.
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
  bool field(open_struct& open, std::uint32_t field, field_header header) {
    const image::field_node& expected = image_.fields[field];
    const bool is_union = open.node.kind == type_kind::union_;
    if (is_union && ++open.members > 1) return fail_at(errc::union_members, open, header.id, open.stop);
    const std::uint32_t number = field - known(open).fields.begin;
    steps_.learn(open.last, open.steps + 1 + number);
    open.last = open.steps + 1 + number;
    const std::uint32_t position = open.node.by_field[number];
    if (position == column_node::none) return pass_over(header.type) || name_field(field);
    if (expected.wire != header.type) {
      if (drops_mismatch()) return pass_over(header.type) || name_field(field);
      mismatch(expected.kind, header.type, open.stop);
      return name_field(field);
    }
    return (drops_mismatch() ? lenient_member(open, position, header) : member(open, position)) ||
           name_field(field);
  }
  bool member(open_struct& open, std::uint32_t position) {
    ++open.columns;
    if (open.node.form == column_form::dense_union) columns_.add_member(plan_, open_union_, position);
    return value(open.node.children[position]);
  }
  [[nodiscard]] bool drops_mismatch() const noexcept {
    return options_.leniency.mismatch == on_mismatch::drop;
  }
  // As member(), but reverted if a type in the value contradicts the IDL. Fields of structs in it were
  // dropped before, so only types of elements, keys and values remain.
  bool lenient_member(open_struct& open, std::uint32_t position, field_header header) {
    const std::uint32_t child = open.node.children[position];
    const std::uint32_t outer = open.node.form == column_form::dense_union ? open_union_ : child;
    const std::size_t length = columns_[outer].length, keys = keys_.size();
    const reader start = in_;
    if (member(open, position)) return true;
    if (in_.fault().code != errc::type_mismatch) return false;
    columns_.cut(plan_, outer, length);
    keys_.resize(keys);
    fault_ = {};
    in_ = start;
    --open.columns;
    return pass_over(header.type);
  }
  // Fills absent fields: columns that are one value shorter than those of the fields that occurred.
  bool fill(const open_struct& open, std::size_t length) {
    for (const std::uint32_t child : open.node.children)
      if (columns_[child].length == length && !absent(open, child)) return false;
    return true;
  }
  bool absent(const open_struct& open, std::uint32_t child) {
    const std::uint32_t field = node_of(child).field;
    if (field == image::none) return true;  // a column beside those of the type
    const std::uint8_t flags = image_.fields[field].flags;
    const bool must =
        (flags & image::required) != 0 && options_.leniency.missing_required == on_missing::error;
    if (must) return fail_at(errc::missing_required, open, image_.fields[field].id, open.stop);
    const bool may_default = open.node.kind != type_kind::union_ && options_.defaults == on_absent::write;
    if (may_default && (flags & image::has_default) != 0) return default_value(field, child);
    columns_.add_null(plan_, child);
    return true;
  }
  bool default_value(std::uint32_t field, std::uint32_t child) {
    buffer spare;  // for a protocol without stored defaults
    const field_info info(&image_, field);
    const reader outer = in_;
    in_ = reader(bytes_in<P>(info.defaults(), image_.fields[field].wire, spare), options_.limits);
    const bool ok = value(child);
    const fault cause = in_.fault();
    in_ = outer;
    return ok || in_.reject(cause.code);
  }

  // ---- faults

  // Charges bytes that a record adds to the columns.
  THRIFTLENS_INLINE bool spend(std::size_t bytes) {
    if (bytes > budget_) [[unlikely]]
      return in_.reject(errc::output_limit);
    budget_ -= bytes;
    return true;
  }
  bool pass_over(ttype wire) {
    if (in_.skip(wire)) [[likely]]
      return true;
    fault_.is_in_skipped = true;
    return false;
  }
  THRIFTLENS_COLD bool mismatch(type_kind expected, ttype actual, byte_pointer at) {
    fault_.message = joined({"expected ", to_string(expected), ", found ", to_string(actual)});
    return in_.reject(errc::type_mismatch, at);
  }
  THRIFTLENS_COLD bool name_field(std::uint32_t field) { return fault_.path.field(image_.field_name(field)); }
  THRIFTLENS_COLD bool fail_at(errc code, const open_struct& open, std::int16_t id, byte_pointer at) {
    const std::uint32_t field = image_.find_field(known(open), id);
    if (field == image::none) {
      fault_.path.field_id(id);
    } else {
      name_field(field);
    }
    return in_.reject(code, at);
  }

  const column_plan& plan_;
  column_set& columns_;
  std::vector<byte_view>& keys_;
  field_steps& steps_;
  column_fault& fault_;
  const schema_image& image_;
  const columns_options& options_;
  byte_view bytes_;
  reader in_;
  std::size_t budget_;
  std::uint32_t open_union_ = column_node::none;
  std::int16_t last_unknown_ = 0;  ///< id of the field in the column of unknown ones
  column_speculation speculation_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
