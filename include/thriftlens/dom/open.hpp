// open: opens levels; types, paths and errors of slots.
#pragma once

#include <thriftlens/core/joined.hpp>
#include <thriftlens/dom/expand.hpp>
#include <thriftlens/dom/key_index.hpp>
#include <thriftlens/protocol/key_step.hpp>
#include <thriftlens/schema/field_step.hpp>
#include <thriftlens/view/explain.hpp>

#include <cstdint>
#include <string>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI::detail::dom {

/// Whether a slot holds the key of an entry.
[[nodiscard]] inline bool is_map_key(const level* where, const slot& of) noexcept {
  return where != nullptr && where->wire == ttype::map && (&of - where->items) % 2 == 0;
}
/// The IDL type of a slot, or none.
[[nodiscard]] inline std::uint32_t type_of(const tree& in, const level* where, const slot& of) noexcept {
  if (where == nullptr) return in.root_type;
  if (where->wire == ttype::struct_) {
    const image::field_node* field = in.field(in.structure(where->type), of.id);
    return field != nullptr && field->wire == of.wire ? field->type : image::none;
  }
  const image::type_node types = in.contents(where->type);
  return where->wire == ttype::map && !is_map_key(where, of) ? types.second : types.first;
}

/// The slot of a level. Cold: O(children of the parent).
[[nodiscard]] inline const slot* slot_of(const tree& in, const level& below) noexcept {
  if (below.parent == nullptr) return &in.root;
  for (std::uint32_t at = 0; at < below.parent->count; ++at) {
    const slot& item = below.parent->items[at];
    if (item.expanded && item.below == &below) return &item;
  }
  return nullptr;
}

/// Adds the step to the value of the entry with that key. Cold.
inline bool add_entry_step(path_builder& path, const tree& in, const slot& key) {
  return visit_protocol(in.protocol,
                        [&](auto tag) { return add_key_step<decltype(tag)>(path, bytes_of(key), key.wire); });
}
/// Adds the step from a level to one of its slots. Cold.
inline bool add_step(path_builder& path, const tree& in, const level& where, const slot& of) {
  if (where.wire == ttype::struct_) return add_field_step(path, in.image, where.type, of.id);
  const auto at = static_cast<std::size_t>(&of - where.items);
  if (where.wire != ttype::map) return path.index(at);
  return is_map_key(&where, of) ? path.key_at(at / 2) : add_entry_step(path, in, where.items[at - 1]);
}
/// The step to a field, present or not: ".name", ".#7". Cold.
[[nodiscard]] inline std::string step_to_field(const tree& in, std::uint32_t type, std::int16_t id) {
  path_builder path;
  add_field_step(path, in.image, type, id);
  return path.steps();
}
/// "$.user.ids[3]" for a slot of the level `where`, or for the level without one. Cold.
[[nodiscard]] inline std::string path_of(const tree& in, const level* where, const slot* of = nullptr) {
  path_builder path(path_builder::order::innermost_first);
  if (where != nullptr && of != nullptr) add_step(path, in, *where, *of);
  for (; where != nullptr && where->parent != nullptr; where = where->parent) {
    const slot* at = slot_of(in, *where);
    if (at == nullptr) return joined({"$?", path.steps()});
    add_step(path, in, *where->parent, *at);
  }
  return path.text();
}
/// Offset of bytes in the message, or error::no_offset for added bytes.
[[nodiscard]] inline std::size_t offset_of(const tree& in, const std::uint8_t* at) noexcept {
  const auto begin = reinterpret_cast<std::uintptr_t>(in.source.begin()),
             position = reinterpret_cast<std::uintptr_t>(at);
  return position >= begin && position - begin <= in.source.size() ? position - begin : error::no_offset;
}

/// An error with a path instead of an offset.
[[nodiscard]] inline error error_at(std::string path, errc code, std::string text = {}) {
  return error(code, std::move(text), error::no_offset, std::move(path));
}
/// Stores an error for the node that reports it.
THRIFTLENS_COLD inline errc note(tree& in, error&& failure) {
  thriftlens::detail::require_code(failure);
  in.failure = std::move(failure);
  ++in.failures;
  return in.failure.code();
}

/// The fault of expanding a slot, as an error with its location in the message. Cold.
template <protocol P>
[[nodiscard]] error open_error(const tree& in, const slot& of, const level* where, fault failure) {
  const std::size_t begin = offset_of(in, of.bytes);
  if (begin == error::no_offset) return error_at(path_of(in, where, &of), failure.code);
  failure.offset += begin;
  const type root = in.root_type == image::none ? type() : type(in.image, in.root_type);
  return explain<P>(in.source, root, failure, in.options.limits);
}

template <protocol P>
[[nodiscard]] errc open_as(tree& in, slot& of, level* where) {
  expander<P> work(in, byte_view(of.bytes, of.size), in.depth_left(where), false);
  if (!work.expand(of, type_of(in, where, of), where))
    return note(in, open_error<P>(in, of, where, work.failure()));
  if (is_map_key(where, of)) of.below->frozen = true;
  return errc::ok;
}
/// Opens the level below a slot, if necessary. Errors: wrong_type for scalars, or the stored fault of
/// expanding.
[[nodiscard]] inline errc open(tree& in, slot& of, level* where) {
  if (of.expanded) return errc::ok;
  if (!has_children(of.wire)) return errc::wrong_type;
  return visit_protocol(in.protocol, [&](auto tag) { return open_as<decltype(tag)>(in, of, where); });
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail::dom
