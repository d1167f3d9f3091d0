// view_iterator: forward and backward iteration.
#include "views/view_iterator.hpp"

#include "support/heap_class.hpp"
#include "views/view_parts.hpp"

#include <thriftlens/protocol/key_equality.hpp>

namespace thriftlens::python {

namespace {

PyObject* pair_or_part(object key, object value, side which) {
  if ((which != side::values && !key) || (which != side::keys && !value)) return nullptr;
  if (which == side::items) return new_tuple(std::move(key), std::move(value));
  return which == side::keys ? key.release() : value.release();
}

/// Iterates over the children of a view, then over the defaults that the options add.
template <protocol Protocol>
struct forward {
  children<Protocol> inside;
  side which = side::keys;
  std::uint32_t next_default = 0;
};
/// Iterates over a list or set from its end.
template <protocol Protocol>
struct backward {
  std::uint32_t size = 0;
  std::uint32_t remaining = 0;
};

struct view_iterator {
  PyObject_HEAD PyObject* of;  // the view; null at the end
  std::variant<forward<binary>, forward<compact>, backward<binary>, backward<compact>> state;
};

view_iterator& iterator_of(PyObject* self) noexcept { return *reinterpret_cast<view_iterator*>(self); }

template <protocol Protocol>
PyObject* field_part(const view_object& from, std::uint32_t field, const view<Protocol>& value, side which) {
  object name(new_reference(from.keys->fields(from.options.names)[field]));
  return pair_or_part(std::move(name), object(which == side::keys ? nullptr : give(from, value)), which);
}
template <protocol Protocol>
PyObject* entry_part(const view_object& from, const view<Protocol>& at, const children<Protocol>& inside,
                     side which) {
  const detail::wire_location value_at = inside.value();  // another thread may advance the iterator
  object key(which == side::values ? nullptr : decode_key(*from.keys, at.child(inside.key()), from.options));
  if (!key && which != side::values) return nullptr;
  object value(which == side::keys ? nullptr : give(from, at.child(value_at)));
  return pair_or_part(std::move(key), std::move(value), which);
}
/// An element; those of a set are decoded, because they must be hashable.
template <protocol Protocol>
PyObject* element_part(const view_object& from, const view<Protocol>& at, const view<Protocol>& element) {
  return shape_of(at.type()) == shape::set ? decode_key(*from.keys, element, from.options)
                                           : give(from, element);
}
/// The item for the current child of `inside`. Null without an error for an unknown field.
template <protocol Protocol>
PyObject* child_of(const view_object& from, const view<Protocol>& at, const children<Protocol>& inside,
                   side which) {
  if (shape_of(at.type()) == shape::map) return entry_part(from, at, inside, which);
  if (!at.type().is_struct()) return element_part(from, at, at.child(inside.value()));
  if (inside.field() == detail::image::none) return nullptr;
  return field_part(from, inside.field(), at.child(inside.value()), which);
}

/// Opens a map, or a set as a map without values.
bool open_keys(auto& in, bool is_map, map_header& map) {
  if (is_map) return detail::open_map(in, map);
  list_header set;
  if (!detail::open_sequence(in, ttype::set, set)) return false;
  map = {set.element, ttype::stop, set.size};
  return true;
}
/// Checked after the last entry of a map or element of a set: a dict or set would silently drop equal ones.
/// False with a Python error set.
template <protocol Protocol>
bool has_unique_keys(const view_object& from, const view<Protocol>& at, side which) {
  const shape kind = shape_of(at.type());
  const bool is_map = kind == shape::map && which != side::values;
  if ((!is_map && kind != shape::set) || from.options.takes_last()) return true;
  typename Protocol::reader in(at.whole(), detail::key_limits);
  in.seek(at.location().at);
  map_header map;
  if (!open_keys(in, is_map, map)) return true;
  const std::size_t repeated = detail::find_repeated_key<Protocol>(in, map);
  if (repeated == detail::repeated_keys::none || !detail::skip_to_entry(in, map, repeated)) return true;
  raise(at.broken(errc::duplicate_key, in.here()).error(), family::decode, from.options);
  return false;
}
/// What follows the last child: a default that the options add, or null. Null with an error set for malformed
/// bytes.
template <protocol Protocol>
PyObject* after_children(const view_object& from, const view<Protocol>& at, forward<Protocol>& state) {
  const children<Protocol>& inside = state.inside;
  if (inside.code() != errc::ok)
    return raise(at.broken(inside.code(), inside.broken_at()).error(), family_of(inside.code()),
                 from.options);
  if (!has_unique_keys(from, at, state.which) || !at.type().is_struct()) return nullptr;
  const field_info preset = next_default(from, at, state.next_default);
  return preset ? field_part(from, preset.index(), at.field(preset), state.which) : nullptr;
}
template <protocol Protocol>
PyObject* advance(const view_object& from, forward<Protocol>& state) {
  const view<Protocol>& at = std::get<view<Protocol>>(from.at);
  while (state.inside.next()) {
    PyObject* child = child_of(from, at, state.inside, state.which);
    if (child != nullptr || PyErr_Occurred() != nullptr) return child;
  }
  return after_children(from, at, state);
}
template <protocol Protocol>
PyObject* advance(const view_object& from, backward<Protocol>& inside) {
  if (inside.remaining == 0) return nullptr;
  const view<Protocol>& at = std::get<view<Protocol>>(from.at);
  return element_part(from, at, element_at(from, at, inside.size, --inside.remaining));
}

PyObject* next_child(PyObject* self) {
  view_iterator& at = iterator_of(self);
  if (at.of == nullptr) return nullptr;
  const object view = object::share(at.of);  // Python code of the child may advance this iterator
  PyObject* child =
      std::visit([&](auto& inside) { return advance(view_self(view.get()), inside); }, at.state);
  if (child == nullptr) Py_CLEAR(at.of);
  return child;
}

PyObject* length_hint(PyObject* self, PyObject*) {
  const view_iterator& at = iterator_of(self);
  const auto count = [](const auto& state) -> std::uint32_t {
    if constexpr (requires { state.inside; })
      return state.inside.left();
    else
      return state.remaining;
  };
  return PyLong_FromUnsignedLong(at.of == nullptr ? 0 : std::visit(count, at.state));
}

void destroy_iterator(PyObject* self) {
  Py_XDECREF(iterator_of(self).of);
  std::destroy_at(&iterator_of(self).state);
  free_instance(self);
}

PyMethodDef iterator_methods[] = {{"__length_hint__", in_turn<length_hint>::call, METH_NOARGS, nullptr}, {}};

PyTypeObject* iterator_class() {
  static shared_object cached;
  return class_once(cached, [] {
    return new_class({"thriftlens._core.ViewIterator", sizeof(view_iterator)},
                     {{Py_tp_methods, iterator_methods},
                      raw_slot(Py_tp_iter, PyObject_SelfIter),
                      type_slot<in_turn<next_child>::call>(Py_tp_iternext),
                      raw_slot(Py_tp_dealloc, destroy_iterator)});
  });
}

template <class State>
PyObject* make_iterator(PyObject* view, const State& state) {
  PyObject* const self = new_instance(iterator_class());
  if (self == nullptr) return nullptr;
  iterator_of(self).of = new_reference(view);
  std::construct_at(&iterator_of(self).state, state);
  return self;
}

}  // namespace

PyObject* iterate_view(PyObject* self, side which) {
  return with_view(self, [&]<class Protocol>(const view<Protocol>& at) {
    children<Protocol> inside(at.whole(), at.image(), at.location());
    return make_iterator(self, forward<Protocol>{inside, which});
  });
}
PyObject* iterate_backward(PyObject* self) {
  return with_view(self, [&]<class Protocol>(const view<Protocol>& at) -> PyObject* {
    const result<std::size_t> size = at.try_size();
    if (!size) return raise_error(size.error());
    const auto count = static_cast<std::uint32_t>(*size);
    return make_iterator(self, backward<Protocol>{count, count});
  });
}

}  // namespace thriftlens::python
