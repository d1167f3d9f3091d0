// open: one level deeper, and the way back up: types, paths and errors of places in a tree.
// In: a slot and the level it stands in. Out: its level, its type, its path, or why it cannot be opened.
// Never changes a value.
#pragma once

#include <thriftlens/dom/expand.hpp>
#include <thriftlens/dom/key_index.hpp>
#include <thriftlens/view/explain.hpp>

#include <charconv>
#include <cstdint>
#include <string>

namespace thriftlens::inline THRIFTLENS_ABI::dom {

/// The IDL type of a slot, or none.
[[nodiscard]] inline std::uint32_t type_of(const tree& in, const level* where, const slot& of) noexcept {
  if (where == nullptr) return in.root_type;
  if (where->type == image::none) return image::none;
  const image::type_node& self = in.image->types[where->type];
  if (where->wire == ttype::map) return (&of - where->slots) % 2 == 0 ? self.first : self.second;
  if (where->wire != ttype::struct_) return self.first;
  const std::uint32_t field = in.image->find_field(in.image->structs[self.first], of.id);
  return field != image::none && in.image->fields[field].wire == of.wire ? in.image->fields[field].type
                                                                         : image::none;
}

/// The slot a level lies below. Cold: O(children of the parent).
[[nodiscard]] inline const slot* slot_of(const tree& in, const level& below) noexcept {
  if (below.parent == nullptr) return &in.root;
  for (std::uint32_t at = 0; at < below.parent->count; ++at) {
    const slot& each = below.parent->slots[at];
    if (each.expanded && each.below == &below) return &each;
  }
  return nullptr;
}

/// "$.user.ids[3]" for a level. Cold.
[[nodiscard]] std::string path_of(const tree& in, const level* of);

/// The step from a struct to a field, there or not: ".name", ".#7". Cold.
[[nodiscard]] inline std::string step_to_field(const tree& in, const level& where, std::int16_t id) {
  std::uint32_t field = image::none;
  if (where.type != image::none)
    field = in.image->find_field(in.image->structs[in.image->types[where.type].first], id);
  if (field == image::none) return ".#" + std::to_string(id);
  return '.' + std::string(in.image->view(in.image->field_texts[field].name));
}
/// The step from a level to one of its slots: ".name", ".#7", "[3]", "{key}". Cold.
[[nodiscard]] inline std::string step_to(const tree& in, const level& where, const slot& of) {
  if (where.wire == ttype::struct_) return step_to_field(in, where, of.id);
  const auto at = static_cast<std::uint32_t>(&of - where.slots);
  if (where.wire != ttype::map) {
    return '[' + std::to_string(at) + ']';
  }
  if (at % 2 == 0) return "{key " + std::to_string(at / 2) + '}';
  const slot& key = where.slots[at - 1];
  if (key.wire == ttype::struct_ || is_container(key.wire)) return "{entry " + std::to_string(at / 2) + '}';
  const wire_key spelled = key_of(key, in.protocol);
  std::string text = "{";
  if (key.wire == ttype::uuid) {
    char digits[uuid_text_size];
    append_quoted(text, {digits, put_uuid_text(digits, bytes_of(key).data())});
    return text + '}';
  }
  if (spelled.is_text) {
    append_quoted(text, utf8_cut(spelled.text, 64));
  } else if (key.wire == ttype::double_) {
    char digits[32];
    text.append(digits,
                std::to_chars(digits, digits + sizeof digits, std::bit_cast<double>(spelled.number)).ptr);
  } else if (key.wire == ttype::bool_) {
    text += spelled.number != 0 ? "true" : "false";
  } else {
    text += std::to_string(static_cast<std::int64_t>(spelled.number));
  }
  return text + '}';
}
inline std::string path_of(const tree& in, const level* of) {
  std::string path;
  for (; of != nullptr && of->parent != nullptr; of = of->parent) {
    const slot* at = slot_of(in, *of);
    path.insert(0, at == nullptr ? std::string("?") : step_to(in, *of->parent, *at));
  }
  return '$' + path;
}
[[nodiscard]] inline std::string path_of(const tree& in, const level* where, const slot& of) {
  return where == nullptr ? "$" : path_of(in, where) + step_to(in, *where, of);
}
/// Where bytes stand in the message, or error::no_offset for what was put in later.
[[nodiscard]] inline std::size_t offset_of(const tree& in, const std::uint8_t* at) noexcept {
  const auto begin = reinterpret_cast<std::uintptr_t>(in.source.begin()),
             place = reinterpret_cast<std::uintptr_t>(at);
  return place >= begin && place - begin <= in.source.size() ? place - begin : error::no_offset;
}

/// Remembers an error for the handle that met it.
THRIFTLENS_COLD inline errc note(tree& in, error&& why) {
  thriftlens::detail::require_code(why);
  in.failure = std::move(why);
  ++in.failures;
  return in.failure.code();
}

/// Makes the level below a slot unless it is there. ok, wrong_type for scalars, or what expanding met
/// (noted).
[[nodiscard]] inline errc open(tree& in, slot& of, level* where) {
  if (of.expanded) return errc::ok;
  if (of.wire != ttype::struct_ && !is_container(of.wire)) return errc::wrong_type;
  return visit_protocol(in.protocol, [&](auto tag) {
    using P = decltype(tag);
    const byte_view bytes(of.bytes, of.size);
    const bool frozen = where != nullptr && where->wire == ttype::map && (&of - where->slots) % 2 == 0;
    expander<P> work(in, bytes, where == nullptr ? in.options.bounds.depth : where->depth_left, false);
    if (work.level_of(of, type_of(in, where, of), where, frozen)) return errc::ok;
    fault why = work.why();
    const std::size_t begin = offset_of(in, of.bytes);
    if (begin == error::no_offset)
      return note(in, error(why.code, {}, error::no_offset, path_of(in, where, of)));
    why.offset += begin;
    return note(in, explain<P>(in.source, in.root_type == image::none ? type() : type(in.image, in.root_type),
                               why, in.options.bounds));
  });
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::dom
