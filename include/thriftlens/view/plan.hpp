// plan: many paths compiled into one trie, so that one pass over the bytes finds them all.
// In: paths of one type. Out: for each path the spot of its value, or why there is none.
// Never allocates while it runs; never reads past the last value that is still wanted.
#pragma once

#include <thriftlens/core/result.hpp>
#include <thriftlens/path/path.hpp>
#include <thriftlens/path/step_trie.hpp>
#include <thriftlens/protocol/dispatch.hpp>
#include <thriftlens/view/plan_quick.hpp>
#include <thriftlens/view/view.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Paths of one type, compiled together. A value: copying and moving share, threads may share a copy. Good
/// while the schema lives.
class plan {
 public:
  // Without moves of their own: what is moved from stays as it was.
  plan(const plan&) noexcept = default;
  plan& operator=(const plan&) noexcept = default;
  ~plan() = default;

  enum class form : std::uint8_t { leaf, fields, elements, entries };

  /// One step down the trie.
  struct edge {
    std::int16_t id = 0;
    ttype wire = ttype::stop;          ///< fields: what the IDL says, or stop
    bool required = false;             ///< fields: by the IDL
    image::lead_place place;           ///< fields: where it stands in the node's lead
    std::uint32_t type = image::none;  ///< of the value it leads to
    std::uint32_t node = image::none;  ///< none where there is a slot
    std::uint32_t slot = image::none;  ///< where one path ends and none goes on: that path
    std::int64_t index = 0;
    map_key key = 0;
  };
  /// Edges are in order: by id; by index, the negative ones behind the others; keys as they were first asked
  /// for.
  struct node {
    form kind = form::leaf;
    std::uint32_t edges_begin = 0, edges_end = 0;
    std::uint32_t negative_begin = 0;          ///< elements: first edge that counts from the end
    std::uint32_t own_begin = 0, own_end = 0;  ///< in slots: paths that end here
    std::uint32_t slots_end = 0;               ///< slots from own_begin to here: those of the whole branch
    std::uint32_t place = 0;                   ///< its number among the steps
    bool wire_keys = false;                    ///< entries: some are meant by the bytes of their key
    bool lead_complete = false;                ///< fields: the lead is the whole struct
    std::uint8_t lead_size = 0;                ///< its segments
    shape_ref lead;
  };

  /// Compiles path texts for values of type `from`. Errors: those of path::try_parse, and wrong_type for
  /// paths that lead to many.
  [[nodiscard]] static result<plan> try_parse(type from, std::span<const std::string_view> texts) {
    result<std::vector<path>> paths = path::try_parse_all(from, texts);
    if (!paths) return std::move(paths).error();
    return try_of(from, std::move(*paths));
  }
  [[nodiscard]] static plan parse(type from, std::span<const std::string_view> texts) {
    return try_parse(from, texts).value();
  }
  [[nodiscard]] static plan parse(type from, std::initializer_list<std::string_view> texts) {
    return parse(from, std::span<const std::string_view>(texts.begin(), texts.size()));
  }
  /// From compiled paths. Expected O(steps), and O(n log n) for n fields or indices of one value that are not
  /// in order.
  [[nodiscard]] static result<plan> try_of(type from, std::vector<path> paths);
  [[nodiscard]] static plan of(type from, std::vector<path> paths) {
    return try_of(from, std::move(paths)).value();
  }

  /// Number of paths.
  [[nodiscard]] std::size_t size() const noexcept { return data_->paths.size(); }
  /// Raises bad_index from size() on.
  [[nodiscard]] const path& operator[](std::size_t at) const& {
    if (at >= size()) [[unlikely]]
      raise(error(errc::bad_index, "an index outside a plan's paths"));
    return data_->paths[at];
  }
  void operator[](std::size_t at) const&& = delete;
  [[nodiscard]] type from() const noexcept { return data_->from; }

  [[nodiscard]] std::span<const node> nodes() const& noexcept { return data_->nodes; }
  void nodes() const&& = delete;
  [[nodiscard]] std::span<const edge> edges(const node& of) const& noexcept {
    return {data_->edges.data() + of.edges_begin, of.edges_end - of.edges_begin};
  }
  void edges(const node& of) const&& = delete;
  [[nodiscard]] const edge* all_edges() const& noexcept { return data_->edges.data(); }
  void all_edges() const&& = delete;
  /// The edge of that key, or edges_end. `key` as detail::plain_key() has it. Expected O(1).
  [[nodiscard]] std::uint32_t find(const node& of, const map_key& key) const noexcept {
    const std::uint32_t found = data_->steps.find(of.place, key);
    return found == detail::step_trie::none ? of.edges_end : of.edges_begin + data_->steps[found].position;
  }
  /// Path numbers in the order of the trie.
  [[nodiscard]] std::span<const std::uint32_t> slots() const& noexcept { return data_->slots; }
  void slots() const&& = delete;

 private:
  struct data {
    type from;
    std::vector<path> paths;
    std::vector<node> nodes;
    std::vector<edge> edges;
    std::vector<std::uint32_t> slots;
    detail::step_trie steps;  // holds the texts of the edges' keys
  };
  class compiler;

  explicit plan(std::shared_ptr<const data> made) noexcept : data_(std::move(made)) {}

  std::shared_ptr<const data> data_;
};

namespace detail {

/// The key at `in` as a map_key of its wire type; struct, container and uuid keys by their bytes. False: the
/// reader failed.
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
    if constexpr (Wire == ttype::i64)
      return integer(std::int64_t{}, &P::reader::read_i64);
    else if constexpr (Wire == ttype::i32)
      return integer(std::int32_t{}, &P::reader::read_i32);
    else if constexpr (Wire == ttype::i16)
      return integer(std::int16_t{}, &P::reader::read_i16);
    else if constexpr (Wire == ttype::i8)
      return integer(std::int8_t{}, &P::reader::read_i8);
    else if constexpr (Wire == ttype::bool_)
      return integer(false, &P::reader::read_bool);
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

/// Walks the trie and the bytes together. Sink: `void found(slot, spot)`, `void missing(slot, code, where)`;
/// for missing_required `where.last_id` is the field's id.
template <protocol P, class Sink>
class plan_runner {
 public:
  using reader_type = typename P::reader;

  plan_runner(const plan& way, reader_type& in, const schema_image* image, Sink& sink) noexcept
      : plan_(way), in_(in), image_(image), sink_(sink) {}

  /// Runs the branch `at` over the value the reader stands at. With `finish` the reader ends behind the
  /// value. False: the reader failed; then the slots not told of have been given its fault.
  bool run(std::uint32_t at, const wire_spot& spot, bool finish) noexcept {
    const plan::node& node = plan_.nodes()[at];
    for (std::uint32_t i = node.own_begin; i < node.own_end; ++i) sink_.found(plan_.slots()[i], spot);
    switch (node.kind) {
      case plan::form::fields:
        return fields(node, spot, finish);
      case plan::form::elements:
        return elements(node, spot, finish);
      case plan::form::entries:
        return entries(node, spot, finish);
      case plan::form::leaf:
        break;
    }
    return !finish || in_.skip(spot.wire);
  }

 private:
  bool run(const plan::edge& edge, const wire_spot& spot, bool finish) noexcept {
    if (edge.slot == image::none) return run(edge.node, spot, finish);
    sink_.found(edge.slot, spot);
    return !finish || in_.skip(spot.wire);
  }
  /// Tells all paths of the branch (but not those that end at its top, where `below` says so) that there is
  /// nothing.
  void none(const plan::node& node, errc code, const wire_position& where, bool below) noexcept {
    for (std::uint32_t i = below ? node.own_end : node.own_begin; i < node.slots_end; ++i)
      sink_.missing(plan_.slots()[i], code, where);
  }
  void none(const plan::edge& edge, errc code, const wire_position& where) noexcept {
    if (edge.slot != image::none)
      sink_.missing(edge.slot, code, where);
    else
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
  [[nodiscard]] bool is_met(const met_edges& met, std::size_t index, const plan::edge& edge,
                            std::size_t count) const noexcept {
    if (count <= 64) return (met.bits >> index & 1) != 0;
    return sink_.is_told(edge.slot != image::none ? edge.slot
                                                  : plan_.slots()[plan_.nodes()[edge.node].own_begin]);
  }
  static void mark(met_edges& met, std::size_t index, std::size_t count) noexcept {
    if (count <= 64) met.bits |= std::uint64_t{1} << index;
  }
  bool end(const plan::node& node, std::span<const plan::edge> edges, const met_edges& met, errc code,
           const wire_position& where) noexcept {
    static_cast<void>(node);
    for (std::size_t i = 0; i < edges.size(); ++i) {
      if (!is_met(met, i, edges[i], edges.size())) none(edges[i], code, where);
    }
    return code == errc::absent || code == errc::bad_index;
  }

  [[nodiscard]] static std::size_t first_from(std::span<const plan::edge> edges, std::int16_t id) noexcept {
    return static_cast<std::size_t>(
        std::partition_point(edges.begin(), edges.end(),
                             [id](const plan::edge& each) { return each.id < id; }) -
        edges.begin());
  }
  bool fields(const plan::node& node, const wire_spot& spot, bool finish) noexcept {
    std::span<const plan::edge> edges = plan_.edges(node);
    if (spot.wire != ttype::struct_)
      return none(node, errc::wrong_type, spot.at, true), !finish || in_.skip(spot.wire);
    struct_mark outer = in_.begin_struct();
    met_edges met;
    std::size_t left = edges.size();
    std::size_t next = 0;
    field_header header;
    for (;;) {
      const std::uint8_t* begin = in_.at();
      if (!in_.read_field(header)) return end(node, edges, met, in_.fault().code, fault_place());
      if (header.type == ttype::stop) break;
      if (next > 0 && edges[next - 1].id >= header.id) next = first_from(edges.first(next), header.id);
      while (next < edges.size() && edges[next].id < header.id) ++next;
      if (next == edges.size() || edges[next].id != header.id ||
          is_met(met, next, edges[next], edges.size())) {
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
      } else if (!run(edge, {in_.here(), edge.type, header.type}, more)) {
        return end(node, edges, met, in_.fault().code, fault_place());
      }
      if (!more) return true;
    }
    in_.end_struct(outer);
    if (spot.at.at == in_.begin()) return end_root(edges, met, spot.at);
    return end(node, edges, met, errc::absent, spot.at);
  }
  /// Absent at the root is what is not there to the end of the bytes, and need not be.
  bool end_root(std::span<const plan::edge> edges, const met_edges& met, const wire_position& root) noexcept {
    wire_position here = root;
    here.at = in_.at();
    const bool trailing = !in_.at_end();
    for (std::size_t i = 0; i < edges.size(); ++i) {
      if (is_met(met, i, edges[i], edges.size())) continue;
      wire_position stop = here;
      --stop.at;
      stop.last_id = edges[i].id;
      if (trailing)
        none(edges[i], errc::trailing_bytes, here);
      else if (edges[i].required)
        none(edges[i], errc::missing_required, stop);
      else
        none(edges[i], errc::absent, root);
    }
    return true;
  }

  /// The elements that have edges, in order; an element may be meant from the front and from the end.
  bool elements(const plan::node& node, const wire_spot& spot, bool finish) noexcept {
    if (spot.wire != ttype::list && spot.wire != ttype::set)
      return none(node, errc::wrong_type, spot.at, true), !finish || in_.skip(spot.wire);
    list_header list;
    if (!(spot.wire == ttype::set ? in_.read_set(list) : in_.read_list(list)) || !in_.enter())
      return none(node, in_.fault().code, fault_place(), true), false;
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
      if (!run(*first, {place, type, list.element}, more)) break;
      if (twice) {
        in_.seek(place);
        const plan::edge* again = back++;
        more = finish || (front != front_end && front->index < size) || back != back_end;
        if (!run(*again, {place, type, list.element}, more)) break;
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
    if (spot.wire != ttype::map)
      return none(node, errc::wrong_type, spot.at, true), !finish || in_.skip(spot.wire);
    map_header map;
    if (!in_.read_map(map) || !in_.enter()) return none(node, in_.fault().code, fault_place(), true), false;
    std::span<const plan::edge> edges = plan_.edges(node);
    std::uint32_t type = image::none;
    bool mismatch = false;
    if (spot.type != image::none && map.size != 0) {
      type = image_->types[spot.type].second;
      mismatch = image_->types[type].wire != map.value ||
                 image_->types[image_->types[spot.type].first].wire != map.key;
    }
    met_edges met;
    std::size_t left = edges.size();
    if (mismatch) {
      none(node, errc::type_mismatch, spot.at, true);
      left = 0;
    }
    for (std::uint32_t i = 0; i < map.size && (left != 0 || finish); ++i) {
      const std::uint8_t* begin = in_.at();
      map_key key = 0;
      if (!read_key<P>(in_, map.key, key)) return end(node, edges, met, in_.fault().code, fault_place());
      std::size_t at = plan_.find(node, key) - node.edges_begin;
      if (at == edges.size() && node.wire_keys)
        at = plan_.find(node, map_key::wire({begin, static_cast<std::size_t>(in_.at() - begin)})) -
             node.edges_begin;
      if (mismatch || at == edges.size() || is_met(met, at, edges[at], edges.size())) {
        if (!in_.skip(map.value))
          return mismatch ? false : end(node, edges, met, in_.fault().code, fault_place());
        continue;
      }
      mark(met, at, edges.size());
      --left;
      if (!run(edges[at], {in_.here(), type, map.value}, left != 0 || finish))
        return end(node, edges, met, in_.fault().code, fault_place());
    }
    in_.leave();
    if (!mismatch && spot.at.at == in_.begin()) return end_root(edges, met, spot.at);
    return mismatch || end(node, edges, met, errc::absent, spot.at);
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
  void missing(std::uint32_t slot, errc code, const wire_position& where) noexcept {
    out_[slot] = root_.broken(code, where);
  }
  [[nodiscard]] bool is_told(std::uint32_t slot) const noexcept { return out_[slot].spot().at.at != nullptr; }

  std::size_t count = 0;

 private:
  view<P> root_;
  std::span<view<P>> out_;
};

/// For whatever is not plain, and for the words when something is wrong.
template <protocol P>
THRIFTLENS_NOINLINE std::size_t get_many_slowly(const view<P>& from, const plan& way,
                                                std::span<view<P>> out) noexcept {
  for (view<P>& each : out) each = view<P>();
  typename P::reader in(from.whole());
  in.seek(from.spot().at);
  view_sink<P> sink(from, out);
  plan_runner<P, view_sink<P>>(way, in, from.image(), sink).run(0, from.spot(), false);
  return sink.count;
}

}  // namespace detail

/// Finds the values of all paths in one pass: out[i] becomes the view of path i, absent or broken where there
/// is none (the rest are found all the same). Returns how many are present. `out` has the plan's size, else
/// all of it is buffer_too_small. Stops reading behind the last value wanted; of fields and keys that stand
/// twice the first is taken. Allocates nothing.
template <protocol P>
std::size_t get_many(const view<P>& from, const plan& way, std::span<view<P>> out) noexcept {
  const bool fits = out.size() == way.size();
  if (from.code() != errc::ok || !fits || (way.from() && way.from() != from.type())) [[unlikely]] {
    const errc code = fits ? errc::wrong_type : errc::buffer_too_small;
    for (view<P>& each : out) each = from.code() != errc::ok ? from : from.broken(code, from.spot().at);
    return 0;
  }
  detail::quick_plan<P, plan> quick(way, from, out);
  if (way.from() && quick.run()) [[likely]]
    return out.size() - quick.missing;
  return detail::get_many_slowly(from, way, out);
}
template <protocol P>
std::size_t get_many(const view<P>& from, const plan& way, std::vector<view<P>>& out) {
  out.resize(way.size());
  return get_many(from, way, std::span<view<P>>(out));
}
/// The same for one use: compiles the path texts first, and gives their views. Errors: those of
/// plan::try_parse.
template <protocol P>
[[nodiscard]] result<std::vector<view<P>>> try_get_many(const view<P>& from,
                                                        std::span<const std::string_view> texts) {
  if (from.code() != errc::ok) return from.error();
  const result<plan> way = plan::try_parse(from.type(), texts);
  if (!way) return way.error();
  std::vector<view<P>> found;
  get_many(from, *way, found);
  return found;
}
template <protocol P>
[[nodiscard]] result<std::vector<view<P>>> try_get_many(const view<P>& from,
                                                        std::initializer_list<std::string_view> texts) {
  return try_get_many(from, std::span<const std::string_view>(texts.begin(), texts.size()));
}
template <protocol P>
[[nodiscard]] std::vector<view<P>> get_many(const view<P>& from, std::span<const std::string_view> texts) {
  return try_get_many(from, texts).value();
}
template <protocol P>
[[nodiscard]] std::vector<view<P>> get_many(const view<P>& from,
                                            std::initializer_list<std::string_view> texts) {
  return try_get_many(from, texts).value();
}

/// Builds the trie, then lays it out in the order of a pass.
class plan::compiler {
 public:
  explicit compiler(data& into) : into_(into), next_own_(into.paths.size(), image::none) {
    std::size_t steps = 0;
    for (const path& each : into.paths) steps += each.steps().size();
    const std::size_t places = 1 + std::min(steps, 2 * into.paths.size() + 8);
    into_.steps.reserve(places);
    drafts_.reserve(places);
    drafts_.emplace_back();
  }

  [[nodiscard]] result<void> run() {
    for (std::uint32_t slot = 0; slot < into_.paths.size(); ++slot) {
      const path& each = into_.paths[slot];
      if (!each.is_single())
        return error(errc::wrong_type, "a path of a plan leads to one value", error::no_offset,
                     std::string(each.text()));
      std::uint32_t at = 0;
      for (const path_step& step : each.steps()) {
        form kind = form_of(step);
        if (drafts_[at].kind != form::leaf && drafts_[at].kind != kind) {
          return error(errc::wrong_type, "paths of a plan contradict each other", step.offset,
                       std::string(each.text()));
        }
        drafts_[at].kind = kind;
        at = into_.steps.child(at, step);
        if (at == drafts_.size()) drafts_.emplace_back().step = &step;
      }
      draft& end = drafts_[at];
      (end.own == image::none ? end.own : next_own_[end.last_own]) = slot;
      end.last_own = slot;
    }
    lay_out();
    return {};
  }

 private:
  struct draft {
    form kind = form::leaf;
    const path_step* step = nullptr;  // that leads here
    std::uint32_t own = image::none, last_own = image::none;
  };

  static form form_of(const path_step& step) noexcept {
    return step.kind == path_step::form::field   ? form::fields
           : step.kind == path_step::form::index ? form::elements
                                                 : form::entries;
  }

  /// Depth first without recursion: paths may have many steps.
  void lay_out() {
    struct pending {
      std::uint32_t node, next_edge;
    };
    std::vector<pending> open;
    std::size_t nodes = 1;
    for (const draft& each : drafts_) nodes += each.kind != form::leaf || each.own != each.last_own;
    into_.nodes.reserve(nodes);
    into_.edges.reserve(drafts_.size() - 1);  // one to each place but the root: they stay where they are
    into_.slots.reserve(into_.paths.size());
    open.push_back({enter(0), 0});
    while (!open.empty()) {
      pending& top = open.back();
      node& at = into_.nodes[top.node];
      if (top.next_edge == at.edges_end) {
        at.slots_end = static_cast<std::uint32_t>(into_.slots.size());
        open.pop_back();
        continue;
      }
      edge& way = into_.edges[top.next_edge++];
      const draft& to = drafts_[way.node];
      if (to.kind == form::leaf && to.own == to.last_own) {
        way.node = image::none;
        way.slot = to.own;
        into_.slots.push_back(to.own);
        continue;
      }
      way.node = enter(way.node);
      if (to.kind != form::leaf) open.push_back({way.node, into_.nodes[way.node].edges_begin});
    }
  }
  /// Adds a node and its edges, which lead to drafts for now.
  std::uint32_t enter(std::uint32_t index) {
    const draft& from = drafts_[index];
    node made;
    made.kind = from.kind;
    made.place = index;
    made.wire_keys = into_.steps[index].wire_keys;
    made.own_begin = static_cast<std::uint32_t>(into_.slots.size());
    for (std::uint32_t slot = from.own; slot != image::none; slot = next_own_[slot])
      into_.slots.push_back(slot);
    made.own_end = made.slots_end = static_cast<std::uint32_t>(into_.slots.size());
    made.edges_begin = made.negative_begin = static_cast<std::uint32_t>(into_.edges.size());
    add_edges(index, made);
    made.edges_end = static_cast<std::uint32_t>(into_.edges.size());
    into_.nodes.push_back(made);
    return static_cast<std::uint32_t>(into_.nodes.size() - 1);
  }
  void add_edges(std::uint32_t index, node& of) {
    const detail::step_trie& steps = into_.steps;
    const detail::step_trie::node& at = steps[index];
    order_.clear();
    for (std::uint32_t child = at.first_child; child != detail::step_trie::none; child = steps[child].next)
      order_.push_back(child);
    if (of.kind != form::entries && !at.ascending)
      std::sort(order_.begin(), order_.end(),
                [&](std::uint32_t left, std::uint32_t right) { return steps.less(left, right); });
    for (std::uint32_t child : order_) {
      const path_step& step = *drafts_[child].step;
      edge& made = into_.edges.emplace_back();
      if (of.kind == form::fields) made.id = step.id;
      if (of.kind == form::elements) made.index = step.first, of.negative_begin += step.first >= 0;
      if (of.kind == form::entries) made.key = steps.key(child);
      made.type = step.type;
      made.place = step.place;
      if (step.field != image::none) {
        made.wire = into_.from.image()->fields[step.field].wire;
        made.required = (into_.from.image()->fields[step.field].flags & image::required) != 0;
      }
      made.node = child;
    }
    if (order_.empty()) return;
    const path_step& step = *drafts_[order_[0]].step;
    of.lead = step.lead;
    of.lead_size = step.lead_size;
    of.lead_complete = step.lead_complete;
  }

  data& into_;
  std::vector<draft> drafts_;            // as many as the trie has nodes
  std::vector<std::uint32_t> next_own_;  // paths that end at the same place
  std::vector<std::uint32_t> order_;
};

inline result<plan> plan::try_of(type from, std::vector<path> paths) {
  auto made = std::make_shared<data>();
  made->from = from;
  made->paths = std::move(paths);
  if (result<void> done = compiler(*made).run(); !done) return done.error();
  return plan(std::move(made));
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
