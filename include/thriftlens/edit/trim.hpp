// trim: a smaller value made of the parts that a selection keeps.
// In: a view and a selection, or another type. Out: wire bytes of the kept parts, in the order they stood.
// Never decodes or rebuilds what it keeps; never writes to the input.
#pragma once

#include <thriftlens/core/rollback.hpp>
#include <thriftlens/edit/rewrite_pass.hpp>
#include <thriftlens/path/selection.hpp>
#include <thriftlens/view/scan.hpp>
#include <thriftlens/view/view.hpp>

#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

/// What a trim did.
struct trim_report {
  std::size_t dropped_fields =
      0;  ///< fields on the wire that are not in the result, each counted once with all it held
};

namespace detail {

/// A trim along the lead of one Binary struct. In locals of its own: the output's bytes could be those of any
/// object that is reached by a pointer, which would be read again after each of them.
struct lead_trim {
  const std::uint8_t* at;          ///< what is looked at
  const std::uint8_t* copied;      ///< what is not yet written begins there
  std::uint8_t* to;                ///< where it goes; there is room
  std::size_t dropped = 0;         ///< fields
  std::int32_t highest = -0x8001;  ///< id of the last field met

  /// As far as the lead stands there. True: that was all of the struct.
  [[nodiscard]] THRIFTLENS_INLINE bool run(const selection_node& node, const std::uint8_t* end) noexcept {
    const selection_node::cut* cut = node.cuts.data();
    const selection_node::cut* const last_cut = cut + node.cuts.size();
    const simd::masked_block* const blocks = node.lead.blocks;
    const shape_segment* part = node.lead.segments;
    for (std::uint32_t segment = 0, count = node.lead_size; segment < count; ++segment, ++part) {
      const std::uint8_t* const behind = part->stands_at(at, end, blocks) ? part->behind(at, end) : nullptr;
      if (behind == nullptr) [[unlikely]]
        return false;
      for (; cut != last_cut && cut->segment == segment; ++cut) {
        to = copy_run(to, copied, static_cast<std::size_t>(at + cut->begin - copied), end);
        copied = cut->end == selection_node::cut::behind ? behind : at + cut->end;
        dropped += cut->fields;
      }
      highest = part->last_id;
      at = behind;
    }
    return node.lead_complete;
  }
};

/// Trims the struct that `from` is, as far as its lead goes. True: that was all of it.
template <protocol P>
[[nodiscard]] THRIFTLENS_INLINE bool trim_lead(const view<P>& from, const selection& what,
                                               lead_trim& now) noexcept {
  if (!P::traits.has_fixed_layout || what.root() == selection_node::whole || from.wire() != ttype::struct_)
    return false;
  const selection_node& node = what.nodes()[what.root()];
  const std::uint8_t* const end = from.whole().end();
  if (node.lead.levels > from.spot().at.depth_left || !now.run(node, end)) return false;
  now.to = copy_run(now.to, now.copied, static_cast<std::size_t>(now.at - now.copied), end);
  return true;
}

/// The plain case by pointers: ascending ids, wire types as in the IDL, no checks of the target, no defaults.
/// False where anything else is met or something is wrong: then nothing is said, and the trimmer goes over
/// the same bytes.
template <protocol P>
class quick_trimmer {
 public:
  quick_trimmer(const view<P>& from, const selection& what, buffer& out) noexcept
      : in_(from.whole().end()),
        end_(from.whole().end()),
        from_(from),
        image_(from.image()),
        nodes_(what.nodes()),
        root_(what.root()),
        out_(out) {}

  std::size_t dropped = 0;
  const std::uint8_t* end = nullptr;  ///< behind the value

  /// From where trim_lead() stopped.
  [[nodiscard]] bool run(const lead_trim& begun) {
    const wire_spot& spot = from_.spot();
    if (spot.at.inline_bool >= 0 || root_ == selection_node::whole) return false;
    copied_ = begun.copied;
    to_ = begun.to;
    dropped = begun.dropped;
    const std::uint8_t* at = begun.at;
    const bool done = spot.wire == ttype::struct_ && spot.at.depth_left != 0
                          ? more_fields(nodes_[root_], at, spot.at.depth_left, begun.highest)
                          : value(root_, spot.type, spot.wire, at, spot.at.depth_left);
    if (!done) return false;
    flush(at);
    if (is_binary) out_.commit(to_);
    end = at;
    return true;
  }

 private:
  static constexpr bool is_binary = P::traits.has_fixed_layout;

  /// Binary only leaves out, so that there is room for all from the start; Compact's headers may grow.
  THRIFTLENS_INLINE void flush(const std::uint8_t* until) {
    const auto size = static_cast<std::size_t>(until - copied_);
    if (is_binary)
      to_ = copy_run(to_, copied_, size, end_);
    else
      out_.commit(copy_run(out_.reserve(size + 64), copied_, size, end_));
    copied_ = until;
  }
  /// Along the lead of the struct at `at` as far as it stands there. True: that was all of the struct.
  [[nodiscard]] THRIFTLENS_INLINE bool lead(const selection_node& node, const std::uint8_t*& at,
                                            std::int32_t& highest) {
    lead_trim now{at, copied_, to_, dropped, highest};
    const bool whole = now.run(node, end_);
    at = now.at;
    copied_ = now.copied;
    to_ = now.to;
    dropped = now.dropped;
    highest = now.highest;
    return whole;
  }
  [[nodiscard]] bool value(std::uint32_t node, std::uint32_t type, ttype wire, const std::uint8_t*& at,
                           std::uint32_t depth_left) {
    if (depth_left == 0) return false;
    if (wire == ttype::struct_) return structure(nodes_[node], at, depth_left);
    typename P::reader in(from_.whole());
    in.seek(at);
    const image::type_node& self = image_->types[type];
    if (wire == ttype::map) {
      map_header map;
      if (!in.read_map(map)) return false;
      if (map.size != 0 &&
          (image_->types[self.first].wire != map.key || image_->types[self.second].wire != map.value))
        return false;
      at = in.at();
      for (std::uint32_t left = map.size; left != 0; --left) {
        if (!in_.skip(at, map.key, depth_left - 1) ||
            !value(node, self.second, map.value, at, depth_left - 1))
          return false;
      }
      return true;
    }
    list_header list;
    if (!in.read_list(list) || (list.size != 0 && image_->types[self.first].wire != list.element))
      return false;
    at = in.at();
    for (std::uint32_t left = list.size; left != 0; --left) {
      if (!value(node, self.first, list.element, at, depth_left - 1)) return false;
    }
    return true;
  }
  [[nodiscard]] bool structure(const selection_node& node, const std::uint8_t*& at,
                               std::uint32_t depth_left) {
    std::int32_t highest = -0x8001;
    if (is_binary && node.lead.levels <= depth_left && lead(node, at, highest)) return true;
    return more_fields(node, at, depth_left, highest);
  }
  /// Field by field.
  [[nodiscard]] THRIFTLENS_NOINLINE bool more_fields(const selection_node& node, const std::uint8_t*& at,
                                                     std::uint32_t depth_left, std::int32_t highest) {
    const selection_node::part* part = node.parts.data();
    const selection_node::part* const last_part = part + node.parts.size();
    const image::field_node* const fields = image_->fields.data();
    std::int16_t last_id = 0, in_last = 0, out_last = 0;
    scan_field field;
    for (;;) {
      const std::uint8_t* begin = at;
      if (!in_.next(at, field, last_id)) [[unlikely]]
        return false;
      if (field.type == ttype::stop) return true;
      if (field.id <= highest) [[unlikely]]
        return false;
      highest = field.id;
      while (part != last_part && part->id < field.id) ++part;
      if (part == last_part || part->id != field.id) {
        if (node.unknown && !node.structure.field(field.id)) return false;
        flush(begin);
        if (!in_.skip_field(at, field, node.structure.index(), *image_, depth_left - 1)) [[unlikely]]
          return false;
        copied_ = at;
        ++dropped;
      } else {
        if (fields[part->field].wire != field.type) [[unlikely]]
          return false;
        if (P::traits.headers_are_deltas && in_last != out_last) {
          flush(begin);
          put_header(field, out_last);
          copied_ = at;
        }
        out_last = field.id;
        const bool done = part->child == selection_node::whole
                              ? in_.skip_field(at, field, node.structure.index(), *image_, depth_left - 1)
                              : value(part->child, fields[part->field].type, field.type, at, depth_left - 1);
        if (!done) [[unlikely]]
          return false;
      }
      in_last = field.id;
    }
  }
  void put_header(const scan_field& field, std::int16_t& last) {
    std::uint8_t* to = out_.reserve(P::field_room);
    out_.commit(field.inline_bool >= 0 ? P::put_bool_field(to, field.id, field.inline_bool == 1, last)
                                       : P::put_field(to, field.type, field.id, last));
  }

  scanner<P> in_;
  const std::uint8_t* end_;
  const view<P>& from_;
  const schema_image* image_;
  std::span<const selection_node> nodes_;
  std::uint32_t root_;
  buffer& out_;
  std::uint8_t* to_ = nullptr;  // Binary: where the output goes on, not yet committed
  const std::uint8_t* copied_ = nullptr;
};

}  // namespace detail

/// Appends what `what` keeps of the value to `out`. Fields keep their order and bytes (Compact: header deltas
/// are fixed). What is left may lack fields that the IDL requires: whoever reads it whole (to_json, decode,
/// document, validate) takes missing_required::omit. To cut and write JSON in one pass there is
/// `to_json(view, {.select = &what})`. Errors, after which `out` is as before: wrong_type (a selection of
/// another type), faults of the bytes, type_mismatch, duplicate_field, trailing_bytes behind a whole message,
/// unknown_field by option, missing_required for a target type's fields.
template <protocol P>
[[nodiscard]] result<trim_report> try_trim_to(buffer& out, const view<P>& from, const selection& what,
                                              const trim_options& options = {}) {
  if (from.code() != errc::ok) return from.error();
  if (what.from() != from.type()) return error(errc::wrong_type, "the selection is of another type");
  rollback guard(out);
  static_cast<void>(out.reserve(from.whole().size() + 64));
  const bool unbounded =
      options.bounds.output_size == limits::automatic;  // without defaults no more is written than is there
  const bool plain = unbounded && options.unknown == trim_options::unknown_fields::selected &&
                     options.defaults == trim_options::default_values::omit && !what.checks_required();
  if (plain) {
    detail::lead_trim now{from.spot().at.at, from.spot().at.at, out.end()};
    const bool whole = detail::trim_lead(from, what, now);
    const auto ends_there = [&](const std::uint8_t* behind) {
      return !from.is_root() || behind == from.whole().end();
    };
    if (whole && ends_there(now.at)) [[likely]] {
      out.commit(now.to);
      guard.keep();
      return trim_report{now.dropped};
    }
    if (!whole) {
      detail::quick_trimmer<P> quick(from, what, out);
      if (quick.run(now) && ends_there(quick.end)) [[likely]] {
        guard.keep();
        return trim_report{quick.dropped};
      }
    }
    out.truncate(guard.before());
  }
  detail::rewrite_request<P> asked;
  asked.kept = &what;
  asked.trimming = options;
  const std::size_t max_size = options.bounds.max_output(from.whole().size());
  result<rewrite_report> done = detail::run_rewrite(from, asked, max_size, out);
  if (!done) return std::move(done).error();
  guard.keep();
  return trim_report{done->trimmed};
}

/// The parts of the value that `what` keeps. One pass and one copy of what is kept.
template <protocol P>
[[nodiscard]] result<buffer> try_trim(const view<P>& from, const selection& what,
                                      const trim_options& options = {}, trim_report* report = nullptr) {
  buffer out;
  result<trim_report> done = try_trim_to(out, from, what, options);
  if (!done) return std::move(done).error();
  if (report != nullptr) *report = *done;
  return out;
}
template <protocol P>
[[nodiscard]] buffer trim(const view<P>& from, const selection& what, const trim_options& options = {},
                          trim_report* report = nullptr) {
  return try_trim(from, what, options, report).value();
}

/// The part that `target` knows, by field ids: what a reader of that type would see. Makes the selection
/// first; keep one from selection::of() for many values. Errors: also type_mismatch where the types
/// contradict each other.
template <protocol P>
[[nodiscard]] result<buffer> try_trim(const view<P>& from, type target, const trim_options& options = {},
                                      trim_report* report = nullptr) {
  if (from.code() != errc::ok) return from.error();
  result<selection> what = selection::try_of(from.type(), target);
  if (!what) return std::move(what).error();
  return try_trim(from, *what, options, report);
}
template <protocol P>
[[nodiscard]] buffer trim(const view<P>& from, type target, const trim_options& options = {},
                          trim_report* report = nullptr) {
  return try_trim(from, target, options, report).value();
}

/// The same for one use: compiles the selection text (see selection.hpp) first. Errors: also those of
/// selection::try_parse.
template <protocol P>
[[nodiscard]] result<buffer> try_trim(const view<P>& from, std::string_view text,
                                      const trim_options& options = {}, trim_report* report = nullptr) {
  if (from.code() != errc::ok) return from.error();
  result<selection> what = selection::try_parse(from.type(), text);
  if (!what) return std::move(what).error();
  return try_trim(from, *what, options, report);
}
template <protocol P>
[[nodiscard]] buffer trim(const view<P>& from, std::string_view text, const trim_options& options = {},
                          trim_report* report = nullptr) {
  return try_trim(from, text, options, report).value();
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
