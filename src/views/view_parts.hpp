// view_parts: the contents of a View, and functions that its methods share.
#pragma once

#include "caches/schema_keys.hpp"
#include "convert/value.hpp"
#include "support/heap_class.hpp"
#include "support/owned_bytes.hpp"

#include <thriftlens/schema/suggest.hpp>

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

/// The kinds of views, with a Python class per kind.
enum class shape : std::uint8_t { structure, map, list, set };

[[nodiscard]] inline shape shape_of(type of) noexcept {
  if (of.kind() == type_kind::map) return shape::map;
  if (of.kind() == type_kind::list) return shape::list;
  return of.kind() == type_kind::set ? shape::set : shape::structure;
}
/// Lists and sets have indices.
[[nodiscard]] inline bool is_ordered(type of) noexcept {
  return of.is_container() && of.kind() != type_kind::map;
}

/// Borrowed; null with a Python error set.
[[nodiscard]] PyTypeObject* class_of(shape which);

template <protocol Protocol>
PyObject* make_child(const std::shared_ptr<const owned_bytes>& data, const std::shared_ptr<schema_keys>& keys,
                     const view<Protocol>& at, const decode_options& options) {
  PyObject* const self = new_instance(class_of(shape_of(at.type())));
  if (self == nullptr) return nullptr;
  std::construct_at(&view_self(self).data, data);
  std::construct_at(&view_self(self).keys, keys);
  std::construct_at(&view_self(self).at, at);
  std::construct_at(&view_self(self).options, options);
  return self;
}

/// Calls `work` with the typed view.
template <class Work>
auto with_view(PyObject* self, Work&& work) {
  return std::visit([&](const auto& at) { return work(at); }, view_self(self).at);
}

/// The default of an absent value, if the options add it. Null with the view's error raised.
template <protocol Protocol>
PyObject* give_default(const view_object& from, const view<Protocol>& at) {
  if (const view<Protocol> preset = at.or_default(); preset && from.options.writes_defaults())
    return decode_view(*from.keys, preset, from.options);
  const error reason = at.error();
  const bool omitted = at.code() == errc::missing_required && is_absent(at, from.options);
  if (omitted) return raise(error(errc::absent, {}, reason.offset(), reason.path()), family::plain);
  return raise(reason, family_of(at.code()), from.options);
}
/// A scalar as a Python value, anything else as a view. Null with a Python error set.
template <protocol Protocol>
PyObject* give(const view_object& from, const view<Protocol>& at) {
  if (at.code() != errc::ok) [[unlikely]]
    return give_default(from, at);
  const bool opens = at.type().is_struct() || at.type().is_container();
  return opens ? make_child(from.data, from.keys, at, from.options)
               : decode_view(*from.keys, at, from.options);
}

/// The error of a name that is not a field of the view.
template <protocol Protocol>
[[nodiscard]] error no_field_error(const view<Protocol>& at, std::string_view name) {
  return error(errc::no_such_field, detail::no_such_field_text(at.type(), name), error::no_offset, at.path());
}
/// Element `index` of a list or set. O(1) next to the last element used, or if elements have a fixed width.
template <protocol Protocol>
view<Protocol> element_at(const view_object& from, const view<Protocol>& at, std::uint32_t size,
                          std::uint32_t index) {
  const type element = at.type().element();
  if (size < element_index<Protocol>::least || detail::element_width<Protocol>(element.wire()) != 0)
    return at.index(index);
  detail::wire_location location;
  const auto locate = [&](element_index<Protocol>& known) { return known.locate(at, index, location); };
  if (from.data->with_index<element_index<Protocol>>(at, locate)) return at.child(location);
  return at.index(index);  // holds the error
}

/// Whether the options add the default of an absent field.
template <protocol Protocol>
bool is_filled_in(const view_object& from, const view<Protocol>& at) noexcept {
  return from.options.writes_defaults() && at.code() == errc::absent && at.or_default();
}

/// The next absent field from `next` on whose default the options add; false at the end. Unions have none.
template <protocol Protocol>
field_info next_default(const view_object& from, const view<Protocol>& at, std::uint32_t& next) {
  if (!from.options.writes_defaults() || at.type().kind() == type_kind::union_) return {};
  const auto fields = at.type().fields();
  while (next < fields.size()) {
    const field_info field = fields[next++];
    if (field.has_default() && is_filled_in(from, at.field(field))) return field;
  }
  return {};
}

}  // namespace thriftlens::python
