// plan: many paths compiled into one trie, so that one pass over the bytes finds them all.
// In: paths of one type. Out: for each path the spot of its value, or why there is none.
// Never allocates while it runs; never reads past the last value that is still wanted.
#pragma once

#include <thriftlens/core/result.hpp>
#include <thriftlens/path/path.hpp>
#include <thriftlens/path/step_trie.hpp>
#include <thriftlens/protocol/integer.hpp>
#include <thriftlens/protocol/walk.hpp>
#include <thriftlens/schema/walk_types.hpp>
#include <thriftlens/view/fast/fast_plan.hpp>
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
  const auto read = [&](auto value, auto primitive) {
    const bool done = (in.*primitive)(value);
    key = map_key(value);
    return done;
  };
  using reader = typename P::reader;
  std::string_view text;
  std::int64_t number = 0;
  if (wire == ttype::string) {
    const bool done = in.read_bytes(text);
    key = map_key(text);
    return done;
  }
  if (is_integer(wire)) {
    const bool done = read_integer(in, wire, number);
    key = map_key(number);
    return done;
  }
  if (wire == ttype::bool_) return read(false, &reader::read_bool);
  if (wire == ttype::double_) {
    const bool done = read(0.0, &reader::read_double);
    key = plain_key(key);
    return done;
  }
  const std::uint8_t* const begin = in.at();
  if (!in.skip(wire)) return false;
  key = map_key::wire({begin, static_cast<std::size_t>(in.at() - begin)});
  return true;
}

/// The edges of a node, and which of them have been followed: a bit each where there are no more than 64; the
/// sink knows for more.
template <class Sink>
class open_edges {
 public:
  open_edges(const plan& way, const plan::node& of, const Sink& sink) noexcept
      : plan_(way), sink_(sink), all_(way.edges(of)), left_(all_.size()) {}

  [[nodiscard]] std::span<const plan::edge> all() const noexcept { return all_; }
  /// How many have not been followed.
  [[nodiscard]] std::size_t left() const noexcept { return left_; }
  [[nodiscard]] bool is_open(std::size_t index) const noexcept {
    if (all_.size() <= 64) return (followed_ >> index & 1) == 0;
    const plan::edge& edge = all_[index];
    return !sink_.is_told(edge.slot != image::none ? edge.slot
                                                   : plan_.slots()[plan_.nodes()[edge.node].own_begin]);
  }
  /// The edge of that number, which is then followed; null where there is none, or it was followed before.
  [[nodiscard]] const plan::edge* take(std::size_t index) noexcept {
    if (index >= all_.size() || !is_open(index)) return nullptr;
    if (all_.size() <= 64) followed_ |= std::uint64_t{1} << index;
    --left_;
    return &all_[index];
  }
  /// The edge of a field. Cheap where ids ascend.
  [[nodiscard]] const plan::edge* take_field(std::int16_t id) noexcept {
    if (next_ > 0 && all_[next_ - 1].id >= id) {
      const auto before = all_.first(next_);
      const auto first = std::partition_point(before.begin(), before.end(),
                                              [id](const plan::edge& each) { return each.id < id; });
      next_ = static_cast<std::size_t>(first - before.begin());
    }
    while (next_ < all_.size() && all_[next_].id < id) ++next_;
    return next_ < all_.size() && all_[next_].id == id ? take(next_) : nullptr;
  }

 private:
  const plan& plan_;
  const Sink& sink_;
  std::span<const plan::edge> all_;
  std::size_t left_;
  std::size_t next_ = 0;
  std::uint64_t followed_ = 0;
};

/// The edges to the elements of a list in their order; an element may be meant from the front and from the
/// end.
class element_edges {
 public:
  element_edges(std::span<const plan::edge> all, std::size_t from_front, std::uint32_t size) noexcept
      : front_(all.data()),
        back_(all.data() + from_front),
        front_end_(back_),
        back_end_(all.data() + all.size()),
        size_(size) {}

  /// The next one before the front of the list, or null.
  [[nodiscard]] const plan::edge* take_before() noexcept {
    return back_ != back_end_ && back_->index + size_ < 0 ? back_++ : nullptr;
  }
  /// The index of the next one in the list; its size where there is none.
  [[nodiscard]] std::int64_t next() const noexcept {
    const std::int64_t front = front_ != front_end_ ? std::min(front_->index, size_) : size_;
    return back_ != back_end_ ? std::min(front, back_->index + size_) : front;
  }
  [[nodiscard]] const plan::edge& take() noexcept {
    return front_ != front_end_ && front_->index == next() ? *front_++ : *back_++;
  }
  /// Any of those that are left, or null.
  [[nodiscard]] const plan::edge* take_any() noexcept {
    if (front_ != front_end_) return front_++;
    return back_ != back_end_ ? back_++ : nullptr;
  }

 private:
  const plan::edge *front_, *back_;
  const plan::edge *front_end_, *back_end_;
  std::int64_t size_;
};

/// Walks the trie and the bytes together. Sink: `void found(slot, spot)`, `void missing(slot, code, where)`;
/// for missing_required `where.last_id` is the field's id.
template <protocol P, class Sink>
class plan_runner {
 public:
  using reader_type = typename P::reader;

  plan_runner(const plan& way, reader_type& in, const schema_image* image, Sink& sink) noexcept
      : plan_(way), in_(in), types_(image), sink_(sink) {}

  /// Runs the branch `at` over the value the reader stands at. With `finish` the reader ends behind the
  /// value. False: the reader failed; then the slots not told of have been given its fault.
  bool run(std::uint32_t at, const wire_spot& spot, bool finish) noexcept {
    const plan::node& node = plan_.nodes()[at];
    for (std::uint32_t i = node.own_begin; i < node.own_end; ++i) sink_.found(plan_.slots()[i], spot);
    if (node.kind == plan::form::leaf) return !finish || in_.skip(spot.wire);
    if (!leads_into(node.kind, spot.wire)) {
      none(node, errc::wrong_type, spot.at, true);
      return !finish || in_.skip(spot.wire);
    }
    if (node.kind == plan::form::fields) return fields(node, spot, finish);
    return node.kind == plan::form::elements ? elements(node, spot, finish) : entries(node, spot, finish);
  }

 private:
  using edges = open_edges<Sink>;

  [[nodiscard]] static bool leads_into(plan::form kind, ttype wire) noexcept {
    if (kind == plan::form::fields) return wire == ttype::struct_;
    if (kind == plan::form::entries) return wire == ttype::map;
    return wire == ttype::list || wire == ttype::set;
  }
  bool run(const plan::edge& edge, const wire_spot& spot, bool finish) noexcept {
    if (edge.slot == image::none) return run(edge.node, spot, finish);
    sink_.found(edge.slot, spot);
    return !finish || in_.skip(spot.wire);
  }

  // ---- what is not there

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
  void none(const edges& of, errc code, const wire_position& where) noexcept {
    for (std::size_t i = 0; i < of.all().size(); ++i)
      if (of.is_open(i)) none(of.all()[i], code, where);
  }
  [[nodiscard]] wire_position fault_position() const noexcept {
    wire_position at = in_.here();
    at.at = in_.begin() + in_.fault().offset;
    return at;
  }
  /// The reader failed: always false.
  bool broken(const edges& of) noexcept {
    none(of, in_.fault().code, fault_position());
    return false;
  }
  /// All of a value has been read. Absent at the root is what is not there to the end of the bytes, and need
  /// not be.
  void end(const edges& of, const wire_position& begin) noexcept {
    if (begin.at != in_.begin()) return none(of, errc::absent, begin);
    wire_position here = begin;
    here.at = in_.at();
    if (!in_.at_end()) return none(of, errc::trailing_bytes, here);
    for (std::size_t i = 0; i < of.all().size(); ++i) {
      const plan::edge& edge = of.all()[i];
      wire_position stop = here;
      --stop.at;
      stop.last_id = edge.id;
      if (of.is_open(i))
        none(edge, edge.required ? errc::missing_required : errc::absent, edge.required ? stop : begin);
    }
  }

  // ---- structs

  bool fields(const plan::node& node, const wire_spot& spot, bool finish) noexcept {
    edges open(plan_, node, sink_);
    const struct_mark outer = in_.begin_struct();
    for (field_header header;;) {
      const std::uint8_t* begin = in_.at();
      if (!in_.read_field(header)) return broken(open);
      if (header.type == ttype::stop) break;
      const plan::edge* edge = open.take_field(header.id);
      const bool more = open.left() != 0 || finish;
      if (!(edge == nullptr ? in_.skip(header.type) : field(*edge, header.type, begin, more)))
        return broken(open);
      if (!more) return true;
    }
    in_.end_struct(outer);
    end(open, spot.at);
    return true;
  }
  bool field(const plan::edge& edge, ttype wire, const std::uint8_t* begin, bool more) noexcept {
    wire_position where = in_.here();
    if (edge.wire == ttype::stop || edge.wire == wire) return run(edge, {where, edge.type, wire}, more);
    where.at = begin;
    none(edge, errc::type_mismatch, where);
    return !more || in_.skip(wire);
  }

  // ---- lists and sets

  bool elements(const plan::node& node, const wire_spot& spot, bool finish) noexcept {
    list_header list;
    if (!open_sequence(in_, spot.wire, list)) {
      none(node, in_.fault().code, fault_position(), true);
      return false;
    }
    const std::uint32_t type = types_.first(spot.type);
    const bool fits = type == image::none || list.size == 0 || types_.wire(type) == list.element;
    if (!fits) none(node, errc::type_mismatch, spot.at, true);
    const std::int64_t done = fits ? known_elements(node, list, spot, type, finish) : 0;
    if (in_.failed()) return false;
    in_.leave();
    return !finish || skip_many<P>(in_, list.element, static_cast<std::size_t>(list.size - done));
  }
  /// The elements that have edges. Returns how many elements are read; the reader may have failed.
  std::int64_t known_elements(const plan::node& node, const list_header& list, const wire_spot& spot,
                              std::uint32_t type, bool finish) noexcept {
    element_edges open(plan_.edges(node), node.negative_begin - node.edges_begin, list.size);
    while (const plan::edge* edge = open.take_before()) none(*edge, errc::bad_index, spot.at);
    const std::int64_t done = run_elements(open, list, type, finish);
    const errc code = in_.failed() ? in_.fault().code : errc::bad_index;
    const wire_position where = in_.failed() ? fault_position() : spot.at;
    while (const plan::edge* edge = open.take_any()) none(*edge, code, where);
    return done;
  }
  std::int64_t run_elements(element_edges& open, const list_header& list, std::uint32_t type,
                            bool finish) noexcept {
    std::int64_t done = 0;
    for (std::int64_t index = open.next(); index < list.size;) {
      if (!skip_many<P>(in_, list.element, static_cast<std::size_t>(index - done))) break;
      const wire_position begin = in_.here();
      const plan::edge& edge = open.take();
      const std::int64_t next = open.next();
      if (!run(edge, {begin, type, list.element}, finish || next < list.size)) break;
      done = index + 1;
      if (next == index) {
        in_.seek(begin);
        done = index;
      }
      index = next;
    }
    return done;
  }

  // ---- maps

  bool entries(const plan::node& node, const wire_spot& spot, bool finish) noexcept {
    map_header map;
    if (!open_map(in_, map)) {
      none(node, in_.fault().code, fault_position(), true);
      return false;
    }
    const std::uint32_t type = types_.second(spot.type);
    const bool fits = map.size == 0 || type == image::none ||
                      (types_.wire(type) == map.value && types_.wire(types_.first(spot.type)) == map.key);
    if (!fits) {
      none(node, errc::type_mismatch, spot.at, true);
      return !finish || skip_entries(map);
    }
    edges open(plan_, node, sink_);
    for (std::uint32_t i = 0; i < map.size && (open.left() != 0 || finish); ++i) {
      const plan::edge* edge = nullptr;
      if (!take_key(node, map.key, open, edge)) return broken(open);
      const bool read = edge == nullptr
                            ? in_.skip(map.value)
                            : run(*edge, {in_.here(), type, map.value}, open.left() != 0 || finish);
      if (!read) return broken(open);
    }
    in_.leave();
    end(open, spot.at);
    return true;
  }
  [[nodiscard]] bool skip_entries(const map_header& map) noexcept {
    for (std::uint32_t i = 0; i < map.size; ++i)
      if (!in_.skip(map.key) || !in_.skip(map.value)) return false;
    in_.leave();
    return true;
  }
  /// Reads a key and takes its edge, or null. False: the reader failed.
  [[nodiscard]] bool take_key(const plan::node& node, ttype wire, edges& open,
                              const plan::edge*& edge) noexcept {
    const std::uint8_t* const begin = in_.at();
    map_key key = 0;
    if (!read_key<P>(in_, wire, key)) return false;
    std::uint32_t at = plan_.find(node, key);
    if (at == node.edges_end && node.wire_keys)
      at = plan_.find(node, map_key::wire({begin, static_cast<std::size_t>(in_.at() - begin)}));
    edge = open.take(at - node.edges_begin);
    return true;
  }

  const plan& plan_;
  reader_type& in_;
  schema_types types_;
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
THRIFTLENS_NOINLINE std::size_t generic_get_many(const view<P>& from, const plan& way,
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
  detail::fast_plan<P, plan> fast(way, from, out);
  if (way.from() && fast.run()) [[likely]]
    return out.size() - fast.missing;
  return detail::generic_get_many(from, way, out);
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
      if (!each.is_single() || each.enters_key())
        return error(errc::wrong_type, "a path of a plan leads to one value", error::no_offset,
                     std::string(each.text()));
      std::uint32_t at = 0;
      for (const path_step& step : each.steps())
        if (!child(step, at))
          return error(errc::wrong_type, "paths of a plan contradict each other", step.offset,
                       std::string(each.text()))
              .in(error_source::path);
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

  /// To the place that the step leads to. False where another kind of step was taken from here.
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
    for (const draft& each : drafts_) nodes += each.kind != form::leaf || each.own != each.last_own;
    into_.nodes.reserve(nodes);
    into_.edges.reserve(drafts_.size() - 1);  // one to each place but the root: they stay where they are
    into_.slots.reserve(into_.paths.size());
  }
  /// Depth first without recursion: paths may have many steps.
  void lay_out() {
    struct pending {
      std::uint32_t node, next_edge;
    };
    reserve();
    std::vector<pending> open;
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
  [[nodiscard]] edge edge_to(std::uint32_t child, form kind) const {
    const path_step& step = *drafts_[child].step;
    edge made;
    if (kind == form::fields) made.id = step.id;
    if (kind == form::elements) made.index = step.first;
    if (kind == form::entries) made.key = into_.steps.key(child);
    made.type = step.type;
    made.place = step.place;
    made.node = child;
    if (step.field == image::none) return made;
    const image::field_node& field = into_.from.image()->fields[step.field];
    made.wire = field.wire;
    made.required = (field.flags & image::required) != 0;
    return made;
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
      const edge made = edge_to(child, of.kind);
      if (of.kind == form::elements && made.index >= 0) ++of.negative_begin;
      into_.edges.push_back(made);
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
