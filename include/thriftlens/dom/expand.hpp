// expand: wire bytes into the slots of a level, one level or all of them in one pass.
// In: the tree, a place in the bytes, the type expected there. Out: a level in the tree's arena, or a fault.
// Never copies wire bytes; never makes a slot before the bytes left could hold it.
#pragma once

#include <thriftlens/core/fault.hpp>
#include <thriftlens/dom/tree.hpp>
#include <thriftlens/protocol/select.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::dom {

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
  /// The value that the bytes are, all of them: what is wrong with it.
  [[nodiscard]] fault whole(slot& into, ttype wire, std::uint32_t type) {
    if (!root(into, wire, type)) return why();
    return at_end() ? fault() : fault{errc::trailing_bytes, 0, in_.offset()};
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
  [[nodiscard]] bool at_end() const noexcept { return in_.at_end(); }
  [[nodiscard]] const fault& why() const noexcept { return why_.code != errc::ok ? why_ : in_.fault(); }

 private:
  static limits with_depth(limits bounds, std::uint32_t depth) noexcept {
    bounds.depth = depth;
    return bounds;
  }
  THRIFTLENS_COLD bool fail(errc code, const std::uint8_t* at, std::int16_t id = 0) noexcept {
    why_ = {code, id, static_cast<std::size_t>(at - in_.begin())};
    return false;
  }

  /// A value on the way, with its level where all levels are to be opened.
  THRIFTLENS_INLINE bool child(slot& into, ttype wire, std::uint32_t type, level* parent) {
    into.wire = wire;
    if (deep_ && (wire == ttype::struct_ || is_container(wire)) && !is_empty(wire, type))
      return level_of(into, type, parent, false);
    if constexpr (P::traits.has_inline_bool) {
      if (wire == ttype::bool_ && in_.here().inline_bool >= 0) {
        into.bytes = &bool_bytes<P>[in_.here().inline_bool];
        into.size = 1;
        return in_.skip(wire);
      }
    }
    into.bytes = in_.at();
    if (!pass(wire)) [[unlikely]]
      return false;
    into.size = static_cast<std::uint32_t>(in_.at() - into.bytes);
    return true;
  }
  THRIFTLENS_INLINE bool pass(ttype wire) {
    if (wire != ttype::string) return in_.skip(wire);
    byte_view unused;
    return in_.read_bytes(unused);
  }
  /// Whether a value without children stands here: not worth a level. A struct that lacks required fields
  /// gets one, to say so.
  [[nodiscard]] THRIFTLENS_INLINE bool is_empty(ttype wire, std::uint32_t type) noexcept {
    if (in_.at_end()) return false;
    if (wire == ttype::struct_) {
      const image::struct_node* known = tree_.structure(type);
      return *in_.at() == 0 && (known == nullptr || known->required_count == 0);
    }
    return P::is_empty_container(in_.at(), in_.at() + in_.remaining(), wire);
  }

  [[nodiscard]] bool open(level*& made, ttype wire, std::uint32_t type, level* parent) {
    if (!tree_.charge(sizeof(level))) return fail(errc::output_limit, in_.at());
    made = tree_.make_level();
    made->parent = parent;
    made->bytes = in_.at();
    made->wire = wire;
    made->type = type;
    if (!open_children(*made)) return false;
    made->size = static_cast<std::uint32_t>(in_.at() - made->bytes);
    return true;
  }

  [[nodiscard]] bool open_children(level& made) {
    if (made.wire == ttype::struct_) return open_struct(made);
    return made.wire == ttype::map ? open_map(made) : open_list(made);
  }
  [[nodiscard]] bool open_struct(level& made) {
    const std::size_t base = tree_.scratch.size();
    bool done = read_fields(made, base);
    if (done) done = take_slots(made, tree_.scratch.size() - base);
    if (done && made.count != 0)
      std::memcpy(static_cast<void*>(made.slots), tree_.scratch.data() + base, made.count * sizeof(slot));
    tree_.scratch.resize(base);
    return done;
  }
  // The fields of a struct as the IDL lists them, asked for in the order of the wire.
  struct known_fields {
    const image::struct_node* of = nullptr;
    const image::field_node* next = nullptr;
    const image::field_node* end = nullptr;
    std::uint32_t required = 0;  // of those seen so far

    [[nodiscard]] bool complete() const noexcept { return of == nullptr || required == of->required_count; }
    [[nodiscard]] bool is_union() const noexcept { return of != nullptr && of->kind == type_kind::union_; }
  };
  [[nodiscard]] known_fields fields_of(std::uint32_t type) const noexcept {
    const image::struct_node* of = tree_.structure(type);
    if (of == nullptr) return {};
    const image::field_node* first = tree_.image->fields.data() + of->fields.begin;
    return {of, first, first + of->fields.size};
  }
  // The type of the field, or none. False: it is not what the IDL says.
  [[nodiscard]] THRIFTLENS_INLINE bool match(known_fields& known, const field_header& field,
                                             std::uint32_t& type) const noexcept {
    type = image::none;
    if (known.of == nullptr) return true;
    if (known.next == known.end || known.next->id != field.id) find(known, field.id);
    if (known.next == known.end) return true;
    const image::field_node& expected = *known.next++;
    if (expected.wire != field.type) [[unlikely]]
      return keeps_mismatches();
    type = expected.type;
    known.required += expected.flags & image::required;
    return true;
  }
  void find(known_fields& known, std::int16_t id) const noexcept {
    const image::field_node* found = tree_.field(known.of, id);
    known.next = found == nullptr ? known.end : found;
  }
  [[nodiscard]] bool keeps_mismatches() const noexcept {
    return tree_.options.mismatches != document_options::mismatched_types::error;
  }
  [[nodiscard]] bool read_fields(level& made, std::size_t base) {
    known_fields known = fields_of(made.type);
    std::int32_t last_id = INT32_MIN;
    const struct_mark outer = in_.begin_struct();
    made.depth_left = static_cast<std::uint16_t>(in_.depth_left());
    for (;;) {
      const std::uint8_t* begin = in_.at();
      field_header field;
      if (!in_.read_field(field)) [[unlikely]]
        return false;
      if (field.type == ttype::stop) break;
      slot value;
      value.id = field.id;
      std::uint32_t type;
      if (!match(known, field, type)) [[unlikely]]
        return fail(errc::type_mismatch, begin);
      if (!child(value, field.type, type, &made)) [[unlikely]]
        return false;
      made.ascending = made.ascending && field.id > last_id;
      last_id = field.id;
      tree_.scratch.push_back(value);
    }
    in_.end_struct(outer);
    const bool usual = made.ascending && known.complete() && !known.is_union();
    return usual || check_fields(made, base, known);
  }

  // What is only looked at where something is unusual: fields out of order or missing, unions. What is wrong
  // with a struct as a whole is reported at its end.
  THRIFTLENS_NOINLINE bool check_fields(level& made, std::size_t base, const known_fields& known) {
    const std::uint8_t* const stop = in_.at() - 1;
    if (!made.ascending && !drop_duplicates(made, base, known.of)) return false;
    const std::span<const slot> fields(tree_.scratch.data() + base, tree_.scratch.size() - base);
    if (known.is_union() && members(fields, *known.of) > 1) return fail(errc::union_members, stop);
    if (known.of == nullptr || tree_.options.missing_required == missing_required::omit) return true;
    const image::field_node* missing = tree_.missing_field(*known.of, fields);
    return missing == nullptr || fail(errc::missing_required, stop, missing->id);
  }
  // Of duplicate fields the last one counts. What the IDL does not know may be repeated.
  [[nodiscard]] bool drop_duplicates(level& made, std::size_t base, const image::struct_node* known) {
    std::int16_t duplicate = 0;
    const std::size_t kept = keep_last(base, known, duplicate);
    if (kept == base) return true;
    if (tree_.options.duplicates == document_options::duplicate_fields::error)
      return fail(errc::duplicate_field, in_.at() - 1, duplicate);
    const auto begin = tree_.scratch.begin();
    tree_.scratch.erase(begin + static_cast<std::ptrdiff_t>(base), begin + static_cast<std::ptrdiff_t>(kept));
    tree::touch(&made);
    return true;
  }
  // Moves the fields that count to the end; where they begin.
  [[nodiscard]] std::size_t keep_last(std::size_t base, const image::struct_node* known,
                                      std::int16_t& duplicate) {
    std::vector<slot>& all = tree_.scratch;
    std::size_t kept = all.size();
    for (std::size_t at = all.size(); at > base; --at) {
      const slot& each = all[at - 1];
      const bool unknown = known != nullptr && tree_.field(known, each.id) == nullptr;
      if (unknown || tree_.first_time(each.id))
        all[--kept] = each;
      else
        duplicate = each.id;
    }
    tree_.forget({all.data() + kept, all.size() - kept});
    return kept;
  }
  [[nodiscard]] std::ptrdiff_t members(std::span<const slot> fields, const image::struct_node& of) const {
    return std::count_if(fields.begin(), fields.end(),
                         [&](const slot& each) { return tree_.field(&of, each.id) != nullptr; });
  }

  [[nodiscard]] bool open_list(level& made) {
    list_header list;
    if (!(made.wire == ttype::set ? in_.read_set(list) : in_.read_list(list)) || !in_.enter()) return false;
    made.value = list.element;
    const bool fits = list.size == 0 || is_wire(types_of(made).first, list.element);
    if (!accept(made, fits) || !take_slots(made, list.size)) return false;
    if (!elements(made, list, types_of(made).first)) return false;
    in_.leave();
    return true;
  }
  // What elements, keys and values are by the IDL; none where it does not say.
  [[nodiscard]] image::type_node types_of(const level& made) const noexcept {
    return made.type == image::none ? image::type_node() : tree_.image->types[made.type];
  }
  [[nodiscard]] bool is_wire(std::uint32_t type, ttype wire) const noexcept {
    return type == image::none || tree_.image->types[type].wire == wire;
  }
  // A container whose children are as the IDL says, or others, which by option are taken as they are.
  [[nodiscard]] bool accept(level& made, bool fits) noexcept {
    made.depth_left = static_cast<std::uint16_t>(in_.depth_left());
    if (fits) return true;
    made.type = image::none;
    return keeps_mismatches() || fail(errc::type_mismatch, made.bytes);
  }
  [[nodiscard]] bool elements(level& made, const list_header& list, std::uint32_t type) {
    const std::size_t width = element_width<P>(list.element);
    if (width != 0 && list.size != 0) return fixed_elements(made, list, width);
    for (std::uint32_t i = 0; i < list.size; ++i) {
      slot& each = *::new (&made.slots[i]) slot;
      if (!child(each, list.element, type, &made)) [[unlikely]]
        return false;
    }
    return true;
  }
  [[nodiscard]] bool fixed_elements(level& made, const list_header& list, std::size_t width) {
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
    const image::type_node types = types_of(made);
    const bool fits = map.size == 0 || (is_wire(types.first, map.key) && is_wire(types.second, map.value));
    if (!accept(made, fits) || !take_slots(made, std::size_t{map.size} * 2)) return false;
    if (!entries(made, map, types_of(made))) return false;
    in_.leave();
    return true;
  }
  [[nodiscard]] bool entries(level& made, const map_header& map, const image::type_node& types) {
    const bool deep = deep_;
    for (std::uint32_t i = 0; i < made.count; i += 2) {
      slot& key = *::new (&made.slots[i]) slot;
      slot& value = *::new (&made.slots[i + 1]) slot;
      deep_ = false;  // keys keep their bytes: lookups compare them
      const bool read = child(key, map.key, types.first, &made);
      deep_ = deep;
      if (!read || !child(value, map.value, types.second, &made)) [[unlikely]]
        return false;
    }
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
