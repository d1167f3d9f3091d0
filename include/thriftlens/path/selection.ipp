// selection: bodies of selection.hpp.
#pragma once

#include <thriftlens/core/path_builder.hpp>
#include <thriftlens/path/selection.hpp>
#include <thriftlens/path/syntax.hpp>
#include <thriftlens/schema/suggest.hpp>

#include <algorithm>
#include <map>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {
/// A field of the prefix is kept or dropped; `joins`: the one before was dropped, in the same segment.
inline void add_to_cuts(selection_node& node, image::prefix_position place, bool dropped, bool joins) {
  if (joins && !dropped) node.cuts.back().end = place.at;
  if (dropped && !joins) node.cuts.push_back({.begin = place.at, .segment = place.segment});
  if (dropped) ++node.cuts.back().fields;
}
/// The fields of a struct in the image, in order of ids.
[[nodiscard]] inline index_range fields_of(type structure) { return structure.structure().fields.indices(); }
/// Lays out what a node drops of its struct's prefix.
inline void lay_cuts(selection_node& node) {
  const schema_image& image = *node.structure.image();
  node.prefix = struct_prefix(image, node.structure.structure());
  node.cuts.clear();
  bool dropping = false;
  image::prefix_position last;
  for (const std::uint32_t at : fields_of(node.structure)) {
    const image::prefix_position place = image.prefix_positions[at];
    if (!place) break;
    const bool joins = dropping && place.segment == last.segment;
    dropping = node.find(image.fields[at].id) == nullptr;
    add_to_cuts(node, place, dropping, joins);
    last = place;
  }
  if (!dropping) return;
  const shape_segment& end = node.prefix.segments[last.segment];
  if (end.unit == 0) node.cuts.back().end = static_cast<std::uint16_t>(end.length - node.prefix.complete);
}

/// The struct inside lists, sets and map values of a type, or a false handle.
[[nodiscard]] inline type struct_inside(type in) {
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
/// A node that keeps every field of a struct.
[[nodiscard]] inline selection_node whole_struct(type structure, bool unknown) {
  selection_node made;
  made.structure = structure;
  made.unknown = unknown;
  for (const std::uint32_t at : fields_of(structure))
    made.parts.push_back({structure.image()->fields[at].id, at, selection_node::whole});
  return made;
}
}  // namespace detail

/// Parses the text form.
class selection::parser {
 public:
  parser(data& into, std::string_view text) : into_(into), in_(text) {}

  [[nodiscard]] result<void> run() {
    in_.skip_blanks();
    type structure = detail::struct_inside(into_.from);
    if (!structure) return failure(errc::wrong_type, into_.from.name() + " has no fields");
    if (!braces(structure, into_.root, 0)) return failure(code_, detail_);
    in_.skip_blanks();
    if (!in_.done()) return failure(errc::path_syntax, "expected the end of the selection");
    return {};
  }

 private:
  static constexpr unsigned max_depth = 64;
  static constexpr std::size_t max_parts = std::size_t{1} << 20;

  // Beside children: what a field is before it is named, and where it is excluded.
  static constexpr std::uint32_t unnamed = node::whole - 1;
  static constexpr std::uint32_t excluded = node::whole - 2;

  struct item {
    field_info field;
    std::uint32_t child = node::whole;
    bool excluded = false;
  };

  [[nodiscard]] error failure(errc code, const std::string& detail) const {
    return error(code, detail, in_.at()).in(error_source::selection);
  }
  bool reject(errc code, std::string detail) {
    code_ = code;
    detail_ = std::move(detail);
    return false;
  }

  bool braces(type structure, std::uint32_t& index, unsigned depth) {
    if (!open(depth)) return false;
    std::vector<item> items;
    bool star = false;
    for (skip_separators(); !in_.accept('}'); skip_separators()) {
      if (in_.accept('*'))
        star = true;
      else if (!field(structure, items.emplace_back(), depth))
        return false;
    }
    // Exclusions alone are from all fields.
    star |= !items.empty() && std::ranges::all_of(items, &item::excluded);
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
  bool field(type structure, item& next, unsigned depth) {
    next.excluded = in_.accept('-');
    if (!name(structure, next.field)) return false;
    const std::size_t end = in_.at();
    in_.skip_blanks();
    if (in_.peek() == '{') return parts_of(next, depth);
    in_.seek(end);
    return true;
  }
  bool parts_of(item& named, unsigned depth) {
    if (named.excluded)
      return reject(errc::path_syntax, "an excluded field has no parts (write `name { -part }`)");
    const type outer = named.field.type(), inner = detail::struct_inside(outer);
    return inner ? braces(inner, named.child, depth + 1)
                 : reject(errc::wrong_type, outer.name() + " has no fields");
  }
  bool name(type structure, field_info& found) {
    const std::size_t begin = in_.at();
    return in_.accept('#') ? name_by_id(structure, found, begin) : name_by_text(structure, found, begin);
  }
  bool name_by_id(type structure, field_info& found, std::size_t begin) {
    std::int64_t id = 0;
    if (!in_.field_id(id)) return reject(errc::path_syntax, "expected a field id after '#'");
    found = structure.find_field(static_cast<std::int16_t>(id));
    return found || fail_at(begin, detail::no_such_field_text(structure, id));
  }
  bool name_by_text(type structure, field_info& found, std::size_t begin) {
    const std::string_view text = in_.name();
    if (text.empty()) return reject(errc::path_syntax, "expected a field name, '#', '*', '-' or '}'");
    found = structure.find_field(text);
    return found || fail_at(begin, detail::no_such_field_text(structure, text));
  }
  bool fail_at(std::size_t begin, std::string unknown) {
    in_.seek(begin);
    return reject(errc::no_such_field, std::move(unknown));
  }
  bool finish(type structure, std::span<const item> items, bool star, std::uint32_t& index) {
    node made = detail::whole_struct(structure, star);
    if (!mark(made, items)) return false;
    prune(made, star);
    parts_ += made.parts.size() + 1;
    index = into_.add(std::move(made));
    return parts_ <= max_parts ||
           reject(errc::size_limit, "the selection keeps more than " + std::to_string(max_parts) + " fields");
  }
  /// Leaves the fields that are kept; with `star` those too that are not named.
  static void prune(node& made, bool star) {
    std::erase_if(made.parts, [star](const node::part& part) {
      return part.child == excluded || (part.child == unnamed && !star);
    });
    for (node::part& part : made.parts) part.child = part.child == unnamed ? node::whole : part.child;
  }
  /// What each field of the struct was named with: unnamed, its child, or excluded.
  bool mark(node& made, std::span<const item> items) {
    const std::uint32_t first = made.structure.structure().fields.begin;
    for (node::part& part : made.parts) part.child = unnamed;
    for (const item& each : items) {
      std::uint32_t& child = made.parts[each.field.index() - first].child;
      child = each.excluded ? excluded : with(child, each.child);
    }
    return std::ranges::all_of(items, [&](const item& each) {
      return each.excluded || made.parts[each.field.index() - first].child != excluded || fail_both(each);
    });
  }
  bool fail_both(const item& named) {
    const std::string name(named.field.name());
    return reject(errc::path_syntax, "field '" + name + "' is both named and excluded");
  }
  /// What a field keeps when it is named once more.
  std::uint32_t with(std::uint32_t before, std::uint32_t named) {
    if (before == excluded) return excluded;
    return before == unnamed ? named : merge(before, named);
  }
  /// A field named twice keeps what either names.
  std::uint32_t merge(std::uint32_t left, std::uint32_t right);

  data& into_;
  detail::text_scanner in_;
  std::size_t parts_ = 0;
  errc code_ = errc::ok;
  std::string detail_;
};

/// Set algebra: walks two trees together; pairs of nodes are met once, so that recursive selections end. One
/// after the other, not one inside the other: the IDL says how deep they are.
class selection::combiner {
 public:
  /// The nodes of either side may be those it adds to.
  combiner(data& into, const std::vector<node>& left, const std::vector<node>& right, operation how)
      : into_(into), left_(left), right_(right), how_(how) {}

  static constexpr std::uint32_t nothing = node::whole - 1;

  /// The combination of two children (node index, whole or nothing) over `structure`.
  std::uint32_t run(std::uint32_t left, std::uint32_t right, type structure) {
    const std::uint32_t root = meet(left, right, structure);
    while (!open_.empty()) {
      const pair next = open_.back();
      open_.pop_back();
      node made = build(next);
      into_.nodes[next.index] = std::move(made);
    }
    return root;
  }

 private:
  struct pair {
    std::uint32_t left, right, index;
    type structure;
  };

  std::uint32_t meet(std::uint32_t left, std::uint32_t right, type structure) {
    if (is_leaf(left) && is_leaf(right))
      return kept(left == node::whole, right == node::whole) ? node::whole : nothing;
    if (decides(left, nothing) || decides(right, node::whole)) return how_ == united ? node::whole : nothing;
    return pair_of(left, right, structure);
  }
  static bool is_leaf(std::uint32_t side) noexcept { return side == node::whole || side == nothing; }
  /// One side alone is enough to know; `without_it`: what that side has to be for a difference.
  bool decides(std::uint32_t side, std::uint32_t without_it) const noexcept {
    if (how_ == without) return side == without_it;
    return side == (how_ == united ? node::whole : nothing);
  }
  std::uint32_t pair_of(std::uint32_t left, std::uint32_t right, type structure) {
    auto [known, fresh] = seen_.try_emplace({left, right}, static_cast<std::uint32_t>(into_.nodes.size()));
    if (fresh) {
      open_.push_back({left, right, known->second, structure});
      into_.nodes.emplace_back();
    }
    return known->second;
  }
  /// By value: adding nodes may move those of either side.
  static node side(const std::vector<node>& in, std::uint32_t at, type structure) {
    if (at == node::whole) return detail::whole_struct(structure, true);
    return at == nothing ? node() : in[at];
  }
  static std::uint32_t child(const node& in, std::int16_t id) noexcept {
    const node::part* found = in.find(id);
    return found == nullptr ? nothing : found->child;
  }
  node build(const pair& from) {
    const node left = side(left_, from.left, from.structure),
               right = side(right_, from.right, from.structure);
    node made = detail::whole_struct(from.structure, kept(left.unknown, right.unknown));
    for (node::part& part : made.parts) {
      const type inner = detail::struct_inside(field_info(from.structure.image(), part.field).type());
      part.child = meet(child(left, part.id), child(right, part.id), inner);
    }
    std::erase_if(made.parts, [](const node::part& part) { return part.child == nothing; });
    return made;
  }
  bool kept(bool in_left, bool in_right) const noexcept {
    return how_ == united ? in_left || in_right : how_ == common ? in_left && in_right : in_left && !in_right;
  }

  data& into_;
  const std::vector<node>& left_;
  const std::vector<node>& right_;
  operation how_;
  std::vector<pair> open_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> seen_;
};

THRIFTLENS_BODY std::uint32_t selection::parser::merge(std::uint32_t left, std::uint32_t right) {
  if (left == node::whole || right == node::whole) return node::whole;
  return combiner(into_, into_.nodes, into_.nodes, united).run(left, right, into_.nodes[left].structure);
}

/// From a type to the part of it that another type knows. One struct after the other: the IDL says how deep
/// they are.
class selection::reducer {
 public:
  explicit reducer(data& into) : into_(into) {}

  [[nodiscard]] result<std::uint32_t> run(type source, type target) {
    result<std::uint32_t> root = meet(source, target, {});
    for (std::uint32_t at = 0; root && at < into_.nodes.size(); ++at) {
      if (result<void> done = fill(at); !done) return done.error();
    }
    return root;
  }

 private:
  /// The field that first led to a struct.
  struct origin {
    std::uint32_t node = node::whole;
    std::uint32_t field = detail::image::none;
  };

  [[nodiscard]] result<std::uint32_t> meet(type source, type target, origin from) {
    while (source != target && source.is_container() && source.wire() == target.wire()) {
      const bool is_map = source.kind() == type_kind::map;
      if (is_map) {
        if (result<std::uint32_t> key = meet(source.key(), target.key(), from); !key) return key;
      }
      source = is_map ? source.value() : source.element();
      target = is_map ? target.value() : target.element();
    }
    if (source == target) return node::whole;
    if (source.wire() != target.wire()) return mismatch(source, target, from);
    return source.is_struct() ? add(source, target, from) : node::whole;
  }
  [[nodiscard]] error mismatch(type source, type target, origin from) const {
    return error(errc::type_mismatch, "expected " + target.name() + ", the data has " + source.name(),
                 error::no_offset, path_to(from));
  }
  std::uint32_t add(type source, type target, origin from) {
    auto [known, fresh] =
        seen_.try_emplace({source.index(), target.index()}, static_cast<std::uint32_t>(into_.nodes.size()));
    if (fresh) {
      node& made = into_.nodes.emplace_back();
      made.structure = source;
      made.target = target;
      origins_.push_back(from);
    }
    return known->second;
  }
  [[nodiscard]] result<void> fill(std::uint32_t index) {
    const type source = into_.nodes[index].structure, target = into_.nodes[index].target;
    std::vector<node::part> parts = shared_fields(source, target);
    for (node::part& part : parts) {
      const type inner = field_info(source.image(), part.field).type();
      result<std::uint32_t> child = meet(inner, target.find_field(part.id).type(), {index, part.field});
      if (!child) return std::move(child).error();
      part.child = *child;
    }
    into_.nodes[index].parts = std::move(parts);
    return {};
  }
  [[nodiscard]] static std::vector<node::part> shared_fields(type source, type target) {
    node made = detail::whole_struct(source, false);
    std::erase_if(made.parts, [target](const node::part& part) { return !target.find_field(part.id); });
    return std::move(made.parts);
  }
  [[nodiscard]] std::string path_to(origin at) const {
    detail::path_builder path(detail::path_builder::order::innermost_first);
    for (; at.field != detail::image::none; at = origins_[at.node])
      path.field(field_info(into_.from.image(), at.field).name());
    return path.text();
  }

  data& into_;
  std::vector<origin> origins_;  // of each node
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> seen_;
};

THRIFTLENS_BODY selection selection::ready() && {
  for (node& each : data_->nodes) {
    detail::lay_cuts(each);
    data_->checks_required |= each.target && each.target.structure().required_count != 0;
  }
  return std::move(*this);
}

THRIFTLENS_BODY result<selection> selection::try_compile(type from, std::string_view text) {
  if (!from) return no_type();
  selection made(from);
  if (result<void> done = parser(*made.data_, text).run(); !done) return done.error();
  return std::move(made).ready();
}

THRIFTLENS_BODY result<selection> selection::try_compile(type from, type target) {
  if (!from || !target) return no_type();
  selection made(from);
  made.data_->target = target;
  result<std::uint32_t> root = reducer(*made.data_).run(from, target);
  if (!root) return std::move(root).error();
  made.data_->root = *root;
  return std::move(made).ready();
}

/// From paths to the fields that they lead through.
class selection::collector {
 public:
  explicit collector(data& into) : into_(into) {}

  /// False where the path has no field step: it leads to everything.
  [[nodiscard]] result<bool> add(const path& each) {
    std::uint32_t at = 0;
    node::part* last = nullptr;
    for (const path_step& step : each.steps()) {
      if (step.is_many()) continue;
      if (step.kind != path_step::form::field)
        return each.misfit("a selection takes all elements (write [*] or {*})", step.offset);
      if (last != nullptr && last->child == node::whole) break;
      if (last != nullptr) at = last->child;
      last = &part_of(at, step);
    }
    if (last != nullptr) last->child = node::whole;
    return last != nullptr;
  }

 private:
  /// The part of a node that a step leads to, made where it is new. Good until the next one.
  [[nodiscard]] node::part& part_of(std::uint32_t at, const path_step& step) {
    const std::uint32_t child = into_.nodes[at].find(step.id) == nullptr ? child_of(step) : node::whole;
    // Making a child may have moved the nodes.
    node& now = into_.nodes[at];
    auto position = now.position(step.id);
    if (now.find(step.id) == nullptr) position = now.parts.insert(position, {step.id, step.field, child});
    return now.parts[static_cast<std::size_t>(position - now.parts.begin())];
  }
  [[nodiscard]] std::uint32_t child_of(const path_step& step) {
    const type inner = detail::struct_inside(field_info(into_.from.image(), step.field).type());
    return inner ? into_.add_struct(inner) : node::whole;
  }

  data& into_;
};

THRIFTLENS_BODY result<selection> selection::try_compile(type from, std::span<const path> paths) {
  if (!from) return no_type();
  const type structure = detail::struct_inside(from);
  if (!structure) return error(errc::wrong_type, from.name() + " has no fields");
  selection made(from);
  made.data_->root = made.data_->add_struct(structure);
  collector work(*made.data_);
  for (const path& each : paths) {
    const result<bool> added = work.add(each);
    if (!added) return added.error();
    if (!*added) return all(from);
  }
  return std::move(made).ready();
}

THRIFTLENS_BODY result<selection> selection::try_compile(type from, std::span<const std::string_view> paths) {
  if (!from) return no_type();
  const result<std::vector<path>> compiled = path::try_compile_all(from, paths);
  if (!compiled) return compiled.error();
  return try_compile(from, std::span<const path>(*compiled));
}

THRIFTLENS_BODY result<selection> selection::combine(const selection& left, const selection& right,
                                                     operation how) {
  if (left.from() != right.from())
    return error(errc::wrong_type, "two selections are combined that are of different types");
  selection made(left.from());
  data& into = *made.data_;
  const type structure = detail::struct_inside(into.from);
  if (!structure) return made;
  into.root =
      combiner(into, left.data_->nodes, right.data_->nodes, how).run(left.root(), right.root(), structure);
  if (into.root == combiner::nothing) into.root = into.add_struct(structure);
  return std::move(made).ready();
}

THRIFTLENS_BODY std::string selection::to_string(unsigned depth) const {
  std::string out;
  append_text(out, data_->root, depth);
  return out;
}
THRIFTLENS_BODY void selection::append_text(std::string& out, std::uint32_t at, unsigned depth) const {
  if (at == node::whole || depth == 0) {
    out += at == node::whole ? "{ * }" : "{ … }";
    return;
  }
  out += '{';
  for (const node::part& part : data_->nodes[at].parts) {
    out += ' ';
    out += field_info(data_->from.image(), part.field).name();
    if (part.child == node::whole) continue;
    out += ' ';
    append_text(out, part.child, depth - 1);
  }
  out += " }";
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
