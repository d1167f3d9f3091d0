// merge: merges a value into another of its type, deeply. Records every change in an undo log.
#pragma once

#include <thriftlens/dom/change.hpp>
#include <thriftlens/dom/merge_options.hpp>
#include <thriftlens/dom/undo.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail::dom {

/// Merges values of the tree `from` into values of the tree `into`.
class merger {
 public:
  merger(tree& into, tree& from, const merge_options& options, undo_log& undo) noexcept
      : into_(into), from_(from), options_(options), undo_(undo), work_(into) {}

  /// Merges `other` into a slot of the level `in` (null: the root). After an error the undo log restores all.
  [[nodiscard]] errc merge(slot& own, level* in, slot& other, level* other_in) {
    if (&own == &other) return errc::ok;
    if (!goes_into(own.wire, other.wire)) return replace(own, in, other, other_in);
    if (has_other_structs(type_of(into_, in, own), type_of(from_, other_in, other))) return errc::value_type;
    errc code = open(into_, own, in);
    if (code == errc::ok) code = open(from_, other, other_in);
    if (code != errc::ok) return code;
    return same_contents(*own.below, *other.below) ? children(*own.below, *other.below)
                                                   : replace(own, in, other, other_in);
  }

 private:
  [[nodiscard]] bool goes_into(ttype wire, ttype other) const noexcept {
    if (wire != other) return false;
    if (wire == ttype::map) return options_.maps == merge_options::maps_as::merge;
    const bool list = is_sequence(wire);
    return wire == ttype::struct_ || (list && options_.lists == merge_options::lists_as::append);
  }
  [[nodiscard]] bool has_other_structs(std::uint32_t own, std::uint32_t other) const {
    return own != image::none && other != image::none &&
           !same_structs({into_.image, own}, {from_.image, other});
  }
  // Whether the elements or entries have equal wire types, which containers without a schema need not have.
  [[nodiscard]] static bool same_contents(const level& own, const level& other) noexcept {
    return own.live() == 0 || other.live() == 0 || (own.key == other.key && own.value == other.value);
  }
  [[nodiscard]] errc replace(slot& own, level* in, slot& other, level* other_in) {
    undo_.keep(in, own);
    return work_.set(own, in, value_of(other, other_in));
  }
  [[nodiscard]] node_value value_of(const slot& of, const level* in) const noexcept {
    const std::uint32_t known = type_of(from_, in, of);
    const type as = known == image::none ? type() : type(from_.image, known);
    return {from_, of, as, of.wire};
  }
  [[nodiscard]] errc children(level& own, level& other) {
    undo_.keep(own);
    for (std::uint32_t at = 0, end = other.count; at < end; at += other.stride()) {
      if (other.items[at].erased()) continue;
      if (const errc code = child(own, other, at); code != errc::ok) return code;
    }
    return errc::ok;
  }
  [[nodiscard]] errc child(level& own, level& other, std::uint32_t at) {
    if (own.wire == ttype::struct_) return field(own, other, at);
    if (own.wire == ttype::map) return entry(own, other, at);
    return work_.insert(own, own.count, value_of(other.items[at], &other));
  }
  [[nodiscard]] errc field(level& own, level& other, std::uint32_t at) {
    slot& value = other.items[at];
    std::uint32_t number = work_.find_field(own, value.id);
    if (number == key_index::none) return work_.put_field(own, value.id, value_of(value, &other), number);
    return merge(own.items[number], &own, value, &other);
  }
  [[nodiscard]] errc entry(level& own, level& other, std::uint32_t at) {
    spare_buffers spare;
    byte_view bytes;
    const errc code = bytes_for(from_, other.items[at], into_.protocol, spare, bytes);
    if (code != errc::ok) return code;
    if (own.live() == 0) own.key = other.key;
    return entry(own, map_key::wire(bytes), other, other.items[at + 1]);
  }
  [[nodiscard]] errc entry(level& own, const map_key& key, level& other, slot& value) {
    std::uint32_t number = work_.find_entry(own, key);
    if (number == key_index::none) return work_.put_entry(own, key, value_of(value, &other), number);
    return merge(own.items[number + 1], &own, value, &other);
  }

  tree& into_;
  tree& from_;
  const merge_options& options_;
  undo_log& undo_;
  changer work_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::dom
