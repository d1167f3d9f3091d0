// change: the edits of one level: put, insert, erase, rename; and values made to fit their place.
// In: a tree, a level, a value. Out: the level changed and all above it marked; or a code and nothing
// changed. Never writes to the message's bytes: new values live in the tree's arena.
#pragma once

#include <thriftlens/dom/open.hpp>
#include <thriftlens/dom/value.hpp>
#include <thriftlens/dom/write.hpp>
#include <thriftlens/policy/validate.hpp>
#include <thriftlens/protocol/convert.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::dom {

/// The wire bytes of a slot in another tree's or the own protocol; `spare` holds them where they had to be
/// made.
[[nodiscard]] inline errc bytes_for(const tree& of, const slot& value, protocol_id wanted, buffer& spare,
                                    buffer& more, byte_view& bytes) {
  bytes = bytes_of(value);
  if (value.expanded && value.below->changed) {
    spare.clear();
    const errc code = visit_protocol(of.protocol, [&](auto tag) {
      tree_writer<decltype(tag)> writer(of, spare);
      return writer.value(value) ? errc::ok : thriftlens::detail::failure_code(writer.why().code);
    });
    if (code != errc::ok) return code;
    bytes = spare;
  }
  if (of.protocol == wanted) return errc::ok;
  more.clear();
  result<void> done = of.protocol == protocol_id::binary
                          ? try_append_converted<binary, compact>(bytes, more, of.options.bounds, value.wire)
                          : try_append_converted<compact, binary>(bytes, more, of.options.bounds, value.wire);
  if (!done) return done.error().code();
  bytes = more;
  return errc::ok;
}

/// Changes levels of one tree.
class changer {
 public:
  explicit changer(tree& in) noexcept : tree_(in) {}

  /// Makes the value as wire bytes in the arena. `type`: what must stand there, or none; then `wire` says it,
  /// stop for any. `where` is the level it is for. value_type, value_range, unknown_enum_name, depth_limit,
  /// or what the value brought along.
  [[nodiscard]] errc make(slot& into, const node_value& from, std::uint32_t type, ttype wire, level* where) {
    if (from.code() != errc::ok) return from.code();
    if (type != image::none) wire = tree_.image->types[type].wire;
    if (from.kind() == node_value::form::node || from.kind() == node_value::form::wire)
      return copy(into, from, type, wire);
    if (from.kind() == node_value::form::moved) return link(into, from, type, wire, where);
    if (wire == ttype::stop) wire = from.wire();
    if (!is_value_type(wire)) return errc::value_type;
    if (from.kind() == node_value::form::empty) return make_empty(into, type, wire, where);
    node_value fitted = from;
    if (const errc code = fit(fitted, type, wire); code != errc::ok) return code;
    return visit_protocol(tree_.protocol,
                          [&](auto tag) { return this->encode<decltype(tag)>(into, fitted, wire); });
  }

  /// The value of a slot that is there.
  [[nodiscard]] errc set(slot& at, level* where, const node_value& value) {
    if (!may_change(where, at)) return errc::wrong_type;
    slot made;
    const std::uint32_t type = type_of(tree_, where, at);
    const bool free = where == nullptr ? false : where->wire == ttype::struct_;
    const bool scalar_form = value.kind() != node_value::form::node && value.kind() != node_value::form::wire;
    // Without a schema a number keeps the width it has on the wire.
    const ttype wire = type != image::none || !free || (scalar_form && same_family(at.wire, value.wire()))
                           ? at.wire
                           : ttype::stop;
    if (const errc code = make(made, value, type, wire, where); code != errc::ok) return code;
    replace(at, made, where);
    return errc::ok;
  }
  /// A field, new or not, in id order. Of a union the other members go.
  [[nodiscard]] errc put_field(level& in, std::int16_t id, const node_value& value, std::uint32_t& number) {
    if (in.frozen) return errc::wrong_type;
    number = find_field(in, id);
    std::uint32_t type = image::none;
    if (in.type != image::none) {
      const std::uint32_t field = tree_.image->find_field(structure(in), id);
      if (field != image::none) type = tree_.image->fields[field].type;
    }
    slot made;
    ttype wire = ttype::stop;
    if (number != key_index::none && type == image::none && same_family(in.slots[number].wire, value.wire()))
      wire = in.slots[number].wire;
    if (const errc code = make(made, value, type, wire, &in); code != errc::ok) return code;
    if (!charge(in, 1)) return errc::output_limit;
    if (in.type != image::none && structure(in).kind == type_kind::union_) clear_union(in, id);
    made.id = id;
    if (number == key_index::none) number = insert_field(in, id);
    replace(in.slots[number], made, &in);
    return errc::ok;
  }
  /// The value of an entry, new or not.
  [[nodiscard]] errc put_entry(level& in, map_key key, const node_value& value, std::uint32_t& number) {
    if (in.frozen) return errc::wrong_type;
    std::uint32_t key_type = image::none, value_type = image::none;
    if (in.type != image::none) {
      key_type = tree_.image->types[in.type].first;
      value_type = tree_.image->types[in.type].second;
      if (const errc code = key.fit(type(tree_.image, key_type)); code != errc::ok) return code;
    }
    const bool fresh = in.live() == 0;
    number = fresh ? key_index::none : find_entry(in, key);
    slot made_key, made;
    if (number == key_index::none) {
      const ttype wire = key_type != image::none             ? ttype::stop
                         : key.kind() == map_key::form::wire ? in.key
                                                             : wire_in(in.key, fresh, wire_of(key));
      if (const errc code = make_key(made_key, key, key_type, wire); code != errc::ok) return code;
    }
    const ttype wire = value_type != image::none ? ttype::stop : wire_in(in.value, fresh, value.wire());
    if (const errc code = make(made, value, value_type, wire, &in); code != errc::ok) return code;
    if (number != key_index::none) return replace(in.slots[number + 1], made, &in), errc::ok;
    if (!charge(in, 2)) return errc::output_limit;
    if (fresh) {
      in.key = made_key.wire;
      in.value = made.wire;
    }
    tree_.grow(in, 2);
    number = in.count;
    in.count += 2;
    place(in, number, made_key);
    place(in, number + 1, made);
    key_index::appended(tree_, in, number);
    return errc::ok;
  }
  /// An element in front of number `at` (at == count: behind the last).
  [[nodiscard]] errc insert(level& in, std::uint32_t at, const node_value& value) {
    if (in.frozen) return errc::wrong_type;
    if (at > in.count) return errc::bad_index;
    const bool fresh = in.count == 0;
    const std::uint32_t element = in.type == image::none ? image::none : tree_.image->types[in.type].first;
    slot made;
    const ttype wire = element != image::none ? ttype::stop : wire_in(in.value, fresh, value.wire());
    if (const errc code = make(made, value, element, wire, &in); code != errc::ok) return code;
    if (!charge(in, 1)) return errc::output_limit;
    if (fresh) in.value = made.wire;
    open_gap(in, at);
    place(in, at, made);
    return errc::ok;
  }
  /// Takes the child with that slot number (of an entry: its key's) out. O(1) for fields and entries.
  [[nodiscard]] errc erase(level& in, std::uint32_t number) {
    if (in.frozen) return errc::wrong_type;
    tree::touch(&in);
    if (in.wire != ttype::map && in.wire != ttype::struct_) {
      std::move(in.slots + number + 1, in.slots + in.count, in.slots + number);
      --in.count;
      ++in.version;
      return errc::ok;
    }
    for (std::uint32_t i = 0; i < in.stride(); ++i) {
      in.slots[number + i].wire = ttype::stop;
      in.slots[number + i].expanded = false;
    }
    ++in.dead;
    if (in.dead > 16 && in.dead > in.live()) compact_level(in);
    return errc::ok;
  }
  /// Whether a node can be put into a level of `type` as it is, with what hangs below: it is of this tree and
  /// that very type.
  [[nodiscard]] bool may_link(const tree* from, thriftlens::type of, std::uint32_t type) const noexcept {
    return from == &tree_ && (type == image::none ? !of : of == thriftlens::type(tree_.image, type));
  }
  /// Gives the levels below a slot that was linked the depth of their new place.
  static void settle(slot& linked, std::uint32_t depth_left) {
    if (!linked.expanded) return;
    const std::int32_t change = static_cast<std::int32_t>(depth_left) - 1 - linked.below->depth_left;
    each_level(*linked.below, [&](level& below) {
      below.depth_left = static_cast<std::uint16_t>(below.depth_left + change);
    });
  }
  /// Another id for a field: of the same type, and not taken.
  [[nodiscard]] errc rename_field(level& in, std::uint32_t number, std::int16_t id) {
    if (in.frozen) return errc::wrong_type;
    slot moved = in.slots[number];
    if (moved.id == id) return errc::ok;
    if (find_field(in, id) != key_index::none) return errc::duplicate_field;
    if (in.type != image::none) {
      const std::uint32_t field = tree_.image->find_field(structure(in), id);
      if (field == image::none) return errc::no_such_field;
      if (tree_.image->fields[field].type != type_of(tree_, &in, in.slots[number])) return errc::value_type;
    }
    if (!charge(in, 1)) return errc::output_limit;
    if (const errc code = erase(in, number); code != errc::ok) return code;
    moved.id = id;
    place(in, insert_field(in, id), moved);
    return errc::ok;
  }
  /// Another key for an entry, not taken. Its place in the map stays.
  [[nodiscard]] errc rename_entry(level& in, std::uint32_t number, map_key key) {
    if (in.frozen) return errc::wrong_type;
    std::uint32_t key_type = image::none;
    if (in.type != image::none) {
      key_type = tree_.image->types[in.type].first;
      if (const errc code = key.fit(type(tree_.image, key_type)); code != errc::ok) return code;
    }
    if (const std::uint32_t taken = find_entry(in, key); taken != key_index::none)
      return taken == number ? errc::ok : errc::duplicate_key;
    slot made;
    if (const errc code = make_key(made, key, key_type, in.key); code != errc::ok) return code;
    place(in, number, made);
    key_index::appended(tree_, in, number);
    return errc::ok;
  }

  /// Slot number of a field in use, or key_index::none. O(1) to O(log fields).
  [[nodiscard]] THRIFTLENS_INLINE std::uint32_t find_field(level& in, std::int16_t id) const {
    if (in.count != 0 && in.ascending) [[likely]] {
      const auto guess = static_cast<std::uint32_t>(std::int32_t{id} - in.slots[0].id);
      if (guess < in.count && in.slots[guess].id == id && !in.slots[guess].erased()) [[likely]]
        return guess;
    }
    return search_field(in, id);
  }
  /// Slot number of an entry's key, or key_index::none. The key fits the map's key type.
  [[nodiscard]] std::uint32_t find_entry(level& in, const map_key& key) const {
    wire_key wanted;
    if (!key_of(key, in.key, tree_.protocol, wanted)) return key_index::none;
    return key_index::find(tree_, in, wanted);
  }
  /// Removes erased slots.
  static void compact_level(level& in) noexcept {
    if (in.dead == 0) return;
    slot* to = in.slots;
    for (const slot *at = in.slots, *end = at + in.count; at != end; ++at)
      if (!at->erased()) *to++ = *at;
    in.count = static_cast<std::uint32_t>(to - in.slots);
    in.dead = 0;
    in.index = nullptr;
    ++in.version;
  }
  /// False for what lies in a map's key: other bytes could make two keys equal.
  [[nodiscard]] static bool may_change(const level* where, const slot& at) noexcept {
    return where == nullptr ||
           (!where->frozen && (where->wire != ttype::map || (&at - where->slots) % 2 != 0));
  }
  /// Puts a made value into a slot; the slot keeps its id.
  static void replace(slot& at, slot made, level* where) noexcept {
    made.id = at.id;
    at = made;
    if (at.expanded) at.below->parent = where;
    tree::touch(where);
  }

 private:
  [[nodiscard]] const image::struct_node& structure(const level& in) const noexcept {
    return tree_.image->structs[tree_.image->types[in.type].first];
  }
  [[nodiscard]] static bool is_integer(ttype wire) noexcept {
    return wire == ttype::i8 || wire == ttype::i16 || wire == ttype::i32 || wire == ttype::i64;
  }
  [[nodiscard]] static bool same_family(ttype left, ttype right) noexcept {
    return left == right || (is_integer(left) && is_integer(right));
  }
  // Without a schema: what elements are, or in an empty container what they were called, where that is of the
  // same kind.
  [[nodiscard]] static ttype wire_in(ttype had, bool fresh, ttype given) noexcept {
    return !fresh || (is_value_type(had) && same_family(had, given)) ? had : ttype::stop;
  }
  [[nodiscard]] static ttype wire_of(const map_key& key) noexcept {
    using form = map_key::form;
    return key.kind() == form::integer   ? ttype::i64
           : key.kind() == form::real    ? ttype::double_
           : key.kind() == form::boolean ? ttype::bool_
                                         : ttype::string;
  }
  [[nodiscard]] bool charge(const level& in, std::uint32_t count) noexcept {
    return in.capacity - in.count >= count || tree_.charge_given((in.count + count) * sizeof(slot));
  }
  void place(level& in, std::uint32_t number, const slot& made) noexcept {
    slot& at = *::new (&in.slots[number]) slot(made);
    if (at.expanded) at.below->parent = &in;
    tree::touch(&in);
  }
  void open_gap(level& in, std::uint32_t at) {
    tree_.grow(in, 1);
    if (at != in.count) ++in.version;
    std::move_backward(in.slots + at, in.slots + in.count, in.slots + in.count + 1);
    ++in.count;
  }
  // Number of the first slot whose id is not less. Ids are mostly dense: the first guess usually hits.
  [[nodiscard]] static std::uint32_t place_of(const level& in, std::int16_t id) noexcept {
    if (in.count == 0) return 0;
    const std::int32_t guess = std::int32_t{id} - in.slots[0].id;
    if (guess >= 0 && static_cast<std::uint32_t>(guess) < in.count && in.slots[guess].id == id)
      return static_cast<std::uint32_t>(guess);
    const slot* found =
        std::lower_bound(in.slots, in.slots + in.count, id,
                         [](const slot& each, std::int16_t wanted) { return each.id < wanted; });
    return static_cast<std::uint32_t>(found - in.slots);
  }
  THRIFTLENS_NOINLINE std::uint32_t search_field(level& in, std::int16_t id) const {
    if (!in.ascending)
      return key_index::find(tree_, in, {static_cast<std::uint64_t>(std::int64_t{id}), {}, false});
    const std::uint32_t at = place_of(in, id);
    return at < in.count && in.slots[at].id == id && !in.slots[at].erased() ? at : key_index::none;
  }
  // A slot for a field that is not there: in id order where the others are, else behind them.
  [[nodiscard]] std::uint32_t insert_field(level& in, std::int16_t id) {
    const std::uint32_t at = in.ascending ? place_of(in, id) : in.count;
    if (at < in.count && in.slots[at].id == id) {
      --in.dead;
      return at;
    }
    open_gap(in, at);
    in.slots[at] = slot{};
    in.slots[at].id = id;
    if (!in.ascending) key_index::appended(tree_, in, at);
    return at;
  }
  void clear_union(level& in, std::int16_t but) {
    for (std::uint32_t at = 0; at < in.count; ++at) {
      const slot& each = in.slots[at];
      if (each.erased() || each.id == but || tree_.image->find_field(structure(in), each.id) == image::none)
        continue;
      in.slots[at].wire = ttype::stop;
      in.slots[at].expanded = false;
      ++in.dead;
    }
  }

  [[nodiscard]] errc fit(node_value& value, std::uint32_t type, ttype wire) const noexcept {
    const type_kind kind = type == image::none ? type_kind::void_ : tree_.image->types[type].kind;
    using form = node_value::form;
    if (value.kind() == form::text && kind == type_kind::enum_) {
      const image::enum_node& names = tree_.image->enums[tree_.image->types[type].first];
      const std::uint32_t member = tree_.image->find_member(names, value.bytes().text());
      if (member == image::none) return errc::unknown_enum_name;
      value = node_value(tree_.image->enum_members[member].value);
    }
    if (value.kind() == form::integer && wire == ttype::double_) {
      constexpr std::int64_t exact = std::int64_t{1} << 53;
      if (value.integer() > exact || value.integer() < -exact) return errc::value_range;
      value = node_value(static_cast<double>(value.integer()));
    }
    if (value.kind() == form::integer && is_integer(wire)) {
      const unsigned spare_bits = 64 - 8u * fixed_width(wire);
      const auto low = std::numeric_limits<std::int64_t>::min() >> spare_bits,
                 high = std::numeric_limits<std::int64_t>::max() >> spare_bits;
      return value.integer() >= low && value.integer() <= high ? errc::ok : errc::value_range;
    }
    return value.wire() == wire ? errc::ok : errc::value_type;
  }
  template <protocol P>
  [[nodiscard]] errc encode(slot& into, const node_value& value, ttype wire) {
    const std::size_t text = wire == ttype::string ? value.bytes().size() : 0;
    if (text > 0x7fffffffu) return errc::value_range;
    if (!tree_.charge_given(text + 16)) return errc::output_limit;
    auto* to = static_cast<std::uint8_t*>(tree_.memory.allocate(text + 16, 1));
    const std::uint8_t* end = to;
    if (wire == ttype::string) {
      std::uint8_t* body = P::put_size(to, static_cast<std::uint32_t>(text));
      if (text != 0) std::memcpy(body, value.bytes().data(), text);
      end = body + text;
    } else if (wire == ttype::uuid) {
      std::memcpy(to, value.bytes().data(), 16);
      end = to + 16;
    } else if (wire == ttype::bool_) {
      end = P::put_bool(to, value.integer() != 0);
    } else if (wire == ttype::double_) {
      end = P::put_double(to, value.real());
    } else if (wire == ttype::i8) {
      end = P::put_i8(to, static_cast<std::int8_t>(value.integer()));
    } else if (wire == ttype::i16) {
      end = P::put_i16(to, static_cast<std::int16_t>(value.integer()));
    } else if (wire == ttype::i32) {
      end = P::put_i32(to, static_cast<std::int32_t>(value.integer()));
    } else {
      end = P::put_i64(to, value.integer());
    }
    into.bytes = to;
    into.size = static_cast<std::uint32_t>(end - to);
    into.wire = wire;
    return errc::ok;
  }
  [[nodiscard]] errc make_empty(slot& into, std::uint32_t type, ttype wire, level* where) {
    into.wire = wire;
    if (wire != ttype::struct_ && !is_container(wire)) {
      const uuid_bytes no_id{};
      const node_value nothing = wire == ttype::string    ? node_value("")
                                 : wire == ttype::double_ ? node_value(0.0)
                                 : wire == ttype::bool_   ? node_value(false)
                                 : wire == ttype::uuid    ? node_value(no_id)
                                                          : node_value(std::int8_t{0});
      return visit_protocol(tree_.protocol,
                            [&](auto tag) { return this->encode<decltype(tag)>(into, nothing, wire); });
    }
    const std::uint32_t depth_left = where == nullptr ? tree_.options.bounds.depth : where->depth_left;
    if (depth_left == 0) return errc::depth_limit;
    if (!tree_.charge_given(sizeof(level))) return errc::output_limit;
    level& made = *tree_.make_level();
    made.parent = where;
    made.type = type;
    made.wire = wire;
    made.changed = true;
    made.depth_left = static_cast<std::uint16_t>(std::min(depth_left, limits::deepest) - 1);
    if (type != image::none && wire != ttype::struct_) {
      const image::type_node& self = tree_.image->types[type];
      made.key = wire == ttype::map ? tree_.image->types[self.first].wire : ttype::stop;
      made.value = tree_.image->types[wire == ttype::map ? self.second : self.first].wire;
    }
    into.below = &made;
    into.expanded = true;
    return errc::ok;
  }
  [[nodiscard]] errc make_key(slot& into, const map_key& key, std::uint32_t type, ttype wire) {
    using form = map_key::form;
    if (key.kind() == form::wire) {
      if (type != image::none) wire = tree_.image->types[type].wire;
      if (!is_value_type(wire)) return errc::value_type;
      return visit_protocol(tree_.protocol, [&](auto tag) {
        return this->make(into, node_value::wire<decltype(tag)>(key.bytes(), wire), type, wire, nullptr);
      });
    }
    if (key.kind() == form::real) return make(into, key.real(), type, wire, nullptr);
    if (key.kind() == form::boolean) return make(into, key.boolean(), type, wire, nullptr);
    if (key.kind() == form::integer) return make(into, key.integer(), type, wire, nullptr);
    return make(into, key.text(), type, wire, nullptr);
  }

  template <class Visit>
  static void each_level(level& top, Visit visit) {
    std::vector<level*> open{&top};
    while (!open.empty()) {
      level& next = *open.back();
      open.pop_back();
      visit(next);
      for (std::uint32_t i = 0; i < next.count; ++i)
        if (next.slots[i].expanded && !next.slots[i].erased()) open.push_back(next.slots[i].below);
    }
  }
  // The slot of another place; its levels are settled when it stands there.
  [[nodiscard]] errc link(slot& into, const node_value& from, std::uint32_t type, ttype wire,
                          const level* where) const {
    if (wire != ttype::stop && from.wire() != wire) return errc::value_type;
    if (!may_link(from.tree(), from.type(), type)) return errc::value_type;
    const std::uint32_t depth_left = where == nullptr ? tree_.options.bounds.depth : where->depth_left;
    if (from.slot()->expanded) {
      bool fits = depth_left != 0;
      const std::int32_t change = static_cast<std::int32_t>(depth_left) - 1 - from.slot()->below->depth_left;
      each_level(*from.slot()->below,
                 [&](const level& below) { fits = fits && below.depth_left + change >= 0; });
      if (!fits) return errc::depth_limit;
    }
    into = *from.slot();
    return errc::ok;
  }

  // A value that exists as wire bytes. Checked against the type unless it comes from there.
  [[nodiscard]] errc copy(slot& into, const node_value& from, std::uint32_t type, ttype wire) {
    byte_view bytes = from.bytes();
    buffer spare, more;
    bool shared = false;
    if (from.kind() == node_value::form::node) {
      if (const errc code = bytes_for(*from.tree(), *from.slot(), tree_.protocol, spare, more, bytes);
          code != errc::ok)
        return code;
      shared = from.tree() == &tree_ && bytes.data() != spare.data();
    } else if (from.protocol() != tree_.protocol) {
      result<void> done =
          from.protocol() == protocol_id::binary
              ? try_append_converted<binary, compact>(bytes, more, tree_.options.bounds, from.wire())
              : try_append_converted<compact, binary>(bytes, more, tree_.options.bounds, from.wire());
      if (!done) return done.error().code();
      bytes = more;
    }
    if (wire != ttype::stop && from.wire() != wire) return errc::value_type;
    const bool known = type != image::none && from.type() == thriftlens::type(tree_.image, type);
    if (!known && !(from.kind() == node_value::form::node && type == image::none)) {
      const thriftlens::type expected =
          type == image::none ? thriftlens::type() : thriftlens::type(tree_.image, type);
      const errc code = visit_protocol(tree_.protocol, [&](auto tag) {
        return check_value<decltype(tag)>(bytes, from.wire(), expected, tree_.options.bounds).code;
      });
      if (code != errc::ok) return code;
    }
    if (bytes.size() > 0xffffffffu) return errc::size_limit;
    if (!shared) {
      if (!tree_.charge_given(bytes.size())) return errc::output_limit;
      auto* kept = static_cast<std::uint8_t*>(tree_.memory.allocate(bytes.size(), 1));
      std::memcpy(kept, bytes.data(), bytes.size());
      bytes = byte_view(kept, bytes.size());
    }
    into.bytes = bytes.data();
    into.size = static_cast<std::uint32_t>(bytes.size());
    into.wire = from.wire();
    into.expanded = false;
    return errc::ok;
  }

  tree& tree_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::dom
