// selection: bodies of selection.hpp.
#pragma once

#include <thriftlens/core/joined.hpp>
#include <thriftlens/core/number_table.hpp>
#include <thriftlens/core/path_builder.hpp>
#include <thriftlens/path/selection.hpp>
#include <thriftlens/path/syntax.hpp>
#include <thriftlens/protocol/compact_header.hpp>
#include <thriftlens/schema/suggest.hpp>

#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {
/// Adds a field of the prefix; `joins`: the previous field was dropped in the same segment.
inline void add_to_cuts(selection_node& node, image::prefix_position position, bool dropped, bool joins) {
  if (joins && !dropped) node.cuts.back().end = position.at;
  if (dropped && !joins) node.cuts.push_back({.begin = position.at, .segment = position.segment});
  if (dropped) ++node.cuts.back().fields;
}
[[nodiscard]] inline index_range fields_of(type structure) { return structure.structure().fields.indices(); }
/// Adds a field of a struct of numbers and strings; false if it is another one.
[[nodiscard]] THRIFTLENS_COLD inline bool add_flat(selection_node& node, const image::field_node& field) {
  constexpr std::size_t max_fields = 64, max_width = 8;
  const std::size_t width = fixed_width(field.wire);
  if (width > max_width || (width == 0 && field.wire != ttype::string)) return false;
  if (node.flat.size() == max_fields) return false;
  const bool selected = node.find(field.id) != nullptr;
  node.flat.push_back({field.header, static_cast<std::uint8_t>(width == 0 ? 0 : width + 3), selected});
  return true;
}
/// Fills flat_types from all fields, which are flat.
THRIFTLENS_COLD inline void lay_flat_types(selection_node& node) {
  for (const std::uint32_t at : fields_of(node.structure)) {
    const image::field_node& field = node.structure.image()->fields[at];
    if (field.id < 1 || field.id > 255) return node.flat_types.clear();
    node.flat_types.resize(static_cast<std::size_t>(field.id), selection_node::no_type);
    node.flat_types.push_back(compact_nibble(field.wire));
    if (node.find(field.id) != nullptr) node.flat_types.back() |= selection_node::is_selected;
  }
}
/// Lists the fields of a struct of numbers and strings.
THRIFTLENS_COLD inline void lay_flat(selection_node& node) {
  const schema_image& image = *node.structure.image();
  node.flat.clear();
  node.flat_types.clear();
  for (const std::uint32_t at : fields_of(node.structure)) {
    if (!add_flat(node, image.fields[at])) return node.flat.clear();
  }
  lay_flat_types(node);
}
/// Computes the unselected parts of the prefix template.
THRIFTLENS_COLD inline void lay_cuts(selection_node& node) {
  const schema_image& image = *node.structure.image();
  node.prefix = struct_prefix(image, node.structure.structure());
  node.cuts.clear();
  bool dropping = false;
  image::prefix_position last;
  for (const std::uint32_t at : fields_of(node.structure)) {
    const image::prefix_position position = image.prefix_positions[at];
    if (!position) break;
    const bool joins = dropping && position.segment == last.segment;
    dropping = node.find(image.fields[at].id) == nullptr;
    add_to_cuts(node, position, dropping, joins);
    last = position;
  }
  if (!dropping) return;
  const shape_segment& end = node.prefix.segments[last.segment];
  if (end.unit == 0) node.cuts.back().end = static_cast<std::uint16_t>(end.length - node.prefix.complete);
}

/// The struct within lists, sets and map values of a type; invalid if there is none.
[[nodiscard]] THRIFTLENS_COLD inline type struct_inside(type in) {
  for (;;) {
    if (in.is_struct()) return in;
    if (in.kind() == type_kind::map)
      in = in.value();
    else if (in.is_container())
      in = in.element();
    else
      return {};
  }
}
/// A node that selects every field of a struct.
[[nodiscard]] THRIFTLENS_COLD inline selection_node all_fields(type structure, bool unknown) {
  selection_node node;
  node.structure = structure;
  node.unknown = unknown;
  for (const std::uint32_t at : fields_of(structure))
    node.parts.push_back({structure.image()->fields[at].id, at, selection_node::entire});
  return node;
}
}  // namespace detail

class selection::parser {
 public:
  parser(data& into, std::string_view text) : into_(into), in_(text) {}

  [[nodiscard]] THRIFTLENS_COLD result<void> run() {
    in_.skip_blanks();
    type structure = detail::struct_inside(into_.from);
    if (!structure) return failure(errc::wrong_type, detail::joined({into_.from.name(), " has no fields"}));
    if (!braces(structure, into_.root, 0)) return failure(code_, detail_);
    in_.skip_blanks();
    if (!in_.at_end()) return failure(errc::path_syntax, "expected the end of the selection");
    return {};
  }

 private:
  static constexpr unsigned max_depth = 64;
  static constexpr std::size_t max_parts = std::size_t{1} << 20;

  // Temporary values of `child`: not named yet, and excluded.
  static constexpr std::uint32_t unnamed = node::entire - 1;
  static constexpr std::uint32_t excluded = node::entire - 2;

  struct item {
    field_info field;
    std::uint32_t child = node::entire;
    bool excluded = false;
  };

  [[nodiscard]] THRIFTLENS_COLD error failure(errc code, const std::string& detail) const {
    return error(code, detail, in_.at()).in(error_source::selection);
  }
  THRIFTLENS_COLD bool reject(errc code, std::string detail) {
    code_ = code;
    detail_ = std::move(detail);
    return false;
  }

  THRIFTLENS_COLD bool braces(type structure, std::uint32_t& index, unsigned depth) {
    if (!open(depth)) return false;
    detail::pod_vector<item> items;
    bool star = false;
    for (skip_separators(); !in_.accept('}'); skip_separators()) {
      if (in_.accept('*'))
        star = true;
      else if (!field(structure, items.emplace_back(), depth))
        return false;
    }
    // Exclusions alone imply `*`.
    std::size_t exclusions = 0;
    for (const item& entry : items) exclusions += entry.excluded ? 1 : 0;
    star |= exclusions != 0 && exclusions == items.size();
    return finish(structure, items, star, index);
  }
  bool open(unsigned depth) {
    if (depth == max_depth) return reject(errc::depth_limit, "the selection is nested too deeply");
    return in_.accept('{') || reject(errc::path_syntax, "expected '{'");
  }
  void skip_separators() {
    in_.skip_blanks();
    while (in_.accept(',')) in_.skip_blanks();
  }
  THRIFTLENS_COLD bool field(type structure, item& next, unsigned depth) {
    next.excluded = in_.accept('-');
    if (!name(structure, next.field)) return false;
    const std::size_t end = in_.at();
    in_.skip_blanks();
    if (in_.peek() == '{') return parts_of(next, depth);
    in_.seek(end);
    return true;
  }
  THRIFTLENS_COLD bool parts_of(item& named, unsigned depth) {
    if (named.excluded)
      return reject(errc::path_syntax, "an excluded field has no parts; write `name { -part }`");
    const type outer = named.field.type(), inner = detail::struct_inside(outer);
    return inner ? braces(inner, named.child, depth + 1)
                 : reject(errc::wrong_type, detail::joined({outer.name(), " has no fields"}));
  }
  bool name(type structure, field_info& match) {
    const std::size_t begin = in_.at();
    return in_.accept('#') ? name_by_id(structure, match, begin) : name_by_text(structure, match, begin);
  }
  THRIFTLENS_COLD bool name_by_id(type structure, field_info& match, std::size_t begin) {
    std::int64_t id = 0;
    if (!in_.field_id(id)) return reject(errc::path_syntax, "expected a field id after '#'");
    match = structure.find_field(static_cast<std::int16_t>(id));
    return match || fail_at(begin, detail::no_such_field_text(structure, id));
  }
  THRIFTLENS_COLD bool name_by_text(type structure, field_info& match, std::size_t begin) {
    const std::string_view text = in_.name();
    if (text.empty()) return reject(errc::path_syntax, "expected a field name, '#', '*', '-' or '}'");
    match = structure.find_field(text);
    return match || fail_at(begin, detail::no_such_field_text(structure, text));
  }
  THRIFTLENS_COLD bool fail_at(std::size_t begin, std::string unknown) {
    in_.seek(begin);
    return reject(errc::no_such_field, std::move(unknown));
  }
  THRIFTLENS_COLD bool finish(type structure, std::span<const item> items, bool star, std::uint32_t& index) {
    node result = detail::all_fields(structure, star);
    if (!mark(result, items)) return false;
    prune(result, star);
    parts_ += result.parts.size() + 1;
    index = into_.add(std::move(result));
    return parts_ <= max_parts ||
           reject(errc::size_limit, detail::joined({"the selection has more than ", max_parts, " fields"}));
  }
  /// Removes unselected fields; `star` retains fields that are not named.
  THRIFTLENS_COLD static void prune(node& result, bool star) {
    result.parts.erase_if([star](const node::part& part) {
      return part.child == excluded || (part.child == unnamed && !star);
    });
    for (node::part& part : result.parts) part.child = part.child == unnamed ? node::entire : part.child;
  }
  /// Sets the child of every field: unnamed, a node, or excluded.
  THRIFTLENS_COLD bool mark(node& result, std::span<const item> items) {
    const std::uint32_t first = result.structure.structure().fields.begin;
    for (node::part& part : result.parts) part.child = unnamed;
    for (const item& entry : items) {
      std::uint32_t& child = result.parts[entry.field.index() - first].child;
      child = entry.excluded ? excluded : with(child, entry.child);
    }
    for (const item& entry : items) {
      if (!entry.excluded && result.parts[entry.field.index() - first].child == excluded)
        return fail_both(entry);
    }
    return true;
  }
  THRIFTLENS_COLD bool fail_both(const item& named) {
    const std::string name(named.field.name());
    return reject(errc::path_syntax, detail::joined({"field '", name, "' is both named and excluded"}));
  }
  THRIFTLENS_COLD std::uint32_t with(std::uint32_t existing, std::uint32_t added) {
    if (existing == excluded) return excluded;
    return existing == unnamed ? added : merge(existing, added);
  }
  /// A field that is named more than once selects the union.
  std::uint32_t merge(std::uint32_t lhs, std::uint32_t rhs);

  data& into_;
  detail::text_scanner in_;
  std::size_t parts_ = 0;
  errc code_ = errc::ok;
  std::string detail_;
};

/// Set algebra on two trees. Visits a pair of nodes once, so recursive selections terminate; iterative,
/// because the IDL determines the nesting depth.
class selection::combiner {
 public:
  /// `lhs` and `rhs` may be `into.nodes`.
  combiner(data& into, const std::vector<node>& lhs, const std::vector<node>& rhs, operation op)
      : into_(into), lhs_(lhs), rhs_(rhs), op_(op) {}

  static constexpr std::uint32_t nothing = node::entire - 1;

  /// Combines two children (node index, entire or nothing) of `structure`.
  THRIFTLENS_COLD std::uint32_t run(std::uint32_t lhs, std::uint32_t rhs, type structure) {
    const std::uint32_t root = combine_children(lhs, rhs, structure);
    while (!open_.empty()) {
      const pair next = open_.back();
      open_.pop_back();
      node result = build(next);
      into_.nodes[next.index] = std::move(result);
    }
    return root;
  }

 private:
  struct pair {
    std::uint32_t lhs, rhs, index;
    type structure;
  };

  THRIFTLENS_COLD std::uint32_t combine_children(std::uint32_t lhs, std::uint32_t rhs, type structure) {
    if (is_leaf(lhs) && is_leaf(rhs))
      return retains(lhs == node::entire, rhs == node::entire) ? node::entire : nothing;
    if (decides(lhs, nothing) || decides(rhs, node::entire)) return op_ == united ? node::entire : nothing;
    return pair_of(lhs, rhs, structure);
  }
  static bool is_leaf(std::uint32_t side) noexcept { return side == node::entire || side == nothing; }
  /// Whether one side determines the result; `deciding`: the deciding value for a difference.
  bool decides(std::uint32_t side, std::uint32_t deciding) const noexcept {
    if (op_ == without) return side == deciding;
    return side == (op_ == united ? node::entire : nothing);
  }
  THRIFTLENS_COLD std::uint32_t pair_of(std::uint32_t lhs, std::uint32_t rhs, type structure) {
    const auto [known, fresh] =
        seen_.insert(detail::number_table::pair_of(lhs, rhs), static_cast<std::uint32_t>(into_.nodes.size()));
    if (fresh) {
      open_.push_back({lhs, rhs, known, structure});
      into_.nodes.emplace_back();
    }
    return known;
  }
  /// By value, because adding nodes may invalidate references.
  static node side(const std::vector<node>& in, std::uint32_t at, type structure) {
    if (at == node::entire) return detail::all_fields(structure, true);
    return at == nothing ? node() : in[at];
  }
  static std::uint32_t child(const node& in, std::int16_t id) noexcept {
    const node::part* match = in.find(id);
    return match == nullptr ? nothing : match->child;
  }
  THRIFTLENS_COLD node build(const pair& from) {
    const node lhs = side(lhs_, from.lhs, from.structure), rhs = side(rhs_, from.rhs, from.structure);
    node combined = detail::all_fields(from.structure, retains(lhs.unknown, rhs.unknown));
    for (node::part& part : combined.parts) {
      const type inner = detail::struct_inside(field_info(from.structure.image(), part.field).type());
      part.child = combine_children(child(lhs, part.id), child(rhs, part.id), inner);
    }
    combined.parts.erase_if([](const node::part& part) { return part.child == nothing; });
    return combined;
  }
  bool retains(bool in_lhs, bool in_rhs) const noexcept {
    return op_ == united ? in_lhs || in_rhs : op_ == common ? in_lhs && in_rhs : in_lhs && !in_rhs;
  }

  data& into_;
  const std::vector<node>& lhs_;
  const std::vector<node>& rhs_;
  operation op_;
  detail::pod_vector<pair> open_;
  detail::number_table seen_;
};

THRIFTLENS_COLD THRIFTLENS_BODY std::uint32_t selection::parser::merge(std::uint32_t lhs, std::uint32_t rhs) {
  if (lhs == node::entire || rhs == node::entire) return node::entire;
  return combiner(into_, into_.nodes, into_.nodes, united).run(lhs, rhs, into_.nodes[lhs].structure);
}

/// Selects the part of a type that a target type has. Iterative, because the IDL determines the nesting
/// depth.
class selection::reducer {
 public:
  explicit reducer(data& into) : into_(into) {}

  [[nodiscard]] THRIFTLENS_COLD result<std::uint32_t> run(type source, type target) {
    result<std::uint32_t> root = reduce(source, target, {});
    for (std::uint32_t at = 0; root && at < into_.nodes.size(); ++at) {
      if (result<void> filled = fill(at); !filled) return filled.error();
    }
    return root;
  }

 private:
  /// The field that first led to a struct.
  struct origin {
    std::uint32_t node = node::entire;
    std::uint32_t field = detail::image::none;
  };

  [[nodiscard]] THRIFTLENS_COLD result<std::uint32_t> reduce(type source, type target, origin from) {
    while (source != target && source.is_container() && source.wire() == target.wire()) {
      const bool is_map = source.kind() == type_kind::map;
      if (is_map) {
        if (result<std::uint32_t> key = reduce(source.key(), target.key(), from); !key) return key;
      }
      source = is_map ? source.value() : source.element();
      target = is_map ? target.value() : target.element();
    }
    if (source == target) return node::entire;
    if (source.wire() != target.wire()) return mismatch(source, target, from);
    return source.is_struct() ? add(source, target, from) : node::entire;
  }
  [[nodiscard]] THRIFTLENS_COLD error mismatch(type source, type target, origin from) const {
    return error(errc::type_mismatch, detail::joined({"expected ", target.name(), ", found ", source.name()}),
                 error::no_offset, path_to(from));
  }
  THRIFTLENS_COLD std::uint32_t add(type source, type target, origin from) {
    const auto [known, fresh] = seen_.insert(detail::number_table::pair_of(source.index(), target.index()),
                                             static_cast<std::uint32_t>(into_.nodes.size()));
    if (fresh) {
      node& added = into_.nodes.emplace_back();
      added.structure = source;
      added.target = target;
      origins_.push_back(from);
    }
    return known;
  }
  [[nodiscard]] THRIFTLENS_COLD result<void> fill(std::uint32_t index) {
    const type source = into_.nodes[index].structure, target = into_.nodes[index].target;
    detail::pod_vector<node::part> parts = shared_fields(source, target);
    for (node::part& part : parts) {
      const type inner = field_info(source.image(), part.field).type();
      result<std::uint32_t> child = reduce(inner, target.find_field(part.id).type(), {index, part.field});
      if (!child) return std::move(child).error();
      part.child = *child;
    }
    into_.nodes[index].parts = std::move(parts);
    return {};
  }
  [[nodiscard]] THRIFTLENS_COLD static detail::pod_vector<node::part> shared_fields(type source,
                                                                                    type target) {
    node intersection = detail::all_fields(source, false);
    intersection.parts.erase_if([target](const node::part& part) { return !target.find_field(part.id); });
    return std::move(intersection.parts);
  }
  [[nodiscard]] THRIFTLENS_COLD std::string path_to(origin at) const {
    detail::path_builder path(detail::path_builder::order::innermost_first);
    for (; at.field != detail::image::none; at = origins_[at.node])
      path.field(field_info(into_.from.image(), at.field).name());
    return path.text();
  }

  data& into_;
  detail::pod_vector<origin> origins_;  // by node
  detail::number_table seen_;
};

THRIFTLENS_COLD THRIFTLENS_BODY selection selection::ready() && {
  for (node& entry : data_->nodes) {
    detail::lay_cuts(entry);
    detail::lay_flat(entry);
    data_->checks_required |= entry.target && entry.target.structure().required_count != 0;
  }
  return std::move(*this);
}

THRIFTLENS_BODY result<selection> selection::try_compile(type from, std::string_view text) {
  if (!from) return no_type();
  selection compiled(from);
  if (result<void> parsed = parser(*compiled.data_, text).run(); !parsed) return parsed.error();
  return std::move(compiled).ready();
}

THRIFTLENS_BODY result<selection> selection::try_compile(type from, type target) {
  if (!from || !target) return no_type();
  selection compiled(from);
  compiled.data_->target = target;
  result<std::uint32_t> root = reducer(*compiled.data_).run(from, target);
  if (!root) return std::move(root).error();
  compiled.data_->root = *root;
  return std::move(compiled).ready();
}

/// Builds a selection from paths.
class selection::collector {
 public:
  explicit collector(data& into) : into_(into) {}

  /// False if the path has no field step: it selects everything.
  [[nodiscard]] THRIFTLENS_COLD result<bool> add(const path& selected) {
    std::uint32_t at = 0;
    node::part* last = nullptr;
    for (const path_step& step : selected.steps()) {
      if (step.is_many()) continue;
      if (step.kind != path_step::form::field)
        return selected.misfit("a selection keeps all elements; write [*] or {*}", step.offset);
      if (last != nullptr && last->child == node::entire) break;
      if (last != nullptr) at = last->child;
      last = &part_of(at, step);
    }
    if (last != nullptr) last->child = node::entire;
    return last != nullptr;
  }

 private:
  /// The part of a node for a step; added if missing. Valid until the next call.
  [[nodiscard]] THRIFTLENS_COLD node::part& part_of(std::uint32_t at, const path_step& step) {
    const std::uint32_t child = into_.nodes[at].find(step.id) == nullptr ? child_of(step) : node::entire;
    // child_of() may have reallocated the nodes.
    node& parent = into_.nodes[at];
    const auto position = static_cast<std::size_t>(parent.position(step.id) - parent.parts.data());
    if (parent.find(step.id) == nullptr) parent.parts.insert(position, {step.id, step.field, child});
    return parent.parts[position];
  }
  [[nodiscard]] THRIFTLENS_COLD std::uint32_t child_of(const path_step& step) {
    const type inner = detail::struct_inside(field_info(into_.from.image(), step.field).type());
    return inner ? into_.add_struct(inner) : node::entire;
  }

  data& into_;
};

THRIFTLENS_BODY result<selection> selection::try_compile(type from, std::span<const path> paths) {
  if (!from) return no_type();
  const type structure = detail::struct_inside(from);
  if (!structure) return error(errc::wrong_type, detail::joined({from.name(), " has no fields"}));
  selection compiled(from);
  compiled.data_->root = compiled.data_->add_struct(structure);
  collector work(*compiled.data_);
  for (const path& entry : paths) {
    const result<bool> added = work.add(entry);
    if (!added) return added.error();
    if (!*added) return all(from);
  }
  return std::move(compiled).ready();
}

THRIFTLENS_BODY result<selection> selection::try_compile(type from, std::span<const std::string_view> paths) {
  if (!from) return no_type();
  const result<std::vector<path>> compiled = path::try_compile_all(from, paths);
  if (!compiled) return compiled.error();
  return try_compile(from, std::span<const path>(*compiled));
}

THRIFTLENS_COLD THRIFTLENS_BODY result<selection> selection::combine(const selection& lhs,
                                                                     const selection& rhs, operation op) {
  if (lhs.from() != rhs.from())
    return error(errc::wrong_type, "cannot combine selections of different types");
  selection combined(lhs.from());
  data& into = *combined.data_;
  const type structure = detail::struct_inside(into.from);
  if (!structure) return combined;
  into.root = combiner(into, lhs.data_->nodes, rhs.data_->nodes, op).run(lhs.root(), rhs.root(), structure);
  if (into.root == combiner::nothing) into.root = into.add_struct(structure);
  return std::move(combined).ready();
}

THRIFTLENS_COLD THRIFTLENS_BODY std::string selection::to_string(unsigned depth) const {
  std::string out;
  append_text(out, data_->root, depth);
  return out;
}
THRIFTLENS_BODY void selection::append_text(std::string& out, std::uint32_t at, unsigned depth) const {
  if (at == node::entire || depth == 0) {
    out += at == node::entire ? "{ * }" : "{ … }";
    return;
  }
  out += '{';
  for (const node::part& part : data_->nodes[at].parts) {
    out += ' ';
    out += field_info(data_->from.image(), part.field).name();
    if (part.child == node::entire) continue;
    out += ' ';
    append_text(out, part.child, depth - 1);
  }
  out += " }";
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
