// view_object: steps, containers and conversions of a view.
#include "view_object.hpp"

#include "kept_buffer.hpp"
#include "method.hpp"
#include "owned_bytes.hpp"
#include "path_cache.hpp"
#include "type_docs.hpp"

#include <thriftlens/schema/suggest.hpp>

#include <variant>

namespace thriftlens::python {

namespace {

using any_view = std::variant<view<binary>, view<compact>>;

struct view_object {
  PyObject_HEAD std::shared_ptr<const owned_bytes> data;
  std::shared_ptr<schema_keys> keys;
  any_view at;
  decode_options options;
};

view_object& self_of(PyObject* self) noexcept { return *reinterpret_cast<view_object*>(self); }

PyObject* make(const std::shared_ptr<const owned_bytes>& data, const std::shared_ptr<schema_keys>& keys,
               const any_view& at, const decode_options& options) {
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
    if (const view<Protocol> preset = at.or_default(); preset && from.options.writes_defaults())
      return decode_view(*from.keys, preset, from.options);
    const error reason = at.error();
    const bool omitted = at.code() == errc::missing_required && is_absent(at, from.options);
    if (omitted) return raise(error(errc::absent, {}, reason.offset(), reason.path()), family::plain);
    return raise(reason, family_of(at.code()));
  }
  const bool opens = at.type().is_struct() || at.type().is_container();
  return opens ? make(from.data, from.keys, at, from.options) : decode_view(*from.keys, at, from.options);
}

/// Element `index` of a list or set, counted from its start: O(1) after its neighbours, or where elements
/// have one width.
template <protocol Protocol>
view<Protocol> element_at(const view_object& from, const view<Protocol>& at, std::uint32_t size,
                          std::uint32_t index) {
  const type element = at.type().element();
  if (size < element_index<Protocol>::least || element_width<Protocol>(element.wire()) != 0)
    return at.index(index);
  wire_location found;
  if (from.data->index_of<element_index<Protocol>>(at).locate(at, index, found)) return at.child(found);
  return at.index(index);  // which says what is broken
}

/// Negative ones count from the end; outside the container, and where the bytes are broken, the view says so.
template <protocol Protocol>
view<Protocol> indexed(const view_object& from, const view<Protocol>& at, Py_ssize_t index) {
  const bool ordered = at.type().is_container() && at.type().kind() != type_kind::map;
  const result<std::size_t> size = ordered ? at.try_size() : result<std::size_t>(std::size_t{0});
  if (!size) return at.index(index);
  const auto count = static_cast<Py_ssize_t>(*size);
  const Py_ssize_t place = index < 0 ? index + count : index;
  if (place < 0 || place >= count) return at.index(index);
  return element_at(from, at, static_cast<std::uint32_t>(count), static_cast<std::uint32_t>(place));
}

/// What came of a step: a view, which may say absent or what is broken; a key that the map cannot hold; a
/// Python error.
enum class stepped : std::uint8_t { done, no_such_key, raised };

/// No code of the caller's runs in these: they have a fast path.
template <protocol Protocol>
bool plain_key(PyObject* given, map_key& key) {
  if (PyUnicode_Check(given)) {
    Py_ssize_t size = 0;
    const char* data = PyUnicode_AsUTF8AndSize(given, &size);
    if (data == nullptr) {
      PyErr_Clear();
      return false;
    }
    key = map_key(std::string_view(data, static_cast<std::size_t>(size)));
    return true;
  }
  if (!PyLong_CheckExact(given)) return false;
  int overflow = 0;
  key = map_key(PyLong_AsLongLongAndOverflow(given, &overflow));
  return overflow == 0;
}

/// The entry of a map that was asked for several keys before. False where the view must be asked.
template <protocol Protocol>
bool find_entry(const view_object& from, const view<Protocol>& at, PyObject* given, view<Protocol>& found) {
  auto& entries = from.data->index_of<entry_index<Protocol>>(at);
  if (!entries.is_ready(at)) return false;
  kept_buffer memory;
  wire_location value;
  error unused;
  const encode_options options{.protocol = Protocol::id};
  const encoded done = try_append_encoded(*from.keys, at.type().key(), given, memory.get(), options, unused);
  if (done == encoded::raised) PyErr_Clear();  // the view is asked, which says it again
  if (done != encoded::done) return false;
  if (!entries.locate({memory.get().data(), memory.get().size()}, value)) return false;
  found = at.child(value);
  return true;
}

/// The entry of a map. `why` says why a key cannot be in it.
template <protocol Protocol>
stepped step_into_map(const view_object& from, const view<Protocol>& at, PyObject* given,
                      view<Protocol>& found, error& why) {
  kept_buffer memory;
  map_key key = 0;
  const bool is_plain = plain_key<Protocol>(given, key);
  if (is_plain && at.code() == errc::ok && find_entry(from, at, given, found)) return stepped::done;
  if (!is_plain) {
    const encode_options options{.protocol = Protocol::id};
    const encoded done = try_append_encoded(*from.keys, at.type().key(), given, memory.get(), options, why);
    if (done != encoded::done) return done == encoded::refused ? stepped::no_such_key : stepped::raised;
    key = map_key::wire(byte_view(memory.get().data(), memory.get().size()));
  }
  found = at.key(key);
  const bool fits = found.code() != errc::value_type && found.code() != errc::value_range &&
                    found.code() != errc::unknown_enum_name;
  if (!fits) why = error(found.code());
  return fits ? stepped::done : stepped::no_such_key;
}

template <protocol Protocol>
stepped step(const view_object& from, const view<Protocol>& at, PyObject* given, view<Protocol>& found,
             error& why) {
  if (at.type().kind() == type_kind::map) return step_into_map(from, at, given, found, why);
  if (at.type().is_struct() && PyUnicode_Check(given)) {
    std::string_view name;
    if (!utf8_of(given, name, errc::no_such_field, family::plain)) return stepped::raised;
    found = at.field(name);
    return stepped::done;
  }
  if (!at.type().is_struct() && PyIndex_Check(given)) {
    const Py_ssize_t index = PyNumber_AsSsize_t(given, PyExc_IndexError);
    if (index == -1 && PyErr_Occurred() != nullptr) return stepped::raised;
    found = indexed(from, at, index);
    return stepped::done;
  }
  PyErr_Format(PyExc_TypeError, "%s is asked for by %s, not %.200s", at.type().name().c_str(),
               at.type().is_struct() ? "field name" : "index", Py_TYPE(given)->tp_name);
  return stepped::raised;
}

PyObject* slice(PyObject* self, PyObject* range);

THRIFTLENS_COLD PyObject* no_such_field(type in, PyObject* name, std::string at) {
  std::string_view text;
  if (!utf8_of(name, text, errc::no_such_field, family::plain)) return nullptr;
  return raise(error(errc::no_such_field, no_such_field_text(in, text), error::no_offset, std::move(at)),
               family::plain);
}

THRIFTLENS_COLD PyObject* no_such_entry(const error& why, std::string at) {
  return raise(error(errc::absent, "no entry can have that key: " + std::string(why.detail()),
                     error::no_offset, std::move(at)),
               family::plain);
}

PyObject* subscript(PyObject* self, PyObject* given) {
  if (PySlice_Check(given)) return slice(self, given);
  return with_view(self, [&](const auto& at) -> PyObject* {
    std::remove_cvref_t<decltype(at)> found;
    error why;
    const stepped done = step(self_of(self), at, given, found, why);
    if (done == stepped::raised) return nullptr;
    if (done == stepped::no_such_key) [[unlikely]]
      return no_such_entry(why, at.path());
    if (found.code() == errc::no_such_field && at.type().is_struct()) [[unlikely]]
      return no_such_field(at.type(), given, at.path());
    return give(self_of(self), found);
  });
}

/// A field as an attribute. What is not there is asked for by hasattr and getattr: why is said when somebody
/// looks.
template <protocol Protocol>
PyObject* field_of(PyObject* self, const view<Protocol>& at, PyObject* name) {
  const view_object& from = self_of(self);
  std::string_view text;
  if (!utf8_of(name, text, errc::no_such_field, family::plain)) return nullptr;
  const view<Protocol> found = at.field(text);
  if (found.code() == errc::no_such_field)
    return raise_later(late::unknown_name, PyTuple_Pack(2, self, name));
  const bool is_absent =
      found.code() == errc::absent && !(from.options.writes_defaults() && found.or_default());
  return is_absent ? raise_later(late::absent, make(from.data, from.keys, found, from.options))
                   : give(from, found);
}

// Methods come first: a field that is called as one is reached by view["get"].
PyObject* attribute(PyObject* self, PyObject* name) {
  if (_PyType_Lookup(Py_TYPE(self), name) != nullptr || !PyUnicode_Check(name))
    return PyObject_GenericGetAttr(self, name);
  return with_view(self, [&](const auto& at) {
    return at.type().is_struct() ? field_of(self, at, name) : PyObject_GenericGetAttr(self, name);
  });
}

/// Fields that iterating gives: those that the IDL knows.
template <protocol Protocol>
result<std::size_t> count_known_fields(const view<Protocol>& at) {
  std::size_t count = 0;
  auto fields = at.try_fields();
  for (const auto& each : fields) count += each.info ? 1u : 0u;
  if (fields.code() != errc::ok) return fields.error();
  return count;
}

Py_ssize_t length(PyObject* self) {
  return with_view(self, [&](const auto& at) -> Py_ssize_t {
    const result<std::size_t> size = at.type().is_struct() ? count_known_fields(at) : at.try_size();
    if (size) return static_cast<Py_ssize_t>(*size);
    raise_error(size.error());
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

// ---- iterators: one child at a time, however many there are

/// Goes over a list or set from its end.
template <protocol Protocol>
struct backward {
  std::uint32_t size = 0;
  std::uint32_t left = 0;
};

struct view_iterator {
  PyObject_HEAD PyObject* of;  // the view; null at the end
  std::variant<children<binary>, children<compact>, backward<binary>, backward<compact>> state;
};

view_iterator& iterator_of(PyObject* self) noexcept { return *reinterpret_cast<view_iterator*>(self); }

/// What iterating gives for the child that `inside` stands at: an element, a key, the name of a field (null
/// without an error where the IDL has none).
template <protocol Protocol>
PyObject* child_of(const view_object& from, const view<Protocol>& at, const children<Protocol>& inside) {
  if (at.type().is_struct()) {
    return inside.field() == image::none
               ? nullptr
               : new_reference(from.keys->fields(json_names::field)[inside.field()]);
  }
  if (at.type().kind() == type_kind::map) return decode_key(*from.keys, at.child(inside.key()), from.options);
  return give(from, at.child(inside.value()));
}

template <protocol Protocol>
PyObject* advance(const view_object& from, children<Protocol>& inside) {
  const view<Protocol>& at = std::get<view<Protocol>>(from.at);
  while (inside.next()) {
    PyObject* made = child_of(from, at, inside);
    if (made != nullptr || PyErr_Occurred() != nullptr) return made;
  }
  if (inside.code() == errc::ok) return nullptr;
  return raise(at.broken(inside.code(), inside.broken_at()).error(), family_of(inside.code()));
}
template <protocol Protocol>
PyObject* advance(const view_object& from, backward<Protocol>& inside) {
  if (inside.left == 0) return nullptr;
  return give(from, element_at(from, std::get<view<Protocol>>(from.at), inside.size, --inside.left));
}

PyObject* next_child(PyObject* self) {
  view_iterator& at = iterator_of(self);
  if (at.of == nullptr) return nullptr;
  const object held = object::share(at.of);  // the child's own code may come back here
  PyObject* made = std::visit([&](auto& inside) { return advance(self_of(held.get()), inside); }, at.state);
  if (made == nullptr) Py_CLEAR(at.of);
  return made;
}

PyObject* children_left(PyObject* self, PyObject*) {
  const view_iterator& at = iterator_of(self);
  const auto count = [](const auto& inside) -> std::uint32_t {
    if constexpr (requires { inside.left(); })
      return inside.left();
    else
      return inside.left;
  };
  return PyLong_FromUnsignedLong(at.of == nullptr ? 0 : std::visit(count, at.state));
}

void destroy_iterator(PyObject* self) {
  PyTypeObject* of = Py_TYPE(self);
  Py_XDECREF(iterator_of(self).of);
  std::destroy_at(&iterator_of(self).state);
  of->tp_free(self);
  Py_DECREF(of);
}

PyTypeObject* iterator_class() {
  static PyTypeObject* made = nullptr;
  if (made != nullptr) return made;
  static PyMethodDef methods[] = {{"__length_hint__", children_left, METH_NOARGS, nullptr},
                                  {nullptr, nullptr, 0, nullptr}};
  static PyType_Slot slots[] = {{Py_tp_methods, methods},
                                {Py_tp_iter, reinterpret_cast<void*>(PyObject_SelfIter)},
                                {Py_tp_iternext, type_slot<next_child>()},
                                {Py_tp_dealloc, reinterpret_cast<void*>(destroy_iterator)},
                                {0, nullptr}};
  static PyType_Spec spec = {"thriftlens._core.ViewIterator", sizeof(view_iterator), 0, Py_TPFLAGS_DEFAULT,
                             slots};
  made = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  if (made != nullptr) made->tp_new = nullptr;
  return made;
}

template <class State>
PyObject* make_iterator(PyObject* view, const State& state) {
  PyTypeObject* of = iterator_class();
  PyObject* made = of == nullptr ? nullptr : of->tp_alloc(of, 0);
  if (made == nullptr) return nullptr;
  iterator_of(made).of = new_reference(view);
  std::construct_at(&iterator_of(made).state, state);
  return made;
}
PyObject* make_iterator(PyObject* self) {
  return with_view(self, [&]<class Protocol>(const view<Protocol>& at) {
    return make_iterator(self, children<Protocol>(at.whole(), at.image(), at.location()));
  });
}
PyObject* make_backward_iterator(PyObject* self) {
  return with_view(self, [&]<class Protocol>(const view<Protocol>& at) -> PyObject* {
    const result<std::size_t> size = at.try_size();
    if (!size) return raise_error(size.error());
    const auto count = static_cast<std::uint32_t>(*size);
    return make_iterator(self, backward<Protocol>{count, count});
  });
}

// ---- all children at once

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
  if (range.code() != errc::ok) return raise_error(range.error());
  return all.release();
}

/// Of the fields that the IDL knows.
template <protocol Protocol>
PyObject* field_parts(const view_object& from, const view<Protocol>& at, side which) {
  return collect(at.try_fields(), [&](const auto& each, bool& left_out) -> PyObject* {
    left_out = !each.info;
    if (left_out) return nullptr;
    PyObject* const name = from.keys->fields(json_names::field)[each.info.index()];
    return pair_or_part(new_reference(name), which == side::keys ? nullptr : give(from, each.value), which);
  });
}
template <protocol Protocol>
PyObject* entry_parts(const view_object& from, const view<Protocol>& at, side which) {
  return collect(at.try_entries(), [&](const auto& each, bool&) -> PyObject* {
    object key(which == side::values ? nullptr : decode_key(*from.keys, each.key, from.options));
    if (!key && which != side::values) return nullptr;
    return pair_or_part(key.release(), which == side::keys ? nullptr : give(from, each.value), which);
  });
}
PyObject* children_of(PyObject* self, side which) {
  const view_object& from = self_of(self);
  if (!from.keys->prepare()) return nullptr;
  return with_view(self, [&](const auto& at) -> PyObject* {
    if (at.type().is_struct()) return field_parts(from, at, which);
    if (at.type().kind() == type_kind::map) return entry_parts(from, at, which);
    if (which != side::items)
      return collect(at.try_elements(), [&](const auto& each, bool&) { return give(from, each); });
    PyErr_Format(PyExc_TypeError, "%s has no items()", at.type().name().c_str());
    return nullptr;
  });
}

/// The elements that a slice means, and no more of them than these.
PyObject* slice(PyObject* self, PyObject* range) {
  Py_ssize_t first = 0, last = 0, step = 0;
  const bool ordered = with_view(
      self, [](const auto& at) { return at.type().is_container() && at.type().kind() != type_kind::map; });
  if (!ordered) {
    PyErr_SetString(PyExc_TypeError, "only lists and sets have slices");
    return nullptr;
  }
  if (PySlice_Unpack(range, &first, &last, &step) != 0) return nullptr;
  return with_view(self, [&](const auto& at) -> PyObject* {
    const result<std::size_t> size = at.try_size();
    if (!size) return raise_error(size.error());
    const Py_ssize_t count = PySlice_AdjustIndices(static_cast<Py_ssize_t>(*size), &first, &last, step);
    object all(PyList_New(count));
    for (Py_ssize_t i = 0; all && i < count; ++i) {
      const auto index = static_cast<std::uint32_t>(first + i * step);
      PyObject* item =
          give(self_of(self), element_at(self_of(self), at, static_cast<std::uint32_t>(*size), index));
      if (item == nullptr) return nullptr;
      PyList_SET_ITEM(all.get(), i, item);
    }
    return all.release();
  });
}

PyObject* iterate(PyObject* self) { return make_iterator(self); }
PyObject* reversed_method(PyObject* self, PyObject*) {
  const bool ordered = with_view(
      self, [](const auto& at) { return at.type().is_container() && at.type().kind() != type_kind::map; });
  if (ordered) return make_backward_iterator(self);
  object all(children_of(self, side::keys));
  return all ? PyObject_CallMethod(all.get(), "__reversed__", nullptr) : nullptr;
}
PyObject* keys_method(PyObject* self, PyObject*) { return children_of(self, side::keys); }
PyObject* values_method(PyObject* self, PyObject*) { return children_of(self, side::values); }
PyObject* items_method(PyObject* self, PyObject*) { return children_of(self, side::items); }

PyObject* whole(PyObject* self) {
  return with_view(
      self, [&](const auto& at) { return decode_view(*self_of(self).keys, at, self_of(self).options); });
}
PyObject* whole_method(PyObject* self, PyObject*) { return whole(self); }

// A view cannot change: its copies are itself.
PyObject* copy_method(PyObject* self, PyObject*) { return new_reference(self); }

PyObject* bytes_method(PyObject* self, PyObject*) {
  return with_view(self, [&](const auto& at) -> PyObject* {
    const result<byte_view> bytes = at.try_bytes();
    if (!bytes) return raise_error(bytes.error());
    return PyBytes_FromStringAndSize(bytes->text().data(), static_cast<Py_ssize_t>(bytes->size()));
  });
}

/// True for a str that can be the name of a field: it has UTF-8.
bool can_be_name(PyObject* given) {
  if (!PyUnicode_Check(given)) return false;
  if (PyUnicode_AsUTF8(given) != nullptr) return true;
  PyErr_Clear();
  return false;
}

template <protocol Protocol>
int has_key(const view_object& from, const view<Protocol>& at, PyObject* given) {
  if (at.type().is_struct() && !can_be_name(given)) return 0;
  view<Protocol> found;
  error why;
  const stepped done = step(from, at, given, found, why);
  if (done != stepped::done) return done == stepped::no_such_key ? 0 : -1;
  if (found.presence() == presence::present) return 1;
  if (is_absent(found, from.options) || found.code() == errc::no_such_field) return 0;
  raise_error(found.error());
  return -1;
}

/// Elements are made and compared one by one, up to the first that is equal.
template <protocol Protocol>
int has_element(const view_object& from, const view<Protocol>& at, PyObject* given) {
  const bool frozen = at.type().kind() == type_kind::set;
  if (frozen && !PyAnySet_Check(given) && PyObject_Hash(given) == -1) return -1;
  auto elements = at.try_elements();
  for (const auto& each : elements) {
    object item(frozen ? decode_key(*from.keys, each, from.options)
                       : decode_view(*from.keys, each, from.options));
    const int equal = item ? PyObject_RichCompareBool(item.get(), given, Py_EQ) : -1;
    if (equal != 0) return equal;
  }
  if (elements.code() == errc::ok) return 0;
  raise_error(elements.error());
  return -1;
}

int contains(PyObject* self, PyObject* given) {
  const bool keyed = with_view(
      self, [](const auto& at) { return at.type().is_struct() || at.type().kind() == type_kind::map; });
  if (keyed) return with_view(self, [&](const auto& at) { return has_key(self_of(self), at, given); });
  return with_view(self, [&](const auto& at) { return has_element(self_of(self), at, given); });
}

/// The values that a path leads to.
template <protocol Protocol>
PyObject* give_all(const view_object& from, const view<Protocol>& at, const path& target) {
  object all(PyList_New(0));
  bool fine = static_cast<bool>(all);
  const result<std::size_t> done = at.try_for_each(target, [&](const view<Protocol>& each) {
    object item(fine ? give(from, each) : nullptr);
    fine = fine && item && PyList_Append(all.get(), item.get()) == 0;
  });
  if (!fine) return nullptr;
  return done ? all.release() : raise_error(done.error());
}

template <protocol Protocol>
PyObject* get(const view_object& from, const view<Protocol>& at, const path& target, PyObject* fallback) {
  if (!target.is_single()) return give_all(from, at, target);
  const view<Protocol> found = at.at(target);
  const bool has_default = from.options.writes_defaults() && found.or_default();
  if (has_default || !is_absent(found, from.options)) return give(from, found);
  return new_reference(fallback);
}

constexpr positional get_list[] = {{"path"}, {"default", "None"}};
const signature_of<no_options>& get_signature() {
  static const signature_of<no_options> made("get", {get_list}, empty_table);
  return made;
}
PyObject* get_method(PyObject* self, const arguments& given) {
  positional_values found;
  no_options call;
  if (!get_signature().read(given, found, call)) return nullptr;
  return with_view(self, [&](const auto& at) -> PyObject* {
    const std::optional<path> target = paths_of(*self_of(self).keys).find(at.type(), found[0]);
    return target ? get(self_of(self), at, *target, found[1] == nullptr ? Py_None : found[1]) : nullptr;
  });
}

PyObject* compare(PyObject* self, PyObject* other, int how) {
  if (how != Py_EQ && how != Py_NE) Py_RETURN_NOTIMPLEMENTED;
  object left(whole(self));
  if (!left) return nullptr;
  object right = Py_TYPE(other) == view_class() ? object(whole(other)) : object::share(other);
  return right ? PyObject_RichCompare(left.get(), right.get(), how) : nullptr;
}

PyObject* represent(PyObject* self) {
  return with_view(self, [](const auto& at) {
    return PyUnicode_FromFormat("<thriftlens.View %s at %s>", at.type().name().c_str(), at.path().c_str());
  });
}

PyMethodDef* view_method_table() {
  const method with_options[] = {{get_signature(), fast_method<get_method>(), view_get_doc}};
  return method_table(
      "$self", with_options,
      {{"to_dict", translate_exceptions<whole_method>::call, METH_NOARGS, view_to_dict_doc},
       {"keys", translate_exceptions<keys_method>::call, METH_NOARGS, view_keys_doc},
       {"values", translate_exceptions<values_method>::call, METH_NOARGS, view_values_doc},
       {"items", translate_exceptions<items_method>::call, METH_NOARGS, view_items_doc},
       {"__copy__", copy_method, METH_NOARGS, view_copy_doc},
       {"__deepcopy__", copy_method, METH_O, view_deepcopy_doc},
       {"__reversed__", translate_exceptions<reversed_method>::call, METH_NOARGS, view_reversed_doc},
       {"__bytes__", translate_exceptions<bytes_method>::call, METH_NOARGS, view_bytes_doc}});
}

}  // namespace

std::optional<view_parts> parts_of_view(PyObject* given) {
  if (Py_TYPE(given) == view_class()) return view_parts{self_of(given).keys, self_of(given).at};
  PyErr_Format(PyExc_TypeError, "expected a thriftlens.View, not %.200s", Py_TYPE(given)->tp_name);
  return std::nullopt;
}

PyObject* reason_of(PyObject* given, PyObject* name) {
  if (!parts_of_view(given)) return nullptr;
  return with_view(given, [&](const auto& at) -> PyObject* {
    std::string_view text;
    error why = at.error();
    if (name != nullptr && name != Py_None) {
      if (!utf8_of(name, text, errc::no_such_field, family::plain)) return nullptr;
      why = error(errc::no_such_field, no_such_field_text(at.type(), text), error::no_offset, at.path());
    }
    const object message(shown_text(why.what()));
    const object where(shown_text(why.path()));
    const object offset(why.offset() == error::no_offset ? new_reference(Py_None)
                                                         : PyLong_FromSize_t(why.offset()));
    if (!message || !where || !offset) return nullptr;
    return Py_BuildValue("OsOO", message.get(), to_string(why.code()).data(), where.get(), offset.get());
  });
}

PyTypeObject* view_class() {
  static PyTypeObject* made = nullptr;
  if (made != nullptr) return made;
  PyType_Slot slots[] = {{Py_tp_methods, view_method_table()},
                         {Py_tp_getattro, type_slot<attribute>()},
                         {Py_mp_subscript, type_slot<subscript>()},
                         {Py_mp_length, type_slot<length>()},
                         {Py_sq_contains, type_slot<contains>()},
                         {Py_tp_iter, type_slot<iterate>()},
                         {Py_tp_richcompare, type_slot<compare>()},
                         {Py_tp_hash, reinterpret_cast<void*>(PyObject_HashNotImplemented)},
                         {Py_tp_repr, type_slot<represent>()},
                         {Py_tp_dealloc, reinterpret_cast<void*>(destroy)},
                         {Py_tp_doc, const_cast<char*>(view_class_doc)},
                         {0, nullptr}};
  PyType_Spec spec = {"thriftlens.View", sizeof(view_object), 0, Py_TPFLAGS_DEFAULT, slots};
  made = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  if (made != nullptr) made->tp_new = nullptr;
  return made;
}

PyObject* make_view(std::shared_ptr<schema_keys> keys, type of, PyObject* data,
                    const decode_options& options) {
  const std::shared_ptr<const owned_bytes> held = owned_bytes::take(data);
  if (held == nullptr || !keys->prepare()) return nullptr;
  return visit_protocol(options.protocol, [&](auto tag) {
    return make(held, keys, view<decltype(tag)>(held->bytes(), of, options.bounds), options);
  });
}

}  // namespace thriftlens::python
