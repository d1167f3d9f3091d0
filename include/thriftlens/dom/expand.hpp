// expand: reads wire bytes into the slots of one level, or of all levels in one pass. Does not copy the
// bytes. Allocates no slots that the remaining bytes could not fill.
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

  /// `deep`: opens all levels but those of empty structs and containers.
  expander(tree& into, byte_view bytes, std::uint32_t depth_left, bool deep) noexcept
      : base(reader_, into.image),
        tree_(into),
        reader_(bytes, with_depth(into.options.limits, depth_left)),
        deep_(deep) {}
  expander(const expander&) = delete;

  /// Reads the value at the front of the bytes and its level. After false see failure().
  [[nodiscard]] bool root(slot& into, ttype wire, std::uint32_t type) {
    into.wire = wire;
    return has_children(wire) ? expand(into, type, nullptr) : leaf(into);
  }
  /// Reads bytes that hold exactly one value. Returns its fault.
  [[nodiscard]] fault read_complete(slot& into, ttype wire, std::uint32_t type) {
    if (!root(into, wire, type)) return failure();
    return at_end() ? fault() : fault{errc::trailing_bytes, 0, in_.offset()};
  }
  /// Creates the level below a slot that holds bytes.
  [[nodiscard]] bool expand(slot& of, std::uint32_t type, level* parent) {
    level* level_below = level_of(of.wire, type, parent);
    if (level_below != nullptr) of.expand(*level_below);
    return level_below != nullptr;
  }
  [[nodiscard]] bool at_end() const noexcept { return in_.at_end(); }
  [[nodiscard]] const fault& failure() const noexcept {
    return failure_.code != errc::ok ? failure_ : in_.fault();
  }

 private:
  using base::in_;

  static limits with_depth(limits bounds, std::uint32_t depth) noexcept {
    bounds.depth = depth;
    return bounds;
  }
  THRIFTLENS_COLD bool reject(errc code, const std::uint8_t* at, std::int16_t id = 0) noexcept {
    failure_ = {code, id, static_cast<std::size_t>(at - in_.begin())};
    return false;
  }
  [[nodiscard]] bool mismatch(const thriftlens::detail::walk_mismatch& details,
                              std::uint32_t& type) noexcept {
    type = image::none;
    const bool keeps = tree_.options.mismatch != on_mismatch::error;
    return keeps || reject(errc::type_mismatch, details.begin);
  }

  // ---- one value

  // Reads the level of the next value; nullptr after a fault.
  [[nodiscard]] level* level_of(ttype wire, std::uint32_t type, level* parent) {
    if (!tree_.charge(sizeof(level))) return reject(errc::output_limit, in_.at()), nullptr;
    // Without remaining depth the reader rejects the value.
    level& opened = tree_.make_level(parent, wire, type, in_.depth_left() - 1);
    opened.bytes = in_.at();
    if (!open_children(opened)) return nullptr;
    opened.size = static_cast<std::uint32_t>(in_.at() - opened.bytes);
    return &opened;
  }
  // Whether the level of the next value is opened now.
  [[nodiscard]] THRIFTLENS_INLINE bool gets_level(ttype wire, std::uint32_t type) noexcept {
    return deep_ && has_children(wire) && !is_empty(wire, type);
  }
  /// Reads a child, and its level in deep mode.
  THRIFTLENS_INLINE bool child(slot& into, ttype wire, std::uint32_t type, level& parent) {
    into.wire = wire;
    return gets_level(wire, type) ? expand(into, type, &parent) : leaf(into);
  }
  /// Records the bytes of a value of any type.
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
  /// Whether the next value has no children and needs no level. A struct without required fields needs one,
  /// to report them.
  [[nodiscard]] THRIFTLENS_INLINE bool is_empty(ttype wire, std::uint32_t type) noexcept {
    if (wire != ttype::struct_) return P::is_empty_container(in_.at(), in_.end(), wire);
    if (in_.at_end() || *in_.at() != 0) return false;
    const image::struct_node* known = tree_.structure(type);
    return known == nullptr || known->required_count == 0;
  }

  [[nodiscard]] bool open_children(level& opened) {
    if (opened.wire == ttype::struct_) return open_struct(opened);
    return opened.wire == ttype::map ? open_map(opened) : open_list(opened);
  }
  [[nodiscard]] bool take_slots(level& opened, std::size_t count) {
    if (!tree_.charge(std::uint64_t{count} * sizeof(slot))) return reject(errc::output_limit, opened.bytes);
    opened.items = tree_.make_slots(count);
    opened.count = opened.capacity = static_cast<std::uint32_t>(count);
    return true;
  }

  // ---- structs

  [[nodiscard]] bool open_struct(level& opened) {
    const std::size_t first = tree_.scratch.size();
    bool success = read_fields(opened, first);
    if (success) success = take_slots(opened, tree_.scratch.size() - first);
    if (success && opened.count != 0)
      std::memcpy(static_cast<void*>(opened.items), tree_.scratch.data() + first,
                  opened.count * sizeof(slot));
    if (!success) look_back(opened);
    tree_.scratch.resize(first);
    return success;
  }
  // After a fault: reports an earlier duplicate or union member instead.
  THRIFTLENS_COLD void look_back(const level& opened) {
    const image::struct_node* known = tree_.structure(opened.type);
    const fault first = failure();
    if (known != nullptr && is_union(*known)) fail_member(opened, *known);
    if (tree_.options.duplicates == on_duplicate::error) fail_duplicate(opened, known);
    if (failure_.offset >= first.offset) failure_ = first;
  }
  // Facts collected from the fields of a struct.
  struct field_summary {
    std::int32_t last_id = INT32_MIN;
    std::uint32_t required = 0;  // duplicates too
  };
  [[nodiscard]] bool read_fields(level& opened, std::size_t first) {
    field_summary seen;
    if constexpr (P::traits.has_fixed_layout) read_expected(opened, seen);
    const bool is_read =
        this->each_field(opened.type, [&](const walked_field& field) THRIFTLENS_INLINE_LAMBDA {
          return this->read_field(opened, field, seen);
        });
    if (!is_read) return false;
    const image::struct_node* known = tree_.structure(opened.type);
    return (opened.ascending && is_complete(known, seen)) || check_fields(opened, first, known);
  }
  [[nodiscard]] static bool is_complete(const image::struct_node* known, const field_summary& seen) noexcept {
    return known == nullptr || (seen.required == known->required_count && !is_union(*known));
  }
  // Reads leading fields while they are those of the IDL, in order.
  THRIFTLENS_INLINE void read_expected(const level& opened, field_summary& seen) {
    const image::struct_node* known = tree_.structure(opened.type);
    if (known == nullptr || in_.depth_left() == 0) return;
    const std::span<const image::field_node> fields = tree_.fields(*known);
    const byte_view input(in_.at(), in_.remaining());
    const std::size_t start = tree_.scratch.size();
    in_.seek(fast_fields(input, fields, tree_.options.limits.string_size, tree_.scratch));
    const std::size_t count = tree_.scratch.size() - start;
    if (count == 0) return;
    seen.last_id = tree_.scratch.back().id;
    seen.required = count == fields.size() ? known->required_count : fields[count].required_rank;
  }
  // Writes the slot in place: copying a freshly assembled one would stall.
  THRIFTLENS_INLINE bool read_field(level& opened, const walked_field& field, field_summary& seen) {
    const std::size_t at = tree_.scratch.size();
    slot& value = tree_.scratch.emplace_back();
    value.id = field.header.id;
    value.wire = field.header.type;
    if (gets_level(field.header.type, field.type)) {
      level* below = level_of(field.header.type, field.type, &opened);
      if (below == nullptr) return false;
      tree_.scratch[at].expand(*below);  // the level's own fields may have moved `value`
    } else if (!leaf(value)) [[unlikely]] {
      return false;
    }
    if (field.type != image::none && (tree_.image->fields[field.node].flags & image::required) != 0)
      ++seen.required;
    if (field.header.id <= seen.last_id) opened.ascending = false;
    seen.last_id = field.header.id;
    return true;
  }
  [[nodiscard]] static bool is_union(const image::struct_node& of) noexcept {
    return of.kind == type_kind::union_;
  }

  // Checks for fields out of order, missing fields and unions.
  THRIFTLENS_NOINLINE bool check_fields(level& opened, std::size_t first, const image::struct_node* known) {
    if (!opened.ascending && !drop_duplicates(opened, first, known)) return false;
    return known == nullptr ||
           has_members(opened, std::span<const slot>(tree_.scratch).subspan(first), *known);
  }
  // Checks the number of union members and the required fields.
  [[nodiscard]] bool has_members(const level& opened, std::span<const slot> fields,
                                 const image::struct_node& known) {
    if (is_union(known) && members(fields, known) > 1) return fail_member(opened, known);
    if (tree_.options.missing_required == on_missing::omit) return true;
    const image::field_node* missing = tree_.missing_field(known, fields);
    return missing == nullptr || reject(errc::missing_required, in_.at() - 1, missing->id);
  }
  [[nodiscard]] std::ptrdiff_t members(std::span<const slot> fields, const image::struct_node& of) const {
    return std::ranges::count_if(fields,
                                 [&](const slot& field) { return tree_.field(&of, field.id) != nullptr; });
  }
  // Fields that the IDL does not know may repeat. Without an IDL no field may.
  [[nodiscard]] bool may_repeat(const image::struct_node* known, std::int16_t id) const noexcept {
    return known != nullptr && tree_.field(known, id) == nullptr;
  }
  // Keeps the last of duplicate fields.
  [[nodiscard]] bool drop_duplicates(level& opened, std::size_t first, const image::struct_node* known) {
    const std::size_t first_last = keep_last(first, known);
    if (first_last == first) return true;
    if (tree_.options.duplicates == on_duplicate::error) return fail_duplicate(opened, known);
    const auto begin = tree_.scratch.begin();
    tree_.scratch.erase(begin + static_cast<std::ptrdiff_t>(first),
                        begin + static_cast<std::ptrdiff_t>(first_last));
    tree::touch(&opened);
    return true;
  }
  // Moves the fields that count to the end; returns the index of the first.
  [[nodiscard]] std::size_t keep_last(std::size_t first, const image::struct_node* known) {
    std::vector<slot>& fields = tree_.scratch;
    std::size_t first_last = fields.size();
    for (std::size_t at = fields.size(); at > first; --at) {
      const slot& field = fields[at - 1];
      if (may_repeat(known, field.id) || tree_.first_time(field.id)) fields[--first_last] = field;
    }
    tree_.forget({fields.data() + first_last, fields.size() - first_last});
    return first_last;
  }
  THRIFTLENS_COLD bool fail_duplicate(const level& opened, const image::struct_node* known) {
    id_bits seen;
    return fail_at_field(errc::duplicate_field, opened,
                         [&](std::int16_t id) { return !may_repeat(known, id) && !seen.add(id); });
  }
  THRIFTLENS_COLD bool fail_member(const level& opened, const image::struct_node& of) {
    const image::field_node* first = nullptr;
    return fail_at_field(errc::union_members, opened, [&](std::int16_t id) {
      const image::field_node* member = tree_.field(&of, id);
      if (first == nullptr) first = member;
      return member != nullptr && member != first;
    });
  }
  // Fails at the header of the first field for which `matches(id)`.
  template <class Matches>
  bool fail_at_field(errc code, const level& opened, Matches matches) {
    reader_type reader({in_.begin(), static_cast<std::size_t>(in_.end() - in_.begin())},
                       tree_.options.limits);
    reader.seek(opened.bytes);
    const std::uint8_t* begin = opened.bytes;
    field_header field;
    while (reader.read_field(field) && field.type != ttype::stop) {
      if (matches(field.id)) return reject(code, begin, field.id);
      if (!reader.skip(field.type)) return false;
      begin = reader.at();
    }
    return false;
  }

  // ---- containers

  [[nodiscard]] bool open_list(level& opened) {
    return this->in_sequence(opened.wire, opened.type,
                             [&](const list_header& list, std::uint32_t type, const std::uint8_t*) {
                               opened.value = list.element;
                               return take_children(opened, list.size, type) && elements(opened, type);
                             });
  }
  [[nodiscard]] bool open_map(level& opened) {
    return this->in_map(
        opened.type, [&](const map_header& map, std::uint32_t key, std::uint32_t value, const std::uint8_t*) {
          opened.key = map.key;
          opened.value = map.value;
          return take_children(opened, std::size_t{map.size} * 2, key) && entries(opened, value);
        });
  }
  // `type`: none if the children do not match the IDL or are unknown to it.
  [[nodiscard]] bool take_children(level& opened, std::size_t count, std::uint32_t type) {
    if (type == image::none) opened.type = image::none;
    return take_slots(opened, count);
  }
  [[nodiscard]] bool elements(level& opened, std::uint32_t type) {
    const std::size_t width = element_width<P>(opened.value);
    if (width != 0 && opened.count != 0) return fixed_elements(opened, width);
    for (slot *at = opened.items, *end = at + opened.count; at != end; ++at)
      if (!child(*::new (at) slot, opened.value, type, opened)) [[unlikely]]
        return false;
    return true;
  }
  [[nodiscard]] bool fixed_elements(level& opened, std::size_t width) {
    byte_view values;
    if (!in_.read_raw(width * opened.count, values)) return false;
    const std::uint8_t* from = values.begin();
    for (slot *at = opened.items, *end = at + opened.count; at != end; ++at, from += width) {
      slot& element = *::new (at) slot;
      element.bytes = from;
      element.size = static_cast<std::uint32_t>(width);
      element.wire = opened.value;
    }
    return true;
  }
  [[nodiscard]] bool entries(level& opened, std::uint32_t type) {
    for (slot *at = opened.items, *end = at + opened.count; at != end; at += 2) {
      slot& key = *::new (at) slot;
      // Keys are not opened: lookups compare their bytes.
      key.wire = opened.key;
      if (!leaf(key) || !child(*::new (at + 1) slot, opened.value, type, opened)) [[unlikely]]
        return false;
    }
    return true;
  }

  tree& tree_;
  reader_type reader_;
  fault failure_;
  bool deep_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::dom
