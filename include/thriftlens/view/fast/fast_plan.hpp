// fast_plan: a plan over bytes by pointers: ascending ids, wire types as in the IDL, indices from the
// front. Speculates: returns false to fall back to plan_runner, and `out` is then unspecified.
#pragma once

#include <thriftlens/view/plan_slots.hpp>
#include <thriftlens/view/scan.hpp>
#include <thriftlens/view/view.hpp>

#include <cstdint>
#include <span>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// `Plan` is plan, as in plan_slots.
template <protocol P, class Plan>
class fast_plan : public plan_slots<P, Plan> {
  using base = plan_slots<P, Plan>;
  using typename base::edge, typename base::form, typename base::node;

 public:
  fast_plan(const Plan& paths, const view<P>& from, std::span<view<P>> out) noexcept
      : base(paths, from, out),
        in_(from.whole().end()),
        end_(from.whole().end()),
        edges_(paths.all_edges()) {}

  /// Fills all of `out`. Returns false to fall back.
  [[nodiscard]] bool run() noexcept {
    const wire_location& location = from_.location();
    if (location.type == image::none || location.at.inline_bool >= 0) return false;
    const node& root = nodes_[0];
    const bool is_plain = root.kind == form::fields && root.own_begin == root.own_end;
    return (is_plain && location.at.depth_left != 0 ? fields(root, location, false)
                                                    : value(root, location, false)) != nullptr;
  }

 private:
  using base::from_, base::image_, base::nodes_, base::none;

  /// The remaining edges to the fields of a struct, and the position of the next header.
  struct field_scan {
    const edge* next;
    const edge* last;
    const std::uint8_t* at;
    std::int32_t highest;  // id so far
  };

  /// At the root, absence requires that the bytes end there.
  [[nodiscard]] bool at_root(const wire_location& location) const noexcept {
    return location.at.at == from_.whole().begin();
  }

  // These return a position in the value (its end with `finish`), or nullptr to fall back.

  THRIFTLENS_NOINLINE const std::uint8_t* value(const node& at, const wire_location& location,
                                                bool finish) noexcept {
    base::resolve(at, location);
    if (at.kind == form::leaf) return leave(location, finish);
    if (location.at.depth_left == 0) [[unlikely]]
      return nullptr;
    if (at.kind == form::fields) return fields(at, location, finish);
    return at.kind == form::elements ? elements(at, location, finish) : entries(at, location, finish);
  }
  THRIFTLENS_INLINE const std::uint8_t* leave(const wire_location& location, bool finish) noexcept {
    const std::uint8_t* at = location.at.at;
    if (!finish || location.at.inline_bool >= 0) return at;
    return in_.skip_known(at, location.wire, location.type, *image_, location.at.depth_left) ? at : nullptr;
  }
  /// The value of an edge.
  THRIFTLENS_INLINE const std::uint8_t* child(const edge& of, const wire_location& location,
                                              bool finish) noexcept {
    if (of.slot == image::none) return value(nodes_[of.node], by_members(location), finish);
    base::resolve(of.slot, location);
    return leave(location, finish);
  }

  const std::uint8_t* fields(const node& of, const wire_location& location, bool finish) noexcept {
    field_scan scan{edges_ + of.edges_begin, edges_ + of.edges_end, location.at.at, -0x8001};
    if (P::traits.has_fixed_layout && of.prefix.levels <= location.at.depth_left) {
      for (std::uint32_t segment = 0; segment < of.prefix.size; ++segment) {
        if (!in_.is_at(scan.at, of.prefix, segment)) break;
        if (!fields_of_segment(scan, segment, location.at.depth_left - 1)) [[unlikely]]
          return nullptr;
        if (scan.next == scan.last && !finish) return scan.at;
        const shape_segment& part = of.prefix.segments[segment];
        scan.at = part.after(scan.at, end_);
        if (scan.at == nullptr || (segment + 1u == of.prefix.size && of.prefix.complete)) return scan.at;
        scan.highest = part.last_id;
      }
    }
    return more_fields(scan, location, finish);
  }
  /// Follows the edges to the fields of one segment of the prefix template.
  [[nodiscard]] THRIFTLENS_INLINE bool fields_of_segment(field_scan& scan, std::uint32_t segment,
                                                         std::uint32_t depth_left) noexcept {
    for (; scan.next != scan.last && scan.next->place.segment == segment; ++scan.next) {
      const edge& to = *scan.next;
      const std::uint8_t* const inside = scan.at + to.place.at + 3;
      if (child(to, {{inside, depth_left, 0, -1}, to.type, to.wire}, false) == nullptr) [[unlikely]]
        return false;
    }
    return true;
  }
  /// Field by field. Fields skipped by ascending ids are absent, provided that ids ascend to the end.
  THRIFTLENS_NOINLINE const std::uint8_t* more_fields(field_scan scan, const wire_location& location,
                                                      bool finish) noexcept {
    const std::uint32_t depth_left = location.at.depth_left - 1;
    std::int16_t last_id = 0;
    scan_field field;
    for (;;) {
      if (!pass_between(scan, last_id, location.at.depth_left) || !ascends(scan, field, last_id)) [[unlikely]]
        return nullptr;
      const edge* const first_absent = scan.next;
      if (!absent_fields(scan, location)) [[unlikely]]
        return nullptr;
      finish = finish || scan.next != first_absent;
      if (field.type == ttype::stop) return at_root(location) && scan.at != end_ ? nullptr : scan.at;
      if (scan.next == scan.last || scan.next->id != field.id) {
        if (!in_.skip_field(scan.at, field, location.type, *image_, depth_left)) [[unlikely]]
          return nullptr;
        continue;
      }
      const edge& to = *scan.next++;
      if (to.wire != field.type) [[unlikely]]
        return nullptr;
      const bool more = finish || scan.next != scan.last;
      scan.at = child(to, {{scan.at, depth_left, last_id, field.inline_bool}, to.type, field.type}, more);
      if (scan.at == nullptr || !more) return scan.at;
    }
  }
  /// Steps over fields before the next edge.
  [[nodiscard]] THRIFTLENS_INLINE bool pass_between(field_scan& scan, std::int16_t& last_id,
                                                    std::uint32_t depth_left) noexcept {
    if (P::traits.has_fixed_layout) return true;
    const int id = scan.next == scan.last ? 0x8000 : int{scan.next->id};
    const std::uint8_t* const begin = scan.at;
    if (!in_.pass_below(scan.at, last_id, id, depth_left)) [[unlikely]]
      return false;
    if (scan.at != begin) scan.highest = last_id;
    return true;
  }
  /// Reads the next header, whose id must be above the highest so far; the stop counts as above all ids.
  [[nodiscard]] THRIFTLENS_INLINE bool ascends(field_scan& scan, scan_field& field,
                                               std::int16_t& last_id) noexcept {
    if (!in_.next(scan.at, field, last_id)) return false;
    const std::int32_t id = field.type == ttype::stop ? INT32_MAX : std::int32_t{field.id};
    if (id <= scan.highest) return false;
    scan.highest = id;
    return true;
  }
  /// Marks the edges to fields below the highest id as absent.
  [[nodiscard]] THRIFTLENS_INLINE bool absent_fields(field_scan& scan,
                                                     const wire_location& location) noexcept {
    for (; scan.next != scan.last && scan.next->id < scan.highest; ++scan.next) {
      if (scan.next->required && at_root(location)) [[unlikely]]
        return false;
      none(*scan.next, errc::absent, location.at);
    }
    return true;
  }

  const std::uint8_t* elements(const node& of, const wire_location& location, bool finish) noexcept {
    list_header list;
    const std::uint8_t* at = contents<P>(from_.whole(), image_, location, list);
    if (at == nullptr || of.negative_begin != of.edges_end) return nullptr;
    const std::uint32_t type = image_->types[location.type].first;
    const std::uint32_t depth_left = location.at.depth_left - 1;
    const auto skip = [&](std::int64_t count) {
      return skip_row(in_, at, list.element, type, *image_, static_cast<std::size_t>(count), depth_left);
    };
    const edge* const last = edges_inside(of, list.size, location);
    std::int64_t passed = 0;
    for (const edge* next = edges_ + of.edges_begin; next != last; ++next) {
      if (!skip(next->index - passed)) return nullptr;
      at = child(*next, {{at, depth_left, 0, -1}, type, list.element}, finish || next + 1 != last);
      if (at == nullptr) return nullptr;
      passed = next->index + 1;
    }
    return !finish || skip(std::int64_t{list.size} - passed) ? at : nullptr;
  }
  /// The end of the edges to existing elements; marks the others as bad_index.
  [[nodiscard]] THRIFTLENS_INLINE const edge* edges_inside(const node& of, std::uint32_t size,
                                                           const wire_location& location) noexcept {
    const edge* end = edges_ + of.edges_end;
    for (; end != edges_ + of.edges_begin && end[-1].index >= std::int64_t{size}; --end)
      none(end[-1], errc::bad_index, location.at);
    return end;
  }

  using open_keys = open_edges<P, Plan>;
  static constexpr std::size_t small_size = 16;  // up to here keys are searched linearly

  /// Maps with text keys; the first of equal keys is taken.
  const std::uint8_t* entries(const node& of, const wire_location& location, bool finish) noexcept {
    map_header map;
    const std::uint8_t* at = contents<P>(from_.whole(), image_, location, map);
    if (at == nullptr || (map.size != 0 && map.key != ttype::string)) return nullptr;
    open_keys keys(*this, of);
    if (keys.edges().size() > keys.max_bits) base::clear(of);
    const std::uint32_t type = image_->types[location.type].second;
    const std::uint32_t depth_left = location.at.depth_left - 1;
    typename scanner<P>::layout_predictor row(in_, map.size, type, *image_, depth_left);
    for (; map.size != 0 && (keys.remaining() != 0 || finish); --map.size) {
      const edge* to = nullptr;
      if (!take_key(of, keys, at, to)) [[unlikely]]
        return nullptr;
      if (to != nullptr)
        at = child(*to, {{at, depth_left, 0, -1}, type, map.value}, keys.remaining() != 0 || finish);
      else if (!row.skip(in_, at, map.value, depth_left)) [[unlikely]]
        return nullptr;
      if (at == nullptr) return nullptr;
    }
    return keys.remaining() == 0 || absent_keys(of, keys, location, at) ? at : nullptr;
  }
  /// Reads a key and takes its edge; nullptr if there is none, or it was taken before.
  [[nodiscard]] THRIFTLENS_INLINE bool take_key(const node& of, open_keys& keys, const std::uint8_t*& at,
                                                const edge*& to) noexcept {
    byte_view key;
    if (!in_.text(at, key)) [[unlikely]]
      return false;
    to = keys.take(keys.edges().size() <= small_size ? small_find(keys, key)
                                                     : this->plan_.find(of, key.text()) - of.edges_begin);
    return true;
  }
  [[nodiscard]] THRIFTLENS_INLINE static std::size_t small_find(const open_keys& keys,
                                                                byte_view key) noexcept {
    std::size_t i = 0;
    for (const edge& candidate : keys.edges()) {
      if (keys.is_open(i) && candidate.key.kind() == map_key::form::text &&
          same_text(candidate.key.bytes(), key))
        break;
      ++i;
    }
    return i;
  }
  /// False: some path has a wire key, or the map's end is not that of the bytes.
  [[nodiscard]] bool absent_keys(const node& of, const open_keys& keys, const wire_location& location,
                                 const std::uint8_t* end) noexcept {
    if (of.wire_keys || (at_root(location) && end != end_)) [[unlikely]]
      return false;
    keys.each_open([&](const edge& unresolved) { none(unresolved, errc::absent, location.at); });
    return true;
  }

  scanner<P> in_;
  const std::uint8_t* end_;
  const edge* edges_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
