// view_parts: what a View holds, and what all of its methods ask of it. Never decodes more than the scalar
// that was asked for.
#pragma once

#include "caches/schema_keys.hpp"
#include "convert/value.hpp"
#include "support/owned_bytes.hpp"

#include <memory>
#include <utility>
#include <variant>

namespace thriftlens::python {

using any_view = std::variant<view<binary>, view<compact>>;

/// A thriftlens.View.
struct view_object {
  PyObject_HEAD std::shared_ptr<const owned_bytes> data;
  std::shared_ptr<schema_keys> keys;
  any_view at;
  decode_options options;
};

[[nodiscard]] inline view_object& view_self(PyObject* self) noexcept {
  return *reinterpret_cast<view_object*>(self);
}

/// What a view is beside a View: each is a class of its own.
enum class shape : std::uint8_t { structure, map, list, set };

[[nodiscard]] inline shape shape_of(type of) noexcept {
  if (of.kind() == type_kind::map) return shape::map;
  if (of.kind() == type_kind::list) return shape::list;
  return of.kind() == type_kind::set ? shape::set : shape::structure;
}
/// Lists and sets are asked by index.
[[nodiscard]] inline bool is_ordered(type of) noexcept {
  return of.is_container() && of.kind() != type_kind::map;
}

/// Borrowed; null with a Python error set.
[[nodiscard]] PyTypeObject* class_of(shape which);

template <protocol Protocol>
PyObject* make_child(const std::shared_ptr<const owned_bytes>& data, const std::shared_ptr<schema_keys>& keys,
                     const view<Protocol>& at, const decode_options& options) {
  PyTypeObject* of = class_of(shape_of(at.type()));
  PyObject* made = of == nullptr ? nullptr : of->tp_alloc(of, 0);
  if (made == nullptr) return nullptr;
  std::construct_at(&view_self(made).data, data);
  std::construct_at(&view_self(made).keys, keys);
  std::construct_at(&view_self(made).at, at);
  std::construct_at(&view_self(made).options, options);
  return made;
}

/// Calls `work` with the view as the one of the two it is.
template <class Work>
auto with_view(PyObject* self, Work&& work) {
  return std::visit([&](const auto& at) { return work(at); }, view_self(self).at);
}

/// A scalar as a Python value, anything else as a view; raises what went wrong on the way.
template <protocol Protocol>
PyObject* give(const view_object& from, const view<Protocol>& at) {
  if (at.code() != errc::ok) {
    if (const view<Protocol> preset = at.or_default(); preset && from.options.writes_defaults())
      return decode_view(*from.keys, preset, from.options);
    const error reason = at.error();
    const bool omitted = at.code() == errc::missing_required && is_absent(at, from.options);
    if (omitted) return raise(error(errc::absent, {}, reason.offset(), reason.path()), family::plain);
    return raise(reason, family_of(at.code()), from.options);
  }
  const bool opens = at.type().is_struct() || at.type().is_container();
  return opens ? make_child(from.data, from.keys, at, from.options)
               : decode_view(*from.keys, at, from.options);
}

/// Element `index` of a list or set, counted from its start: O(1) after its neighbours, or where elements
/// have one width.
template <protocol Protocol>
view<Protocol> element_at(const view_object& from, const view<Protocol>& at, std::uint32_t size,
                          std::uint32_t index) {
  const type element = at.type().element();
  if (size < element_index<Protocol>::least ||
      thriftlens::detail::element_width<Protocol>(element.wire()) != 0)
    return at.index(index);
  thriftlens::detail::wire_location found;
  const auto locate = [&](element_index<Protocol>& known) { return known.locate(at, index, found); };
  if (from.data->with_index<element_index<Protocol>>(at, locate)) return at.child(found);
  return at.index(index);  // which says what is broken
}

/// Whether the options put the IDL's default there.
template <protocol Protocol>
bool is_filled_in(const view_object& from, const view<Protocol>& at) noexcept {
  return from.options.writes_defaults() && at.code() == errc::absent && at.or_default();
}

/// The fields of a struct that are not in the bytes and that the options fill in, from `next` on. Unions have
/// none.
template <protocol Protocol>
field_info next_default(const view_object& from, const view<Protocol>& at, std::uint32_t& next) {
  if (!from.options.writes_defaults() || at.type().kind() == type_kind::union_) return {};
  const auto fields = at.type().fields();
  while (next < fields.size()) {
    const field_info each = fields[next++];
    if (each.has_default() && is_filled_in(from, at.field(each))) return each;
  }
  return {};
}

}  // namespace thriftlens::python
