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

  friend bool operator<(const compared_field& lhs, const compared_field& rhs) noexcept {
    return lhs.id != rhs.id ? lhs.id < rhs.id : lhs.at < rhs.at;
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
  std::vector<compared_entry> items;
  buffer keys;
  wire_position inside;  ///< what positions in here have but the address
  ttype key_wire = ttype::stop;
  ttype value_wire = ttype::stop;

  [[nodiscard]] std::string_view key(const compared_entry& of) const noexcept {
    return keys.text().substr(of.key, of.key_size);
  }
  void sort() {
    std::sort(items.begin(), items.end(), [this](const compared_entry& lhs, const compared_entry& rhs) {
      const int order = key(lhs).compare(key(rhs));
      return order != 0 ? order < 0 : lhs.at < rhs.at;
    });
  }
};

/// Memory that the tables and differences of a comparison may use, together.
class compared_budget {
 public:
  explicit compared_budget(std::size_t max_size) noexcept : remaining_(max_size) {}
  [[nodiscard]] bool take(std::uint64_t bytes) noexcept {
    if (bytes > remaining_) return false;
    remaining_ -= bytes;
    return true;
  }
  void give_back(std::size_t bytes) noexcept { remaining_ += bytes; }

 private:
  std::uint64_t remaining_;
};

/// Opens a list, set or map. Elements of a list or set are values without keys.
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
/// Iterates a list, set or map in the order of its bytes.
template <protocol P>
struct compared_cursor {
  typename P::reader in{byte_view()};
  map_header remaining;  ///< its size: the number of entries that follow
  std::uint32_t key_type = image::none;
  std::uint32_t item_type = image::none;
};

/// Lists what is directly inside one value.
template <protocol P>
class child_lister : public walk<child_lister<P>, P> {
  using base = walk<child_lister<P>, P>;

 public:
  using base::base;

  /// The fields of a struct, ids ascending; of equal ids the first comes first. `inside` receives what their
  /// positions have in common.
  [[nodiscard]] bool fields(std::vector<compared_field>& into, wire_position& inside) {
    inside = in_.here();
    --inside.depth_left;
    const bool ok = this->each_field(no_type, [&](const walked_field& field) {
      const wire_position at = in_.here();
      const bool read = in_.skip(field.header.type);
      into.push_back({at.at, compared_field::size_of(in_.at() - at.at), field.header.id, field.header.type,
                      at.inline_bool});
      return read;
    });
    if (!std::is_sorted(into.begin(), into.end())) std::sort(into.begin(), into.end());
    return ok;
  }
  /// The elements of a set or entries of a map, charged to the budget; false without a fault if they exceed
  /// it.
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
    into.items.reserve(size);
    for (std::uint32_t i = 0; i < size; ++i) {
      compared_entry entry{into.keys.size(), 0, in_.at(), nullptr, i};
      if (!append_canonical_key<P>(in_, into.keys, into.key_wire)) return false;
      entry.key_size = into.keys.size() - entry.key;
      entry.value = in_.at();
      if (into.value_wire != ttype::stop && !in_.skip(into.value_wire)) return false;
      into.items.push_back(entry);
    }
    return true;
  }
};

/// One side of a comparison: finds children, tracks the current path, keeps the first error.
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
    return (is_key ? append_canonical_key<P>(in, out, of.wire, ordered)
                   : append_canonical<P>(in, out, of.wire, ordered)) ||
           broken(in);
  }

  // ---- children

  [[nodiscard]] bool fields(const compared_value& of, std::vector<compared_field>& into,
                            wire_position& inside) {
    reader_type in = reader(of.location.at);
    return child_lister<P>(in).fields(into, inside) || broken(in);
  }
  [[nodiscard]] compared_value field(const compared_value& of, const compared_field& at,
                                     const wire_position& inside) {
    compared_value value{
        {{at.at, inside.depth_left, 0, at.inline_bool}, field_type(of.location.type, at.id), at.wire},
        {at.at, at.size}};
    if (at.inline_bool >= 0)
      value.bytes = {&bool_bytes<P>[at.inline_bool], 1};
    else if (at.size == compared_field::too_long)
      static_cast<void>(measure(value));
    return value;
  }
  [[nodiscard]] bool open(const compared_value& of, compared_cursor<P>& at) {
    at.in = reader(of.location.at);
    at.key_type = types().first(of.location.type);
    at.item_type = of.location.wire == ttype::map ? types().second(of.location.type) : at.key_type;
    return open_contents(at.in, of.location.wire, at.remaining) || broken(at.in);
  }
  /// The next pair; stays empty at the end.
  [[nodiscard]] bool next(compared_cursor<P>& at, std::optional<compared_pair>& pair) {
    if (at.remaining.size == 0) return true;
    --at.remaining.size;
    pair.emplace();
    return (at.remaining.key == ttype::stop || next(at.in, at.key_type, at.remaining.key, pair->key)) &&
           next(at.in, at.item_type, at.remaining.value, pair->item);
  }
  /// Skips the next value of a reader and returns its location and bytes.
  [[nodiscard]] bool next(reader_type& in, std::uint32_t type, ttype wire, compared_value& value) {
    value.location = {in.here(), type, wire};
    if (!in.skip(wire)) return broken(in);
    value.bytes = bytes_since(value.location.at.at, in);
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
    budget.give_back(used.items.size() * sizeof(compared_entry) + used.keys.size());
  }
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

  /// The budget is exhausted: false.
  bool full(const compared_value& at) {
    return reject(error(errc::output_limit, {},
                        static_cast<std::size_t>(at.location.at.at - of_.whole().begin()), path()));
  }
  [[nodiscard]] const error& failure() const noexcept { return error_; }

 private:
  [[nodiscard]] schema_types types() const noexcept { return of_.image(); }
  [[nodiscard]] reader_type reader(const wire_position& at) const noexcept {
    reader_type in(of_.whole());
    in.seek(at);
    return in;
  }
  bool reject(error&& reason) {
    error_ = std::move(reason);
    return false;
  }
  bool broken(const reader_type& in) { return reject(explained(in.fault())); }
  [[nodiscard]] error explained(const fault& reason) const {
    return explain<P>(of_.whole(), of_.root_type(), reason, of_.bounds());
  }
  [[nodiscard]] compared_value value_at(const std::uint8_t* at, const compared_entries& level,
                                        std::uint32_t type, ttype wire) {
    compared_value value{{{at, level.inside.depth_left, 0, -1}, type, wire}, {}};
    static_cast<void>(measure(value));
    return value;
  }
  bool measure(compared_value& of) {
    reader_type in = reader(of.location.at);
    return next(in, of.location.type, of.location.wire, of);
  }
  [[nodiscard]] std::uint32_t field_type(std::uint32_t of, std::int16_t id) const noexcept {
    return type_of_field(types(), types().find(types().structure(of), id));
  }

  view<P> of_;
  path_builder path_;      // from the view to the current value
  std::string root_path_;  // from the root of the bytes to the view, once it is needed
  error error_;
};

/// Walks over both sides at once, down into what is not equal byte for byte.
template <protocol P, protocol Q>
class comparison {
 public:
  comparison(const view<P>& lhs, const view<Q>& rhs, const compare_options& options)
      : lhs_(lhs),
        rhs_(rhs),
        options_(options),
        budget_(options.limits.max_objects(lhs.whole().size() + rhs.whole().size())) {}

  /// False: see failure().
  [[nodiscard]] bool run(std::vector<difference>& into) {
    values lhs, rhs;
    if (!roots(lhs, rhs)) return false;
    differences_ = &into;
    return options_.max_differences == 0 || value(lhs, rhs) || !failed();
  }
  /// As above, only whether they are equal.
  [[nodiscard]] bool run(bool& equal) {
    values lhs, rhs;
    if (!roots(lhs, rhs)) return false;
    equal = same_bytes(lhs, rhs);
    return equal || lhs.location.wire != rhs.location.wire || same_value(lhs, rhs, keeps_order(), equal);
  }
  [[nodiscard]] const error& failure() const noexcept {
    return lhs_.failure().code() != errc::ok ? lhs_.failure() : rhs_.failure();
  }

 private:
  using values = compared_value;
  [[nodiscard]] bool roots(values& lhs, values& rhs) { return lhs_.root(lhs) && rhs_.root(rhs); }
  [[nodiscard]] bool failed() const noexcept { return failure().code() != errc::ok; }
  [[nodiscard]] bool keeps_order() const noexcept {
    return options_.order == compare_options::order_check::keep;
  }

  // These return false to stop: after an error, or with enough differences.
  bool report(difference_kind kind, const values* lhs, const values* rhs) {
    difference entry = difference_of(kind, lhs, rhs);
    // Double: a vector that grows holds both its old and its new memory.
    if (!budget_.take(2 * sizeof(difference) + entry.path.size()))
      return lhs != nullptr ? lhs_.full(*lhs) : rhs_.full(*rhs);
    differences_->push_back(std::move(entry));
    return differences_->size() < options_.max_differences;
  }
  [[nodiscard]] difference difference_of(difference_kind kind, const values* lhs, const values* rhs) {
    const values none;
    const values &lhs_value = lhs != nullptr ? *lhs : none, &rhs_value = rhs != nullptr ? *rhs : none;
    return {kind,
            lhs != nullptr ? lhs_.path() : rhs_.path(),
            lhs_value.bytes,
            rhs_value.bytes,
            lhs_value.location.wire,
            rhs_value.location.wire};
  }
  [[nodiscard]] static bool same_bytes(const values& lhs, const values& rhs) noexcept {
    return std::is_same_v<P, Q> && lhs.location.wire == rhs.location.wire && lhs.bytes == rhs.bytes;
  }
  bool value(const values& lhs, const values& rhs) {
    const ttype wire = lhs.location.wire;
    if (wire != rhs.location.wire) return report(difference_kind::changed, &lhs, &rhs);
    if (same_bytes(lhs, rhs)) return true;
    if (wire == ttype::struct_) return structs(lhs, rhs);
    if (is_container(wire)) return containers(lhs, rhs);
    bool equal = false;
    if (!same_value(lhs, rhs, false, equal)) return false;
    return equal || report(difference_kind::changed, &lhs, &rhs);
  }
  bool containers(const values& lhs, const values& rhs) {
    if (lhs.location.wire == ttype::list || keeps_order()) return in_order(lhs, rhs);
    return lhs.location.wire == ttype::map ? by_keys<items_of>(lhs, rhs) : by_keys<elements_of>(lhs, rhs);
  }
  /// Compares canonical bytes. False: a reader failed.
  [[nodiscard]] bool same_value(const values& lhs, const values& rhs, bool ordered, bool& equal,
                                bool are_keys = false) {
    lhs_bytes_.clear();
    rhs_bytes_.clear();
    if (!lhs_.canonical(lhs.location, lhs_bytes_, ordered, are_keys) ||
        !rhs_.canonical(rhs.location, rhs_bytes_, ordered, are_keys))
      return false;
    equal = lhs.location.wire == rhs.location.wire && lhs_bytes_.text() == rhs_bytes_.text();
    return true;
  }

  // The parts of one value of either side: the value of a part, and the path step to it.
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

  bool structs(const values& lhs, const values& rhs) {
    std::vector<compared_field> lhs_fields, rhs_fields;
    wire_position in_lhs, in_rhs;
    if (!lhs_.fields(lhs, lhs_fields, in_lhs) || !rhs_.fields(rhs, rhs_fields, in_rhs)) return false;
    const std::size_t tables = (lhs_fields.capacity() + rhs_fields.capacity()) * sizeof(compared_field);
    if (!budget_.take(tables)) return lhs_.full(lhs);
    const auto by_id = [](const compared_field& a, const compared_field& b) { return int{a.id} - int{b.id}; };
    const bool ok = join(lhs_fields, rhs_fields, by_id, fields_of<compared_side<P>>{lhs_, lhs, in_lhs},
                         fields_of<compared_side<Q>>{rhs_, rhs, in_rhs});
    budget_.give_back(tables);
    return ok;
  }
  template <template <class> class Parts>
  bool by_keys(const values& lhs, const values& rhs) {
    compared_entries lhs_entries, rhs_entries;
    if (!lhs_.entries(lhs, lhs_entries, budget_) || !rhs_.entries(rhs, rhs_entries, budget_)) return false;
    const auto by_key = [&](const compared_entry& a, const compared_entry& b) {
      return lhs_entries.key(a).compare(rhs_entries.key(b));
    };
    const bool ok =
        join(lhs_entries.items, rhs_entries.items, by_key, Parts<compared_side<P>>{lhs_, lhs, lhs_entries},
             Parts<compared_side<Q>>{rhs_, rhs, rhs_entries});
    lhs_.release(lhs_entries, budget_);
    rhs_.release(rhs_entries, budget_);
    return ok;
  }
  /// Compares the parts that both sides have, and reports those that only one has.
  template <class Parts, class Compare, class Lhs, class Rhs>
  bool join(const Parts& lhs_parts, const Parts& rhs_parts, Compare compare, Lhs in_lhs, Rhs in_rhs) {
    auto lhs = lhs_parts.begin();
    auto rhs = rhs_parts.begin();
    while (lhs != lhs_parts.end() || rhs != rhs_parts.end()) {
      const int order = lhs == lhs_parts.end() ? 1 : rhs == rhs_parts.end() ? -1 : compare(*lhs, *rhs);
      if (!part(order <= 0 ? &*lhs : nullptr, order >= 0 ? &*rhs : nullptr, in_lhs, in_rhs)) return false;
      if (order <= 0) ++lhs;
      if (order >= 0) ++rhs;
    }
    return true;
  }
  template <class Part, class Lhs, class Rhs>
  bool part(const Part* lhs, const Part* rhs, Lhs& in_lhs, Rhs& in_rhs) {
    if (lhs != nullptr && rhs != nullptr && !Lhs::has_values) return true;
    std::optional<values> lhs_value, rhs_value;
    if (lhs != nullptr) lhs_value = in_lhs.value(*lhs);
    if (rhs != nullptr) rhs_value = in_rhs.value(*rhs);
    const auto step = [&] {
      if (lhs_value) in_lhs.step(*lhs);
      if (rhs_value) in_rhs.step(*rhs);
    };
    return at(step, lhs_value, rhs_value);
  }
  /// Compares two parts, one step down on both paths. Parts equal byte for byte need no path.
  template <class Step>
  bool at(Step step, const auto& lhs, const auto& rhs) {
    if (lhs && rhs && same_bytes(*lhs, *rhs)) return true;
    return below(step, [&] {
      if (lhs && rhs) return value(*lhs, *rhs);
      return lhs ? report(difference_kind::removed, &*lhs, nullptr)
                 : report(difference_kind::added, nullptr, &*rhs);
    });
  }
  template <class Step, class Work>
  bool below(Step step, Work work) {
    const std::size_t lhs_mark = lhs_.mark(), rhs_mark = rhs_.mark();
    step();
    const bool more = work();
    lhs_.back_to(lhs_mark);
    rhs_.back_to(rhs_mark);
    return more;
  }

  // Two cursors: nothing is stored of the elements.
  bool in_order(const values& lhs, const values& rhs) {
    compared_cursor<P> lhs_cursor;
    compared_cursor<Q> rhs_cursor;
    if (!lhs_.open(lhs, lhs_cursor) || !rhs_.open(rhs, rhs_cursor)) return false;
    for (std::size_t i = 0; lhs_cursor.remaining.size != 0 || rhs_cursor.remaining.size != 0; ++i) {
      std::optional<compared_pair> lhs_pair, rhs_pair;
      if (!lhs_.next(lhs_cursor, lhs_pair) || !rhs_.next(rhs_cursor, rhs_pair) ||
          !pair(i, lhs_pair, rhs_pair))
        return false;
    }
    return true;
  }
  // An entry with another key is changed.
  bool pair(std::size_t index, const std::optional<compared_pair>& lhs,
            const std::optional<compared_pair>& rhs) {
    const bool has_keys = (lhs ? lhs : rhs)->key.location.wire != ttype::stop;
    bool same_key = true;
    if (has_keys && lhs && rhs && !same_value(lhs->key, rhs->key, false, same_key, true)) return false;
    const values *lhs_item = lhs ? &lhs->item : nullptr, *rhs_item = rhs ? &rhs->item : nullptr;
    const auto step = [&] {
      step_to(lhs_, index, lhs, has_keys);
      step_to(rhs_, index, rhs, has_keys);
    };
    if (same_key) return at(step, lhs_item, rhs_item);
    return below(step, [&] { return report(difference_kind::changed, lhs_item, rhs_item); });
  }
  template <class Side>
  static void step_to(Side& side, std::size_t index, const std::optional<compared_pair>& to, bool by_key) {
    if (!by_key) return side.step_to_index(index);
    if (to) side.step_to_key(to->key);
  }

  compared_side<P> lhs_;
  compared_side<Q> rhs_;
  const compare_options& options_;
  compared_budget budget_;
  buffer lhs_bytes_, rhs_bytes_;  // canonical bytes
  std::vector<difference>* differences_ = nullptr;
};

}  // namespace detail

template <protocol P, protocol Q>
result<bool> try_equal(const view<P>& lhs, const view<Q>& rhs, const compare_options& options) {
  bool same = false;
  detail::comparison<P, Q> work(lhs, rhs, options);
  if (!work.run(same)) return work.failure();
  return same;
}

template <protocol P, protocol Q>
result<std::vector<difference>> try_differences(const view<P>& lhs, const view<Q>& rhs,
                                                const compare_options& options) {
  std::vector<difference> entries;
  detail::comparison<P, Q> work(lhs, rhs, options);
  if (!work.run(entries)) return work.failure();
  return entries;
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
