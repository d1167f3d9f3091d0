// change: edits of one level: put, insert, erase, rename. The bytes of the message are not written to; new
// values are in the arena of the tree.
#pragma once

#include <thriftlens/dom/make.hpp>

#include <algorithm>
#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail::dom {

/// Changes levels of one tree.
class changer {
 public:
  explicit changer(tree& in) noexcept : tree_(in), maker_(in) {}

  /// Replaces the value of a slot.
  [[nodiscard]] errc set(slot& at, level* where, const node_value& value) {
    if (!may_change(where, at)) return errc::wrong_type;
    slot created;
    const errc code = maker_.make(created, value, target_of(at, where, value));
    if (code == errc::ok) replace(at, created, where);
    return code;
  }
  /// Sets or adds a field, in id order. Erases other members of a union.
  [[nodiscard]] errc put_field(level& in, std::int16_t id, const node_value& value, std::uint32_t& number) {
    if (in.frozen) return errc::wrong_type;
    number = find_field(in, id);
    slot created;
    const errc code = maker_.make(created, value, field_target(in, id, number, value));
    if (code != errc::ok) return code;
    if (!charge(in, 1)) return errc::output_limit;
    erase_other_members(in, id);
    if (number == key_index::none) number = insert_field(in, id);
    replace(in.items[number], created, &in);
    return errc::ok;
  }
  /// Sets or adds an entry. `number` becomes the slot number of its key.
  [[nodiscard]] errc put_entry(level& in, map_key key, const node_value& value, std::uint32_t& number) {
    if (in.frozen) return errc::wrong_type;
    if (const errc code = fit_key(in, key); code != errc::ok) return code;
    number = in.live() == 0 ? key_index::none : find_entry(in, key);
    if (number == key_index::none) return append_entry(in, key, value, number);
    return set(in.items[number + 1], &in, value);
  }
  /// Inserts an element before element `at` (at == count: at the end).
  [[nodiscard]] errc insert(level& in, std::uint32_t at, const node_value& value) {
    if (in.frozen) return errc::wrong_type;
    if (at > in.count) return errc::bad_index;
    slot created;
    if (const errc code = maker_.make(created, value, value_target(in, value)); code != errc::ok) return code;
    if (!charge(in, 1)) return errc::output_limit;
    if (in.count == 0) in.value = created.wire;
    open_gap(in, at);
    store(in, at, created);
    return errc::ok;
  }
  /// Removes the child with a slot number (of an entry: its key's). O(1) for fields and entries. `tracked`:
  /// the number of another slot of the level, which is updated.
  [[nodiscard]] errc erase(level& in, std::uint32_t number, std::uint32_t* tracked = nullptr) {
    if (in.frozen) return errc::wrong_type;
    tree::touch(&in);
    if (in.wire != ttype::map && in.wire != ttype::struct_) {
      close_gap(in, number);
      if (tracked != nullptr && number < *tracked) --*tracked;
      return errc::ok;
    }
    mark_erased(in, number);
    if (in.dead > 16 && in.dead > in.live()) compact_level(in, tracked);
    return errc::ok;
  }
  /// Changes the id of a field to an unused one of the same type.
  [[nodiscard]] errc rename_field(level& in, std::uint32_t number, std::int16_t id) {
    slot moved = in.items[number];
    if (const errc code = may_get_id(in, moved, id); code != errc::ok || moved.id == id) return code;
    if (!charge(in, 1)) return errc::output_limit;
    static_cast<void>(erase(in, number));
    moved.id = id;
    store(in, insert_field(in, id), moved);
    return errc::ok;
  }
  /// Changes the key of an entry to an unused one. Its position in the map stays.
  [[nodiscard]] errc rename_entry(level& in, std::uint32_t number, map_key key) {
    if (in.frozen) return errc::wrong_type;
    if (const errc code = fit_key(in, key); code != errc::ok) return code;
    const std::uint32_t taken = find_entry(in, key);
    if (taken != key_index::none) return taken == number ? errc::ok : errc::duplicate_key;
    slot created;
    if (const errc code = maker_.make_key(created, key, key_target(in, key)); code != errc::ok) return code;
    store(in, number, created);
    key_index::appended(tree_, in, number);
    return errc::ok;
  }

  /// Slot number of a field, or key_index::none. O(1) to O(log fields).
  [[nodiscard]] THRIFTLENS_INLINE std::uint32_t find_field(level& in, std::int16_t id) const {
    if (in.count != 0 && in.ascending) [[likely]] {
      const auto guess = static_cast<std::uint32_t>(std::int32_t{id} - in.items[0].id);
      if (guess < in.count && in.items[guess].id == id && !in.items[guess].erased()) [[likely]]
        return guess;
    }
    return search_field(in, id);
  }
  /// Converts a key to the key type of the map.
  [[nodiscard]] errc fit_key(const level& in, map_key& key) const noexcept {
    return in.type == image::none ? errc::ok : key.fit(type(tree_.image, tree_.contents(in.type).first));
  }
  /// Slot number of a key, or key_index::none. The key must have passed fit_key().
  [[nodiscard]] std::uint32_t find_entry(level& in, const map_key& key) const {
    wire_key requested;
    buffer memory;
    if (!key_of(key, in.key, tree_.protocol, requested, memory)) return key_index::none;
    return key_index::find(tree_, in, requested);
  }
  /// Removes erased slots. `tracked` as for erase().
  static void compact_level(level& in, std::uint32_t* tracked = nullptr) noexcept {
    if (in.dead == 0) return;
    slot* const end = in.items + in.count;
    if (tracked != nullptr)
      *tracked -=
          static_cast<std::uint32_t>(std::ranges::count_if(in.items, in.items + *tracked, &slot::erased));
    in.count -= static_cast<std::uint32_t>(std::ranges::remove_if(in.items, end, &slot::erased).size());
    in.dead = 0;
    in.renumber();
  }
  /// False for values in keys of maps: a change could make two keys equal.
  [[nodiscard]] static bool may_change(const level* where, const slot& at) noexcept {
    return where == nullptr ||
           (!where->frozen && (where->wire != ttype::map || (&at - where->items) % 2 != 0));
  }
  /// Stores a new value in a slot; the slot keeps its id.
  static void replace(slot& at, slot created, level* where) noexcept {
    created.id = at.id;
    at = created;
    if (at.expanded) at.below->parent = where;
    tree::touch(where);
  }

 private:
  [[nodiscard]] errc may_get_id(level& in, const slot& of, std::int16_t id) const {
    if (in.frozen) return errc::wrong_type;
    if (of.id == id) return errc::ok;
    if (find_field(in, id) != key_index::none) return errc::duplicate_field;
    const image::field_node* known = tree_.field(tree_.structure(in.type), id);
    if (known == nullptr) return in.type == image::none ? errc::ok : errc::no_such_field;
    return known->type == type_of(tree_, &in, of) ? errc::ok : errc::value_type;
  }
  // Without a schema a number keeps its width.
  [[nodiscard]] static bool keeps_family(ttype current, const node_value& value) noexcept {
    const bool is_scalar = value.kind() != node_value::form::node && value.kind() != node_value::form::wire;
    return is_scalar && same_family(current, value.wire());
  }
  [[nodiscard]] target target_of(const slot& of, level* where, const node_value& value) const noexcept {
    const std::uint32_t type = type_of(tree_, where, of);
    // Without a schema a field may get another wire type.
    const bool is_free = type == image::none && where != nullptr && where->wire == ttype::struct_;
    const bool keeps_wire = !is_free || keeps_family(of.wire, value);
    return {type, keeps_wire ? of.wire : ttype::stop, where};
  }
  [[nodiscard]] target field_target(level& in, std::int16_t id, std::uint32_t number,
                                    const node_value& value) const noexcept {
    const image::field_node* field = tree_.field(tree_.structure(in.type), id);
    if (field != nullptr) return {field->type, ttype::stop, &in};
    const bool keeps = number != key_index::none && same_family(in.items[number].wire, value.wire());
    return {image::none, keeps ? in.items[number].wire : ttype::stop, &in};
  }
  [[nodiscard]] target key_target(const level& in, const map_key& key) const noexcept {
    const bool by_bytes = key.kind() == map_key::form::wire;
    return {tree_.contents(in.type).first, by_bytes ? in.key : wire_in(in.key, in.live() == 0, wire_of(key))};
  }
  // For elements and values of entries.
  [[nodiscard]] target value_target(level& in, const node_value& value) const noexcept {
    const image::type_node types = tree_.contents(in.type);
    const std::uint32_t type = in.wire == ttype::map ? types.second : types.first;
    return {type, wire_in(in.value, in.live() == 0, value.wire()), &in};
  }
  static void close_gap(level& in, std::uint32_t at) noexcept {
    std::move(in.items + at + 1, in.items + in.count, in.items + at);
    --in.count;
    ++in.version;
  }
  void mark_erased(level& in, std::uint32_t number) noexcept {
    for (std::uint32_t i = 0; i < in.stride(); ++i) {
      in.items[number + i].wire = ttype::stop;
      in.items[number + i].expanded = false;
    }
    ++in.dead;
  }
  [[nodiscard]] errc append_entry(level& in, const map_key& key, const node_value& value,
                                  std::uint32_t& number) {
    slot created_key, created;
    errc code = maker_.make_key(created_key, key, key_target(in, key));
    if (code == errc::ok) code = maker_.make(created, value, value_target(in, value));
    if (code != errc::ok) return code;
    if (!charge(in, 2)) return errc::output_limit;
    number = append_slots(in, created_key, created);
    key_index::appended(tree_, in, number);
    return errc::ok;
  }
  [[nodiscard]] std::uint32_t append_slots(level& in, const slot& key, const slot& value) {
    if (in.live() == 0) {
      in.key = key.wire;
      in.value = value.wire;
    }
    tree_.grow(in, 2);
    const std::uint32_t number = in.count;
    in.count += 2;
    store(in, number, key);
    store(in, number + 1, value);
    return number;
  }
  // Without a schema: the wire type of the elements; in an empty container only if it fits the requested one.
  [[nodiscard]] static ttype wire_in(ttype current, bool is_empty, ttype requested) noexcept {
    return !is_empty || (is_value_type(current) && same_family(current, requested)) ? current : ttype::stop;
  }
  [[nodiscard]] bool charge(const level& in, std::uint32_t count) noexcept {
    return in.capacity - in.count >= count ||
           tree_.charge_added((std::uint64_t{in.count} + count) * sizeof(slot));
  }
  void store(level& in, std::uint32_t number, const slot& created) noexcept {
    slot& at = *::new (&in.items[number]) slot(created);
    if (at.expanded) at.below->parent = &in;
    tree::touch(&in);
  }
  void open_gap(level& in, std::uint32_t at) {
    tree_.grow(in, 1);
    if (at != in.count) ++in.version;
    std::move_backward(in.items + at, in.items + in.count, in.items + in.count + 1);
    ++in.count;
  }
  // Number of the first slot whose id is not less. Ids are mostly dense: the first guess usually hits.
  [[nodiscard]] static std::uint32_t position_of(const level& in, std::int16_t id) noexcept {
    if (in.count == 0) return 0;
    const auto guess = static_cast<std::uint32_t>(std::int32_t{id} - in.items[0].id);
    if (guess < in.count && in.items[guess].id == id) return guess;
    const slot* match = std::ranges::lower_bound(in.items, in.items + in.count, id, {}, &slot::id);
    return static_cast<std::uint32_t>(match - in.items);
  }
  THRIFTLENS_NOINLINE std::uint32_t search_field(level& in, std::int16_t id) const {
    if (!in.ascending)
      return key_index::find(tree_, in, {static_cast<std::uint64_t>(std::int64_t{id}), {}, false});
    const std::uint32_t at = position_of(in, id);
    return at < in.count && in.items[at].id == id && !in.items[at].erased() ? at : key_index::none;
  }
  // Adds a slot for a field: in id order if the others are ordered, else at the end.
  [[nodiscard]] std::uint32_t insert_field(level& in, std::int16_t id) {
    const std::uint32_t at = in.ascending ? position_of(in, id) : in.count;
    if (at < in.count && in.items[at].id == id) {
      --in.dead;
      return at;
    }
    open_gap(in, at);
    in.items[at] = slot{};
    in.items[at].id = id;
    if (!in.ascending) key_index::appended(tree_, in, at);
    return at;
  }
  // A union keeps only the member `id`.
  void erase_other_members(level& in, std::int16_t id) {
    const image::struct_node* self = tree_.structure(in.type);
    if (self == nullptr || self->kind != type_kind::union_) return;
    for (std::uint32_t at = 0; at < in.count; ++at) {
      const slot& member = in.items[at];
      if (!member.erased() && member.id != id && tree_.field(self, member.id) != nullptr) mark_erased(in, at);
    }
  }

  tree& tree_;
  value_maker maker_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::dom
