// arrow_source: bodies of arrow_source.hpp.
#pragma once

#include <thriftlens/columns/arrow_format.hpp>
#include <thriftlens/columns/arrow_owner.hpp>
#include <thriftlens/columns/arrow_source.hpp>
#include <thriftlens/columns/column_plan.hpp>
#include <thriftlens/core/joined.hpp>
#include <thriftlens/core/path_builder.hpp>
#include <thriftlens/core/quote.hpp>
#include <thriftlens/schema/suggest.hpp>

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// A parsed Arrow format.
struct arrow_format {
  arrow_form form = arrow_form::nothing;
  std::size_t width = 0;
  bool known = true;
};

[[nodiscard]] inline bool read_width(std::string_view digits, std::size_t& width) noexcept {
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), width);
  return code == std::errc() && end == digits.data() + digits.size() && width <= 0x7fffffff;
}
[[nodiscard]] inline arrow_form primitive_form(char letter) noexcept {
  static constexpr std::pair<char, arrow_form> letters[] = {
      {'n', arrow_form::nothing}, {'b', arrow_form::bits},  {'c', arrow_form::i8},
      {'C', arrow_form::u8},      {'s', arrow_form::i16},   {'S', arrow_form::u16},
      {'i', arrow_form::i32},     {'I', arrow_form::u32},   {'l', arrow_form::i64},
      {'L', arrow_form::u64},     {'f', arrow_form::f32},   {'g', arrow_form::f64},
      {'z', arrow_form::bytes},   {'u', arrow_form::bytes}, {'Z', arrow_form::bytes},
      {'U', arrow_form::bytes}};
  for (const auto& [known, form] : letters)
    if (known == letter) return form;
  return arrow_form::group;  // none of them
}
[[nodiscard]] inline arrow_format format_of(std::string_view text) {
  arrow_format result;
  if (text.size() == 1) {
    result.form = primitive_form(text[0]);
    result.known = result.form != arrow_form::group;
    return result;
  }
  if (text == "vz" || text == "vu" || text.starts_with("w:")) return {arrow_form::bytes};
  if (text == "+l" || text == "+m") return {arrow_form::list};
  if (text == "+L") return {arrow_form::large_list};
  if (text == "+s") return {arrow_form::structure};
  if (text.starts_with("+ud:")) return {arrow_form::dense_union};
  if (text.starts_with("+us:")) return {arrow_form::sparse_union};
  if (text.starts_with("+w:")) {
    result.form = arrow_form::fixed_list;
    result.known = read_width(text.substr(3), result.width);
    return result;
  }
  result.known = false;
  return result;
}
[[nodiscard]] constexpr bool is_integer_form(arrow_form form) noexcept {
  return form >= arrow_form::i8 && form <= arrow_form::u64;
}

class arrow_source_builder {
 public:
  arrow_source_builder(on_unknown unknown, on_invalid_utf8 invalid, const limits& bounds)
      : unknown_(unknown),
        takes_bytes_as_text_(invalid == on_invalid_utf8::keep),
        depth_left_(least(bounds.depth, limits::max_depth)) {}

  [[nodiscard]] result<arrow_source_tree> run(type of, const ArrowSchema& schema,
                                              const ArrowArray& array) && {
    if (!of || !of.is_struct())
      return error(errc::wrong_type,
                   joined({"records need a struct type, not ", of ? of.name() : std::string("nothing")}));
    if (add(of, schema, array) == none) return std::move(error_);
    if (tree_.nodes[0].form != arrow_form::structure)
      return error(errc::wrong_type, joined({"expected an Arrow struct or a record batch, found ",
                                             arrow_type_name(schema.format)}));
    return std::move(tree_);
  }

 private:
  using index = std::uint32_t;
  static constexpr index none = arrow_source::none;

  [[nodiscard]] arrow_source& at(index node) { return tree_.nodes[node]; }
  index reject(errc code, std::string message) {
    error_ = error(code, std::move(message), error::no_offset, path_.text());
    return none;
  }
  bool refuse(errc code, std::string message) {
    reject(code, std::move(message));
    return false;
  }
  index broken() { return reject(errc::wrong_type, "the Arrow array is inconsistent"); }
  index mismatch(type of, const ArrowSchema& schema) {
    std::string actual = arrow_type_name(schema.format);
    if (schema.dictionary != nullptr && schema.dictionary->format != nullptr)
      actual = joined({"dictionary of ", arrow_type_name(schema.dictionary->format)});
    return reject(errc::value_type,
                  joined({"expected ", of.name(), ", found ", actual, "; cast the column first"}));
  }

  // ---- any array

  [[nodiscard]] static bool is_living(const ArrowSchema* schema, const ArrowArray* array) noexcept {
    return schema != nullptr && array != nullptr && schema->release != nullptr && array->release != nullptr &&
           schema->format != nullptr && array->length >= 0 && array->offset >= 0 && array->n_buffers >= 0 &&
           array->length <= max_length && array->offset <= max_length &&
           array->n_children == schema->n_children &&
           (array->dictionary == nullptr) == (schema->dictionary == nullptr);
  }
  /// False after an error: an exported array has another format than its schema, or is too short.
  bool is_of_format(const ArrowSchema& schema, const ArrowArray& array) {
    const arrow_array_owner* const owner = owner_of(array);
    if (owner == nullptr || fits_format(*owner, schema.format, array)) return true;
    return refuse(errc::wrong_type, contradiction_text(*owner, schema.format));
  }
  index add(type of, const ArrowSchema& schema, const ArrowArray& array) {
    if (!is_living(&schema, &array)) return broken();
    if (!is_of_format(schema, array)) return none;
    if (tree_.nodes.size() >= column_plan::max_columns) return reject(errc::size_limit, "too many columns");
    if (depth_left_ == 0) return reject(errc::depth_limit, {});
    --depth_left_;
    const index node =
        schema.dictionary != nullptr ? dictionary(of, schema, array) : plain(of, schema, array);
    ++depth_left_;
    return node;
  }
  index plain(type of, const ArrowSchema& schema, const ArrowArray& array) {
    const arrow_format format = format_of(schema.format);
    if (!format.known) return mismatch(of, schema);
    const index node = open(of, format, array);
    if (node == none) return none;
    if (format.form == arrow_form::nothing) return node;
    switch (of.kind()) {
      case type_kind::list:
      case type_kind::set:
        return list(node, schema, array);
      case type_kind::map:
        return map(node, schema, array);
      case type_kind::struct_:
      case type_kind::union_:
      case type_kind::exception_:
        return structure(node, schema, array);
      default:
        return scalar(node, schema, array);
    }
  }
  /// A node with the parts common to all arrays: the offset and the validity bits.
  index open(type of, const arrow_format& format, const ArrowArray& array) {
    tree_.nodes.emplace_back();
    arrow_source& source = tree_.nodes.back();
    source.form = format.form;
    source.width = format.width;
    source.of = of;
    source.kind = of.kind();
    source.wire = of.wire();
    source.offset = static_cast<std::size_t>(array.offset);
    source.length = static_cast<std::size_t>(array.length);
    const bool has_validity = format.form != arrow_form::nothing && format.form != arrow_form::dense_union &&
                              format.form != arrow_form::sparse_union;
    const bool fits = has_validity ? take_validity(source, array) : true;
    return fits ? static_cast<index>(tree_.nodes.size() - 1) : broken();
  }
  [[nodiscard]] static bool take_validity(arrow_source& source, const ArrowArray& array) noexcept {
    if (array.n_buffers == 0 || array.buffers == nullptr) return false;
    if (array.null_count != 0) source.validity = buffer_of(array, 0);
    return array.null_count <= 0 || source.validity != nullptr || source.length == 0;
  }
  [[nodiscard]] static const std::uint8_t* buffer_of(const ArrowArray& array, std::int64_t which) noexcept {
    return static_cast<const std::uint8_t*>(array.buffers[which]);
  }
  /// The buffer with that index, which may be null for an array without values.
  [[nodiscard]] static bool take_buffer(const std::uint8_t*& to, const ArrowArray& array, std::int64_t which,
                                        std::int64_t count) noexcept {
    if (array.n_buffers != count || array.buffers == nullptr) return false;
    to = buffer_of(array, which);
    return to != nullptr || array.length == 0;
  }

  // ---- scalars

  index scalar(index node, const ArrowSchema& schema, const ArrowArray& array) {
    arrow_source& source = at(node);
    if (!takes(source.kind, source.form, schema.format)) return mismatch(source.of, schema);
    if (source.form == arrow_form::bytes) {
      result<arrow_blobs> blobs = arrow_blobs::try_make(schema, array);
      if (!blobs) return reject(blobs.error().code(), std::string(blobs.error().detail()));
      source.blobs = *std::move(blobs);
      source.is_text = is_text(schema.format);
      return node;
    }
    source.is_exact = is_exact(source.kind, source.form);
    return take_buffer(source.values, array, 1, 2) ? node : broken();
  }
  [[nodiscard]] static bool is_text(std::string_view format) noexcept {
    return format == "u" || format == "U" || format == "vu";
  }
  [[nodiscard]] bool takes(type_kind kind, arrow_form form, std::string_view format) const noexcept {
    const bool is_bytes = form == arrow_form::bytes, is_integer = is_integer_form(form);
    switch (kind) {
      case type_kind::bool_:
        return form == arrow_form::bits;
      case type_kind::double_:
        return form == arrow_form::f32 || form == arrow_form::f64 || is_integer;
      case type_kind::string:
        return is_bytes && (is_text(format) || takes_bytes_as_text_);
      case type_kind::binary:
        return is_bytes && !is_text(format);
      case type_kind::uuid:
        return is_bytes;
      case type_kind::enum_:
        return is_text(format) || is_integer;
      default:
        return is_integer;
    }
  }
  [[nodiscard]] static bool is_exact(type_kind kind, arrow_form form) noexcept {
    switch (kind) {
      case type_kind::i8:
        return form == arrow_form::i8;
      case type_kind::i16:
        return form == arrow_form::i16;
      case type_kind::i32:
      case type_kind::enum_:
        return form == arrow_form::i32;
      case type_kind::i64:
        return form == arrow_form::i64;
      default:
        return form == arrow_form::f64;
    }
  }
  index dictionary(type of, const ArrowSchema& schema, const ArrowArray& array) {
    const arrow_format indices = format_of(schema.format);
    if (!indices.known || !is_integer_form(indices.form) || array.dictionary == nullptr) return broken();
    arrow_format format;
    format.form = arrow_form::dictionary;
    const index node = open(of, format, array);
    if (node == none) return none;
    at(node).index_form = indices.form;
    if (!take_buffer(at(node).values, array, 1, 2)) return broken();
    const index values = add(of, *schema.dictionary, *array.dictionary);
    if (values == none) return none;
    at(node).children.push_back(values);
    return node;
  }

  // ---- containers

  [[nodiscard]] static bool has_children(const ArrowSchema& schema, const ArrowArray& array,
                                         std::int64_t count) noexcept {
    if (array.n_children != count) return false;
    if (count == 0) return true;
    if (array.children == nullptr || schema.children == nullptr) return false;
    for (std::int64_t i = 0; i < count; ++i)
      if (!is_living(schema.children[i], array.children[i])) return false;
    return true;
  }
  [[nodiscard]] static bool is_list(arrow_form form) noexcept {
    return form == arrow_form::list || form == arrow_form::large_list || form == arrow_form::fixed_list;
  }
  /// Takes the offsets, and checks that the child has all elements.
  bool take_list(index node, const ArrowSchema& schema, const ArrowArray& array) {
    arrow_source& source = at(node);
    if (!has_children(schema, array, 1)) return false;
    if (source.form != arrow_form::fixed_list) return take_buffer(source.offsets, array, 1, 2);
    const auto held = static_cast<std::size_t>(array.children[0]->length);
    const std::size_t rows = source.offset + source.length;
    return array.n_buffers == 1 && (source.width == 0 || rows <= held / source.width);
  }
  index list(index node, const ArrowSchema& schema, const ArrowArray& array) {
    const type of = at(node).of;
    if (!is_list(at(node).form) || schema.format == std::string_view("+m")) return mismatch(of, schema);
    if (!take_list(node, schema, array)) return broken();
    return element(node, of.element(), *schema.children[0], *array.children[0]);
  }
  index element(index node, type of, const ArrowSchema& schema, const ArrowArray& array) {
    const std::size_t mark = path_.mark();
    path_.index(0);
    const index child = add(of, schema, array);
    path_.back_to(mark);
    if (child == none) return none;
    at(node).children.push_back(child);
    return node;
  }
  /// A map, or for engines without maps a list of structs of two fields.
  index map(index node, const ArrowSchema& schema, const ArrowArray& array) {
    const type of = at(node).of;
    if (!is_list(at(node).form)) return mismatch(of, schema);
    if (!take_list(node, schema, array)) return broken();
    const ArrowSchema& entry = *schema.children[0];
    const ArrowArray& entries = *array.children[0];
    if (entry.format != std::string_view("+s")) return mismatch(of, schema);
    if (entry.n_children != 2) return mismatch(of, schema);
    if (!has_children(entry, entries, 2)) return broken();
    if (!is_of_format(entry, entries)) return none;
    const index held = open(of, {arrow_form::structure}, entries);
    if (held == none) return none;
    if (!reaches(*entries.children[0], held) || !reaches(*entries.children[1], held)) return broken();
    at(node).children.push_back(held);
    if (element(node, of.key(), *entry.children[0], *entries.children[0]) == none) return none;
    return element(node, of.value(), *entry.children[1], *entries.children[1]);
  }
  /// Whether the child of a struct has as many values as the struct.
  [[nodiscard]] bool reaches(const ArrowArray& child, index outer) const noexcept {
    const arrow_source& of = tree_.nodes[outer];
    return static_cast<std::size_t>(child.length) >= of.offset + of.length;
  }

  // ---- structs

  index structure(index node, const ArrowSchema& schema, const ArrowArray& array) {
    const arrow_form form = at(node).form;
    const bool is_union = form == arrow_form::dense_union || form == arrow_form::sparse_union;
    const bool fits = form == arrow_form::structure || (is_union && at(node).kind == type_kind::union_);
    if (!fits) return mismatch(at(node).of, schema);
    if (!has_children(schema, array, array.n_children)) return broken();
    add_members(at(node));
    if (is_union) return union_members(node, schema, array);
    for (std::int64_t i = 0; i < array.n_children; ++i) {
      if (!reaches(*array.children[i], node)) return broken();
      if (!column(node, name_of(*schema.children[i]), *schema.children[i], *array.children[i])) return none;
    }
    return node;
  }
  [[nodiscard]] static std::string_view name_of(const ArrowSchema& schema) noexcept {
    return schema.name == nullptr ? std::string_view() : std::string_view(schema.name);
  }
  static void add_members(arrow_source& source) {
    for (const field_info field : source.of.fields()) {
      arrow_source::member added{.field = field.index(), .id = field.id(), .wire = field.type().wire()};
      added.required = (source.of.image()->fields[field.index()].flags & image::required) != 0;
      source.members.push_back(added);
    }
    const auto by_id = [](const arrow_source::member& lhs, const arrow_source::member& rhs) {
      return lhs.id < rhs.id;
    };
    std::sort(source.members.begin(), source.members.end(), by_id);
  }
  [[nodiscard]] arrow_source::member* member_of(index node, field_info field) {
    for (arrow_source::member& candidate : at(node).members)
      if (field && candidate.field == field.index()) return &candidate;
    return nullptr;
  }
  /// A column of a struct, by its name; "outer.inner" is a column of the struct outer.
  bool column(index node, std::string_view name, const ArrowSchema& schema, const ArrowArray& array) {
    const field_info field = at(node).of.find_field(name);
    if (field) return field_column(node, field, schema, array);
    const std::size_t dot = name.find('.');
    const field_info outer = dot == name.npos ? field_info() : at(node).of.find_field(name.substr(0, dot));
    if (outer && outer.type().is_struct())
      return inner_column(node, outer, name.substr(dot + 1), schema, array);
    if (unknown_ == on_unknown::drop) return true;
    return refuse(errc::unknown_field, no_such_field_text(at(node).of, name));
  }
  bool field_column(index node, field_info field, const ArrowSchema& schema, const ArrowArray& array) {
    const std::size_t mark = path_.mark();
    path_.field(field.name());
    if (member_of(node, field)->source != none)
      return refuse(errc::duplicate_field, joined({"duplicate column ", in_quotes(field.name())}));
    const index child = add(field.type(), schema, array);
    if (child == none) return false;
    member_of(node, field)->source = child;
    path_.back_to(mark);
    return true;
  }
  bool inner_column(index node, field_info outer, std::string_view rest, const ArrowSchema& schema,
                    const ArrowArray& array) {
    const std::size_t mark = path_.mark();
    path_.field(outer.name());
    index group = member_of(node, outer)->source;
    if (group == none) group = open_group(node, outer);
    if (at(group).form != arrow_form::group)
      return refuse(errc::duplicate_field, joined({"duplicate column ", in_quotes(outer.name())}));
    if (depth_left_ == 0) return refuse(errc::depth_limit, {});
    --depth_left_;
    if (!column(group, rest, schema, array)) return false;
    ++depth_left_;
    path_.back_to(mark);
    return true;
  }
  /// A struct formed by columns of its own struct.
  index open_group(index node, field_info outer) {
    tree_.nodes.emplace_back();
    arrow_source& group_source = tree_.nodes.back();
    group_source.form = arrow_form::group;
    group_source.of = outer.type();
    group_source.kind = group_source.of.kind();
    group_source.wire = group_source.of.wire();
    group_source.length = at(node).offset + at(node).length;
    add_members(group_source);
    const auto group = static_cast<index>(tree_.nodes.size() - 1);
    member_of(node, outer)->source = group;
    return group;
  }

  // ---- unions

  index union_members(index node, const ArrowSchema& schema, const ArrowArray& array) {
    const bool is_dense = at(node).form == arrow_form::dense_union;
    const std::int64_t buffers = is_dense ? 2 : 1;
    if (!take_buffer(at(node).values, array, 0, buffers)) return broken();
    if (is_dense && !take_buffer(at(node).offsets, array, 1, 2)) return broken();
    std::string_view ids = std::string_view(schema.format).substr(4);
    at(node).by_type_id.assign(128, none);
    for (std::int64_t i = 0; i < array.n_children; ++i) {
      std::size_t id = 0;
      const std::size_t comma = ids.find(',');
      if (!read_width(ids.substr(0, comma), id) || id > 127) return broken();
      ids = comma == ids.npos ? std::string_view() : ids.substr(comma + 1);
      if (!is_dense && !reaches(*array.children[i], node)) return broken();
      if (!union_member(node, id, *schema.children[i], *array.children[i])) return none;
    }
    return node;
  }
  bool union_member(index node, std::size_t id, const ArrowSchema& schema, const ArrowArray& array) {
    if (schema.format == std::string_view("n")) return true;  // no member
    const std::string_view name = name_of(schema);
    const field_info field = at(node).of.find_field(name);
    if (!field) return refuse(errc::unknown_field, no_such_field_text(at(node).of, name));
    if (!field_column(node, field, schema, array)) return false;
    at(node).by_type_id[id] = static_cast<index>(member_of(node, field) - at(node).members.data());
    return true;
  }

  static constexpr std::int64_t max_length = std::int64_t{1} << 48;

  on_unknown unknown_;
  bool takes_bytes_as_text_;
  std::uint32_t depth_left_;
  arrow_source_tree tree_;
  path_builder path_;
  error error_;
};

THRIFTLENS_BODY result<arrow_source_tree> arrow_source_tree::try_make(type of, const ArrowSchema& schema,
                                                                      const ArrowArray& array,
                                                                      on_unknown unknown,
                                                                      const limits& bounds,
                                                                      on_invalid_utf8 invalid) {
  return arrow_source_builder(unknown, invalid, bounds).run(of, schema, array);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
