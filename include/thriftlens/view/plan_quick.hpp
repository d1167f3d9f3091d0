// plan_quick: a plan over plain bytes, by pointers: ascending ids, wire types as in the IDL, indices from the
// front. In: a view, a plan. Out: a view for each path; or no answer. Never explains a fault and never
// guesses: whatever is not plain is left to plan_runner, which goes over the same bytes again.
#pragma once

#include <thriftlens/view/scan.hpp>
#include <thriftlens/view/view.hpp>

#include <cstdint>
#include <span>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// `Plan` is plan, which this header comes before.
template <protocol P, class Plan>
class quick_plan {
 public:
  quick_plan(const Plan& way, const view<P>& from, std::span<view<P>> out) noexcept
      : in_(from.whole().end()),
        end_(from.whole().end()),
        plan_(way),
        nodes_(way.nodes().data()),
        edges_(way.all_edges()),
        slots_(way.slots().data()),
        from_(from),
        image_(from.image()),
        out_(out.data()) {}

  std::size_t missing = 0;  ///< paths without a value

  /// Fills all of `out`. False: nothing is said.
  [[nodiscard]] bool run() noexcept {
    const wire_spot& spot = from_.spot();
    if (spot.type == image::none || spot.at.inline_bool >= 0) return false;
    const node& root = nodes_[0];
    const bool plain = root.kind == form::fields && root.own_begin == root.own_end && spot.at.depth_left != 0;
    return (plain ? fields(root, spot, false) : value(root, spot, false)) != nullptr;
  }

 private:
  /// Absent there is only what is so to the end of the bytes.
  [[nodiscard]] bool at_root(const wire_spot& spot) const noexcept {
    return spot.at.at == from_.whole().begin();
  }

  using node = typename Plan::node;
  using edge = typename Plan::edge;
  using form = typename Plan::form;

  // Each answers a byte in the value, the one behind it with `finish`, or nullptr.

  THRIFTLENS_NOINLINE const std::uint8_t* value(const node& at, const wire_spot& spot, bool finish) noexcept {
    for (std::uint32_t i = at.own_begin; i < at.own_end; ++i)
      found(slots_[i], spot.at.at, spot.at.depth_left, spot.at.last_id, spot.at.inline_bool, spot.type,
            spot.wire);
    if (at.kind == form::leaf)
      return leave(spot.at.at, spot.at.depth_left, spot.at.inline_bool, spot.type, spot.wire, finish);
    if (spot.at.depth_left == 0) [[unlikely]]
      return nullptr;
    if (at.kind == form::fields) return fields(at, spot, finish);
    return at.kind == form::elements ? elements(at, spot, finish) : entries(at, spot, finish);
  }
  // Spots go in single values where a leaf is near: put together in memory they would stall.
  THRIFTLENS_INLINE const std::uint8_t* leave(const std::uint8_t* at, std::uint32_t depth_left,
                                              std::int8_t inline_bool, std::uint32_t type, ttype wire,
                                              bool finish) noexcept {
    if (!finish || inline_bool >= 0) return at;
    return in_.skip_known(at, wire, type, *image_, depth_left) ? at : nullptr;
  }
  THRIFTLENS_INLINE void found(std::uint32_t slot, const std::uint8_t* at, std::uint32_t depth_left,
                               std::int16_t last_id, std::int8_t inline_bool, std::uint32_t type,
                               ttype wire) noexcept {
    from_.put_child(out_ + slot, at, depth_left, last_id, inline_bool, type, wire);
  }
  void none(const edge& of, errc code, const wire_position& where) noexcept {
    if (of.slot != image::none) {
      out_[of.slot] = from_.broken(code, where);
      ++missing;
      return;
    }
    const node& at = nodes_[of.node];
    for (std::uint32_t i = at.own_begin; i < at.slots_end; ++i) out_[slots_[i]] = from_.broken(code, where);
    missing += at.slots_end - at.own_begin;
  }
  /// A value an edge leads to.
  THRIFTLENS_INLINE const std::uint8_t* child(const edge& of, const std::uint8_t* at,
                                              std::uint32_t depth_left, std::int16_t last_id,
                                              std::int8_t inline_bool, std::uint32_t type, ttype wire,
                                              bool finish) noexcept {
    if (of.slot != image::none) [[likely]] {
      found(of.slot, at, depth_left, last_id, inline_bool, type, wire);
      return leave(at, depth_left, inline_bool, type, wire, finish);
    }
    const node& to = nodes_[of.node];
    if (to.kind != form::leaf) return value(to, {{at, depth_left, last_id, inline_bool}, type, wire}, finish);
    for (std::uint32_t i = to.own_begin; i < to.own_end; ++i)
      found(slots_[i], at, depth_left, last_id, inline_bool, type, wire);
    return leave(at, depth_left, inline_bool, type, wire, finish);
  }

  const std::uint8_t* fields(const node& of, const wire_spot& spot, bool finish) noexcept {
    const edge* next = edges_ + of.edges_begin;
    const edge* const last = edges_ + of.edges_end;
    const std::uint8_t* at = spot.at.at;
    const std::uint32_t depth_left = spot.at.depth_left - 1;
    std::int32_t highest = -0x8001;
    if (P::traits.has_fixed_layout && of.lead.levels <= spot.at.depth_left) {
      for (std::uint32_t segment = 0; segment < of.lead_size; ++segment) {
        if (!in_.stands_at(at, of.lead, segment)) break;
        for (; next != last && next->place.segment == segment; ++next) {
          const std::uint8_t* const inside = at + next->place.at + 3;
          if (next->slot != image::none) [[likely]]
            found(next->slot, inside, depth_left, 0, -1, next->type, next->wire);
          else if (value(nodes_[next->node], {{inside, depth_left, 0, -1}, next->type, next->wire}, false) ==
                   nullptr) [[unlikely]]
            return nullptr;
        }
        if (next == last && !finish) return at;
        const shape_segment& part = of.lead.segments[segment];
        const std::uint8_t* const behind = part.behind(at, end_);
        if (behind == nullptr) [[unlikely]]
          return nullptr;
        at = behind;
        highest = part.last_id;
        if (segment + 1u == of.lead_size && of.lead_complete) return at;
      }
    }
    return more_fields(next, last, spot, at, highest, finish);
  }
  /// Field by field. What is not there where ids ascend is absent, but is only so if they ascend to the end.
  THRIFTLENS_NOINLINE const std::uint8_t* more_fields(const edge* next, const edge* last,
                                                      const wire_spot& spot, const std::uint8_t* at,
                                                      std::int32_t highest, bool finish) noexcept {
    const std::uint32_t depth_left = spot.at.depth_left - 1;
    std::int16_t last_id = 0;
    scan_field field;
    for (;;) {
      if (!in_.next(at, field, last_id)) [[unlikely]]
        return nullptr;
      const bool stops = field.type == ttype::stop;
      if (!stops && field.id <= highest) [[unlikely]]
        return nullptr;
      for (; next != last && (stops || next->id < field.id); ++next) {
        if (next->required && at_root(spot)) [[unlikely]]
          return nullptr;
        none(*next, errc::absent, spot.at);
        finish = true;
      }
      if (stops) return at_root(spot) && at != end_ ? nullptr : at;
      highest = field.id;
      if (next == last || next->id != field.id) {
        if (!in_.skip_field(at, field, spot.type, *image_, depth_left)) [[unlikely]]
          return nullptr;
        continue;
      }
      const edge& wanted = *next++;
      if (wanted.wire != field.type) [[unlikely]]
        return nullptr;
      const bool more = finish || next != last;
      at = child(wanted, at, depth_left, last_id, field.inline_bool, wanted.type, field.type, more);
      if (at == nullptr || !more) return at;
    }
  }

  const std::uint8_t* elements(const node& of, const wire_spot& spot, bool finish) noexcept {
    typename P::reader reader(from_.whole());
    reader.seek(spot.at.at);
    list_header list;
    if (of.negative_begin != of.edges_end ||
        !(spot.wire == ttype::set ? reader.read_set(list) : reader.read_list(list)))
      return nullptr;
    const std::uint32_t type = image_->types[spot.type].first;
    if (list.size != 0 && image_->types[type].wire != list.element) return nullptr;
    const std::uint8_t* at = reader.at();
    const std::uint32_t depth_left = spot.at.depth_left - 1;
    std::int64_t done = 0;
    const edge* const last = edges_ + of.edges_end;
    for (const edge* next = edges_ + of.edges_begin; next != last; ++next) {
      if (next->index >= std::int64_t{list.size}) {
        none(*next, errc::bad_index, spot.at);
        continue;
      }
      if (!skip_row(in_, at, list.element, type, *image_, static_cast<std::size_t>(next->index - done),
                    depth_left))
        return nullptr;
      const bool more = finish || (next + 1 != last && next[1].index < std::int64_t{list.size});
      at = child(*next, at, depth_left, 0, -1, type, list.element, more);
      if (at == nullptr) return nullptr;
      done = next->index + 1;
    }
    if (!finish) return at;
    return skip_row(in_, at, list.element, type, *image_,
                    static_cast<std::size_t>(std::int64_t{list.size} - done), depth_left)
               ? at
               : nullptr;
  }

  /// Maps of text keys; the first of equal keys is taken.
  const std::uint8_t* entries(const node& of, const wire_spot& spot, bool finish) noexcept {
    typename P::reader reader(from_.whole());
    reader.seek(spot.at.at);
    map_header map;
    const edge* const first = edges_ + of.edges_begin;
    const std::size_t edges = of.edges_end - of.edges_begin;
    if (!reader.read_map(map)) return nullptr;
    const image::type_node& self = image_->types[spot.type];
    if (map.size != 0 && (map.key != ttype::string || image_->types[self.first].wire != map.key ||
                          image_->types[self.second].wire != map.value))
      return nullptr;
    if (edges > few_edges) return many_entries(of, spot, map, reader.at(), finish);
    const std::uint8_t* at = reader.at();
    const std::uint32_t depth_left = spot.at.depth_left - 1;
    typename scanner<P>::alike alike(in_, map.size, self.second, *image_);
    std::uint32_t met = 0;
    std::size_t left = edges;
    for (std::uint32_t i = 0; i < map.size && (left != 0 || finish); ++i) {
      byte_view key;
      if (!in_.text(at, key)) [[unlikely]]
        return nullptr;
      std::size_t wanted = 0;
      while (wanted != edges &&
             !((met >> wanted & 1) == 0 && first[wanted].key.kind() == map_key::form::text &&
               same_text(first[wanted].key.bytes(), key)))
        ++wanted;
      if (wanted != edges) {
        met |= 1u << wanted;
        --left;
        at = child(first[wanted], at, depth_left, 0, -1, self.second, map.value, left != 0 || finish);
        if (at == nullptr) return nullptr;
      } else if (!(map.value == ttype::struct_ ? alike.skip(in_, at, depth_left)
                                               : in_.skip(at, map.value, depth_left))) [[unlikely]] {
        return nullptr;
      }
    }
    for (std::size_t i = 0; left != 0 && i < edges; ++i) {
      if (first[i].key.kind() != map_key::form::text) return nullptr;
      if ((met >> i & 1) == 0) none(first[i], errc::absent, spot.at);
    }
    if (left != 0 && at_root(spot) && at != end_) [[unlikely]]
      return nullptr;
    return at;
  }

  /// The same with the plan's table of keys. Which keys were met is seen by the views told of.
  const std::uint8_t* many_entries(const node& of, const wire_spot& spot, const map_header& map,
                                   const std::uint8_t* at, bool finish) noexcept {
    if (of.wire_keys) return nullptr;
    const image::type_node& self = image_->types[spot.type];
    const std::uint32_t depth_left = spot.at.depth_left - 1;
    const auto met = [&](const edge& each) {
      return out_[each.slot != image::none ? each.slot : slots_[nodes_[each.node].own_begin]].spot().at.at !=
             nullptr;
    };
    for (std::uint32_t i = of.own_end; i < of.slots_end; ++i) out_[slots_[i]] = view<P>();
    typename scanner<P>::alike alike(in_, map.size, self.second, *image_);
    std::size_t left = of.edges_end - of.edges_begin;
    for (std::uint32_t i = 0; i < map.size && (left != 0 || finish); ++i) {
      byte_view key;
      if (!in_.text(at, key)) [[unlikely]]
        return nullptr;
      const std::uint32_t wanted = plan_.find(of, key.text());
      if (wanted != of.edges_end && !met(edges_[wanted])) {
        --left;
        at = child(edges_[wanted], at, depth_left, 0, -1, self.second, map.value, left != 0 || finish);
        if (at == nullptr) return nullptr;
      } else if (!(map.value == ttype::struct_ ? alike.skip(in_, at, depth_left)
                                               : in_.skip(at, map.value, depth_left))) [[unlikely]] {
        return nullptr;
      }
    }
    for (std::uint32_t each = of.edges_begin; left != 0 && each != of.edges_end; ++each) {
      if (!met(edges_[each])) none(edges_[each], errc::absent, spot.at);
    }
    if (left != 0 && at_root(spot) && at != end_) [[unlikely]]
      return nullptr;
    return at;
  }

  static constexpr std::size_t few_edges = 16;  // are looked through

  scanner<P> in_;
  const std::uint8_t* end_;
  const Plan& plan_;
  const node* nodes_;
  const edge* edges_;
  const std::uint32_t* slots_;
  const view<P>& from_;
  const schema_image* image_;
  view<P>* out_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
