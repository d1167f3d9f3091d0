// compare: whether two values are equal, and where they differ.
// In: two views, of one protocol or two. Out: yes or no; or a bounded list of differences with path and
// bytes. Never decodes into objects; what is equal byte for byte is not looked into.
#pragma once

#include <thriftlens/core/path_builder.hpp>
#include <thriftlens/core/result.hpp>
#include <thriftlens/protocol/canonical.hpp>
#include <thriftlens/protocol/key_step.hpp>
#include <thriftlens/protocol/walk.hpp>
#include <thriftlens/schema/field_step.hpp>
#include <thriftlens/schema/walk_types.hpp>
#include <thriftlens/view/view.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

/// What counts as equal. First value = default.
struct compare_options {
  enum class order_check : unsigned char { ignore, keep } order = order_check::ignore;  ///< of sets and maps
  std::size_t most_differences = 64;
  limits bounds = {};  ///< output_size counts: what the differences and what finds them may take; the depth
                       ///< is that of the views
};

enum class difference_kind : unsigned char { added, removed, changed };

/// One place where two values differ. The bytes borrow from the views' bytes, each in its own protocol, a
/// bool as an element has it; empty on the side where nothing stands.
struct difference {
  difference_kind kind = difference_kind::changed;
  std::string path;  ///< on the right for what was added, else on the left
  byte_view left;
  byte_view right;
  ttype left_wire = ttype::stop;
  ttype right_wire = ttype::stop;
};

/// Whether two values are equal: fields in any order, sets and maps in any order (option), numbers and bools
/// by value however they are spelled, doubles by their bits, empty containers whatever their element types.
/// Fields that the IDL does not know count. O(n log n). Errors: those of reading either side.
template <protocol P, protocol Q>
[[nodiscard]] result<bool> try_equal(const view<P>& left, const view<Q>& right,
                                     const compare_options& options = {});
template <protocol P, protocol Q>
[[nodiscard]] bool equal(const view<P>& left, const view<Q>& right, const compare_options& options = {}) {
  return try_equal(left, right, options).value();
}

/// What must be done to the left value to get the right one, in the order of ids, indices and keys; at most
/// options.most_differences. Lists are compared index by index, sets by elements, maps by keys; what is in a
/// set is added or removed, never changed. O(n log n) a level that differs. Memory: the differences, and a
/// table of the fields, elements or entries of each struct, set or map that differs; lists need none. Beyond
/// 64 bytes for each byte of both sides and 16 MiB (or options.bounds) that is output_limit.
template <protocol P, protocol Q>
[[nodiscard]] result<std::vector<difference>> try_differences(const view<P>& left, const view<Q>& right,
                                                              const compare_options& options = {});
template <protocol P, protocol Q>
[[nodiscard]] std::vector<difference> differences(const view<P>& left, const view<Q>& right,
                                                  const compare_options& options = {}) {
  return try_differences(left, right, options).value();
}

namespace detail {

/// A value inside one of the two sides, with its extent.
struct compared_value {
  wire_spot spot;
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

  [[nodiscard]] static std::uint32_t size_of(std::ptrdiff_t size) noexcept {
    return size < std::ptrdiff_t{too_long} ? static_cast<std::uint32_t>(size) : too_long;
  }
};
static_assert(sizeof(compared_field) == 16);
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

/// What the tables and findings of a comparison may take, together.
class compared_budget {
 public:
  explicit compared_budget(std::size_t most) noexcept : left_(most) {}
  [[nodiscard]] bool take(std::size_t bytes) noexcept {
    if (bytes > left_) return false;
    left_ -= bytes;
    return true;
  }
  void give_back(std::size_t bytes) noexcept { left_ += bytes; }

 private:
  std::size_t left_;
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
      if (!in_.skip(field.header.type)) return false;
      into.push_back({at.at, compared_field::size_of(in_.at() - at.at), field.header.id, field.header.type,
                      at.inline_bool});
      return true;
    });
    const auto less = [](const compared_field& left, const compared_field& right) {
      return left.id != right.id ? left.id < right.id : left.at < right.at;
    };
    if (!std::is_sorted(into.begin(), into.end(), less)) std::sort(into.begin(), into.end(), less);
    return done;
  }
  /// The elements of a set or entries of a map, sorted. Takes from the budget what they take; false without a
  /// fault where that is too much.
  [[nodiscard]] bool entries(ttype wire, compared_entries& into, compared_budget& budget) {
    const auto list = [&](ttype key, ttype item, std::uint32_t size) {
      into.key_wire = key;
      into.value_wire = item;
      into.inside = in_.here();
      return budget.take(size * sizeof(compared_entry)) && read(into, size);
    };
    const bool done = wire == ttype::map
                          ? this->in_map(no_type, [&](const map_header& map,
                                                      auto...) { return list(map.key, map.value, map.size); })
                          : this->in_sequence(wire, no_type, [&](const list_header& set, auto...) {
                              return list(set.element, ttype::stop, set.size);
                            });
    if (!done || !budget.take(into.keys.size())) return false;
    into.sort();
    return true;
  }

 private:
  using base::in_;

  [[nodiscard]] bool read(compared_entries& into, std::uint32_t size) {
    into.all.reserve(size);
    for (std::uint32_t i = 0; i < size; ++i) {
      compared_entry made{into.keys.size(), 0, in_.at(), nullptr, i};
      if (!canonical_writer<P>(in_, into.keys).value(into.key_wire)) return false;
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
    if (!bytes) return fail(std::move(bytes).error());
    const std::size_t end = of_.offset() + bytes->size();
    if (of_.is_root() && end != of_.whole().size()) return fail(explained({errc::trailing_bytes, 0, end}));
    into = {of_.spot(), *bytes};
    return true;
  }
  [[nodiscard]] bool canonical(const wire_spot& of, buffer& out, bool ordered) {
    reader_type in = reader(of.at);
    return canonical_writer<P>(in, out, ordered).value(of.wire) || broken(in);
  }

  // ---- children

  [[nodiscard]] bool fields(const compared_value& of, std::vector<compared_field>& into,
                            wire_position& inside) {
    reader_type in = reader(of.spot.at);
    return child_lister<P>(in).fields(into, inside) || broken(in);
  }
  [[nodiscard]] compared_value field(const compared_value& of, const compared_field& at,
                                     const wire_position& inside) {
    compared_value made{
        {{at.at, inside.depth_left, 0, at.inline_bool}, field_type(of.spot.type, at.id), at.wire},
        {at.at, at.size}};
    if (at.inline_bool >= 0)
      made.bytes = {&bool_bytes<P>[at.inline_bool], 1};
    else if (at.size == compared_field::too_long)
      static_cast<void>(measure(made));
    return made;
  }
  /// A reader before the first element of a list or set.
  [[nodiscard]] bool open(const compared_value& of, reader_type& in, list_header& list) {
    in = reader(of.spot.at);
    return open_sequence(in, of.spot.wire, list) || broken(in);
  }
  /// A reader before the first entry of a map.
  [[nodiscard]] bool open(const compared_value& of, reader_type& in, map_header& map) {
    in = reader(of.spot.at);
    return open_map(in, map) || broken(in);
  }
  /// The value that a reader stands at, which is skipped.
  [[nodiscard]] bool next(reader_type& in, std::uint32_t type, ttype wire, compared_value& made) {
    made.spot = {in.here(), type, wire};
    if (!in.skip(wire)) return broken(in);
    made.bytes = {made.spot.at.at, static_cast<std::size_t>(in.at() - made.spot.at.at)};
    return true;
  }
  /// The elements of a set or entries of a map, sorted.
  [[nodiscard]] bool entries(const compared_value& of, compared_entries& into, compared_budget& budget) {
    reader_type in = reader(of.spot.at);
    if (child_lister<P>(in).entries(of.spot.wire, into, budget)) return true;
    return in.failed() ? broken(in) : full(of);
  }
  void release(const compared_entries& used, compared_budget& budget) const noexcept {
    budget.give_back(used.all.size() * sizeof(compared_entry) + used.keys.size());
  }
  /// An element of a set or a key.
  [[nodiscard]] compared_value element(const compared_value& of, const compared_entries& level,
                                       const compared_entry& at) {
    return value_at(at.at, level, child_type(of.spot.type, false), level.key_wire);
  }
  [[nodiscard]] compared_value item(const compared_value& of, const compared_entries& level,
                                    const compared_entry& at) {
    return value_at(at.value, level, child_type(of.spot.type, true), level.value_wire);
  }
  /// The type of elements, keys, or (second) values.
  [[nodiscard]] std::uint32_t child_type(std::uint32_t of, bool second) const noexcept {
    return second ? types().second(of) : types().first(of);
  }

  // ---- the path

  [[nodiscard]] std::size_t mark() const noexcept { return path_.mark(); }
  void back_to(std::size_t mark) { path_.back_to(mark); }
  void step_to_field(std::uint32_t of, std::int16_t id) { add_field_step(path_, of_.image(), of, id); }
  void step_to_index(std::size_t index) { path_.index(index); }
  void step_to_key(const compared_value& key) { add_key_step<P>(path_, key.bytes, key.spot.wire); }
  [[nodiscard]] std::string path() {
    if (root_path_.empty()) root_path_ = of_.path();
    return root_path_ + path_.steps();
  }

  /// No more memory is allowed: false.
  bool full(const compared_value& at) {
    return fail(
        error(errc::output_limit, {}, static_cast<std::size_t>(at.spot.at.at - of_.whole().begin()), path()));
  }
  [[nodiscard]] const error& why() const noexcept { return why_; }

 private:
  [[nodiscard]] schema_types types() const noexcept { return of_.image(); }
  [[nodiscard]] reader_type reader(const wire_position& at) const noexcept {
    reader_type in(of_.whole());
    in.seek(at);
    return in;
  }
  bool fail(error&& why) {
    why_ = std::move(why);
    return false;
  }
  bool broken(const reader_type& in) { return fail(explained(in.fault())); }
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
    reader_type in = reader(of.spot.at);
    return next(in, of.spot.type, of.spot.wire, of);
  }
  [[nodiscard]] std::uint32_t field_type(std::uint32_t of, std::int16_t id) const noexcept {
    const std::uint32_t field = types().find(types().structure(of), id);
    return field == image::none ? image::none : types().field_type(field);
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
        budget_(options.bounds.max_objects(left.whole().size() + right.whole().size())) {}

  /// False: why() has the error.
  [[nodiscard]] bool run(std::vector<difference>& into) {
    compared_value left, right;
    if (!left_.root(left) || !right_.root(right)) return false;
    found_ = &into;
    return options_.most_differences == 0 || value(left, right) || !failed();
  }
  [[nodiscard]] const error& why() const noexcept {
    return left_.why().code() != errc::ok ? left_.why() : right_.why();
  }

 private:
  using values = compared_value;
  [[nodiscard]] bool failed() const noexcept { return why().code() != errc::ok; }
  [[nodiscard]] bool keeps_order() const noexcept {
    return options_.order == compare_options::order_check::keep;
  }

  // Each answers false to stop: at an error, or with enough differences.
  bool report(difference_kind kind, const values* left, const values* right) {
    difference made;
    made.kind = kind;
    made.path = left != nullptr ? left_.path() : right_.path();
    if (left != nullptr) {
      made.left = left->bytes;
      made.left_wire = left->spot.wire;
    }
    if (right != nullptr) {
      made.right = right->bytes;
      made.right_wire = right->spot.wire;
    }
    // Twice: a vector that grows holds both its old and its new memory.
    if (!budget_.take(2 * sizeof(difference) + made.path.size()))
      return left != nullptr ? left_.full(*left) : right_.full(*right);
    found_->push_back(std::move(made));
    return found_->size() < options_.most_differences;
  }
  [[nodiscard]] static bool same_bytes(const values& left, const values& right) noexcept {
    return std::is_same_v<P, Q> && left.spot.wire == right.spot.wire && left.bytes == right.bytes;
  }
  bool value(const values& left, const values& right) {
    const ttype wire = left.spot.wire;
    if (wire != right.spot.wire) return report(difference_kind::changed, &left, &right);
    if (same_bytes(left, right)) return true;
    if (wire == ttype::struct_) return structs(left, right);
    if (wire == ttype::map) return keeps_order() ? maps_in_order(left, right) : maps(left, right);
    if (wire == ttype::set && !keeps_order()) return sets(left, right);
    if (is_container(wire)) return lists(left, right);
    bool equal = false;
    if (!same_value(left, right, equal)) return false;
    return equal || report(difference_kind::changed, &left, &right);
  }
  /// Of scalars and keys, by their canonical bytes. False: a reader failed.
  [[nodiscard]] bool same_value(const values& left, const values& right, bool& equal) {
    one_.clear();
    other_.clear();
    if (!left_.canonical(left.spot, one_, false) || !right_.canonical(right.spot, other_, false))
      return false;
    equal = left.spot.wire == right.spot.wire && one_.text() == other_.text();
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
    void step(const compared_field& at) { side.step_to_field(of.spot.type, at.id); }
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
  bool maps(const values& left, const values& right) { return by_keys<items_of>(left, right); }
  bool sets(const values& left, const values& right) { return by_keys<elements_of>(left, right); }
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
  bool at(Step step, const std::optional<values>& left, const std::optional<values>& right) {
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

  // Index by index, with two readers: nothing is kept of the elements.
  bool lists(const values& left, const values& right) {
    typename P::reader a(byte_view{});
    typename Q::reader b(byte_view{});
    list_header lefts, rights;
    if (!left_.open(left, a, lefts) || !right_.open(right, b, rights)) return false;
    for (std::uint32_t i = 0; i < lefts.size || i < rights.size; ++i) {
      std::optional<values> one, other;
      if (i < lefts.size &&
          !left_.next(a, left_.child_type(left.spot.type, false), lefts.element, one.emplace()))
        return false;
      if (i < rights.size &&
          !right_.next(b, right_.child_type(right.spot.type, false), rights.element, other.emplace()))
        return false;
      const auto step = [&] {
        left_.step_to_index(i);
        right_.step_to_index(i);
      };
      if (!at(step, one, other)) return false;
    }
    return true;
  }
  struct map_entry {
    values key, item;
  };
  // Maps whose order counts: an entry with another key is changed.
  bool maps_in_order(const values& left, const values& right) {
    typename P::reader a(byte_view{});
    typename Q::reader b(byte_view{});
    map_header lefts, rights;
    if (!left_.open(left, a, lefts) || !right_.open(right, b, rights)) return false;
    for (std::uint32_t i = 0; i < lefts.size || i < rights.size; ++i) {
      std::optional<map_entry> one, other;
      if (i < lefts.size && !entry(left_, left, a, lefts, one.emplace())) return false;
      if (i < rights.size && !entry(right_, right, b, rights, other.emplace())) return false;
      if (!pair(one, other)) return false;
    }
    return true;
  }
  template <class Side>
  static bool entry(Side& side, const values& of, typename Side::reader_type& in, const map_header& map,
                    map_entry& read) {
    return side.next(in, side.child_type(of.spot.type, false), map.key, read.key) &&
           side.next(in, side.child_type(of.spot.type, true), map.value, read.item);
  }
  bool pair(const std::optional<map_entry>& left, const std::optional<map_entry>& right) {
    const auto step = [&] {
      if (left) left_.step_to_key(left->key);
      if (right) right_.step_to_key(right->key);
    };
    bool same_key = true;
    if (left && right && !same_value(left->key, right->key, same_key)) return false;
    std::optional<values> one, other;
    if (left) one = left->item;
    if (right) other = right->item;
    if (same_key) return at(step, one, other);
    return below(step, [&] { return report(difference_kind::changed, &*one, &*other); });
  }

  compared_side<P> left_;
  compared_side<Q> right_;
  const compare_options& options_;
  compared_budget budget_;
  buffer one_, other_;  // canonical bytes of scalars and keys
  std::vector<difference>* found_ = nullptr;
};

}  // namespace detail

template <protocol P, protocol Q>
result<bool> try_equal(const view<P>& left, const view<Q>& right, const compare_options& options) {
  detail::compared_side<P> lefts(left);
  detail::compared_side<Q> rights(right);
  detail::compared_value a, b;
  if (!lefts.root(a)) return lefts.why();
  if (!rights.root(b)) return rights.why();
  if (a.spot.wire != b.spot.wire) return false;
  if (std::is_same_v<P, Q> && a.bytes == b.bytes) return true;
  const bool ordered = options.order == compare_options::order_check::keep;
  buffer one, other;
  if (!lefts.canonical(a.spot, one, ordered)) return lefts.why();
  if (!rights.canonical(b.spot, other, ordered)) return rights.why();
  return one.text() == other.text();
}

template <protocol P, protocol Q>
result<std::vector<difference>> try_differences(const view<P>& left, const view<Q>& right,
                                                const compare_options& options) {
  std::vector<difference> found;
  detail::comparison<P, Q> work(left, right, options);
  if (!work.run(found)) return work.why();
  return found;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
