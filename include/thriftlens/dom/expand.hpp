// expand: wire bytes into the slots of a level, one level or all of them in one pass. Never copies wire
// bytes; never makes a slot before the bytes left could hold it.
#pragma once

#include <thriftlens/core/fault.hpp>
#include <thriftlens/dom/fast/fast_fields.hpp>
#include <thriftlens/dom/tree.hpp>
#include <thriftlens/protocol/select.hpp>
#include <thriftlens/schema/walk_types.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail::dom {

/// Reads one value in protocol P into the tree.
template <protocol P>
class expander : public thriftlens::detail::walk<expander<P>, P, thriftlens::detail::schema_types> {
  using base = thriftlens::detail::walk<expander<P>, P, thriftlens::detail::schema_types>;
  using walked_field = thriftlens::detail::walked_field;
  friend base;

 public:
  using reader_type = typename P::reader;

  /// `deep`: every level; empty structs and containers stay as they are.
  expander(tree& into, byte_view bytes, std::uint32_t depth_left, bool deep) noexcept
      : base(reader_, into.image),
        tree_(into),
        reader_(bytes, with_depth(into.options.limits, depth_left)),
        deep_(deep) {}
  expander(const expander&) = delete;

  /// The value at the front of the bytes and its level. False: why() says it.
  [[nodiscard]] bool root(slot& into, ttype wire, std::uint32_t type) {
    into.wire = wire;
    return has_children(wire) ? expand(into, type, nullptr) : leaf(into);
  }
  /// The value that the bytes are, all of them: what is wrong with it.
  [[nodiscard]] fault whole(slot& into, ttype wire, std::uint32_t type) {
    if (!root(into, wire, type)) return why();
    return at_end() ? fault() : fault{errc::trailing_bytes, 0, in_.offset()};
  }
  /// Makes the level below a slot that holds bytes.
  [[nodiscard]] bool expand(slot& of, std::uint32_t type, level* parent) {
    level* made = level_of(of.wire, type, parent);
    if (made != nullptr) of.expand(*made);
    return made != nullptr;
  }
  [[nodiscard]] bool at_end() const noexcept { return in_.at_end(); }
  [[nodiscard]] const fault& why() const noexcept { return why_.code != errc::ok ? why_ : in_.fault(); }

 private:
  using base::in_;

  static limits with_depth(limits bounds, std::uint32_t depth) noexcept {
    bounds.depth = depth;
    return bounds;
  }
  THRIFTLENS_COLD bool reject(errc code, const std::uint8_t* at, std::int16_t id = 0) noexcept {
    why_ = {code, id, static_cast<std::size_t>(at - in_.begin())};
    return false;
  }
  [[nodiscard]] bool mismatch(const thriftlens::detail::walk_mismatch& what, std::uint32_t& type) noexcept {
    type = image::none;
    const bool keeps = tree_.options.mismatch != on_mismatch::error;
    return keeps || reject(errc::type_mismatch, what.begin);
  }

  // ---- one value

  // The level of the value that stands here; nullptr after a fault.
  [[nodiscard]] level* level_of(ttype wire, std::uint32_t type, level* parent) {
    if (!tree_.charge(sizeof(level))) return reject(errc::output_limit, in_.at()), nullptr;
    // Where no depth is left, the reader refuses the value.
    level& made = tree_.make_level(parent, wire, type, in_.depth_left() - 1);
    made.bytes = in_.at();
    if (!open_children(made)) return nullptr;
    made.size = static_cast<std::uint32_t>(in_.at() - made.bytes);
    return &made;
  }
  // Whether the value that stands here gets its level now.
  [[nodiscard]] THRIFTLENS_INLINE bool gets_level(ttype wire, std::uint32_t type) noexcept {
    return deep_ && has_children(wire) && !is_empty(wire, type);
  }
  /// With its level where all levels are to be opened.
  THRIFTLENS_INLINE bool child(slot& into, ttype wire, std::uint32_t type, level& parent) {
    into.wire = wire;
    return gets_level(wire, type) ? expand(into, type, &parent) : leaf(into);
  }
  /// By its bytes, whatever it is.
  THRIFTLENS_INLINE bool leaf(slot& into) {
    if constexpr (P::traits.has_inline_bool) {
      if (into.wire == ttype::bool_ && in_.here().inline_bool >= 0) {
        into.bytes = &bool_bytes<P>[in_.here().inline_bool];
        into.size = 1;
        return in_.skip(ttype::bool_);
      }
    }
    into.bytes = in_.at();
    if (!pass(into.wire)) [[unlikely]]
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
    if (wire != ttype::struct_) return P::is_empty_container(in_.at(), in_.end(), wire);
    if (in_.at_end() || *in_.at() != 0) return false;
    const image::struct_node* known = tree_.structure(type);
    return known == nullptr || known->required_count == 0;
  }

  [[nodiscard]] bool open_children(level& made) {
    if (made.wire == ttype::struct_) return open_struct(made);
    return made.wire == ttype::map ? open_map(made) : open_list(made);
  }
  [[nodiscard]] bool take_slots(level& made, std::size_t count) {
    if (!tree_.charge(std::uint64_t{count} * sizeof(slot))) return reject(errc::output_limit, made.bytes);
    made.items = tree_.make_slots(count);
    made.count = made.capacity = static_cast<std::uint32_t>(count);
    return true;
  }

  // ---- structs

  [[nodiscard]] bool open_struct(level& made) {
    const std::size_t first = tree_.scratch.size();
    bool done = read_fields(made, first);
    if (done) done = take_slots(made, tree_.scratch.size() - first);
    if (done && made.count != 0)
      std::memcpy(static_cast<void*>(made.items), tree_.scratch.data() + first, made.count * sizeof(slot));
    if (!done) look_back(made);
    tree_.scratch.resize(first);
    return done;
  }
  // A value is broken: fields that may not be there, up to its own, come before it.
  THRIFTLENS_COLD void look_back(const level& made) {
    const image::struct_node* known = tree_.structure(made.type);
    const fault first = why();
    if (known != nullptr && is_union(*known)) fail_member(made, *known);
    if (tree_.options.duplicates == on_duplicate::error) fail_duplicate(made, known);
    if (why_.offset >= first.offset) why_ = first;
  }
  // What the fields say of their struct.
  struct field_summary {
    std::int32_t last_id = INT32_MIN;
    std::uint32_t required = 0;  // duplicates too
  };
  [[nodiscard]] bool read_fields(level& made, std::size_t first) {
    field_summary seen;
    if constexpr (P::traits.has_fixed_layout) read_expected(made, seen);
    const bool done = this->each_field(made.type, [&](const walked_field& field) THRIFTLENS_INLINE_LAMBDA {
      return this->read_field(made, field, seen);
    });
    if (!done) return false;
    const image::struct_node* known = tree_.structure(made.type);
    return (made.ascending && is_whole(known, seen)) || check_fields(made, first, known);
  }
  [[nodiscard]] static bool is_whole(const image::struct_node* known, const field_summary& seen) noexcept {
    return known == nullptr || (seen.required == known->required_count && !is_union(*known));
  }
  // The leading fields, as far as they are what the IDL lists.
  THRIFTLENS_INLINE void read_expected(const level& made, field_summary& seen) {
    const image::struct_node* known = tree_.structure(made.type);
    if (known == nullptr || in_.depth_left() == 0) return;
    const std::span<const image::field_node> fields = tree_.fields(*known);
    const byte_view left(in_.at(), in_.remaining());
    const std::size_t before = tree_.scratch.size();
    in_.seek(fast_fields(left, fields, tree_.options.limits.string_size, tree_.scratch));
    const std::size_t count = tree_.scratch.size() - before;
    if (count == 0) return;
    seen.last_id = tree_.scratch.back().id;
    seen.required = count == fields.size() ? known->required_count : fields[count].required_rank;
  }
  // The slot is written where it stays: a copy of what was just put together would stall.
  THRIFTLENS_INLINE bool read_field(level& made, const walked_field& field, field_summary& seen) {
    const std::size_t at = tree_.scratch.size();
    slot& value = tree_.scratch.emplace_back();
    value.id = field.header.id;
    value.wire = field.header.type;
    if (gets_level(field.header.type, field.type)) {
      level* below = level_of(field.header.type, field.type, &made);
      if (below == nullptr) return false;
      tree_.scratch[at].expand(*below);  // the level's own fields may have moved `value`
    } else if (!leaf(value)) [[unlikely]] {
      return false;
    }
    if (field.type != image::none && (tree_.image->fields[field.node].flags & image::required) != 0)
      ++seen.required;
    if (field.header.id <= seen.last_id) made.ascending = false;
    seen.last_id = field.header.id;
    return true;
  }
  [[nodiscard]] static bool is_union(const image::struct_node& of) noexcept {
    return of.kind == type_kind::union_;
  }

  // What is only looked at where something is unusual: fields out of order or missing, unions.
  THRIFTLENS_NOINLINE bool check_fields(level& made, std::size_t first, const image::struct_node* known) {
    if (!made.ascending && !drop_duplicates(made, first, known)) return false;
    return known == nullptr || has_members(made, std::span<const slot>(tree_.scratch).subspan(first), *known);
  }
  // As many as there must be.
  [[nodiscard]] bool has_members(const level& made, std::span<const slot> fields,
                                 const image::struct_node& known) {
    if (is_union(known) && members(fields, known) > 1) return fail_member(made, known);
    if (tree_.options.missing_required == on_missing::omit) return true;
    const image::field_node* missing = tree_.missing_field(known, fields);
    return missing == nullptr || reject(errc::missing_required, in_.at() - 1, missing->id);
  }
  [[nodiscard]] std::ptrdiff_t members(std::span<const slot> fields, const image::struct_node& of) const {
    return std::ranges::count_if(fields,
                                 [&](const slot& each) { return tree_.field(&of, each.id) != nullptr; });
  }
  // What the IDL does not know may be repeated. Without an IDL nothing may.
  [[nodiscard]] bool may_repeat(const image::struct_node* known, std::int16_t id) const noexcept {
    return known != nullptr && tree_.field(known, id) == nullptr;
  }
  // Of duplicate fields the last one counts.
  [[nodiscard]] bool drop_duplicates(level& made, std::size_t first, const image::struct_node* known) {
    const std::size_t kept = keep_last(first, known);
    if (kept == first) return true;
    if (tree_.options.duplicates == on_duplicate::error) return fail_duplicate(made, known);
    const auto begin = tree_.scratch.begin();
    tree_.scratch.erase(begin + static_cast<std::ptrdiff_t>(first),
                        begin + static_cast<std::ptrdiff_t>(kept));
    tree::touch(&made);
    return true;
  }
  // Moves the fields that count to the end; where they begin.
  [[nodiscard]] std::size_t keep_last(std::size_t first, const image::struct_node* known) {
    std::vector<slot>& all = tree_.scratch;
    std::size_t kept = all.size();
    for (std::size_t at = all.size(); at > first; --at) {
      const slot& each = all[at - 1];
      if (may_repeat(known, each.id) || tree_.first_time(each.id)) all[--kept] = each;
    }
    tree_.forget({all.data() + kept, all.size() - kept});
    return kept;
  }
  THRIFTLENS_COLD bool fail_duplicate(const level& made, const image::struct_node* known) {
    id_bits seen;
    return fail_at_field(errc::duplicate_field, made,
                         [&](std::int16_t id) { return !may_repeat(known, id) && !seen.add(id); });
  }
  THRIFTLENS_COLD bool fail_member(const level& made, const image::struct_node& of) {
    const image::field_node* first = nullptr;
    return fail_at_field(errc::union_members, made, [&](std::int16_t id) {
      const image::field_node* member = tree_.field(&of, id);
      if (first == nullptr) first = member;
      return member != nullptr && member != first;
    });
  }
  // Fails at the header of the first field for which `is_it(id)` holds, if there is one.
  template <class Ask>
  bool fail_at_field(errc code, const level& made, Ask is_it) {
    reader_type again({in_.begin(), static_cast<std::size_t>(in_.end() - in_.begin())}, tree_.options.limits);
    again.seek(made.bytes);
    const std::uint8_t* begin = made.bytes;
    field_header field;
    while (again.read_field(field) && field.type != ttype::stop) {
      if (is_it(field.id)) return reject(code, begin, field.id);
      if (!again.skip(field.type)) return false;
      begin = again.at();
    }
    return false;
  }

  // ---- containers

  [[nodiscard]] bool open_list(level& made) {
    return this->in_sequence(made.wire, made.type,
                             [&](const list_header& list, std::uint32_t type, const std::uint8_t*) {
                               made.value = list.element;
                               return take_children(made, list.size, type) && elements(made, type);
                             });
  }
  [[nodiscard]] bool open_map(level& made) {
    return this->in_map(
        made.type, [&](const map_header& map, std::uint32_t key, std::uint32_t value, const std::uint8_t*) {
          made.key = map.key;
          made.value = map.value;
          return take_children(made, std::size_t{map.size} * 2, key) && entries(made, value);
        });
  }
  // `type`: none where the children are not as the IDL says, or nothing is known of them.
  [[nodiscard]] bool take_children(level& made, std::size_t count, std::uint32_t type) {
    if (type == image::none) made.type = image::none;
    return take_slots(made, count);
  }
  [[nodiscard]] bool elements(level& made, std::uint32_t type) {
    const std::size_t width = element_width<P>(made.value);
    if (width != 0 && made.count != 0) return fixed_elements(made, width);
    for (slot *at = made.items, *end = at + made.count; at != end; ++at)
      if (!child(*::new (at) slot, made.value, type, made)) [[unlikely]]
        return false;
    return true;
  }
  [[nodiscard]] bool fixed_elements(level& made, std::size_t width) {
    byte_view all;
    if (!in_.read_raw(width * made.count, all)) return false;
    const std::uint8_t* from = all.begin();
    for (slot *at = made.items, *end = at + made.count; at != end; ++at, from += width) {
      slot& each = *::new (at) slot;
      each.bytes = from;
      each.size = static_cast<std::uint32_t>(width);
      each.wire = made.value;
    }
    return true;
  }
  [[nodiscard]] bool entries(level& made, std::uint32_t type) {
    for (slot *at = made.items, *end = at + made.count; at != end; at += 2) {
      slot& key = *::new (at) slot;
      // Keys keep their bytes: lookups compare them.
      key.wire = made.key;
      if (!leaf(key) || !child(*::new (at + 1) slot, made.value, type, made)) [[unlikely]]
        return false;
    }
    return true;
  }

  tree& tree_;
  reader_type reader_;
  fault why_;
  bool deep_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::dom
