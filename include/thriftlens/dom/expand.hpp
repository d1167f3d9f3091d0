// expand: wire bytes into the slots of a level, one level or all of them in one pass.
// In: the tree, a place in the bytes, the type expected there. Out: a level in the tree's arena, or a fault.
// Never copies wire bytes; never makes a slot before the bytes left could hold it.
#pragma once

#include <thriftlens/core/fault.hpp>
#include <thriftlens/dom/tree.hpp>
#include <thriftlens/protocol/select.hpp>

#include <cstdint>
#include <type_traits>

namespace thriftlens::inline THRIFTLENS_ABI::dom {

namespace detail {
// Elements of value false and true, for the bools that Compact keeps in field headers.
inline constexpr std::uint8_t compact_bools[2] = {2, 1};
}  // namespace detail

/// Reads one value in protocol P into the tree.
template <protocol P>
class expander {
 public:
  using reader_type = typename P::reader;

  /// `deep`: every level; empty structs and containers stay as they are.
  expander(tree& into, byte_view bytes, std::uint32_t depth_left, bool deep) noexcept
      : tree_(into), in_(bytes, with_depth(into.options.bounds, depth_left)), deep_(deep) {}

  /// The value at the front of the bytes and its level. False: why() says it.
  [[nodiscard]] bool root(slot& into, ttype wire, std::uint32_t type) {
    into.wire = wire;
    if (wire == ttype::struct_ || is_container(wire)) return level_of(into, type, nullptr, false);
    return child(into, wire, type, nullptr);
  }
  /// The level below a slot that holds bytes. `frozen`: the value is a map's key.
  [[nodiscard]] bool level_of(slot& of, std::uint32_t type, level* parent, bool frozen) {
    level* made = nullptr;
    if (!open(made, of.wire, type, parent)) return false;
    made->frozen = frozen || (parent != nullptr && parent->frozen);
    of.below = made;
    of.expanded = true;
    return true;
  }
  [[nodiscard]] const fault& why() const noexcept { return why_.code != errc::ok ? why_ : in_.fault(); }
  [[nodiscard]] bool at_end() const noexcept { return in_.at_end(); }
  [[nodiscard]] std::size_t offset() const noexcept { return in_.offset(); }

 private:
  static limits with_depth(limits bounds, std::uint32_t depth) noexcept {
    bounds.depth = depth;
    return bounds;
  }
  THRIFTLENS_COLD bool fail(errc code, const std::uint8_t* at, std::int16_t id = 0) noexcept {
    why_ = {code, id, static_cast<std::size_t>(at - in_.begin())};
    return false;
  }
  THRIFTLENS_INLINE bool set_size(slot& into, const std::uint8_t* begin) noexcept {
    into.size = static_cast<std::uint32_t>(in_.at() - begin);
    return true;
  }

  /// A value on the way, with its level where all levels are wanted.
  THRIFTLENS_INLINE bool child(slot& into, ttype wire, std::uint32_t type, level* parent) {
    into.wire = wire;
    const std::uint8_t* begin = in_.at();
    if (deep_ && (wire == ttype::struct_ || is_container(wire)) && !is_empty(wire, type)) {
      level* below = nullptr;
      if (!open(below, wire, type, parent)) return false;
      into.below = below;
      into.expanded = true;
      return true;
    }
    if constexpr (std::is_same_v<P, compact>) {
      if (wire == ttype::bool_) {
        if (const std::int8_t inside = in_.here().inline_bool; inside >= 0) {
          into.bytes = &detail::compact_bools[inside];
          into.size = 1;
          return in_.skip(wire);
        }
      }
    }
    into.bytes = begin;
    if (wire == ttype::string) {
      byte_view unused;
      if (!in_.read_bytes(unused)) [[unlikely]]
        return false;
    } else if (!in_.skip(wire)) [[unlikely]] {
      return false;
    }
    return set_size(into, begin);
  }
  /// Whether a value without children stands here: not worth a level. A struct that lacks required fields
  /// gets one, to say so.
  [[nodiscard]] THRIFTLENS_INLINE bool is_empty(ttype wire, std::uint32_t type) noexcept {
    if (in_.at_end()) return false;
    if (wire == ttype::struct_) {
      return *in_.at() == 0 && (type == image::none ||
                                tree_.image->structs[tree_.image->types[type].first].required_count == 0);
    }
    const std::uint8_t* at = in_.at();
    if constexpr (std::is_same_v<P, binary>) {
      const std::size_t header = wire == ttype::map ? 2 : 1;
      return in_.remaining() >= header + 4 && load_be<std::uint32_t>(at + header) == 0;
    } else {
      return wire == ttype::map ? *at == 0 : (*at & 0xf0) == 0;
    }
  }

  [[nodiscard]] bool open(level*& made, ttype wire, std::uint32_t type, level* parent) {
    if (!tree_.charge(sizeof(level))) return fail(errc::output_limit, in_.at());
    made = tree_.make_level();
    made->parent = parent;
    made->bytes = in_.at();
    made->wire = wire;
    made->type = type;
    bool done;
    if (wire == ttype::struct_)
      done = open_struct(*made);
    else if (wire == ttype::map)
      done = open_map(*made);
    else
      done = open_list(*made);
    if (!done) return false;
    made->size = static_cast<std::uint32_t>(in_.at() - made->bytes);
    return true;
  }

  [[nodiscard]] bool open_struct(level& made) {
    const std::size_t base = tree_.scratch.size();
    const bool done = read_fields(made, base);
    if (done) {
      made.count = made.capacity = static_cast<std::uint32_t>(tree_.scratch.size() - base);
      made.slots = tree_.make_slots(made.count);
      if (made.count != 0)
        std::memcpy(static_cast<void*>(made.slots), tree_.scratch.data() + base, made.count * sizeof(slot));
    }
    tree_.scratch.resize(base);
    return done && tree_.charge(made.count * sizeof(slot)) ? true
           : done                                          ? fail(errc::output_limit, made.bytes)
                                                           : false;
  }
  [[nodiscard]] bool read_fields(level& made, std::size_t base) {
    const image::struct_node* known =
        made.type == image::none ? nullptr : &tree_.image->structs[tree_.image->types[made.type].first];
    const image::field_node* next =
        known == nullptr ? nullptr : tree_.image->fields.data() + known->fields.begin;
    const image::field_node* const last = known == nullptr ? nullptr : next + known->fields.size;
    std::uint32_t required = 0;
    std::int32_t last_id = INT32_MIN;
    const struct_mark outer = in_.begin_struct();
    made.depth_left = static_cast<std::uint16_t>(in_.depth_left());
    for (;;) {
      const std::uint8_t* begin = in_.at();
      field_header field;
      if (!in_.read_field(field)) [[unlikely]]
        return false;
      if (field.type == ttype::stop) break;
      slot made_slot;
      made_slot.id = field.id;
      std::uint32_t type = image::none;
      if (known != nullptr) {
        if (next == last || next->id != field.id) next = find(*known, field.id, last);
        if (next != last) {
          if (next->wire == field.type) [[likely]] {
            type = next->type;
            required += next->flags & image::required;
          } else if (tree_.options.mismatches == document_options::mismatched_types::error) {
            return fail(errc::type_mismatch, begin);
          }
          ++next;
        }
      }
      if (!child(made_slot, field.type, type, &made)) [[unlikely]]
        return false;
      made.ascending = made.ascending && field.id > last_id;
      last_id = field.id;
      tree_.scratch.push_back(made_slot);
    }
    in_.end_struct(outer);
    return made.ascending && required == (known == nullptr ? 0 : known->required_count) && !is_union(known)
               ? true
               : check_fields(made, base, known);
  }
  static bool is_union(const image::struct_node* known) noexcept {
    return known != nullptr && known->kind == type_kind::union_;
  }
  [[nodiscard]] const image::field_node* find(const image::struct_node& in, std::int16_t id,
                                              const image::field_node* none) const noexcept {
    const std::uint32_t at = tree_.image->find_field(in, id);
    return at == image::none ? none : &tree_.image->fields[at];
  }

  // What is only looked at where something is unusual: fields out of order or missing, unions.
  THRIFTLENS_NOINLINE bool check_fields(level& made, std::size_t base, const image::struct_node* known) {
    std::vector<slot>& all = tree_.scratch;
    const std::uint8_t* const stop =
        in_.at() - 1;  // what is wrong with a struct as a whole is said at its end
    if (!made.ascending) {
      // From the end: of fields that stand twice the last one counts. What the IDL does not know may stand as
      // often as it likes.
      std::size_t kept = all.size();
      std::int16_t twice = 0;
      for (std::size_t at = all.size(); at > base; --at) {
        const bool any = known != nullptr && tree_.image->find_field(*known, all[at - 1].id) == image::none;
        if (any || tree_.first_time(all[at - 1].id))
          all[--kept] = all[at - 1];
        else
          twice = all[at - 1].id;
      }
      tree_.forget({all.data() + kept, all.size() - kept});
      if (kept != base) {
        if (tree_.options.duplicates == document_options::duplicate_fields::error)
          return fail(errc::duplicate_field, stop, twice);
        all.erase(all.begin() + static_cast<std::ptrdiff_t>(base),
                  all.begin() + static_cast<std::ptrdiff_t>(kept));
        tree::touch(&made);
      }
    }
    if (is_union(known)) {
      std::uint32_t members = 0;
      for (std::size_t at = base; at < all.size(); ++at)
        members += tree_.image->find_field(*known, all[at].id) != image::none;
      if (members > 1) return fail(errc::union_members, stop);
    }
    if (known == nullptr || known->required_count == 0) return true;
    if (tree_.options.missing_required == missing_required::omit) return true;
    for (std::uint32_t at = known->fields.begin; at < known->fields.begin + known->fields.size; ++at) {
      const image::field_node& field = tree_.image->fields[at];
      if ((field.flags & image::required) == 0) continue;
      bool there = false;
      for (std::size_t i = base; i < all.size() && !there; ++i)
        there = all[i].id == field.id && all[i].wire == field.wire;
      if (!there) return fail(errc::missing_required, stop, field.id);
    }
    return true;
  }

  [[nodiscard]] bool open_list(level& made) {
    list_header list;
    if (!(made.wire == ttype::set ? in_.read_set(list) : in_.read_list(list)) || !in_.enter()) return false;
    made.value = list.element;
    made.depth_left = static_cast<std::uint16_t>(in_.depth_left());
    std::uint32_t type = image::none;
    if (made.type != image::none) {
      type = tree_.image->types[made.type].first;
      if (list.size != 0 && tree_.image->types[type].wire != list.element) {
        if (tree_.options.mismatches == document_options::mismatched_types::error)
          return fail(errc::type_mismatch, made.bytes);
        made.type = type = image::none;
      }
    }
    if (!take_slots(made, list.size)) return false;
    if (!elements(made, list, type)) return false;
    in_.leave();
    return true;
  }
  [[nodiscard]] bool elements(level& made, const list_header& list, std::uint32_t type) {
    const std::size_t width =
        std::is_same_v<P, binary> ? fixed_width(list.element) : compact_width(list.element);
    if (width == 0 || list.size == 0) {
      for (std::uint32_t i = 0; i < list.size; ++i) {
        slot& each = *::new (&made.slots[i]) slot;
        if (!child(each, list.element, type, &made)) [[unlikely]]
          return false;
      }
      return true;
    }
    byte_view all;
    if (!in_.read_raw(width * list.size, all)) return false;
    const std::uint8_t* at = all.begin();
    for (std::uint32_t i = 0; i < list.size; ++i, at += width) {
      slot& each = *::new (&made.slots[i]) slot;
      each.bytes = at;
      each.size = static_cast<std::uint32_t>(width);
      each.wire = list.element;
    }
    return true;
  }
  [[nodiscard]] bool open_map(level& made) {
    map_header map;
    if (!in_.read_map(map) || !in_.enter()) return false;
    made.key = map.key;
    made.value = map.value;
    made.depth_left = static_cast<std::uint16_t>(in_.depth_left());
    std::uint32_t key_type = image::none, value_type = image::none;
    if (made.type != image::none) {
      const image::type_node& self = tree_.image->types[made.type];
      key_type = self.first;
      value_type = self.second;
      if (map.size != 0 && (tree_.image->types[key_type].wire != map.key ||
                            tree_.image->types[value_type].wire != map.value)) {
        if (tree_.options.mismatches == document_options::mismatched_types::error)
          return fail(errc::type_mismatch, made.bytes);
        made.type = key_type = value_type = image::none;
      }
    }
    if (!take_slots(made, std::size_t{map.size} * 2)) return false;
    for (std::uint32_t i = 0; i < made.count; i += 2) {
      slot& key = *::new (&made.slots[i]) slot;
      slot& value = *::new (&made.slots[i + 1]) slot;
      // Keys keep their bytes: lookups compare them.
      const bool deep = deep_;
      deep_ = false;
      const bool read = child(key, map.key, key_type, &made);
      deep_ = deep;
      if (!read || !child(value, map.value, value_type, &made)) [[unlikely]]
        return false;
    }
    in_.leave();
    return true;
  }
  [[nodiscard]] bool take_slots(level& made, std::size_t count) {
    if (!tree_.charge(count * sizeof(slot))) return fail(errc::output_limit, made.bytes);
    made.slots = tree_.make_slots(count);
    made.count = made.capacity = static_cast<std::uint32_t>(count);
    return true;
  }

  tree& tree_;
  reader_type in_;
  fault why_;
  bool deep_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::dom
