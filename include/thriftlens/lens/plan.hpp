// plan: many paths compiled into one trie, so that one pass over the bytes finds them all.
// In: paths of one type. Out: for each path the spot of its value, or why there is none.
// Never allocates while it runs; never reads past the last value that is still wanted.
#pragma once

#include <thriftlens/core/result.hpp>
#include <thriftlens/lens/plan_quick.hpp>
#include <thriftlens/lens/view.hpp>
#include <thriftlens/path/path.hpp>
#include <thriftlens/protocol/dispatch.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Paths of one type, compiled together. A value: copying shares, threads may share a copy. Good while the schema lives.
class plan {
 public:
  enum class form : std::uint8_t { leaf, fields, elements, entries };

  /// One step down the trie.
  struct edge {
    std::int16_t id = 0;
    ttype wire = ttype::stop;             ///< fields: what the IDL says, or stop
    image::lead_place place;              ///< fields: where it stands in the node's lead
    std::uint32_t field = image::none;
    std::uint32_t type = image::none;     ///< of the value it leads to
    std::uint32_t node = 0;
    std::uint32_t slot = image::none;     ///< where one path ends at the node and none goes on: that path
    std::int64_t index = 0;
    map_key key = 0;
  };
  /// Edges are sorted: by id; by index, the negative ones behind the others; by key.
  struct node {
    form kind = form::leaf;
    std::uint32_t edges_begin = 0, edges_end = 0;
    std::uint32_t negative_begin = 0;     ///< elements: first edge that counts from the end
    std::uint32_t own_begin = 0, own_end = 0;  ///< in slots: paths that end here
    std::uint32_t slots_end = 0;          ///< slots from own_begin to here: those of the whole branch
    bool lead_complete = false;           ///< fields: the lead is the whole struct
    std::uint8_t lead_size = 0;           ///< its segments
    shape_ref lead;
  };

  /// Compiles path texts for values of type `from`. Errors: those of path::try_parse, and wrong_type for paths that lead to many.
  [[nodiscard]] static result<plan> try_parse(type from, std::span<const std::string_view> texts) {
    std::vector<path> paths;
    for (std::string_view text : texts) {
      result<path> next = path::try_parse(from, text);
      if (!next) return std::move(next).error();
      paths.push_back(std::move(*next));
    }
    return try_of(from, std::move(paths));
  }
  [[nodiscard]] static plan parse(type from, std::span<const std::string_view> texts) { return try_parse(from, texts).value(); }
  [[nodiscard]] static plan parse(type from, std::initializer_list<std::string_view> texts) {
    return parse(from, std::span<const std::string_view>(texts.begin(), texts.size()));
  }
  /// From compiled paths. O(steps x log paths).
  [[nodiscard]] static result<plan> try_of(type from, std::vector<path> paths);
  [[nodiscard]] static plan of(type from, std::vector<path> paths) { return try_of(from, std::move(paths)).value(); }

  /// Number of paths.
  [[nodiscard]] std::size_t size() const noexcept { return data_->paths.size(); }
  [[nodiscard]] const path& operator[](std::size_t at) const noexcept { return data_->paths[at]; }
  [[nodiscard]] type from() const noexcept { return data_->from; }

  [[nodiscard]] std::span<const node> nodes() const noexcept { return data_->nodes; }
  [[nodiscard]] std::span<const edge> edges(const node& of) const noexcept {
    return {data_->edges.data() + of.edges_begin, of.edges_end - of.edges_begin};
  }
  [[nodiscard]] const edge* all_edges() const noexcept { return data_->edges.data(); }
  /// Path numbers in the order of the trie.
  [[nodiscard]] std::span<const std::uint32_t> slots() const noexcept { return data_->slots; }

 private:
  struct data {
    type from;
    std::vector<path> paths;
    std::vector<node> nodes;
    std::vector<edge> edges;
    std::vector<std::uint32_t> slots;
  };
  class compiler;

  explicit plan(std::shared_ptr<const data> made) noexcept : data_(std::move(made)) {}

  std::shared_ptr<const data> data_;
};

namespace detail {

/// Keys in the order of a plan: text and wire keys by their bytes, others by their number.
[[nodiscard]] inline bool key_less(const map_key& left, const map_key& right) noexcept {
  if (left.kind() != right.kind()) return left.kind() < right.kind();
  if (left.kind() >= map_key::form::text) return left.text() < right.text();
  return left.integer() < right.integer();
}
/// -0.0 and 0.0 are one key.
[[nodiscard]] inline map_key plain_key(const map_key& key) noexcept {
  return key.kind() == map_key::form::real && key.real() == 0 ? map_key(0.0) : key;
}
/// The key at `in` as a map_key of its wire type; struct, container and uuid keys by their bytes. False: the reader failed.
template <protocol P>
[[nodiscard]] bool read_key(typename P::reader& in, ttype wire, map_key& key) noexcept {
  const std::uint8_t* begin = in.at();
  auto integer = [&]<class T>(T, bool (P::reader::*read)(T&)) {
    T value{};
    bool done = (in.*read)(value);
    key = map_key(value);
    return done;
  };
  return visit_ttype(wire, [&]<ttype Wire>(ttype_constant<Wire>) {
    if constexpr (Wire == ttype::i64) return integer(std::int64_t{}, &P::reader::read_i64);
    else if constexpr (Wire == ttype::i32) return integer(std::int32_t{}, &P::reader::read_i32);
    else if constexpr (Wire == ttype::i16) return integer(std::int16_t{}, &P::reader::read_i16);
    else if constexpr (Wire == ttype::i8) return integer(std::int8_t{}, &P::reader::read_i8);
    else if constexpr (Wire == ttype::bool_) return integer(false, &P::reader::read_bool);
    else if constexpr (Wire == ttype::double_) {
      bool done = integer(0.0, &P::reader::read_double);
      key = plain_key(key);
      return done;
    } else if constexpr (Wire == ttype::string) {
      std::string_view text;
      bool done = in.read_bytes(text);
      key = map_key(text);
      return done;
    } else {
      if (!in.skip(Wire)) return false;
      key = map_key::wire({begin, static_cast<std::size_t>(in.at() - begin)});
      return true;
    }
  });
}

/// Walks the trie and the bytes together. Sink: `void found(slot, spot)`, `void missing(slot, code, where)`.
template <protocol P, class Sink>
class plan_runner {
 public:
  using reader_type = typename P::reader;

  plan_runner(const plan& way, reader_type& in, const schema_image* image, Sink& sink) noexcept
      : plan_(way), in_(in), image_(image), sink_(sink) {}

  /// Runs the branch `at` over the value the reader stands at. With `finish` the reader ends behind the value.
  /// False: the reader failed; then the slots not told of have been given its fault.
  bool run(std::uint32_t at, const wire_spot& spot, bool finish) noexcept {
    const plan::node& node = plan_.nodes()[at];
    for (std::uint32_t i = node.own_begin; i < node.own_end; ++i) sink_.found(plan_.slots()[i], spot);
    switch (node.kind) {
      case plan::form::fields: return fields(node, spot, finish);
      case plan::form::elements: return elements(node, spot, finish);
      case plan::form::entries: return entries(node, spot, finish);
      case plan::form::leaf: break;
    }
    return !finish || in_.skip(spot.wire);
  }

 private:
  /// Tells all paths of the branch (but not those that end at its top, where `below` says so) that there is nothing.
  void none(const plan::node& node, errc code, const wire_position& where, bool below) noexcept {
    for (std::uint32_t i = below ? node.own_end : node.own_begin; i < node.slots_end; ++i) sink_.missing(plan_.slots()[i], code, where);
  }
  void none(const plan::edge& edge, errc code, const wire_position& where) noexcept {
    none(plan_.nodes()[edge.node], code, where, false);
  }
  [[nodiscard]] wire_position fault_place() const noexcept {
    wire_position place = in_.here();
    place.at = in_.begin() + in_.fault().offset;
    return place;
  }

  /// Which edges were met: a bit each, where there are no more than 64; the sink knows for more.
  struct met_edges {
    std::uint64_t bits = 0;
  };
  [[nodiscard]] bool is_met(const met_edges& met, std::size_t index, const plan::edge& edge, std::size_t count) const noexcept {
    if (count <= 64) return (met.bits >> index & 1) != 0;
    return sink_.is_told(plan_.slots()[plan_.nodes()[edge.node].own_begin]);
  }
  static void mark(met_edges& met, std::size_t index, std::size_t count) noexcept {
    if (count <= 64) met.bits |= std::uint64_t{1} << index;
  }
  bool end(const plan::node& node, std::span<const plan::edge> edges, const met_edges& met, errc code, const wire_position& where) noexcept {
    static_cast<void>(node);
    for (std::size_t i = 0; i < edges.size(); ++i) {
      if (!is_met(met, i, edges[i], edges.size())) none(edges[i], code, where);
    }
    return code == errc::absent || code == errc::bad_index;
  }

  bool fields(const plan::node& node, const wire_spot& spot, bool finish) noexcept {
    std::span<const plan::edge> edges = plan_.edges(node);
    if (spot.wire != ttype::struct_) return none(node, errc::wrong_type, spot.at, true), !finish || in_.skip(spot.wire);
    struct_mark outer = in_.begin_struct();
    met_edges met;
    std::size_t left = edges.size();
    std::size_t next = 0;
    field_header header;
    for (;;) {
      const std::uint8_t* begin = in_.at();
      if (!in_.read_field(header)) return end(node, edges, met, in_.fault().code, fault_place());
      if (header.type == ttype::stop) break;
      if (next > 0 && edges[next - 1].id >= header.id) next = 0;
      while (next < edges.size() && edges[next].id < header.id) ++next;
      if (next == edges.size() || edges[next].id != header.id || is_met(met, next, edges[next], edges.size())) {
        if (!in_.skip(header.type)) return end(node, edges, met, in_.fault().code, fault_place());
        continue;
      }
      const plan::edge& edge = edges[next];
      mark(met, next, edges.size());
      bool more = --left != 0 || finish;
      if (edge.wire != ttype::stop && edge.wire != header.type) {
        wire_position where = in_.here();
        where.at = begin;
        none(edge, errc::type_mismatch, where);
        if (more && !in_.skip(header.type)) return end(node, edges, met, in_.fault().code, fault_place());
      } else if (!run(edge.node, {in_.here(), edge.type, header.type}, more)) {
        return end(node, edges, met, in_.fault().code, fault_place());
      }
      if (!more) return true;
    }
    in_.end_struct(outer);
    return end(node, edges, met, errc::absent, spot.at);
  }

  /// The elements that have edges, in order; an element may be meant from the front and from the end.
  bool elements(const plan::node& node, const wire_spot& spot, bool finish) noexcept {
    if (spot.wire != ttype::list && spot.wire != ttype::set) return none(node, errc::wrong_type, spot.at, true), !finish || in_.skip(spot.wire);
    list_header list;
    if (!(spot.wire == ttype::set ? in_.read_set(list) : in_.read_list(list)) || !in_.enter()) return none(node, in_.fault().code, fault_place(), true), false;
    std::span<const plan::edge> edges = plan_.edges(node);
    std::uint32_t type = spot.type == image::none ? image::none : image_->types[spot.type].first;
    if (type != image::none && list.size != 0 && image_->types[type].wire != list.element) {
      none(node, errc::type_mismatch, spot.at, true);
      return leave(!finish || skip_many<P>(in_, list.element, list.size));
    }
    const auto size = std::int64_t{list.size};
    const plan::edge* front = edges.data();
    const plan::edge* const front_end = edges.data() + (node.negative_begin - node.edges_begin);
    const plan::edge* back = front_end;
    const plan::edge* const back_end = edges.data() + edges.size();
    for (; back != back_end && back->index + size < 0; ++back) none(*back, errc::bad_index, spot.at);
    std::int64_t done = 0;
    for (;;) {
      std::int64_t wanted = front != front_end ? front->index : size;
      if (back != back_end) wanted = std::min(wanted, back->index + size);
      if (wanted >= size) break;
      if (!skip_many<P>(in_, list.element, static_cast<std::size_t>(wanted - done))) break;
      const wire_position place = in_.here();
      bool at_front = front != front_end && front->index == wanted;
      bool at_back = back != back_end && back->index + size == wanted;
      const plan::edge* first = at_front ? front++ : back++;
      bool twice = at_front && at_back;
      bool more = finish || twice || (front != front_end && front->index < size) || back != back_end;
      if (!run(first->node, {place, type, list.element}, more)) break;
      if (twice) {
        in_.seek(place);
        const plan::edge* again = back++;
        more = finish || (front != front_end && front->index < size) || back != back_end;
        if (!run(again->node, {place, type, list.element}, more)) break;
      }
      done = wanted + 1;
      if (!more) break;
    }
    errc code = in_.failed() ? in_.fault().code : errc::bad_index;
    wire_position where = in_.failed() ? fault_place() : spot.at;
    for (; front != front_end; ++front) none(*front, code, where);
    for (; back != back_end; ++back) none(*back, code, where);
    if (in_.failed()) return false;
    return leave(!finish || skip_many<P>(in_, list.element, static_cast<std::size_t>(size - done)));
  }
  bool leave(bool done) noexcept {
    in_.leave();
    return done;
  }

  bool entries(const plan::node& node, const wire_spot& spot, bool finish) noexcept {
    if (spot.wire != ttype::map) return none(node, errc::wrong_type, spot.at, true), !finish || in_.skip(spot.wire);
    map_header map;
    if (!in_.read_map(map) || !in_.enter()) return none(node, in_.fault().code, fault_place(), true), false;
    std::span<const plan::edge> edges = plan_.edges(node);
    std::uint32_t type = image::none;
    bool mismatch = false;
    if (spot.type != image::none && map.size != 0) {
      type = image_->types[spot.type].second;
      mismatch = image_->types[type].wire != map.value || image_->types[image_->types[spot.type].first].wire != map.key;
    }
    met_edges met;
    std::size_t left = edges.size();
    if (mismatch) {
      none(node, errc::type_mismatch, spot.at, true);
      left = 0;
    }
    bool wire_keys = edges.back().key.kind() == map_key::form::wire;
    for (std::uint32_t i = 0; i < map.size && (left != 0 || finish); ++i) {
      const std::uint8_t* begin = in_.at();
      map_key key = 0;
      if (!read_key<P>(in_, map.key, key)) return end(node, edges, met, in_.fault().code, fault_place());
      std::size_t at = find(edges, key);
      if (at == edges.size() && wire_keys) at = find(edges, map_key::wire({begin, static_cast<std::size_t>(in_.at() - begin)}));
      if (mismatch || at == edges.size() || is_met(met, at, edges[at], edges.size())) {
        if (!in_.skip(map.value)) return mismatch ? false : end(node, edges, met, in_.fault().code, fault_place());
        continue;
      }
      mark(met, at, edges.size());
      --left;
      if (!run(edges[at].node, {in_.here(), type, map.value}, left != 0 || finish)) return end(node, edges, met, in_.fault().code, fault_place());
    }
    in_.leave();
    return mismatch || end(node, edges, met, errc::absent, spot.at);
  }
  /// The edge of that key, or edges.size().
  static std::size_t find(std::span<const plan::edge> edges, const map_key& key) noexcept {
    auto place = std::lower_bound(edges.begin(), edges.end(), key, [](const plan::edge& edge, const map_key& wanted) { return key_less(edge.key, wanted); });
    return place == edges.end() || key_less(key, place->key) ? edges.size() : static_cast<std::size_t>(place - edges.begin());
  }

  const plan& plan_;
  reader_type& in_;
  const schema_image* image_;
  Sink& sink_;
};

/// Puts what is found into a caller's views.
template <protocol P>
class view_sink {
 public:
  view_sink(const view<P>& root, std::span<view<P>> out) noexcept : root_(root), out_(out) {}
  void found(std::uint32_t slot, const wire_spot& spot) noexcept {
    out_[slot] = root_.child(spot);
    ++count;
  }
  void missing(std::uint32_t slot, errc code, const wire_position& where) noexcept { out_[slot] = root_.broken(code, where); }
  [[nodiscard]] bool is_told(std::uint32_t slot) const noexcept { return out_[slot].spot().at.at != nullptr; }

  std::size_t count = 0;

 private:
  view<P> root_;
  std::span<view<P>> out_;
};

/// For whatever is not plain, and for the words when something is wrong.
template <protocol P>
THRIFTLENS_NOINLINE std::size_t get_many_slowly(const view<P>& from, const plan& way, std::span<view<P>> out) noexcept {
  for (view<P>& each : out) each = view<P>();
  typename P::reader in(from.whole());
  in.seek(from.spot().at);
  view_sink<P> sink(from, out);
  plan_runner<P, view_sink<P>>(way, in, from.image(), sink).run(0, from.spot(), false);
  return sink.count;
}

}  // namespace detail

/// Finds the values of all paths in one pass: out[i] becomes the view of path i, absent or broken where there is none (the rest
/// are found all the same). Returns how many are present. `out` has the plan's size. Stops reading behind the last value wanted;
/// of fields and keys that stand twice the first is taken. Allocates nothing.
template <protocol P>
std::size_t get_many(const view<P>& from, const plan& way, std::span<view<P>> out) noexcept {
  THRIFTLENS_ASSERT(out.size() == way.size());
  if (from.code() != errc::ok || (way.from() && way.from() != from.type())) {
    for (view<P>& each : out) each = from.code() != errc::ok ? from : from.broken(errc::wrong_type, from.spot().at);
    return 0;
  }
  detail::quick_plan<P, plan> quick(way, from, out);
  if (way.from() && quick.run()) [[likely]] return out.size() - quick.missing;
  return detail::get_many_slowly(from, way, out);
}
template <protocol P>
std::size_t get_many(const view<P>& from, const plan& way, std::vector<view<P>>& out) {
  out.resize(way.size());
  return get_many(from, way, std::span<view<P>>(out));
}

/// Builds the trie with maps, then lays it out flat.
class plan::compiler {
 public:
  explicit compiler(data& into) : into_(into), drafts_(1) {}

  [[nodiscard]] result<void> run() {
    for (std::uint32_t slot = 0; slot < into_.paths.size(); ++slot) {
      const path& each = into_.paths[slot];
      if (!each.is_single()) return error(errc::wrong_type, "a path of a plan leads to one value", error::no_offset, std::string(each.text()));
      std::uint32_t at = 0;
      for (const path_step& step : each.steps()) {
        form kind = form_of(step);
        if (drafts_[at].kind != form::leaf && drafts_[at].kind != kind) {
          return error(errc::wrong_type, "paths of a plan contradict each other", step.offset, std::string(each.text()));
        }
        drafts_[at].kind = kind;
        drafts_[at].sample = &step;
        at = child(at, step);
      }
      drafts_[at].own.push_back(slot);
    }
    lay_out();
    for (edge& each : into_.edges) {
      const node& to = into_.nodes[each.node];
      if (to.kind == form::leaf && to.own_end - to.own_begin == 1) each.slot = into_.slots[to.own_begin];
    }
    return {};
  }

 private:
  struct step_order {
    bool operator()(const edge& left, const edge& right) const noexcept {
      bool left_back = left.index < 0, right_back = right.index < 0;
      if (left.id != right.id) return left.id < right.id;
      if (left_back != right_back) return right_back;
      if (left.index != right.index) return left.index < right.index;
      return detail::key_less(left.key, right.key);
    }
  };
  struct draft {
    form kind = form::leaf;
    const path_step* sample = nullptr;  // any that leaves here
    std::vector<std::uint32_t> own;
    std::map<edge, std::uint32_t, step_order> children;
  };

  static form form_of(const path_step& step) noexcept {
    return step.kind == path_step::form::field ? form::fields : step.kind == path_step::form::index ? form::elements : form::entries;
  }
  std::uint32_t child(std::uint32_t at, const path_step& step) {
    edge next;
    next.id = step.kind == path_step::form::field ? step.id : std::int16_t{0};
    next.index = step.kind == path_step::form::index ? step.first : 0;
    next.key = step.kind == path_step::form::key ? detail::plain_key(step.key) : map_key(0);
    next.field = step.field;
    next.type = step.type;
    next.place = step.place;
    if (step.field != image::none) next.wire = into_.from.image()->fields[step.field].wire;
    auto [place, fresh] = drafts_[at].children.try_emplace(next, static_cast<std::uint32_t>(drafts_.size()));
    std::uint32_t found = place->second;
    if (fresh) drafts_.emplace_back();
    return found;
  }

  /// Depth first without recursion: paths may have many steps.
  void lay_out() {
    struct pending {
      std::uint32_t draft_index;
      std::uint32_t node;
      std::map<edge, std::uint32_t, step_order>::const_iterator next;
      std::uint32_t next_edge;
    };
    std::vector<pending> open;
    auto enter = [&](std::uint32_t index) {
      const draft& from = drafts_[index];
      node made;
      made.kind = from.kind;
      if (from.sample != nullptr) {
        made.lead = from.sample->lead;
        made.lead_size = from.sample->lead_size;
        made.lead_complete = from.sample->lead_complete;
      }
      made.own_begin = static_cast<std::uint32_t>(into_.slots.size());
      into_.slots.insert(into_.slots.end(), from.own.begin(), from.own.end());
      made.own_end = static_cast<std::uint32_t>(into_.slots.size());
      made.edges_begin = static_cast<std::uint32_t>(into_.edges.size());
      made.negative_begin = made.edges_begin;
      for (const auto& [step, child] : from.children) {
        into_.edges.push_back(step);
        if (step.index >= 0) ++made.negative_begin;
      }
      made.edges_end = static_cast<std::uint32_t>(into_.edges.size());
      open.push_back({index, static_cast<std::uint32_t>(into_.nodes.size()), from.children.begin(), made.edges_begin});
      into_.nodes.push_back(made);
    };
    enter(0);
    while (!open.empty()) {
      pending& top = open.back();
      if (top.next == drafts_[top.draft_index].children.end()) {
        into_.nodes[top.node].slots_end = static_cast<std::uint32_t>(into_.slots.size());
        open.pop_back();
        continue;
      }
      std::uint32_t child = top.next->second;
      ++top.next;
      into_.edges[top.next_edge++].node = static_cast<std::uint32_t>(into_.nodes.size());
      enter(child);
    }
  }

  data& into_;
  std::vector<draft> drafts_;
};

inline result<plan> plan::try_of(type from, std::vector<path> paths) {
  auto made = std::make_shared<data>();
  made->from = from;
  made->paths = std::move(paths);
  if (result<void> done = compiler(*made).run(); !done) return done.error();
  return plan(std::move(made));
}

}  // namespace thriftlens
