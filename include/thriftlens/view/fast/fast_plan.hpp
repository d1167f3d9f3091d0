// fast_plan: a plan over bytes by pointers: ascending ids, wire types as in the IDL, indices from the
// front. Speculates: returns false to fall back to plan_runner, and `out` is then unspecified.
#pragma once

#include <thriftlens/view/plan_slots.hpp>
#include <thriftlens/view/scan.hpp>
#include <thriftlens/view/view.hpp>

#include <cstdint>
#include <span>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// `Plan` is plan, which this header comes before.
template <protocol P, class Plan>
class fast_plan : public plan_slots<P, Plan> {
  using base = plan_slots<P, Plan>;
  using typename base::edge, typename base::form, typename base::node;

 public:
  fast_plan(const Plan& way, const view<P>& from, std::span<view<P>> out) noexcept
      : base(way, from, out), in_(from.whole().end()), end_(from.whole().end()), edges_(way.all_edges()) {}

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

  /// The edges to the fields of a struct that are still to come, and the next header.
  struct field_scan {
    const edge* next;
    const edge* last;
    const std::uint8_t* at;
    std::int32_t highest;  // id so far
  };

  /// Absent there is only what is so to the end of the bytes.
  [[nodiscard]] bool at_root(const wire_location& location) const noexcept {
    return location.at.at == from_.whole().begin();
  }

  // Each answers a byte in the value, the one after it with `finish`, or nullptr.

  THRIFTLENS_NOINLINE const std::uint8_t* value(const node& at, const wire_location& location,
                                                bool finish) noexcept {
    base::found(at, location);
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
  /// The value that an edge leads to.
  THRIFTLENS_INLINE const std::uint8_t* child(const edge& of, const wire_location& location,
                                              bool finish) noexcept {
    if (of.slot == image::none) return value(nodes_[of.node], by_members(location), finish);
    base::found(of.slot, location);
    return leave(location, finish);
  }

  const std::uint8_t* fields(const node& of, const wire_location& location, bool finish) noexcept {
    field_scan now{edges_ + of.edges_begin, edges_ + of.edges_end, location.at.at, -0x8001};
    if (P::traits.has_fixed_layout && of.prefix.levels <= location.at.depth_left) {
      for (std::uint32_t segment = 0; segment < of.prefix.size; ++segment) {
        if (!in_.is_at(now.at, of.prefix, segment)) break;
        if (!fields_of_segment(now, segment, location.at.depth_left - 1)) [[unlikely]]
          return nullptr;
        if (now.next == now.last && !finish) return now.at;
        const shape_segment& part = of.prefix.segments[segment];
        now.at = part.after(now.at, end_);
        if (now.at == nullptr || (segment + 1u == of.prefix.size && of.prefix.complete)) return now.at;
        now.highest = part.last_id;
      }
    }
    return more_fields(now, location, finish);
  }
  /// The edges to the fields of one segment of the prefix template.
  [[nodiscard]] THRIFTLENS_INLINE bool fields_of_segment(field_scan& now, std::uint32_t segment,
                                                         std::uint32_t depth_left) noexcept {
    for (; now.next != now.last && now.next->place.segment == segment; ++now.next) {
      const edge& to = *now.next;
      const std::uint8_t* const inside = now.at + to.place.at + 3;
      if (child(to, {{inside, depth_left, 0, -1}, to.type, to.wire}, false) == nullptr) [[unlikely]]
        return false;
    }
    return true;
  }
  /// Field by field. What is not there where ids ascend is absent, but is only so if they ascend to the end.
  THRIFTLENS_NOINLINE const std::uint8_t* more_fields(field_scan now, const wire_location& location,
                                                      bool finish) noexcept {
    const std::uint32_t depth_left = location.at.depth_left - 1;
    std::int16_t last_id = 0;
    scan_field field;
    for (;;) {
      if (!ascends(now, field, last_id)) [[unlikely]]
        return nullptr;
      const edge* const before = now.next;
      if (!absent_fields(now, location)) [[unlikely]]
        return nullptr;
      finish = finish || now.next != before;
      if (field.type == ttype::stop) return at_root(location) && now.at != end_ ? nullptr : now.at;
      if (now.next == now.last || now.next->id != field.id) {
        if (!in_.skip_field(now.at, field, location.type, *image_, depth_left)) [[unlikely]]
          return nullptr;
        continue;
      }
      const edge& to = *now.next++;
      if (to.wire != field.type) [[unlikely]]
        return nullptr;
      const bool more = finish || now.next != now.last;
      now.at = child(to, {{now.at, depth_left, last_id, field.inline_bool}, to.type, field.type}, more);
      if (now.at == nullptr || !more) return now.at;
    }
  }
  /// Reads the next header, whose id must be above the highest so far; the stop is above them all.
  [[nodiscard]] THRIFTLENS_INLINE bool ascends(field_scan& now, scan_field& field,
                                               std::int16_t& last_id) noexcept {
    if (!in_.next(now.at, field, last_id)) return false;
    const std::int32_t id = field.type == ttype::stop ? INT32_MAX : std::int32_t{field.id};
    if (id <= now.highest) return false;
    now.highest = id;
    return true;
  }
  /// The edges to fields below the highest id are absent.
  [[nodiscard]] THRIFTLENS_INLINE bool absent_fields(field_scan& now,
                                                     const wire_location& location) noexcept {
    for (; now.next != now.last && now.next->id < now.highest; ++now.next) {
      if (now.next->required && at_root(location)) [[unlikely]]
        return false;
      none(*now.next, errc::absent, location.at);
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
    std::int64_t done = 0;
    for (const edge* next = edges_ + of.edges_begin; next != last; ++next) {
      if (!skip(next->index - done)) return nullptr;
      at = child(*next, {{at, depth_left, 0, -1}, type, list.element}, finish || next + 1 != last);
      if (at == nullptr) return nullptr;
      done = next->index + 1;
    }
    return !finish || skip(std::int64_t{list.size} - done) ? at : nullptr;
  }
  /// The end of the edges to elements that the list has; the others are bad_index.
  [[nodiscard]] THRIFTLENS_INLINE const edge* edges_inside(const node& of, std::uint32_t size,
                                                           const wire_location& location) noexcept {
    const edge* end = edges_ + of.edges_end;
    for (; end != edges_ + of.edges_begin && end[-1].index >= std::int64_t{size}; --end)
      none(end[-1], errc::bad_index, location.at);
    return end;
  }

  using open_keys = open_edges<P, Plan>;
  static constexpr std::size_t small_size = 16;  // keys that are looked through

  /// Maps of text keys; the first of equal keys is taken.
  const std::uint8_t* entries(const node& of, const wire_location& location, bool finish) noexcept {
    map_header map;
    const std::uint8_t* at = contents<P>(from_.whole(), image_, location, map);
    if (at == nullptr || (map.size != 0 && map.key != ttype::string)) return nullptr;
    open_keys keys(*this, of);
    if (keys.all().size() > keys.max_bits) base::clear(of);
    const std::uint32_t type = image_->types[location.type].second;
    const std::uint32_t depth_left = location.at.depth_left - 1;
    typename scanner<P>::layout_predictor row(in_, map.size, type, *image_, depth_left);
    for (; map.size != 0 && (keys.left() != 0 || finish); --map.size) {
      const edge* to = nullptr;
      if (!take_key(of, keys, at, to)) [[unlikely]]
        return nullptr;
      if (to != nullptr)
        at = child(*to, {{at, depth_left, 0, -1}, type, map.value}, keys.left() != 0 || finish);
      else if (!row.skip(in_, at, map.value, depth_left)) [[unlikely]]
        return nullptr;
      if (at == nullptr) return nullptr;
    }
    return keys.left() == 0 || absent_keys(of, keys, location, at) ? at : nullptr;
  }
  /// Reads a key and takes its edge, once; nullptr where there is none.
  [[nodiscard]] THRIFTLENS_INLINE bool take_key(const node& of, open_keys& keys, const std::uint8_t*& at,
                                                const edge*& to) noexcept {
    byte_view key;
    if (!in_.text(at, key)) [[unlikely]]
      return false;
    to = keys.take(keys.all().size() <= small_size ? small_find(keys, key)
                                                   : this->plan_.find(of, key.text()) - of.edges_begin);
    return true;
  }
  [[nodiscard]] THRIFTLENS_INLINE static std::size_t small_find(const open_keys& keys,
                                                                byte_view key) noexcept {
    std::size_t i = 0;
    for (const edge& each : keys.all()) {
      if (keys.is_open(i) && each.key.kind() == map_key::form::text && same_text(each.key.bytes(), key))
        break;
      ++i;
    }
    return i;
  }
  /// False: one of them is no text, which cannot be said here, or the map's end is not that of the bytes.
  [[nodiscard]] bool absent_keys(const node& of, const open_keys& keys, const wire_location& location,
                                 const std::uint8_t* end) noexcept {
    if (of.wire_keys || (at_root(location) && end != end_)) [[unlikely]]
      return false;
    keys.each_open([&](const edge& each) { none(each, errc::absent, location.at); });
    return true;
  }

  scanner<P> in_;
  const std::uint8_t* end_;
  const edge* edges_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
