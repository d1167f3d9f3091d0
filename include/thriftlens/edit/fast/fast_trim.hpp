// fast_trim: a trim by prefix templates, or else by pointers, field by field.
// In: a view and a selection. Out: what it keeps, at the end of a buffer; or nothing.
// Speculates. Answers nothing to fall back; the output is then as it was before the call. Never explains.
#pragma once

#include <thriftlens/edit/fast/fast_pass.hpp>
#include <thriftlens/edit/rewrite_program.hpp>
#include <thriftlens/path/selection.hpp>
#include <thriftlens/protocol/traits.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// A trim along the prefix template of one struct. In locals of its own: the output's bytes could be those of
/// any object that is reached by a pointer, which would be read again after each of them.
struct prefix_trim {
  byte_ptr at;                     ///< what is looked at
  byte_ptr copied;                 ///< what is not yet written begins there
  std::uint8_t* to;                ///< where it goes; there is room
  std::size_t dropped = 0;         ///< fields
  std::int32_t highest = -0x8001;  ///< id of the last field seen

  /// As far as the prefix template matches. True: that was all of the struct.
  [[nodiscard]] THRIFTLENS_INLINE bool run(const selection_node& node, byte_ptr end) noexcept {
    const selection_node::cut* cut = node.cuts.data();
    const selection_node::cut* const last_cut = cut + node.cuts.size();
    const shape_ref prefix = node.prefix;
    for (std::uint32_t segment = 0, count = node.prefix.size; segment < count; ++segment) {
      const byte_ptr after = after_segment(prefix, segment, at, end);
      if (after == nullptr) [[unlikely]]
        return false;
      for (; cut != last_cut && cut->segment == segment; ++cut) leave_out(*cut, after, end);
      highest = prefix.segments[segment].last_id;
      at = after;
    }
    return node.prefix.complete;
  }
  THRIFTLENS_INLINE void leave_out(const selection_node::cut& cut, byte_ptr after, byte_ptr end) noexcept {
    to = copy_run(to, copied, static_cast<std::size_t>(at + cut.begin - copied), end);
    copied = cut.end == selection_node::cut::behind ? after : at + cut.end;
    dropped += cut.fields;
  }
};

/// Field by field where the prefix template does not match: ascending ids, wire types as in the IDL.
template <protocol P>
class field_trimmer : fast_pass<P> {
  using base = fast_pass<P>;

 public:
  field_trimmer(const view<P>& from, const selection& what, buffer& out) noexcept
      : base(from), nodes_(what.nodes()), root_(what.root()), out_(out) {}

  std::size_t dropped = 0;
  byte_ptr end = nullptr;  ///< after the value

  /// From where a prefix_trim of the root stopped.
  [[nodiscard]] bool run(const prefix_trim& begun) {
    const wire_location& location = from_.location();
    if (location.at.inline_bool >= 0) return false;
    copied_ = begun.copied;
    to_ = begun.to;
    dropped = begun.dropped;
    end = begun.at;
    const std::uint32_t depth_left = location.at.depth_left;
    const bool is_open = location.wire == ttype::struct_ && depth_left != 0;
    if (!(is_open ? more_fields(nodes_[root_], end, depth_left, begun.highest)
                  : value(root_, location.type, end, depth_left)))
      return false;
    flush(end);
    if (has_room) out_.commit(to_);
    return true;
  }

 private:
  using base::end_;
  using base::from_;
  using base::image_;
  using base::in_;
  /// Nothing grows, so that there is room for all from the start.
  static constexpr bool has_room = !P::traits.headers_are_deltas;

  THRIFTLENS_INLINE void flush(byte_ptr until) {
    const auto size = static_cast<std::size_t>(until - copied_);
    if (has_room)
      to_ = copy_run(to_, copied_, size, end_);
    else
      out_.commit(copy_run(out_.reserve(size + 64), copied_, size, end_));
    copied_ = until;
  }
  /// Along the prefix template of the struct at `at` as far as it matches. True: that was all of the struct.
  [[nodiscard]] THRIFTLENS_INLINE bool prefix(const selection_node& node, byte_ptr& at,
                                              std::int32_t& highest) {
    prefix_trim now{at, copied_, to_, dropped, highest};
    const bool whole = now.run(node, end_);
    at = now.at;
    copied_ = now.copied;
    to_ = now.to;
    dropped = now.dropped;
    highest = now.highest;
    return whole;
  }
  [[nodiscard]] bool value(std::uint32_t node, std::uint32_t type, byte_ptr& at, std::uint32_t depth_left) {
    if (depth_left == 0) return false;
    const image::type_node& self = image_->types[type];
    if (self.wire == ttype::struct_) return structure(nodes_[node], at, depth_left);
    return self.wire == ttype::map ? entries(node, self, at, depth_left - 1)
                                   : elements(node, self, at, depth_left - 1);
  }
  [[nodiscard]] bool entries(std::uint32_t node, const image::type_node& self, byte_ptr& at,
                             std::uint32_t depth_left) {
    map_header map;
    if (!this->open_map(at, self, map)) return false;
    for (std::uint32_t left = map.size; left != 0; --left) {
      if (!in_.skip(at, map.key, depth_left) || !value(node, self.second, at, depth_left)) return false;
    }
    return true;
  }
  [[nodiscard]] bool elements(std::uint32_t node, const image::type_node& self, byte_ptr& at,
                              std::uint32_t depth_left) {
    list_header list;
    if (!this->open_list(at, self, list)) return false;
    for (std::uint32_t left = list.size; left != 0; --left) {
      if (!value(node, self.first, at, depth_left)) return false;
    }
    return true;
  }
  [[nodiscard]] bool structure(const selection_node& node, byte_ptr& at, std::uint32_t depth_left) {
    std::int32_t highest = -0x8001;
    if (P::traits.has_fixed_layout && node.prefix.levels <= depth_left && prefix(node, at, highest))
      return true;
    return more_fields(node, at, depth_left, highest);
  }
  [[nodiscard]] THRIFTLENS_NOINLINE bool more_fields(const selection_node& node, byte_ptr& at,
                                                     std::uint32_t depth_left, std::int32_t highest) {
    const selection_node::part* part = node.parts.data();
    const selection_node::part* const last_part = part + node.parts.size();
    std::int16_t last_id = 0;
    last_ids ids;
    scan_field field;
    for (;;) {
      const byte_ptr begin = at;
      if (!in_.next(at, field, last_id)) [[unlikely]]
        return false;
      if (field.type == ttype::stop) return true;
      if (field.id <= highest) [[unlikely]]
        return false;
      highest = field.id;
      while (part != last_part && part->id < field.id) ++part;
      if (part == last_part || part->id != field.id) {
        if (!drop_field(node, begin, at, field, depth_left - 1)) [[unlikely]]
          return false;
      } else {
        keep_header(ids, begin, at, field);
        if (!keep_field(node, *part, at, field, depth_left - 1)) [[unlikely]]
          return false;
      }
      ids.in = field.id;
    }
  }
  [[nodiscard]] THRIFTLENS_INLINE bool drop_field(const selection_node& node, byte_ptr begin, byte_ptr& at,
                                                  const scan_field& field, std::uint32_t depth_left) {
    if (node.unknown && !node.structure.field(field.id)) return false;
    flush(begin);
    if (!in_.skip_field(at, field, node.structure.index(), *image_, depth_left)) [[unlikely]]
      return false;
    copied_ = at;
    ++dropped;
    return true;
  }
  [[nodiscard]] THRIFTLENS_INLINE bool keep_field(const selection_node& node,
                                                  const selection_node::part& part, byte_ptr& at,
                                                  const scan_field& field, std::uint32_t depth_left) {
    const image::field_node& known = image_->fields[part.field];
    if (known.wire != field.type) [[unlikely]]
      return false;
    if (part.child == selection_node::whole)
      return in_.skip_field(at, field, node.structure.index(), *image_, depth_left);
    return value(part.child, known.type, at, depth_left);
  }
  /// The header that ends at `after` stays, unless it counts from a field that was dropped.
  THRIFTLENS_INLINE void keep_header(last_ids& ids, byte_ptr begin, byte_ptr after, const scan_field& field) {
    if (P::traits.headers_are_deltas && ids.in != ids.out) {
      flush(begin);
      std::uint8_t* const to = out_.reserve(P::field_room);
      out_.commit(put_header<P>(to, {field.type, field.id}, field.inline_bool == 1, ids.out));
      copied_ = after;
    }
    ids.out = field.id;
  }

  std::span<const selection_node> nodes_;
  std::uint32_t root_;
  buffer& out_;
  std::uint8_t* to_ = nullptr;  // with has_room: where the output goes on, not yet committed
  byte_ptr copied_ = nullptr;
};

/// Trims under the default options.
template <protocol P>
struct fast_trim {
  /// Without defaults no more is written than is there: only an output size that is asked for can be
  /// exceeded.
  [[nodiscard]] static bool serves(const selection& what, const trim_options& options) noexcept {
    trim_options known;
    known.bounds = options.bounds;
    known.bounds.output_size = limits::automatic;
    return options == known && !what.checks_required();
  }
  /// Appends what is kept; the fields that were dropped.
  [[nodiscard]] static THRIFTLENS_INLINE std::optional<std::size_t> run(const view<P>& from,
                                                                        const selection& what, buffer& out) {
    if (what.root() == selection_node::whole) return std::nullopt;
    const byte_ptr begin = from.location().at.at, end = from.whole().end();
    prefix_trim now{begin, begin, out.reserve(from.whole().size() + 64)};
    if (!trim_prefix(from, what, now)) return trim_fields(from, what, now, out);
    if (from.is_root() && now.at != end) return std::nullopt;
    out.commit(copy_run(now.to, now.copied, static_cast<std::size_t>(now.at - now.copied), end));
    return now.dropped;
  }

 private:
  [[nodiscard]] static THRIFTLENS_INLINE std::optional<std::size_t> trim_fields(const view<P>& from,
                                                                                const selection& what,
                                                                                const prefix_trim& begun,
                                                                                buffer& out) {
    const std::size_t before = out.size();
    field_trimmer<P> pass(from, what, out);
    if (pass.run(begun) && (!from.is_root() || pass.end == from.whole().end())) return pass.dropped;
    out.truncate(before);
    return std::nullopt;
  }
  /// True: the prefix template was all of the value.
  [[nodiscard]] static THRIFTLENS_INLINE bool trim_prefix(const view<P>& from, const selection& what,
                                                          prefix_trim& now) noexcept {
    if (!P::traits.has_fixed_layout || from.wire() != ttype::struct_) return false;
    const selection_node& node = what.nodes()[what.root()];
    return node.prefix.levels <= from.location().at.depth_left && now.run(node, from.whole().end());
  }
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
