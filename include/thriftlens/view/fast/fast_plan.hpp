// fast_plan: a plan over bytes by pointers: ascending ids, wire types as in the IDL, indices from the front.
// In: a view, a plan. Out: a view for each path. Speculates: returns false to fall back to plan_runner, and
// `out` is then unspecified. Never explains a fault.
#pragma once

#include <thriftlens/view/scan.hpp>
#include <thriftlens/view/view.hpp>

#include <cstdint>
#include <span>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// `Plan` is plan, which this header comes before.
template <protocol P, class Plan>
class fast_plan {
 public:
  fast_plan(const Plan& way, const view<P>& from, std::span<view<P>> out) noexcept
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

  /// Fills all of `out`. Returns false to fall back.
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
    std::int32_t highest = -0x8001;
    if (P::traits.has_fixed_layout && of.lead.levels <= spot.at.depth_left) {
      for (std::uint32_t segment = 0; segment < of.lead_size; ++segment) {
        if (!in_.stands_at(at, of.lead, segment)) break;
        if (!fields_of_segment(next, last, segment, at, spot.at.depth_left - 1)) [[unlikely]]
          return nullptr;
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
  /// The edges to the fields of one segment of the prefix template, which stands at `at`.
  [[nodiscard]] THRIFTLENS_INLINE bool fields_of_segment(const edge*& next, const edge* last,
                                                         std::uint32_t segment, const std::uint8_t* at,
                                                         std::uint32_t depth_left) noexcept {
    for (; next != last && next->place.segment == segment; ++next) {
      const std::uint8_t* const inside = at + next->place.at + 3;
      if (next->slot != image::none) [[likely]]
        found(next->slot, inside, depth_left, 0, -1, next->type, next->wire);
      else if (value(nodes_[next->node], {{inside, depth_left, 0, -1}, next->type, next->wire}, false) ==
               nullptr) [[unlikely]]
        return false;
    }
    return true;
  }
  /// Field by field. What is not there where ids ascend is absent, but is only so if they ascend to the end.
  THRIFTLENS_NOINLINE const std::uint8_t* more_fields(const edge* next, const edge* last,
                                                      const wire_spot& spot, const std::uint8_t* at,
                                                      std::int32_t highest, bool finish) noexcept {
    const std::uint32_t depth_left = spot.at.depth_left - 1;
    std::int16_t last_id = 0;
    scan_field field;
    for (;;) {
      if (!ascends(at, field, last_id, highest)) [[unlikely]]
        return nullptr;
      const edge* const before = next;
      if (!absent_fields(next, last, highest, spot)) [[unlikely]]
        return nullptr;
      finish = finish || next != before;
      if (field.type == ttype::stop) return at_root(spot) && at != end_ ? nullptr : at;
      if (next == last || next->id != field.id) {
        if (!in_.skip_field(at, field, spot.type, *image_, depth_left)) [[unlikely]]
          return nullptr;
        continue;
      }
      const edge& to = *next++;
      const bool more = finish || next != last;
      at = field_child(to, at, depth_left, last_id, field, more);
      if (at == nullptr || !more) return at;
    }
  }
  /// Reads the next header, whose id must be above `highest`; the stop is above them all.
  [[nodiscard]] THRIFTLENS_INLINE bool ascends(const std::uint8_t*& at, scan_field& field,
                                               std::int16_t& last_id, std::int32_t& highest) noexcept {
    if (!in_.next(at, field, last_id)) return false;
    const std::int32_t id = field.type == ttype::stop ? INT32_MAX : std::int32_t{field.id};
    if (id <= highest) return false;
    highest = id;
    return true;
  }
  THRIFTLENS_INLINE const std::uint8_t* field_child(const edge& to, const std::uint8_t* at,
                                                    std::uint32_t depth_left, std::int16_t last_id,
                                                    const scan_field& field, bool finish) noexcept {
    if (to.wire != field.type) [[unlikely]]
      return nullptr;
    return child(to, at, depth_left, last_id, field.inline_bool, to.type, field.type, finish);
  }
  /// The edges to fields below that id are absent.
  [[nodiscard]] THRIFTLENS_INLINE bool absent_fields(const edge*& next, const edge* last, std::int32_t id,
                                                     const wire_spot& spot) noexcept {
    for (; next != last && next->id < id; ++next) {
      if (next->required && at_root(spot)) [[unlikely]]
        return false;
      none(*next, errc::absent, spot.at);
    }
    return true;
  }

  const std::uint8_t* elements(const node& of, const wire_spot& spot, bool finish) noexcept {
    list_header list;
    const std::uint8_t* at = open(of, spot, list);
    if (at == nullptr) return nullptr;
    const std::uint32_t type = image_->types[spot.type].first;
    const std::uint32_t depth_left = spot.at.depth_left - 1;
    const auto skip = [&](std::int64_t count) {
      return skip_row(in_, at, list.element, type, *image_, static_cast<std::size_t>(count), depth_left);
    };
    const edge* next = edges_ + of.edges_begin;
    const edge* const last = inside(of, list.size, spot);
    std::int64_t done = 0;
    for (; next != last; ++next) {
      if (!skip(next->index - done)) return nullptr;
      at = child(*next, at, depth_left, 0, -1, type, list.element, finish || next + 1 != last);
      if (at == nullptr) return nullptr;
      done = next->index + 1;
    }
    return !finish || skip(std::int64_t{list.size} - done) ? at : nullptr;
  }
  /// The end of the edges to elements that the list has; the others are bad_index.
  [[nodiscard]] THRIFTLENS_INLINE const edge* inside(const node& of, std::uint32_t size,
                                                     const wire_spot& spot) noexcept {
    const edge* end = edges_ + of.edges_end;
    for (; end != edges_ + of.edges_begin && end[-1].index >= std::int64_t{size}; --end)
      none(end[-1], errc::bad_index, spot.at);
    return end;
  }
  /// The first element, or nullptr.
  [[nodiscard]] THRIFTLENS_INLINE const std::uint8_t* open(const node& of, const wire_spot& spot,
                                                           list_header& list) const noexcept {
    typename P::reader reader(from_.whole());
    reader.seek(spot.at.at);
    if (of.negative_begin != of.edges_end) return nullptr;
    if (!(spot.wire == ttype::set ? reader.read_set(list) : reader.read_list(list))) return nullptr;
    const image::type_node& element = image_->types[image_->types[spot.type].first];
    return list.size == 0 || element.wire == list.element ? reader.at() : nullptr;
  }

  /// Maps of text keys; the first of equal keys is taken.
  const std::uint8_t* entries(const node& of, const wire_spot& spot, bool finish) noexcept {
    typename P::reader reader(from_.whole());
    reader.seek(spot.at.at);
    map_header map;
    if (!reader.read_map(map)) return nullptr;
    const image::type_node& self = image_->types[spot.type];
    const bool fits = map.key == ttype::string && image_->types[self.first].wire == map.key &&
                      image_->types[self.second].wire == map.value;
    if (map.size != 0 && !fits) return nullptr;
    if (of.edges_end - of.edges_begin <= few_edges)
      return entries_of(few_keys(*this, of), spot, map, reader.at(), finish);
    return of.wire_keys ? nullptr : entries_of(many_keys(*this, of), spot, map, reader.at(), finish);
  }

  /// The edges to the entries of a map: looked through.
  class few_keys {
   public:
    few_keys(fast_plan& in, const node& of) noexcept
        : first_(in.edges_ + of.edges_begin), count_(of.edges_end - of.edges_begin), left_(count_) {}
    [[nodiscard]] std::size_t left() const noexcept { return left_; }
    /// The edge of the key, once; nullptr where there is none.
    [[nodiscard]] THRIFTLENS_INLINE const edge* take(byte_view key) noexcept {
      for (std::size_t i = 0; i != count_; ++i) {
        const bool is_open = (taken_ >> i & 1) == 0;
        if (!is_open || first_[i].key.kind() != map_key::form::text || !same_text(first_[i].key.bytes(), key))
          continue;
        taken_ |= 1u << i;
        --left_;
        return first_ + i;
      }
      return nullptr;
    }
    /// Calls `absent` for those that are left. False: one of them is no text, which cannot be said here.
    template <class Absent>
    [[nodiscard]] bool end(Absent absent) const noexcept {
      for (std::size_t i = 0; i != count_; ++i) {
        if (first_[i].key.kind() != map_key::form::text) return false;
        if ((taken_ >> i & 1) == 0) absent(first_[i]);
      }
      return true;
    }

   private:
    const edge* first_;
    std::size_t count_, left_;
    std::uint32_t taken_ = 0;
  };
  /// The same with the plan's table of keys. Which keys were taken is seen by the views told of.
  class many_keys {
   public:
    many_keys(fast_plan& in, const node& of) noexcept
        : in_(in), of_(of), left_(of.edges_end - of.edges_begin) {
      for (std::uint32_t i = of.own_end; i < of.slots_end; ++i) in.out_[in.slots_[i]] = view<P>();
    }
    [[nodiscard]] std::size_t left() const noexcept { return left_; }
    [[nodiscard]] const edge* take(byte_view key) noexcept {
      const std::uint32_t at = in_.plan_.find(of_, key.text());
      if (at == of_.edges_end || is_taken(in_.edges_[at])) return nullptr;
      --left_;
      return in_.edges_ + at;
    }
    template <class Absent>
    [[nodiscard]] bool end(Absent absent) const noexcept {
      for (std::uint32_t at = of_.edges_begin; at != of_.edges_end; ++at)
        if (!is_taken(in_.edges_[at])) absent(in_.edges_[at]);
      return true;
    }

   private:
    [[nodiscard]] bool is_taken(const edge& each) const noexcept {
      const std::uint32_t slot =
          each.slot != image::none ? each.slot : in_.slots_[in_.nodes_[each.node].own_begin];
      return in_.out_[slot].spot().at.at != nullptr;
    }
    fast_plan& in_;
    const node& of_;
    std::size_t left_;
  };
  template <class Keys>
  const std::uint8_t* entries_of(Keys keys, const wire_spot& spot, const map_header& map,
                                 const std::uint8_t* at, bool finish) noexcept {
    const std::uint32_t type = image_->types[spot.type].second;
    const std::uint32_t depth_left = spot.at.depth_left - 1;
    typename scanner<P>::alike alike(in_, map.size, type, *image_);
    for (std::uint32_t i = 0; i < map.size && (keys.left() != 0 || finish); ++i) {
      byte_view key;
      if (!in_.text(at, key)) [[unlikely]]
        return nullptr;
      if (const edge* const to = keys.take(key)) {
        at = child(*to, at, depth_left, 0, -1, type, map.value, keys.left() != 0 || finish);
        if (at == nullptr) return nullptr;
      } else if (!skip_item(alike, at, map.value, depth_left)) [[unlikely]] {
        return nullptr;
      }
    }
    return keys.left() == 0 || absent_keys(keys, spot, at) ? at : nullptr;
  }
  THRIFTLENS_INLINE bool skip_item(typename scanner<P>::alike& alike, const std::uint8_t*& at, ttype wire,
                                   std::uint32_t depth_left) noexcept {
    return wire == ttype::struct_ ? alike.skip(in_, at, depth_left) : in_.skip(at, wire, depth_left);
  }
  template <class Keys>
  [[nodiscard]] bool absent_keys(const Keys& keys, const wire_spot& spot, const std::uint8_t* end) noexcept {
    if (at_root(spot) && end != end_) [[unlikely]]
      return false;
    return keys.end([&](const edge& each) { none(each, errc::absent, spot.at); });
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
