// program: compiled rules for each position in a value, as nodes and edges. Never holds wire bytes of
// a message; immutable once compiled.
#pragma once

#include <thriftlens/core/buffer.hpp>
#include <thriftlens/core/leniency.hpp>
#include <thriftlens/core/limits.hpp>
#include <thriftlens/core/siphash.hpp>
#include <thriftlens/path/map_key.hpp>
#include <thriftlens/protocol/convert.hpp>
#include <thriftlens/protocol/traits.hpp>
#include <thriftlens/schema/type.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Options of trim() beyond the selection.
struct trim_options {
  thriftlens::limits limits = {};  ///< output_size counts, and only defaults can exceed an automatic one
  on_unknown unknown = on_unknown::selected;
  /// write: selected fields that are absent get their IDL default, at the end of the struct.
  on_absent defaults = on_absent::omit;

  friend constexpr bool operator==(const trim_options&, const trim_options&) noexcept = default;
};

/// What a redaction did.
struct redact_report {
  std::size_t replaced = 0;  ///< values replaced by blanks, constants or hashes, or cut
  std::size_t dropped = 0;   ///< fields, elements and entries, unknown fields too
  std::size_t unknown = 0;   ///< of these the fields that the IDL does not know

  friend constexpr bool operator==(const redact_report&, const redact_report&) noexcept = default;
};
/// Counts of a rewrite: of its redaction, and of its selection.
struct rewrite_report : redact_report {
  std::size_t trimmed = 0;  ///< fields that the selection leaves out, not counting fields inside them
};

namespace detail {

/// What happens to a value that a rule names.
enum class replacement_form : std::uint8_t { keep, drop, blank, hash, keep_last, constant };
/// Whether the replacement is computed from the value, by masker.
[[nodiscard]] constexpr bool is_mask(replacement_form kind) noexcept {
  return kind == replacement_form::hash || kind == replacement_form::keep_last;
}

/// What happens to one value: it is replaced, descended into, or unchanged.
struct redact_target {
  static constexpr std::uint32_t none = 0xffffffffu;

  std::uint32_t replacement = none;
  std::uint32_t node = none;
  /// Reason of the action chosen for this value; none: that of an enclosing value.
  std::uint32_t reason = none;

  [[nodiscard]] bool stays() const noexcept { return replacement == none && node == none; }
};

/// A struct, list, set or map under the rules that lead to it.
struct redact_node {
  struct field_edge {
    std::int16_t id;
    ttype wire;
    bool required;  ///< an error where it is missing
    redact_target to;
    std::uint32_t type = image::none;  ///< of the value
  };
  struct key_edge {
    map_key key;
    std::string_view text;  ///< as the path spells it
    redact_target to;
  };
  /// A field of the struct's prefix template that does not stay.
  struct prefix_edge {
    std::uint8_t segment;
    std::uint8_t at;     ///< offset of its header in the segment
    std::uint16_t edge;  ///< in `fields`
  };
  /// One segment of the prefix template.
  struct prefix_segment {
    std::uint16_t required = 0;   ///< required fields in it
    std::uint16_t next_edge = 0;  ///< the first edge after it
  };

  type of;
  pod_vector<field_edge> fields;         ///< ids ascending; other fields stay, unless the node is closed
  pod_vector<key_edge> keyed;            ///< entries that paths mean by key, sorted
  redact_target value;                   ///< elements; values of all other entries
  redact_target key;                     ///< keys of a map
  ttype key_wire = ttype::stop;          ///< of a map, as the IDL has it
  ttype value_wire = ttype::stop;        ///< of elements and values
  std::uint32_t required = 0;            ///< fields that must be there
  bool closed = false;                   ///< `fields` has all that the IDL knows; other fields are dropped
  bool drops = false;                    ///< elements or entries may be dropped
  bool inert = false;                    ///< contents_stay(), once all is compiled
  bool passive = false;                  ///< no rule acts here or below, except on unknown fields
  pod_vector<prefix_edge> prefix_edges;  ///< of a struct, in the order of the prefix template
  pod_vector<prefix_segment> prefix_segments;  ///< of a struct: as many as its prefix template has

  /// Nothing happens inside a container: its header alone is looked at.
  [[nodiscard]] bool contents_stay() const noexcept { return value.stays() && key.stays() && keyed.empty(); }
  /// Whether entries or elements that become equal are merged.
  [[nodiscard]] bool merges() const noexcept {
    return of.kind() == type_kind::set ? !value.stays() : !key.stays();
  }
  template <class Node, class Visit>
  static void each_target(Node& of, Visit visit) {
    visit(of.value);
    visit(of.key);
    for (auto& field : of.fields) visit(field.to);
    for (auto& entry : of.keyed) visit(entry.to);
  }
};

/// A replacement value: bytes, or computed from the old value (hash, keep_last).
struct redact_replacement {
  replacement_form kind = replacement_form::blank;
  std::uint32_t last = 0;
  by_protocol<image::slice> bytes = {};  ///< in rewrite_program::bytes
};

/// Compiled rules: the nodes that can be reached from `root`.
struct rewrite_program {
  redact_target root;
  redact_hash hash;
  on_unknown unknown = on_unknown::keep;
  bool is_fast = false;  ///< fast_rewriter can follow it: no entry is named by its key, nothing merges
  std::vector<redact_node> nodes;
  pod_vector<redact_replacement> replacements;
  buffer bytes;

  [[nodiscard]] bool drops(const redact_target& to) const noexcept {
    return to.replacement != redact_target::none &&
           replacements[to.replacement].kind == replacement_form::drop;
  }
  /// The bytes of a blank or constant.
  [[nodiscard]] byte_view held(const redact_replacement& of, protocol_id which) const noexcept {
    const image::slice part = of.bytes[which];
    return {bytes.data() + part.begin, part.size};
  }
  /// As above for a value of that wire type in any protocol; for one that the library does not know they are
  /// converted, in `spare`.
  template <protocol P>
  [[nodiscard]] byte_view bytes_of(const redact_replacement& of, ttype wire, buffer& spare) const {
    by_protocol<byte_view> encodings;
    encodings.for_each(
        [&](protocol_id which, byte_view& bytes_in_protocol) { bytes_in_protocol = held(of, which); });
    return bytes_in<P>(encodings, wire, spare);
  }
};

}  // namespace detail

}  // namespace thriftlens::inline THRIFTLENS_ABI
