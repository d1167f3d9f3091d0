// column_plan: bodies of column_plan.hpp.
#pragma once

#include <thriftlens/columns/column_plan.hpp>
#include <thriftlens/core/joined.hpp>
#include <thriftlens/core/path_builder.hpp>

#include <string>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Builds a plan of a selection. Used once.
class column_planner {
 public:
  column_planner(const selection& selection_in, const columns_options& options)
      : selection_(selection_in), options_(options) {}

  [[nodiscard]] result<column_plan> run() && {
    plan_.from = selection_.from();
    plan_.field_ids = options_.types.field_ids;
    const type row = row_type();
    if (!row)
      return error(errc::wrong_type,
                   joined({"columns need a struct or a list of structs, not ", name_of(plan_.from)}));
    plan_.nodes.emplace_back().nullable = false;
    if (!structure(0, row, selection_.root())) return std::move(error_);
    add_extras();
    if (!unique_names()) return std::move(error_);
    return std::move(plan_);
  }

 private:
  using node_index = std::uint32_t;

  [[nodiscard]] static std::string name_of(type of) { return of ? of.name() : "nothing"; }
  [[nodiscard]] type row_type() const {
    const type from = selection_.from();
    if (!from || from.is_struct()) return from;
    return from.is_sequence() && from.element().is_struct() ? from.element() : type();
  }
  [[nodiscard]] column_node& at(node_index node) { return plan_.nodes[node]; }

  // ---- structs

  [[nodiscard]] bool is_dense(type of) const {
    return of.kind() == type_kind::union_ && options_.types.unions == column_unions::dense;
  }
  // `selected`: a node of the selection, or whole.
  bool structure(node_index node, type of, std::uint32_t selected) {
    if (is_open(of, selected)) return reject("is recursive; select its fields", of);
    open_.emplace_back(of, selected);
    at(node).of = of;
    at(node).kind = of.kind();
    const bool dense = is_dense(of) && node != 0;
    at(node).form = dense ? column_form::dense_union : column_form::structure;
    at(node).task = dense ? column_task::dense_union : column_task::structure;
    at(node).format = "+s";
    at(node).by_field.assign(of.structure().fields.size, column_node::none);
    if (!fields(node, of, selected)) return false;
    open_.pop_back();
    return !dense || close_union(node);
  }
  bool fields(node_index node, type of, std::uint32_t selected) {
    for (const field_info field : of.fields()) {
      std::uint32_t child = selection_node::entire;
      if (selected != selection_node::entire) {
        const selection_node::part* part = selection_.nodes()[selected].find(field.id());
        if (part == nullptr) continue;
        child = part->child;
      }
      if (!add_field(node, field, child)) return false;
    }
    return true;
  }
  bool add_field(node_index outer, field_info field, std::uint32_t selected) {
    const std::size_t mark = path_.mark();
    path_.field(field.name());
    const node_index node = add(std::string(field.name()));
    if (node == column_node::none) return false;
    at(node).field = field.index();
    at(node).doc = field.doc();
    const std::size_t position = at(outer).children.size();
    at(outer).by_field[field.index() - at(outer).of.structure().fields.begin] =
        static_cast<std::uint32_t>(position);
    at(outer).children.push_back(node);
    ++at(outer).field_columns;
    // Before its fields are added, which are flat if it is.
    at(node).flat = is_flattened(outer, field.type());
    if (!value(node, field.type(), selected)) return false;
    at(outer).null_size += at(node).null_size;
    path_.back_to(mark);
    return true;
  }
  [[nodiscard]] bool is_flattened(node_index outer, type of) {
    if (options_.types.nesting != column_nesting::flat || (outer != 0 && !at(outer).flat)) return false;
    return of.is_struct() && !is_dense(of);
  }
  // The type ids of a dense union, and a child for a union without a member.
  bool close_union(node_index node) {
    const node_index absent = add("");
    if (absent == column_node::none) return false;
    at(absent).format = "n";
    at(node).children.push_back(absent);
    if (at(node).children.size() > 127)
      return reject("has more members than an Arrow union allows (127)", at(node).of);
    std::string ids = "+ud:0";
    for (std::size_t i = 1; i < at(node).children.size(); ++i) ids.append(",").append(std::to_string(i));
    at(node).format = std::move(ids);
    at(node).nullable = false;
    at(node).null_size = 5;
    return true;
  }

  // ---- values

  bool value(node_index node, type of, std::uint32_t selected) {
    at(node).of = of;
    at(node).kind = of.kind();
    switch (of.kind()) {
      case type_kind::list:
      case type_kind::set:
        return list(node, of, selected);
      case type_kind::map:
        return map(node, of, selected);
      case type_kind::struct_:
      case type_kind::union_:
      case type_kind::exception_:
        return structure(node, of, selected);
      default:
        scalar(at(node));
        return true;
    }
  }
  bool list(node_index node, type of, std::uint32_t selected) {
    set_form(at(node), column_form::list, "+l", 4);
    at(node).task = column_task::list;
    const node_index item = add("item");
    if (item == column_node::none) return false;
    at(node).children.push_back(item);
    return value(item, of.element(), selected);
  }
  bool map(node_index node, type of, std::uint32_t selected) {
    set_form(at(node), column_form::map, "+m", 4);
    at(node).task = column_task::map;
    const node_index entry = add("entries");
    const node_index key = add("key");
    const node_index item = add("value");
    if (item == column_node::none) return false;
    set_form(at(entry), column_form::structure, "+s", 0);
    at(entry).kind = type_kind::struct_;
    at(entry).nullable = false;
    at(key).nullable = false;
    at(entry).children = {key, item};
    at(node).children.push_back(entry);
    return value(key, of.key(), selection_node::entire) && value(item, of.value(), selected);
  }
  void scalar(column_node& node) const {
    switch (node.kind) {
      case type_kind::bool_:
        return set_scalar(node, column_task::boolean, column_form::bits, "b", 1);
      case type_kind::i8:
        return set_scalar(node, column_task::i8, column_form::fixed, "c", 1);
      case type_kind::i16:
        return set_scalar(node, column_task::i16, column_form::fixed, "s", 2);
      case type_kind::i32:
        return set_scalar(node, column_task::i32, column_form::fixed, "i", 4);
      case type_kind::enum_:
        return enum_scalar(node);
      case type_kind::i64:
        return set_scalar(node, column_task::i64, column_form::fixed, "l", 8);
      case type_kind::double_:
        return set_scalar(node, column_task::real, column_form::fixed, "g", 8);
      default:
        return wide_scalar(node);
    }
  }
  void enum_scalar(column_node& node) const {
    switch (options_.types.enums) {
      case enum_values::name:
        return set_scalar(node, column_task::dictionary, column_form::dictionary, "i", 4);
      case enum_values::string:
        return set_scalar(node, column_task::enum_text, column_form::bytes, "u", 4);
      default:
        return set_scalar(node, column_task::i32, column_form::fixed, "i", 4);
    }
  }
  void wide_scalar(column_node& node) const {
    if (node.kind == type_kind::uuid)
      return set_scalar(node, column_task::uuid, column_form::fixed, "w:16", 16);
    if (node.kind == type_kind::string && options_.leniency.invalid_utf8 != on_invalid_utf8::keep)
      return set_text(node);
    set_scalar(node, column_task::bytes, column_form::bytes, "z", 4);
  }
  static void set_text(column_node& node) { set_scalar(node, column_task::text, column_form::bytes, "u", 4); }
  static void set_scalar(column_node& node, column_task task, column_form form, const char* format,
                         std::uint8_t width) {
    node.task = task;
    set_form(node, form, format, width);
  }
  static void set_form(column_node& node, column_form form, const char* format, std::uint8_t width) {
    node.form = form;
    node.format = format;
    node.width = width;
    node.null_size = width;
  }

  // ---- extra columns

  void add_extras() {
    plan_.record = extra(options_.extras.record, type_kind::i64);
    plan_.offset = extra(options_.extras.offset, type_kind::i64);
    plan_.reason = extra(options_.extras.reason, type_kind::string);
    plan_.file = extra(options_.extras.file, type_kind::string);
    plan_.unknown = extra(options_.extras.unknown_fields, type_kind::binary);
  }
  // Adds an extra column; returns its position, or none.
  [[nodiscard]] std::uint32_t extra(const std::string& name, type_kind kind) {
    if (name.empty()) return column_node::none;
    plan_.nodes.emplace_back();
    plan_.nodes.back().name = name;
    plan_.nodes.back().kind = kind;
    if (kind == type_kind::string)
      set_text(plan_.nodes.back());
    else
      scalar(plan_.nodes.back());
    const auto node = static_cast<node_index>(plan_.nodes.size() - 1);
    at(0).children.push_back(node);
    return node;
  }
  bool unique_names() {
    const std::vector<node_index>& columns = at(0).children;
    for (const std::uint32_t extra : {plan_.record, plan_.offset, plan_.reason, plan_.file, plan_.unknown}) {
      if (extra == column_node::none) continue;
      for (const node_index other : columns)
        if (other != extra && at(other).name == at(extra).name)
          return refuse(errc::bad_option, joined({"duplicate column name ", at(extra).name}));
    }
    return true;
  }

  // ---- faults

  [[nodiscard]] node_index add(std::string name) {
    if (plan_.nodes.size() >= column_plan::max_columns) {
      refuse(errc::wrong_type, joined({"more than ", column_plan::max_columns, " columns; select fewer"}));
      return column_node::none;
    }
    plan_.nodes.emplace_back();
    plan_.nodes.back().name = std::move(name);
    return static_cast<node_index>(plan_.nodes.size() - 1);
  }
  // Whether the struct with the same selected part is being added: it would never end.
  [[nodiscard]] bool is_open(type of, std::uint32_t selected) const {
    for (const auto& [open, part] : open_)
      if (open == of && part == selected) return true;
    return false;
  }
  bool reject(const char* problem, type of) { return refuse(errc::wrong_type, of.name() + ' ' + problem); }
  bool refuse(errc code, std::string message) {
    error_ = error(code, std::move(message), error::no_offset, path_.text());
    return false;
  }

  const selection& selection_;
  const columns_options& options_;
  column_plan plan_;
  std::vector<std::pair<type, std::uint32_t>> open_;
  path_builder path_;
  error error_;
};

THRIFTLENS_BODY result<column_plan> column_plan::try_compile(const selection& selected,
                                                             const columns_options& options) {
  return column_planner(selected, options).run();
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
