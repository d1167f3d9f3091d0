// view_object: steps, containers and conversions of a view.
#include "view_object.hpp"

#include "guarded.hpp"
#include "held_bytes.hpp"
#include "kept_buffer.hpp"
#include "path_cache.hpp"
#include "type_docs.hpp"

#include <thriftlens/schema/suggest.hpp>

#include <variant>

namespace thriftlens::python {

namespace {

using any_view = std::variant<view<binary>, view<compact>>;

struct view_object {
  PyObject_HEAD
  std::shared_ptr<const held_bytes> data;
  std::shared_ptr<schema_keys> keys;
  any_view at;
  decode_options options;
};

view_object& self_of(PyObject* self) noexcept { return *reinterpret_cast<view_object*>(self); }

PyObject* make(const std::shared_ptr<const held_bytes>& data, const std::shared_ptr<schema_keys>& keys, const any_view& at,
               const decode_options& options) {
  PyTypeObject* of = view_class();
  PyObject* made = of == nullptr ? nullptr : of->tp_alloc(of, 0);
  if (made == nullptr) return nullptr;
  std::construct_at(&self_of(made).data, data);
  std::construct_at(&self_of(made).keys, keys);
  std::construct_at(&self_of(made).at, at);
  std::construct_at(&self_of(made).options, options);
  return made;
}

void destroy(PyObject* self) {
  PyTypeObject* of = Py_TYPE(self);
  std::destroy_at(&self_of(self).at);
  std::destroy_at(&self_of(self).keys);
  std::destroy_at(&self_of(self).data);
  of->tp_free(self);
  Py_DECREF(of);
}

/// Calls `work` with the view as the one of the two it is.
template <class Work>
auto with_view(PyObject* self, Work&& work) {
  return std::visit([&](const auto& at) { return work(at); }, self_of(self).at);
}

/// A scalar as a Python value, anything else as a view; raises what went wrong on the way.
template <protocol Protocol>
PyObject* give(const view_object& from, const view<Protocol>& at) {
  if (at.code() != errc::ok) {
    if (const view<Protocol> preset = at.or_default(); preset && from.options.write_defaults)
      return decode_view(*from.keys, preset, from.options);
    return raise(at.error(), family_of(at.code()));
  }
  const bool opens = at.type().is_struct() || at.type().is_container();
  return opens ? make(from.data, from.keys, at, from.options) : decode_view(*from.keys, at, from.options);
}

/// What a Python object means as a key of a map; `memory` holds wire bytes of the less usual ones. False with a Python error set.
template <protocol Protocol>
bool key_of(const view_object& from, type key_type, PyObject* given, buffer& memory, map_key& key) {
  if (PyUnicode_Check(given)) {
    std::string_view text;
    return utf8_of(given, text, errc::value_type, family::encode) && (key = map_key(text), true);
  }
  if (PyLong_CheckExact(given)) {
    int overflow = 0;
    const std::int64_t number = PyLong_AsLongLongAndOverflow(given, &overflow);
    if (overflow == 0) return key = map_key(number), true;
  }
  encode_options options;
  options.protocol = Protocol::id;
  if (!append_encoded(*from.keys, key_type, given, memory, options)) return false;
  return key = map_key::wire(byte_view(memory.data(), memory.size())), true;
}

template <protocol Protocol>
bool step(const view_object& from, const view<Protocol>& at, PyObject* given, view<Protocol>& found) {
  if (at.type().kind() == type_kind::map) {
    kept_buffer memory;
    map_key key = 0;
    if (!key_of<Protocol>(from, at.type().key(), given, memory.get(), key)) return false;
    return found = at.key(key), true;
  }
  if (at.type().is_struct() && PyUnicode_Check(given)) {
    std::string_view name;
    return utf8_of(given, name, errc::no_such_field, family::plain) && (found = at.field(name), true);
  }
  if (!at.type().is_struct() && PyIndex_Check(given)) {
    const Py_ssize_t index = PyNumber_AsSsize_t(given, PyExc_IndexError);
    if (index == -1 && PyErr_Occurred() != nullptr) return false;
    return found = at.index(index), true;
  }
  PyErr_Format(PyExc_TypeError, "%s is asked for by %s, not %.200s", at.type().name().c_str(), at.type().is_struct() ? "field name" : "index",
               Py_TYPE(given)->tp_name);
  return false;
}

PyObject* slice(PyObject* self, PyObject* range);

THRIFTLENS_COLD PyObject* no_such_field(type in, PyObject* name, std::string at) {
  std::string_view text;
  if (!utf8_of(name, text, errc::no_such_field, family::plain)) return nullptr;
  return raise(error(errc::no_such_field, no_such_field_text(in, text), error::no_offset, std::move(at)), family::plain);
}

PyObject* subscript(PyObject* self, PyObject* given) {
  if (PySlice_Check(given)) return slice(self, given);
  return with_view(self, [&](const auto& at) -> PyObject* {
    std::remove_cvref_t<decltype(at)> found;
    if (!step(self_of(self), at, given, found)) return nullptr;
    if (found.code() == errc::no_such_field && at.type().is_struct()) [[unlikely]] return no_such_field(at.type(), given, at.path());
    return give(self_of(self), found);
  });
}

// Methods come first: a field that is called as one is reached by view["get"].
PyObject* attribute(PyObject* self, PyObject* name) {
  if (_PyType_Lookup(Py_TYPE(self), name) != nullptr || !PyUnicode_Check(name)) return PyObject_GenericGetAttr(self, name);
  const bool is_struct = with_view(self, [](const auto& at) { return at.type().is_struct(); });
  return is_struct ? subscript(self, name) : PyObject_GenericGetAttr(self, name);
}

Py_ssize_t length(PyObject* self) {
  return with_view(self, [&](const auto& at) -> Py_ssize_t {
    const result<std::size_t> size = at.try_size();
    if (size) return static_cast<Py_ssize_t>(*size);
    raise(size.error(), family_of(size.error().code()));
    return -1;
  });
}

enum class side { keys, values, items };

PyObject* pair_or_part(PyObject* key, PyObject* value, side which) {
  object held_key(key), held_value(value);
  if ((which != side::values && !held_key) || (which != side::keys && !held_value)) return nullptr;
  if (which == side::items) return PyTuple_Pack(2, held_key.get(), held_value.get());
  return which == side::keys ? held_key.release() : held_value.release();
}

/// Appends what `next` makes of each child; takes the error of the range where it ended early.
template <class Range, class Next>
PyObject* collect(Range range, Next next) {
  object all(PyList_New(0));
  for (const auto& each : range) {
    if (!all) return nullptr;
    bool left_out = false;
    object item(next(each, left_out));
    if (left_out) continue;
    if (!item || PyList_Append(all.get(), item.get()) != 0) return nullptr;
  }
  if (range.code() != errc::ok) return raise(range.error(), family_of(range.code()));
  return all.release();
}

PyObject* children_of(PyObject* self, side which) {
  const view_object& from = self_of(self);
  if (!from.keys->prepare()) return nullptr;
  return with_view(self, [&](const auto& at) -> PyObject* {
    using view_type = std::remove_cvref_t<decltype(at)>;
    auto part = [&](const view_type& value) { return which == side::keys ? nullptr : give(from, value); };
    if (at.type().is_struct()) {
      return collect(at.try_fields(), [&](const auto& each, bool& left_out) -> PyObject* {
        left_out = !each.info;  // the IDL does not know it
        if (left_out) return nullptr;
        return pair_or_part(new_reference(from.keys->fields(false)[each.info.index()]), part(each.value), which);
      });
    }
    if (at.type().kind() == type_kind::map) {
      return collect(at.try_entries(), [&](const auto& each, bool&) {
        return pair_or_part(which == side::values ? nullptr : decode_key(*from.keys, each.key, from.options), part(each.value), which);
      });
    }
    if (which == side::items) {
      PyErr_Format(PyExc_TypeError, "%s has no items()", at.type().name().c_str());
      return nullptr;
    }
    return collect(at.try_elements(), [&](const auto& each, bool&) { return give(from, each); });
  });
}

PyObject* slice(PyObject* self, PyObject* range) {
  const bool has_order = with_view(self, [](const auto& at) { return at.type().is_container() && at.type().kind() != type_kind::map; });
  if (!has_order) return PyErr_SetString(PyExc_TypeError, "only lists and sets have slices"), nullptr;
  object all(children_of(self, side::values));
  return all ? PyObject_GetItem(all.get(), range) : nullptr;
}

PyObject* iterate(PyObject* self) {
  object all(children_of(self, side::keys));
  return all ? PyObject_GetIter(all.get()) : nullptr;
}
PyObject* keys_method(PyObject* self, PyObject*) { return children_of(self, side::keys); }
PyObject* values_method(PyObject* self, PyObject*) { return children_of(self, side::values); }
PyObject* items_method(PyObject* self, PyObject*) { return children_of(self, side::items); }

PyObject* whole(PyObject* self) {
  return with_view(self, [&](const auto& at) { return decode_view(*self_of(self).keys, at, self_of(self).options); });
}
PyObject* whole_method(PyObject* self, PyObject*) { return whole(self); }

// A view cannot change: its copies are itself.
PyObject* copy_method(PyObject* self, PyObject*) { return new_reference(self); }

PyObject* bytes_method(PyObject* self, PyObject*) {
  return with_view(self, [&](const auto& at) -> PyObject* {
    const result<byte_view> bytes = at.try_bytes();
    if (!bytes) return raise(bytes.error(), family_of(bytes.error().code()));
    return PyBytes_FromStringAndSize(bytes->text().data(), static_cast<Py_ssize_t>(bytes->size()));
  });
}

int contains(PyObject* self, PyObject* given) {
  const bool keyed = with_view(self, [](const auto& at) { return at.type().is_struct() || at.type().kind() == type_kind::map; });
  if (!keyed) {
    object all(whole(self));
    return all ? PySequence_Contains(all.get(), given) : -1;
  }
  return with_view(self, [&](const auto& at) -> int {
    std::remove_cvref_t<decltype(at)> found;
    if (!step(self_of(self), at, given, found)) return -1;
    if (found.presence() != presence::error || found.code() == errc::no_such_field) return found.presence() == presence::present ? 1 : 0;
    raise(found.error(), family_of(found.code()));
    return -1;
  });
}

PyObject* get_method(PyObject* self, PyObject* const* arguments, Py_ssize_t given) {
  if (given < 1 || given > 2) {
    PyErr_Format(PyExc_TypeError, "get() takes 1 to 2 positional arguments, %zd given", given);
    return nullptr;
  }
  return with_view(self, [&](const auto& at) -> PyObject* {
    const std::optional<path> way = path_cache::compile(at.type(), arguments[0]);
    if (!way) return nullptr;
    if (!way->is_single()) {
      object all(PyList_New(0));
      bool fine = static_cast<bool>(all);
      const result<std::size_t> done = at.try_for_each(*way, [&](const auto& each) {
        object item(fine ? give(self_of(self), each) : nullptr);
        fine = fine && item && PyList_Append(all.get(), item.get()) == 0;
      });
      if (!fine) return nullptr;
      return done ? all.release() : raise(done.error(), family_of(done.error().code()));
    }
    const auto found = at.at(*way);
    const bool is_absent = found.presence() == presence::absent && !(self_of(self).options.write_defaults && found.or_default());
    return is_absent ? new_reference(given == 2 ? arguments[1] : Py_None) : give(self_of(self), found);
  });
}

PyObject* compare(PyObject* self, PyObject* other, int how) {
  if (how != Py_EQ && how != Py_NE) Py_RETURN_NOTIMPLEMENTED;
  object left(whole(self));
  object right = Py_TYPE(other) == view_class() ? object(whole(other)) : object::share(other);
  return left && right ? PyObject_RichCompare(left.get(), right.get(), how) : nullptr;
}

PyObject* represent(PyObject* self) {
  return with_view(self, [](const auto& at) {
    return PyUnicode_FromFormat("<thriftlens.View %s at %s>", at.type().name().c_str(), at.path().c_str());
  });
}

}  // namespace

PyTypeObject* view_class() {
  static PyTypeObject* made = nullptr;
  if (made != nullptr) return made;
  static PyMethodDef methods[] = {
      {"get", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(guarded<get_method>::call)), METH_FASTCALL, view_get_doc},
      {"to_dict", guarded<whole_method>::call, METH_NOARGS, view_to_dict_doc},
      {"keys", guarded<keys_method>::call, METH_NOARGS, "keys($self, /)\n--\n\nNames of the fields that are there, or keys of the map; the elements of a list."},
      {"values", guarded<values_method>::call, METH_NOARGS, "values($self, /)\n--\n\nValues of the fields that are there, of the map, or of the list."},
      {"items", guarded<items_method>::call, METH_NOARGS, "items($self, /)\n--\n\nPairs of names and values of the fields that are there, or of keys and values of the map."},
      {"__copy__", copy_method, METH_NOARGS, "__copy__($self, /)\n--\n\nThe view itself."},
      {"__deepcopy__", copy_method, METH_O, "__deepcopy__($self, memo, /)\n--\n\nThe view itself."},
      {"__bytes__", guarded<bytes_method>::call, METH_NOARGS, "__bytes__($self, /)\n--\n\nThe wire bytes of the value."},
      {nullptr, nullptr, 0, nullptr}};
  static PyType_Slot slots[] = {{Py_tp_methods, methods},
                                {Py_tp_getattro, reinterpret_cast<void*>(guarded<attribute>::call)},
                                {Py_mp_subscript, reinterpret_cast<void*>(guarded<subscript>::call)},
                                {Py_mp_length, reinterpret_cast<void*>(guarded<length>::call)},
                                {Py_sq_contains, reinterpret_cast<void*>(guarded<contains>::call)},
                                {Py_tp_iter, reinterpret_cast<void*>(guarded<iterate>::call)},
                                {Py_tp_richcompare, reinterpret_cast<void*>(guarded<compare>::call)},
                                {Py_tp_hash, reinterpret_cast<void*>(PyObject_HashNotImplemented)},
                                {Py_tp_repr, reinterpret_cast<void*>(guarded<represent>::call)},
                                {Py_tp_dealloc, reinterpret_cast<void*>(destroy)},
                                {Py_tp_doc, const_cast<char*>(view_class_doc)},
                                {0, nullptr}};
  static PyType_Spec spec = {"thriftlens.View", sizeof(view_object), 0, Py_TPFLAGS_DEFAULT, slots};
  made = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  if (made != nullptr) made->tp_new = nullptr;
  return made;
}

PyObject* make_view(std::shared_ptr<schema_keys> keys, type of, PyObject* data, const decode_options& options) {
  const std::shared_ptr<const held_bytes> held = held_bytes::take(data);
  if (held == nullptr || !keys->prepare()) return nullptr;
  return visit_protocol(options.protocol,
                        [&](auto tag) { return make(held, keys, view<decltype(tag)>(held->bytes(), of, options.bounds), options); });
}

}  // namespace thriftlens::python
