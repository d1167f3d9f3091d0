// plan: bodies of plan.hpp.
#pragma once

#include <thriftlens/core/small_algorithm.hpp>
#include <thriftlens/protocol/key_equality.hpp>
#include <thriftlens/protocol/walk.hpp>
#include <thriftlens/schema/walk_types.hpp>
#include <thriftlens/view/fast/fast_plan.hpp>
#include <thriftlens/view/plan.hpp>
#include <thriftlens/view/plan_slots.hpp>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {

/// The edges to the elements of a list, in wire order; an element may have edges by a positive and a negative
/// index.
class element_edges {
 public:
  element_edges(std::span<const plan::edge> edges, std::size_t from_front, std::uint32_t size) noexcept
      : front_(edges.data()),
        back_(edges.data() + from_front),
        front_end_(back_),
        back_end_(edges.data() + edges.size()),
        size_(size) {}

  /// The next edge to an index before the start of the list, or null.
  [[nodiscard]] const plan::edge* take_before() noexcept {
    return back_ != back_end_ && back_->index + size_ < 0 ? back_++ : nullptr;
  }
  /// The element index of the next edge; the list's size if there is none.
  [[nodiscard]] std::int64_t next() const noexcept {
    const std::int64_t front = front_ != front_end_ ? least(front_->index, size_) : size_;
    return back_ != back_end_ ? least(front, back_->index + size_) : front;
  }
  [[nodiscard]] const plan::edge& take() noexcept {
    return front_ != front_end_ && front_->index == next() ? *front_++ : *back_++;
  }
  /// Any remaining edge, or null.
  [[nodiscard]] const plan::edge* take_any() noexcept {
    if (front_ != front_end_) return front_++;
    return back_ != back_end_ ? back_++ : nullptr;
  }

 private:
  const plan::edge *front_, *back_;
  const plan::edge *front_end_, *back_end_;
  std::int64_t size_;
};

/// The edges of a node whose keys are wire bytes, or texts of uuids, by canonical encoding.
template <protocol P>
class spelled_edges {
 public:
  /// Takes the edges with keys of that wire type; others equal no key. O(n log n) in their bytes.
  void assign(std::span<const plan::edge> edges, ttype wire) {
    for (std::size_t i = 0; i < edges.size(); ++i) {
      if (add(edges[i].key, wire)) items_.push_back({keys_.size() - 1, i});
    }
    sort_stably(items_.data(), items_.size(),
                [this](const item& lhs, const item& rhs) { return keys_[lhs.key] < keys_[rhs.key]; });
  }
  struct item {
    std::size_t key;   ///< its number in the order of addition
    std::size_t edge;  ///< index of the edge
  };
  /// Those whose keys equal the bytes of a key that was read.
  [[nodiscard]] std::span<const item> find(byte_view key, ttype wire) {
    requested_.clear();
    if (items_.empty() || !requested_.add(key, wire)) return {};
    const std::string_view text = requested_[0];
    const item *const begin = items_.data(), *const end = begin + items_.size();
    const item* const first =
        end_of(begin, end, [&](const item& candidate) { return keys_[candidate.key] < text; });
    const item* last = first;
    while (last != end && keys_[last->key] == text) ++last;
    return {first, last};
  }

 private:
  [[nodiscard]] bool add(const map_key& key, ttype wire) {
    if (key.kind() == map_key::form::wire) return keys_.add(key.bytes(), wire);
    uuid_bytes id{};
    return wire == ttype::uuid && key.kind() == map_key::form::text && parse_uuid(key.text(), id) &&
           keys_.add(byte_view(id.data(), id.size()), wire);
  }

  comparable_keys<P> keys_, requested_;
  pod_vector<item> items_;  // in the order of keys
};

/// Walks the trie and the bytes together: used when fast_plan declines, and to find the exact errors. For
/// missing_required the position's `last_id` is the field's id.
template <protocol P>
class plan_runner : public plan_slots<P, plan> {
  using base = plan_slots<P, plan>;
  using node = plan::node;
  using edge = plan::edge;

 public:
  using reader_type = typename P::reader;

  plan_runner(const plan& paths, const view<P>& from, std::span<view<P>> out) noexcept
      : base(paths, from, out), in_(from.whole()), types_(from.image()) {
    for (view<P>& slot : out) slot = view<P>();
    in_.seek(from.location().at);
  }

  void run() noexcept { static_cast<void>(branch(this->nodes_[0], this->from_.location(), false)); }

 private:
  using edges = open_edges<P, plan>;
  using base::none, base::none_below;

  // These return false if the reader failed, after its fault was stored in the views of unresolved paths.
  // With `finish` the reader ends after the value.

  bool branch(const node& at, const wire_location& location, bool finish) noexcept {
    base::resolve(at, location);
    if (at.kind == plan::form::fields && location.wire == ttype::struct_) return fields(at, location, finish);
    if (at.kind == plan::form::entries && location.wire == ttype::map) return entries(at, location, finish);
    if (at.kind == plan::form::elements && (location.wire == ttype::list || location.wire == ttype::set))
      return elements(at, location, finish);
    none_below(at, errc::wrong_type, location.at);
    return !finish || in_.skip(location.wire);
  }
  bool follow(const edge& to, const wire_location& location, bool finish) noexcept {
    if (to.slot == image::none) return branch(this->nodes_[to.node], location, finish);
    base::resolve(to.slot, location);
    return !finish || in_.skip(location.wire);
  }

  // ---- absent values

  [[nodiscard]] wire_position fault_position() const noexcept {
    wire_position at = in_.here();
    at.at = in_.begin() + in_.fault().offset;
    return at;
  }
  bool broken(const edges& of) noexcept {
    const wire_position where = fault_position();
    of.each_open([&](const edge& unresolved) { none(unresolved, in_.fault().code, where); });
    return false;
  }
  bool broken(const node& of) noexcept {
    none_below(of, in_.fault().code, fault_position());
    return false;
  }
  /// Marks the open edges as absent after the value that begins at `begin` was read to its end.
  void end(const edges& of, const wire_position& begin) noexcept {
    of.each_open([&](const edge& unresolved) {
      const errc code = absence(in_, begin.at, unresolved.required);
      wire_position where = begin;
      if (code != errc::absent) where.at = in_.at();
      if (code == errc::missing_required) {
        --where.at;  // the stop
        where.last_id = unresolved.id;
      }
      none(unresolved, code, where);
    });
  }

  // ---- structs

  bool fields(const node& of, const wire_location& location, bool finish) noexcept {
    edges open(*this, of);
    const struct_mark outer = in_.begin_struct();
    for (field_header header;;) {
      const std::uint8_t* begin = in_.at();
      if (!in_.read_field(header)) return broken(open);
      if (header.type == ttype::stop) break;
      const edge* to = open.take_field(header.id);
      const bool more = open.remaining() != 0 || finish;
      if (!(to == nullptr ? in_.skip(header.type) : field(*to, header.type, begin, more)))
        return broken(open);
      if (!more) return true;
    }
    in_.end_struct(outer);
    end(open, location.at);
    return true;
  }
  bool field(const edge& to, ttype wire, const std::uint8_t* begin, bool more) noexcept {
    wire_position where = in_.here();
    if (to.wire == ttype::stop || to.wire == wire) return follow(to, {where, to.type, wire}, more);
    where.at = begin;
    none(to, errc::type_mismatch, where);
    return !more || in_.skip(wire);
  }

  // ---- lists and sets

  bool elements(const node& of, const wire_location& location, bool finish) noexcept {
    list_header list;
    if (!open_sequence(in_, location.wire, list)) return broken(of);
    const bool is_list = fits(types_, location.type, list);
    if (!is_list) none_below(of, errc::type_mismatch, location.at);
    const std::int64_t passed = is_list ? known_elements(of, list, location, finish) : 0;
    if (in_.failed()) return false;
    in_.leave();
    return !finish || skip_many<P>(in_, list.element, static_cast<std::size_t>(list.size - passed));
  }
  /// Follows the edges to elements. Returns the number of elements read; the reader may have failed.
  std::int64_t known_elements(const node& of, const list_header& list, const wire_location& location,
                              bool finish) noexcept {
    element_edges open(this->plan_.edges(of), of.negative_begin - of.edges_begin, list.size);
    while (const edge* out_of_range = open.take_before()) none(*out_of_range, errc::bad_index, location.at);
    const std::int64_t passed = follow_elements(open, list, types_.first(location.type), finish);
    const errc code = in_.failed() ? in_.fault().code : errc::bad_index;
    const wire_position where = in_.failed() ? fault_position() : location.at;
    while (const edge* unresolved = open.take_any()) none(*unresolved, code, where);
    return passed;
  }
  std::int64_t follow_elements(element_edges& open, const list_header& list, std::uint32_t type,
                               bool finish) noexcept {
    std::int64_t passed = 0;
    for (std::int64_t index = open.next(); index < list.size;) {
      if (!skip_many<P>(in_, list.element, static_cast<std::size_t>(index - passed))) break;
      const wire_position begin = in_.here();
      const edge& to = open.take();
      const std::int64_t next = open.next();
      if (!follow(to, {begin, type, list.element}, finish || next < list.size)) break;
      passed = index + 1;
      if (next == index) {
        in_.seek(begin);
        passed = index;
      }
      index = next;
    }
    return passed;
  }

  // ---- maps

  bool entries(const node& of, const wire_location& location, bool finish) noexcept {
    map_header map;
    if (!open_map(in_, map)) return broken(of);
    if (fits(types_, location.type, map)) return known_entries(of, map, location, finish);
    none_below(of, errc::type_mismatch, location.at);
    if (!finish) return true;
    const bool ok = skip_entries(in_, map, map.size);
    in_.leave();
    return ok;
  }
  bool known_entries(const node& of, map_header map, const wire_location& location, bool finish) noexcept {
    edges open(*this, of);
    spelled_edges<P> spelled;
    const bool has_spellings = map.size != 0 && (of.wire_keys || map.key == ttype::uuid);
    if (has_spellings && !allocates([&] { spelled.assign(open.edges(), map.key); })) {
      static_cast<void>(in_.reject(errc::no_memory, location.at.at));
      return broken(open);
    }
    const std::uint32_t type = types_.second(location.type);
    for (; map.size != 0 && (open.remaining() != 0 || finish); --map.size) {
      if (!entry(of, map, type, open, spelled, finish)) return broken(open);
    }
    in_.leave();
    end(open, location.at);
    return true;
  }
  /// Reads one entry and follows its edges. False: the reader failed.
  bool entry(const node& of, const map_header& map, std::uint32_t type, edges& open,
             spelled_edges<P>& spelled, bool finish) noexcept {
    const std::uint8_t* const begin = in_.at();
    map_key key = 0;
    if (!read_key<P>(in_, map.key, key)) return false;
    const edge* to = open.take(this->plan_.find(of, key) - of.edges_begin);
    const wire_location value{in_.here(), type, map.value};
    std::span<const typename spelled_edges<P>::item> equal;
    if (!allocates([&] { equal = spelled.find(bytes_since(begin, in_), map.key); })) {
      if (to != nullptr) none(*to, errc::no_memory, value.at);
      return in_.reject(errc::no_memory, begin);
    }
    for (const auto& match : equal) {
      if (!open.is_open(match.edge) || &open.edges()[match.edge] == to) continue;
      if (to != nullptr && !follow(*to, value, true)) return false;
      in_.seek(value.at);
      to = open.take(match.edge);
    }
    return item(to, value, open.remaining() != 0 || finish);
  }
  bool item(const edge* to, const wire_location& location, bool finish) noexcept {
    if (to != nullptr) return follow(*to, location, finish);
    return !finish || in_.skip(location.wire);
  }

  reader_type in_;
  schema_types types_;
};

/// Whether the plan does not apply to the value or to the size of `out`, which is then filled with the error.
template <protocol P>
[[nodiscard]] bool refuses(const view<P>& from, const plan& paths, std::span<view<P>> out) noexcept {
  const bool fits = out.size() == paths.size();
  if (from && fits && (!paths.from() || paths.from() == from.type())) return false;
  const errc code = fits ? errc::wrong_type : errc::buffer_too_small;
  std::fill(out.begin(), out.end(), from ? from.broken(code, from.location().at) : from);
  return true;
}

template <protocol P>
THRIFTLENS_NOINLINE std::size_t generic_get_many(const view<P>& from, const plan& paths,
                                                 std::span<view<P>> out) noexcept {
  plan_runner<P> generic(paths, from, out);
  generic.run();
  return out.size() - generic.missing;
}

}  // namespace detail

template <protocol P>
std::size_t get_many(const view<P>& from, const plan& paths, std::span<view<P>> out) noexcept {
  if (detail::refuses(from, paths, out)) return 0;
  detail::fast_plan<P, plan> fast(paths, from, out);
  if (paths.from() && fast.run()) [[likely]]
    return out.size() - fast.missing;
  return detail::generic_get_many(from, paths, out);
}

/// Builds the trie, then lays it out in the order of a pass.
class plan::compiler {
 public:
  explicit compiler(data& into) : into_(into) {
    next_own_.assign(into.paths.size(), detail::image::none);
    std::size_t steps = 0;
    for (const path& path : into.paths) steps += path.steps().size();
    const std::size_t estimate = 1 + (std::min)(steps, 2 * into.paths.size() + 8);
    into_.steps.reserve(estimate);
    drafts_.reserve(estimate);
    drafts_.emplace_back();
  }

  [[nodiscard]] result<void> run() {
    for (std::uint32_t slot = 0; slot < into_.paths.size(); ++slot) {
      if (result<void> added = add(slot); !added) return added;
    }
    lay_out();
    return {};
  }

 private:
  struct draft {
    form kind = form::leaf;
    const path_step* step = nullptr;  // that leads here
    std::uint32_t own = detail::image::none, last_own = detail::image::none;
  };

  [[nodiscard]] result<void> add(std::uint32_t slot) {
    const path& path = into_.paths[slot];
    if (!path.is_single()) return path.misfit_of_several("; pass it to for_each()");
    if (path.enters_key())
      return path.misfit("a plan does not read keys; look the path up with at()", error::no_offset);
    std::uint32_t at = 0;
    for (const path_step& step : path.steps())
      if (!child(step, at)) return path.misfit("the paths of the plan conflict", step.offset);
    end_at(drafts_[at], slot);
    return {};
  }
  void end_at(draft& end, std::uint32_t slot) {
    (end.own == detail::image::none ? end.own : next_own_[end.last_own]) = slot;
    end.last_own = slot;
  }
  /// Moves to the node of the step. False if the current node has steps of another kind.
  [[nodiscard]] bool child(const path_step& step, std::uint32_t& at) {
    const form kind = form_of(step);
    if (drafts_[at].kind != form::leaf && drafts_[at].kind != kind) return false;
    drafts_[at].kind = kind;
    at = into_.steps.child(at, step);
    if (at == drafts_.size()) drafts_.emplace_back().step = &step;
    return true;
  }
  static form form_of(const path_step& step) noexcept {
    return step.kind == path_step::form::field   ? form::fields
           : step.kind == path_step::form::index ? form::elements
                                                 : form::entries;
  }

  void reserve() {
    std::size_t nodes = 1;
    for (const draft& node_draft : drafts_)
      nodes += node_draft.kind != form::leaf || node_draft.own != node_draft.last_own;
    into_.nodes.reserve(nodes);
    into_.edges.reserve(drafts_.size() - 1);  // one for every node but the root: no reallocation
    into_.path_slots.reserve(into_.paths.size());
  }
  /// Depth first without recursion: paths may have many steps.
  void lay_out() {
    struct pending {
      std::uint32_t node, next_edge;
    };
    reserve();
    detail::pod_vector<pending> open;
    open.push_back({enter(0), 0});
    while (!open.empty()) {
      pending& top = open.back();
      node& at = into_.nodes[top.node];
      if (top.next_edge == at.edges_end) {
        at.slots_end = size_of(into_.path_slots);
        open.pop_back();
        continue;
      }
      edge& outgoing = into_.edges[top.next_edge++];
      const bool goes_on = drafts_[outgoing.node].kind != form::leaf;
      settle(outgoing);
      if (goes_on) open.push_back({outgoing.node, into_.nodes[outgoing.node].edges_begin});
    }
  }
  /// Resolves an edge to a draft: to the only path that ends there, or to a node.
  void settle(edge& outgoing) {
    const draft& to = drafts_[outgoing.node];
    if (to.kind != form::leaf || to.own != to.last_own) {
      outgoing.node = enter(outgoing.node);
      return;
    }
    outgoing.node = detail::image::none;
    outgoing.slot = to.own;
    into_.path_slots.push_back(to.own);
  }
  template <class Vector>
  [[nodiscard]] static std::uint32_t size_of(const Vector& vector) noexcept {
    return static_cast<std::uint32_t>(vector.size());
  }
  /// Adds a node and its edges, which still refer to drafts.
  std::uint32_t enter(std::uint32_t index) {
    const draft& from = drafts_[index];
    node added;
    added.kind = from.kind;
    added.place = index;
    added.wire_keys = into_.steps[index].wire_keys;
    add_own(added, from);
    order_children(index, added.kind);
    if (!order_.empty()) added.prefix = drafts_[order_[0]].step->prefix;
    add_edges(added);
    into_.nodes.push_back(added);
    return size_of(into_.nodes) - 1;
  }
  /// Adds the paths that end at a node.
  void add_own(node& of, const draft& from) {
    of.own_begin = size_of(into_.path_slots);
    for (std::uint32_t slot = from.own; slot != detail::image::none; slot = next_own_[slot])
      into_.path_slots.push_back(slot);
    of.own_end = of.slots_end = size_of(into_.path_slots);
  }
  void order_children(std::uint32_t index, form kind) {
    const detail::step_trie& steps = into_.steps;
    order_.clear();
    for (std::uint32_t at = steps[index].first_child; at != detail::step_trie::none; at = steps[at].next)
      order_.push_back(at);
    if (kind == form::entries || steps[index].ascending) return;
    detail::sort_stably(order_.data(), order_.size(),
                        [&](std::uint32_t lhs, std::uint32_t rhs) { return steps.less(lhs, rhs); });
  }
  void add_edges(node& of) {
    of.edges_begin = of.negative_begin = size_of(into_.edges);
    for (const std::uint32_t child : order_) {
      const edge added = edge_to(child, of.kind);
      if (of.kind == form::elements && added.index >= 0) ++of.negative_begin;
      into_.edges.push_back(added);
    }
    of.edges_end = size_of(into_.edges);
  }
  [[nodiscard]] edge edge_to(std::uint32_t child, form kind) const {
    const path_step& step = *drafts_[child].step;
    const std::int64_t index = kind == form::elements ? step.first : step.field;
    edge result{.id = step.id, .place = step.place, .type = step.type, .node = child, .index = index};
    if (kind == form::entries) result.key = into_.steps.key(child);
    if (step.field != detail::image::none) expect(result, into_.from.image()->fields[step.field]);
    return result;
  }
  static void expect(edge& result, const detail::image::field_node& field) noexcept {
    result.wire = field.wire;
    result.required = (field.flags & detail::image::required) != 0;
  }

  data& into_;
  detail::pod_vector<draft> drafts_;            // by node of the step trie
  detail::pod_vector<std::uint32_t> next_own_;  // by slot: the next path with the same end
  detail::pod_vector<std::uint32_t> order_;
};

THRIFTLENS_BODY result<plan> plan::try_compile(type from, std::vector<path> paths) {
  auto compiled = std::make_shared<data>();
  compiled->from = from;
  compiled->paths = std::move(paths);
  if (result<void> status = compiler(*compiled).run(); !status) return status.error();
  return plan(std::move(compiled));
}

THRIFTLENS_BODY result<plan> plan::try_compile(type from, std::span<const std::string_view> texts) {
  result<std::vector<path>> paths = path::try_compile_all(from, texts);
  if (!paths) return std::move(paths).error();
  return try_compile(from, std::move(*paths));
}
THRIFTLENS_BODY result<plan> plan::try_compile(type from, detail::path_list texts) {
  return try_compile(from, std::span<const std::string_view>(texts.begin(), texts.size()));
}

#if defined(THRIFTLENS_COMPILED)
template std::size_t get_many(const view<binary>&, const plan&, std::span<view<binary>>) noexcept;
template std::size_t get_many(const view<compact>&, const plan&, std::span<view<compact>>) noexcept;
template std::size_t detail::generic_get_many(const view<binary>&, const plan&,
                                              std::span<view<binary>>) noexcept;
template std::size_t detail::generic_get_many(const view<compact>&, const plan&,
                                              std::span<view<compact>>) noexcept;
#endif

}  // namespace thriftlens::inline THRIFTLENS_ABI
