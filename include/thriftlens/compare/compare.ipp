// compare: bodies of compare.hpp.
#pragma once

#include <thriftlens/compare/compare.hpp>

#include <thriftlens/core/path_builder.hpp>
#include <thriftlens/protocol/binary.hpp>
#include <thriftlens/protocol/canonical.hpp>
#include <thriftlens/protocol/compact.hpp>
#include <thriftlens/protocol/key_step.hpp>
#include <thriftlens/protocol/walk.hpp>
#include <thriftlens/schema/field_step.hpp>
#include <thriftlens/schema/walk_types.hpp>
#include <thriftlens/view/explain.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {

/// A value inside one of the two sides, with its extent.
struct compared_value {
  wire_location location;
  byte_view bytes;
};
/// One field of a struct; `size` is that of the value, or too_long where the value must be skipped to know.
struct compared_field {
  static constexpr std::uint32_t too_long = 0xffffffffu;

  const std::uint8_t* at = nullptr;
  std::uint32_t size = 0;
  std::int16_t id = 0;
  ttype wire = ttype::stop;
  std::int8_t inline_bool = -1;

  friend bool operator<(const compared_field& left, const compared_field& right) noexcept {
    return left.id != right.id ? left.id < right.id : left.at < right.at;
  }
  [[nodiscard]] static std::uint32_t size_of(std::ptrdiff_t size) noexcept {
    return static_cast<std::size_t>(size) < too_long ? static_cast<std::uint32_t>(size) : too_long;
  }
};
static_assert(sizeof(void*) != 8 || sizeof(compared_field) == 16);
/// One element of a set or entry of a map; its key are the canonical bytes that the level's `keys` hold.
struct compared_entry {
  std::size_t key = 0;
  std::size_t key_size = 0;
  const std::uint8_t* at = nullptr;     ///< the element or the key
  const std::uint8_t* value = nullptr;  ///< of entries
  std::uint32_t number = 0;             ///< in the order of the bytes
};
/// The elements of a set or entries of a map, by canonical keys. Of equal keys the first comes first.
struct compared_entries {
  std::vector<compared_entry> all;
  buffer keys;
  wire_position inside;  ///< what positions in here have but the address
  ttype key_wire = ttype::stop;
  ttype value_wire = ttype::stop;

  [[nodiscard]] std::string_view key(const compared_entry& of) const noexcept {
    return keys.text().substr(of.key, of.key_size);
  }
  void sort() {
    std::sort(all.begin(), all.end(), [this](const compared_entry& left, const compared_entry& right) {
      const int order = key(left).compare(key(right));
      return order != 0 ? order < 0 : left.at < right.at;
    });
  }
};

/// What the tables and differences of a comparison may take, together.
class compared_budget {
 public:
  explicit compared_budget(std::size_t max_size) noexcept : left_(max_size) {}
  [[nodiscard]] bool take(std::uint64_t bytes) noexcept {
    if (bytes > left_) return false;
    left_ -= bytes;
    return true;
  }
  void give_back(std::size_t bytes) noexcept { left_ += bytes; }

 private:
  std::uint64_t left_;
};

/// Opens a list, set or map. What a list or set has are values without keys.
template <class Reader>
[[nodiscard]] bool open_contents(Reader& in, ttype wire, map_header& map) noexcept {
  if (wire == ttype::map) return open_map(in, map);
  list_header list;
  if (!open_sequence(in, wire, list)) return false;
  map = {ttype::stop, list.element, list.size};
  return true;
}

/// An entry of a map, or an element without a key.
struct compared_pair {
  compared_value key, item;
};
/// Goes through a list, set or map in the order of its bytes.
template <protocol P>
struct compared_cursor {
  typename P::reader in{byte_view()};
  map_header left;  ///< its size: what is still to come
  std::uint32_t key_type = image::none;
  std::uint32_t item_type = image::none;
};

/// Lists what is directly inside one value.
template <protocol P>
class child_lister : public walk<child_lister<P>, P> {
  using base = walk<child_lister<P>, P>;

 public:
  using base::base;

  /// The fields of a struct, ids ascending; of equal ids the first comes first. `inside`: what positions in
  /// there have in common.
  [[nodiscard]] bool fields(std::vector<compared_field>& into, wire_position& inside) {
    inside = in_.here();
    --inside.depth_left;
    const bool done = this->each_field(no_type, [&](const walked_field& field) {
      const wire_position at = in_.here();
      const bool read = in_.skip(field.header.type);
      into.push_back({at.at, compared_field::size_of(in_.at() - at.at), field.header.id, field.header.type,
                      at.inline_bool});
      return read;
    });
    if (!std::is_sorted(into.begin(), into.end())) std::sort(into.begin(), into.end());
    return done;
  }
  /// The elements of a set or entries of a map. Takes from the budget what they take; false without a
  /// fault where that is too much.
  [[nodiscard]] bool entries(ttype wire, compared_entries& into, compared_budget& budget) {
    map_header map;
    if (!open_contents(in_, wire, map)) return false;
    const bool is_map = wire == ttype::map;
    into.key_wire = is_map ? map.key : map.value;
    into.value_wire = is_map ? map.value : ttype::stop;
    into.inside = in_.here();
    return budget.take(std::uint64_t{map.size} * sizeof(compared_entry)) && read(into, map.size) &&
           budget.take(into.keys.size());
  }

 private:
  using base::in_;

  [[nodiscard]] bool read(compared_entries& into, std::uint32_t size) {
    into.all.reserve(size);
    for (std::uint32_t i = 0; i < size; ++i) {
      compared_entry made{into.keys.size(), 0, in_.at(), nullptr, i};
      if (!canonical_writer<P>(in_, into.keys).key(into.key_wire)) return false;
      made.key_size = into.keys.size() - made.key;
      made.value = in_.at();
      if (into.value_wire != ttype::stop && !in_.skip(into.value_wire)) return false;
      into.all.push_back(made);
    }
    return true;
  }
};

/// One side of a comparison: finds children, knows the path it stands at, remembers the first fault.
template <protocol P>
class compared_side {
 public:
  using reader_type = typename P::reader;

  explicit compared_side(const view<P>& of) : of_(of) {}

  [[nodiscard]] bool root(compared_value& into) {
    result<byte_view> bytes = of_.try_bytes();
    if (!bytes) return reject(std::move(bytes).error());
    const std::size_t end = of_.offset() + bytes->size();
    if (of_.is_root() && end != of_.whole().size()) return reject(explained({errc::trailing_bytes, 0, end}));
    into = {of_.location(), *bytes};
    return true;
  }
  [[nodiscard]] bool canonical(const wire_location& of, buffer& out, bool ordered, bool is_key) {
    reader_type in = reader(of.at);
    canonical_writer<P> writer(in, out, ordered);
    return (is_key ? writer.key(of.wire) : writer.value(of.wire)) || broken(in);
  }

  // ---- children

  [[nodiscard]] bool fields(const compared_value& of, std::vector<compared_field>& into,
                            wire_position& inside) {
    reader_type in = reader(of.location.at);
    return child_lister<P>(in).fields(into, inside) || broken(in);
  }
  [[nodiscard]] compared_value field(const compared_value& of, const compared_field& at,
                                     const wire_position& inside) {
    compared_value made{
        {{at.at, inside.depth_left, 0, at.inline_bool}, field_type(of.location.type, at.id), at.wire},
        {at.at, at.size}};
    if (at.inline_bool >= 0)
      made.bytes = {&bool_bytes<P>[at.inline_bool], 1};
    else if (at.size == compared_field::too_long)
      static_cast<void>(measure(made));
    return made;
  }
  [[nodiscard]] bool open(const compared_value& of, compared_cursor<P>& at) {
    at.in = reader(of.location.at);
    at.key_type = types().first(of.location.type);
    at.item_type = of.location.wire == ttype::map ? types().second(of.location.type) : at.key_type;
    return open_contents(at.in, of.location.wire, at.left) || broken(at.in);
  }
  /// The next one, or none at the end.
  [[nodiscard]] bool next(compared_cursor<P>& at, std::optional<compared_pair>& made) {
    if (at.left.size == 0) return true;
    --at.left.size;
    made.emplace();
    return (at.left.key == ttype::stop || next(at.in, at.key_type, at.left.key, made->key)) &&
           next(at.in, at.item_type, at.left.value, made->item);
  }
  /// The value that a reader stands at, which is skipped.
  [[nodiscard]] bool next(reader_type& in, std::uint32_t type, ttype wire, compared_value& made) {
    made.location = {in.here(), type, wire};
    if (!in.skip(wire)) return broken(in);
    made.bytes = bytes_since(made.location.at.at, in);
    return true;
  }
  /// The elements of a set or entries of a map, sorted.
  [[nodiscard]] bool entries(const compared_value& of, compared_entries& into, compared_budget& budget) {
    reader_type in = reader(of.location.at);
    if (!child_lister<P>(in).entries(of.location.wire, into, budget))
      return in.failed() ? broken(in) : full(of);
    into.sort();
    return true;
  }
  void release(const compared_entries& used, compared_budget& budget) const noexcept {
    budget.give_back(used.all.size() * sizeof(compared_entry) + used.keys.size());
  }
  /// An element of a set or a key.
  [[nodiscard]] compared_value element(const compared_value& of, const compared_entries& level,
                                       const compared_entry& at) {
    return value_at(at.at, level, types().first(of.location.type), level.key_wire);
  }
  [[nodiscard]] compared_value item(const compared_value& of, const compared_entries& level,
                                    const compared_entry& at) {
    return value_at(at.value, level, types().second(of.location.type), level.value_wire);
  }

  // ---- the path

  [[nodiscard]] std::size_t mark() const noexcept { return path_.mark(); }
  void back_to(std::size_t mark) { path_.back_to(mark); }
  void step_to_field(std::uint32_t of, std::int16_t id) { add_field_step(path_, of_.image(), of, id); }
  void step_to_index(std::size_t index) { path_.index(index); }
  void step_to_key(const compared_value& key) { add_key_step<P>(path_, key.bytes, key.location.wire); }
  [[nodiscard]] std::string path() {
    if (root_path_.empty()) root_path_ = of_.path();
    return root_path_ + path_.steps();
  }

  /// No more memory is allowed: false.
  bool full(const compared_value& at) {
    return reject(error(errc::output_limit, {},
                        static_cast<std::size_t>(at.location.at.at - of_.whole().begin()), path()));
  }
  [[nodiscard]] const error& why() const noexcept { return why_; }

 private:
  [[nodiscard]] schema_types types() const noexcept { return of_.image(); }
  [[nodiscard]] reader_type reader(const wire_position& at) const noexcept {
    reader_type in(of_.whole());
    in.seek(at);
    return in;
  }
  bool reject(error&& why) {
    why_ = std::move(why);
    return false;
  }
  bool broken(const reader_type& in) { return reject(explained(in.fault())); }
  [[nodiscard]] error explained(const fault& why) const {
    return explain<P>(of_.whole(), of_.root_type(), why, of_.bounds());
  }
  [[nodiscard]] compared_value value_at(const std::uint8_t* at, const compared_entries& level,
                                        std::uint32_t type, ttype wire) {
    compared_value made{{{at, level.inside.depth_left, 0, -1}, type, wire}, {}};
    static_cast<void>(measure(made));
    return made;
  }
  bool measure(compared_value& of) {
    reader_type in = reader(of.location.at);
    return next(in, of.location.type, of.location.wire, of);
  }
  [[nodiscard]] std::uint32_t field_type(std::uint32_t of, std::int16_t id) const noexcept {
    return type_of_field(types(), types().find(types().structure(of), id));
  }

  view<P> of_;
  path_builder path_;      // from the view to where the walk is
  std::string root_path_;  // from the root of the bytes to the view, once it is needed
  error why_;
};

/// Walks over both sides at once, down into what is not equal byte for byte.
template <protocol P, protocol Q>
class comparison {
 public:
  comparison(const view<P>& left, const view<Q>& right, const compare_options& options)
      : left_(left),
        right_(right),
        options_(options),
        budget_(options.limits.max_objects(left.whole().size() + right.whole().size())) {}

  /// False: why() has the error.
  [[nodiscard]] bool run(std::vector<difference>& into) {
    values left, right;
    if (!roots(left, right)) return false;
    found_ = &into;
    return options_.max_differences == 0 || value(left, right) || !failed();
  }
  /// The same for yes or no.
  [[nodiscard]] bool run(bool& equal) {
    values left, right;
    if (!roots(left, right)) return false;
    equal = same_bytes(left, right);
    return equal || left.location.wire != right.location.wire ||
           same_value(left, right, keeps_order(), equal);
  }
  [[nodiscard]] const error& why() const noexcept {
    return left_.why().code() != errc::ok ? left_.why() : right_.why();
  }

 private:
  using values = compared_value;
  [[nodiscard]] bool roots(values& left, values& right) { return left_.root(left) && right_.root(right); }
  [[nodiscard]] bool failed() const noexcept { return why().code() != errc::ok; }
  [[nodiscard]] bool keeps_order() const noexcept {
    return options_.order == compare_options::order_check::keep;
  }

  // Each answers false to stop: at an error, or with enough differences.
  bool report(difference_kind kind, const values* left, const values* right) {
    difference made = difference_of(kind, left, right);
    // Twice: a vector that grows holds both its old and its new memory.
    if (!budget_.take(2 * sizeof(difference) + made.path.size()))
      return left != nullptr ? left_.full(*left) : right_.full(*right);
    found_->push_back(std::move(made));
    return found_->size() < options_.max_differences;
  }
  [[nodiscard]] difference difference_of(difference_kind kind, const values* left, const values* right) {
    const values none;
    const values &on_left = left != nullptr ? *left : none, &on_right = right != nullptr ? *right : none;
    return {kind,
            left != nullptr ? left_.path() : right_.path(),
            on_left.bytes,
            on_right.bytes,
            on_left.location.wire,
            on_right.location.wire};
  }
  [[nodiscard]] static bool same_bytes(const values& left, const values& right) noexcept {
    return std::is_same_v<P, Q> && left.location.wire == right.location.wire && left.bytes == right.bytes;
  }
  bool value(const values& left, const values& right) {
    const ttype wire = left.location.wire;
    if (wire != right.location.wire) return report(difference_kind::changed, &left, &right);
    if (same_bytes(left, right)) return true;
    if (wire == ttype::struct_) return structs(left, right);
    if (is_container(wire)) return containers(left, right);
    bool equal = false;
    if (!same_value(left, right, false, equal)) return false;
    return equal || report(difference_kind::changed, &left, &right);
  }
  bool containers(const values& left, const values& right) {
    if (left.location.wire == ttype::list || keeps_order()) return in_order(left, right);
    return left.location.wire == ttype::map ? by_keys<items_of>(left, right)
                                            : by_keys<elements_of>(left, right);
  }
  /// By their canonical bytes. False: a reader failed.
  [[nodiscard]] bool same_value(const values& left, const values& right, bool ordered, bool& equal,
                                bool are_keys = false) {
    one_.clear();
    other_.clear();
    if (!left_.canonical(left.location, one_, ordered, are_keys) ||
        !right_.canonical(right.location, other_, ordered, are_keys))
      return false;
    equal = left.location.wire == right.location.wire && one_.text() == other_.text();
    return true;
  }

  // What a part of a value is, on either side: its value, and the step that leads to it.
  template <class Side>
  struct fields_of {
    static constexpr bool has_values = true;
    Side& side;
    const values& of;
    const wire_position& inside;
    [[nodiscard]] values value(const compared_field& at) { return side.field(of, at, inside); }
    void step(const compared_field& at) { side.step_to_field(of.location.type, at.id); }
  };
  template <class Side>
  struct items_of {
    static constexpr bool has_values = true;
    Side& side;
    const values& of;
    const compared_entries& level;
    [[nodiscard]] values value(const compared_entry& at) { return side.item(of, level, at); }
    void step(const compared_entry& at) { side.step_to_key(side.element(of, level, at)); }
  };
  template <class Side>
  struct elements_of {
    static constexpr bool has_values = false;  // elements that belong together are equal
    Side& side;
    const values& of;
    const compared_entries& level;
    [[nodiscard]] values value(const compared_entry& at) { return side.element(of, level, at); }
    void step(const compared_entry& at) { side.step_to_index(at.number); }
  };

  bool structs(const values& left, const values& right) {
    std::vector<compared_field> lefts, rights;
    wire_position in_left, in_right;
    if (!left_.fields(left, lefts, in_left) || !right_.fields(right, rights, in_right)) return false;
    const std::size_t tables = (lefts.capacity() + rights.capacity()) * sizeof(compared_field);
    if (!budget_.take(tables)) return left_.full(left);
    const auto by_id = [](const compared_field& a, const compared_field& b) { return int{a.id} - int{b.id}; };
    const bool done = join(lefts, rights, by_id, fields_of<compared_side<P>>{left_, left, in_left},
                           fields_of<compared_side<Q>>{right_, right, in_right});
    budget_.give_back(tables);
    return done;
  }
  template <template <class> class Parts>
  bool by_keys(const values& left, const values& right) {
    compared_entries lefts, rights;
    if (!left_.entries(left, lefts, budget_) || !right_.entries(right, rights, budget_)) return false;
    const auto by_key = [&](const compared_entry& a, const compared_entry& b) {
      return lefts.key(a).compare(rights.key(b));
    };
    const bool done = join(lefts.all, rights.all, by_key, Parts<compared_side<P>>{left_, left, lefts},
                           Parts<compared_side<Q>>{right_, right, rights});
    left_.release(lefts, budget_);
    right_.release(rights, budget_);
    return done;
  }
  /// Compares the parts of both that belong together, and reports those that only one has.
  template <class Parts, class Compare, class Left, class Right>
  bool join(const Parts& lefts, const Parts& rights, Compare compare, Left in_left, Right in_right) {
    auto left = lefts.begin();
    auto right = rights.begin();
    while (left != lefts.end() || right != rights.end()) {
      const int order = left == lefts.end() ? 1 : right == rights.end() ? -1 : compare(*left, *right);
      if (!part(order <= 0 ? &*left : nullptr, order >= 0 ? &*right : nullptr, in_left, in_right))
        return false;
      if (order <= 0) ++left;
      if (order >= 0) ++right;
    }
    return true;
  }
  /// A part of both, or of one side.
  template <class Part, class Left, class Right>
  bool part(const Part* left, const Part* right, Left& in_left, Right& in_right) {
    if (left != nullptr && right != nullptr && !Left::has_values) return true;
    std::optional<values> one, other;
    if (left != nullptr) one = in_left.value(*left);
    if (right != nullptr) other = in_right.value(*right);
    const auto step = [&] {
      if (one) in_left.step(*left);
      if (other) in_right.step(*right);
    };
    return at(step, one, other);
  }
  /// One step further on both paths: what differs there. What is equal byte for byte is not given a path.
  template <class Step>
  bool at(Step step, const auto& left, const auto& right) {
    if (left && right && same_bytes(*left, *right)) return true;
    return below(step, [&] {
      if (left && right) return value(*left, *right);
      return left ? report(difference_kind::removed, &*left, nullptr)
                  : report(difference_kind::added, nullptr, &*right);
    });
  }
  template <class Step, class Work>
  bool below(Step step, Work work) {
    const std::size_t left_mark = left_.mark(), right_mark = right_.mark();
    step();
    const bool more = work();
    left_.back_to(left_mark);
    right_.back_to(right_mark);
    return more;
  }

  // With two cursors: nothing is kept of what they pass.
  bool in_order(const values& left, const values& right) {
    compared_cursor<P> lefts;
    compared_cursor<Q> rights;
    if (!left_.open(left, lefts) || !right_.open(right, rights)) return false;
    for (std::size_t i = 0; lefts.left.size != 0 || rights.left.size != 0; ++i) {
      std::optional<compared_pair> one, other;
      if (!left_.next(lefts, one) || !right_.next(rights, other) || !pair(i, one, other)) return false;
    }
    return true;
  }
  // An entry with another key is changed.
  bool pair(std::size_t index, const std::optional<compared_pair>& left,
            const std::optional<compared_pair>& right) {
    const bool has_keys = (left ? left : right)->key.location.wire != ttype::stop;
    bool same_key = true;
    if (has_keys && left && right && !same_value(left->key, right->key, false, same_key, true)) return false;
    const values *one = left ? &left->item : nullptr, *other = right ? &right->item : nullptr;
    const auto step = [&] {
      step_to(left_, index, left, has_keys);
      step_to(right_, index, right, has_keys);
    };
    if (same_key) return at(step, one, other);
    return below(step, [&] { return report(difference_kind::changed, one, other); });
  }
  template <class Side>
  static void step_to(Side& side, std::size_t index, const std::optional<compared_pair>& to, bool by_key) {
    if (!by_key) return side.step_to_index(index);
    if (to) side.step_to_key(to->key);
  }

  compared_side<P> left_;
  compared_side<Q> right_;
  const compare_options& options_;
  compared_budget budget_;
  buffer one_, other_;  // canonical bytes
  std::vector<difference>* found_ = nullptr;
};

}  // namespace detail

template <protocol P, protocol Q>
result<bool> try_equal(const view<P>& left, const view<Q>& right, const compare_options& options) {
  bool same = false;
  detail::comparison<P, Q> work(left, right, options);
  if (!work.run(same)) return work.why();
  return same;
}

template <protocol P, protocol Q>
result<std::vector<difference>> try_differences(const view<P>& left, const view<Q>& right,
                                                const compare_options& options) {
  std::vector<difference> found;
  detail::comparison<P, Q> work(left, right, options);
  if (!work.run(found)) return work.why();
  return found;
}

#if defined(THRIFTLENS_COMPILED)
template result<bool> try_equal(const view<binary>&, const view<binary>&, const compare_options&);
template result<bool> try_equal(const view<binary>&, const view<compact>&, const compare_options&);
template result<bool> try_equal(const view<compact>&, const view<binary>&, const compare_options&);
template result<bool> try_equal(const view<compact>&, const view<compact>&, const compare_options&);
template result<std::vector<difference>> try_differences(const view<binary>&, const view<binary>&,
                                                         const compare_options&);
template result<std::vector<difference>> try_differences(const view<binary>&, const view<compact>&,
                                                         const compare_options&);
template result<std::vector<difference>> try_differences(const view<compact>&, const view<binary>&,
                                                         const compare_options&);
template result<std::vector<difference>> try_differences(const view<compact>&, const view<compact>&,
                                                         const compare_options&);
#endif

}  // namespace thriftlens::inline THRIFTLENS_ABI
