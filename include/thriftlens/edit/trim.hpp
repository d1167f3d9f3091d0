// trim: a smaller value made of the parts that a selection keeps.
// In: a view and a selection, or another type. Out: wire bytes of the kept parts, in the order they stood.
// Never decodes or rebuilds what it keeps; never writes to the input.
#pragma once

#include <thriftlens/core/rollback.hpp>
#include <thriftlens/path/selection.hpp>
#include <thriftlens/protocol/id_set.hpp>
#include <thriftlens/view/scan.hpp>
#include <thriftlens/view/view.hpp>

#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

/// What trim does where the selection leaves room.
struct trim_options {
  enum class unknown_fields : std::uint8_t {
    selected,  ///< as the selection says: kept by `*` and exclusions, dropped by lists of names and by types
    keep,
    drop,
    error,  ///< unknown_field
  };
  enum class default_values : std::uint8_t { omit, write };

  unknown_fields unknown = unknown_fields::selected;
  default_values defaults = default_values::omit;  ///< write: selected fields that are absent get their IDL
                                                   ///< default, at the end of the struct
  limits bounds = {};  ///< output_size counts, and only defaults can exceed an automatic one
};

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
  if (!std::is_same_v<P, binary> || what.root() == selection_node::whole || from.wire() != ttype::struct_)
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
  static constexpr bool is_binary = P::id == protocol_id::binary;

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
        if (P::id == protocol_id::compact && in_last != out_last) {
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

/// One pass. What is kept is copied in runs as long as they are.
template <protocol P>
class trimmer {
 public:
  using reader_type = typename P::reader;

  trimmer(const view<P>& from, const selection& what, const trim_options& options, buffer& out) noexcept
      : in_(from.whole()),
        from_(from),
        nodes_(what.nodes()),
        root_(what.root()),
        options_(options),
        out_(out),
        end_(output_end(out.size(), options.bounds.max_output(from.whole().size()))) {}

  std::size_t dropped = 0;

  [[nodiscard]] const reader_type& reader() const noexcept { return in_; }
  /// Where a fault names a field: its id.
  [[nodiscard]] fault why() const noexcept {
    fault made = in_.fault();
    made.field_id = field_id_;
    return made;
  }

  [[nodiscard]] bool run() {
    in_.seek(from_.spot().at);
    copied_ = in_.at();
    if (!value(root_, from_.spot().type, from_.spot().wire)) return false;
    flush(in_.at());
    // A bool that lies in its field's header, taken alone, is written as an element has it.
    const std::int8_t inline_bool = from_.spot().at.inline_bool;
    if (inline_bool >= 0) out_.commit(P::put_bool(out_.reserve(P::number_room), inline_bool == 1));
    return fits();
  }

 private:
  [[nodiscard]] bool fits() noexcept { return out_.size() <= end_ || in_.fail(errc::output_limit); }
  void flush(const std::uint8_t* end) {
    out_.append({copied_, static_cast<std::size_t>(end - copied_)});
    copied_ = end;
  }

  /// A value of which `node` is kept: leads through containers to the structs inside.
  bool value(std::uint32_t node, std::uint32_t type, ttype wire) {
    if (node == selection_node::whole) return in_.skip(wire);
    if (wire == ttype::struct_) return structure(nodes_[node]);
    const schema_image& image = *from_.image();
    const std::uint8_t* begin = in_.at();
    if (wire == ttype::map) {
      map_header map;
      if (!in_.read_map(map) || !in_.enter()) return false;
      const image::type_node& self = image.types[type];
      if (map.size != 0 &&
          (image.types[self.first].wire != map.key || image.types[self.second].wire != map.value))
        return in_.fail(errc::type_mismatch, begin);
      for (std::uint32_t i = 0; i < map.size; ++i) {
        if (!in_.skip(map.key) || !value(node, self.second, map.value)) return false;
      }
    } else {
      list_header list;
      if (!(wire == ttype::set ? in_.read_set(list) : in_.read_list(list)) || !in_.enter()) return false;
      std::uint32_t element = image.types[type].first;
      if (list.size != 0 && image.types[element].wire != list.element)
        return in_.fail(errc::type_mismatch, begin);
      for (std::uint32_t i = 0; i < list.size; ++i) {
        if (!value(node, element, list.element)) return false;
      }
    }
    in_.leave();
    return true;
  }

  bool structure(const selection_node& node) {
    const struct_mark outer = in_.begin_struct();
    id_set<P> ids(in_.here());
    std::int16_t in_last = 0, out_last = 0;
    std::size_t next = 0;
    std::vector<bool> met(tracks(node) ? node.parts.size() : 0);
    field_header header;
    for (;;) {
      const std::uint8_t* begin = in_.at();
      if (!in_.read_field(header)) return false;
      if (header.type == ttype::stop) {
        if (tracks(node) && !finish(node, met, begin, out_last)) return false;
        break;
      }
      if (!ids.add(header.id, in_, begin))
        return field_id_ = header.id, in_.fail(errc::duplicate_field, begin);
      const selection_node::part* part = find(node, header.id, next);
      if (part == nullptr && !keeps_unknown(node, header, begin)) {
        if (in_.failed()) return false;
        flush(begin);
        if (!in_.skip(header.type)) return false;
        copied_ = in_.at();
        ++dropped;
      } else {
        if (P::id == protocol_id::compact && in_last != out_last) {
          flush(begin);
          put_header(header, in_.here().inline_bool == 1, out_last);
          copied_ = in_.at();
        }
        out_last = header.id;
        if (!keep(part, header, begin)) return false;
        if (part != nullptr && !met.empty()) met[static_cast<std::size_t>(part - node.parts.data())] = true;
      }
      in_last = header.id;
    }
    in_.end_struct(outer);
    return true;
  }
  /// The part of that id; `next` follows ids that ascend.
  static const selection_node::part* find(const selection_node& node, std::int16_t id,
                                          std::size_t& next) noexcept {
    while (next < node.parts.size() && node.parts[next].id < id) ++next;
    if (next < node.parts.size() && node.parts[next].id == id) return &node.parts[next++];
    return next != 0 && node.parts[next - 1].id >= id ? node.find(id) : nullptr;
  }
  bool keep(const selection_node::part* part, const field_header& header, const std::uint8_t* begin) {
    if (part == nullptr) return in_.skip(header.type);
    const image::field_node& field = from_.image()->fields[part->field];
    if (field.wire != header.type) return in_.fail(errc::type_mismatch, begin);
    return value(part->child, field.type, header.type);
  }
  /// Of a field that is not in the selection: false where the IDL knows it.
  bool keeps_unknown(const selection_node& node, const field_header& header, const std::uint8_t* begin) {
    using choice = trim_options::unknown_fields;
    if (options_.unknown == choice::drop || (options_.unknown == choice::selected && !node.unknown))
      return false;
    if (node.structure.field(header.id)) return false;
    if (options_.unknown == choice::error) return in_.fail(errc::unknown_field, begin);
    return true;
  }

  [[nodiscard]] bool writes_defaults() const noexcept {
    return options_.defaults == trim_options::default_values::write;
  }
  /// Whether finish() needs to know which parts were met.
  [[nodiscard]] bool tracks(const selection_node& node) const noexcept {
    return writes_defaults() || (node.target && node.target.structure().required_count != 0);
  }
  /// Before the stop byte: missing fields that the target requires are an error, defaults are written.
  bool finish(const selection_node& node, const std::vector<bool>& met, const std::uint8_t* stop,
              std::int16_t& last) {
    for (std::size_t i = 0; writes_defaults() && i < node.parts.size(); ++i) {
      field_info field = default_of(node, node.parts[i]);
      if (met[i] || !field.has_default()) continue;
      flush(stop);
      byte_view bytes = P::id == protocol_id::binary ? field.default_binary() : field.default_compact();
      put_header({field.type().wire(), field.id()}, bytes[0] == 1, last);
      if (P::id != protocol_id::compact || field.type().wire() != ttype::bool_) out_.append(bytes);
      if (!fits()) return false;
    }
    if (!node.target) return true;
    for (field_info field : node.target.fields()) {
      const selection_node::part* part = field.required() ? node.find(field.id()) : nullptr;
      bool there = part != nullptr && met[static_cast<std::size_t>(part - node.parts.data())];
      if (field.required() && !there) return field_id_ = field.id(), in_.fail(errc::missing_required, stop);
    }
    return true;
  }
  [[nodiscard]] field_info default_of(const selection_node& node,
                                      const selection_node::part& part) const noexcept {
    return node.target ? node.target.field(part.id) : field_info(from_.image(), part.field);
  }
  void put_header(const field_header& header, bool inline_true, std::int16_t& last) {
    std::uint8_t* at = out_.reserve(P::field_room);
    if (P::id == protocol_id::compact && header.type == ttype::bool_)
      out_.commit(P::put_bool_field(at, header.id, inline_true, last));
    else
      out_.commit(P::put_field(at, header.type, header.id, last));
  }

  reader_type in_;
  const view<P>& from_;
  std::span<const selection_node> nodes_;
  std::uint32_t root_;
  trim_options options_;
  buffer& out_;
  std::size_t end_;  // the size that the output may come to
  const std::uint8_t* copied_ = nullptr;
  std::int16_t field_id_ = 0;
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
  detail::trimmer<P> work(from, what, options, out);
  bool done = work.run();
  bool trailing = done && from.is_root() && !work.reader().at_end();
  if (done && !trailing) {
    guard.keep();
    return trim_report{work.dropped};
  }
  fault why = trailing ? fault{errc::trailing_bytes, 0, work.reader().offset()} : work.why();
  return explain<P>(from.whole(), from.root_type(), why, from.bounds());
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
