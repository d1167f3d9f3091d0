// view_access: fields, elements and entries of views.
#include "views/view_access.hpp"

#include "caches/path_cache.hpp"
#include "support/argument.hpp"
#include "views/view_step.hpp"

namespace thriftlens::python {

namespace {

/// Every `step`th element from `first` on.
template <protocol Protocol>
PyObject* elements_from(const view_object& from, const view<Protocol>& at, std::size_t size, Py_ssize_t first,
                        Py_ssize_t step, Py_ssize_t count) {
  object items(PyList_New(count));
  for (Py_ssize_t i = 0; items && i < count; ++i) {
    const auto index = static_cast<std::uint32_t>(first + i * step);
    PyObject* const item = give(from, element_at(from, at, static_cast<std::uint32_t>(size), index));
    if (item == nullptr) return nullptr;
    PyList_SET_ITEM(items.get(), i, item);
  }
  return items.release();
}
PyObject* slice(PyObject* self, PyObject* range) {
  Py_ssize_t first = 0, last = 0, step = 0;
  if (!is_ordered_view(self)) return raise_type_error("only lists and sets have slices");
  if (PySlice_Unpack(range, &first, &last, &step) != 0) return nullptr;
  return with_view(self, [&](const auto& at) -> PyObject* {
    const result<std::size_t> size = at.try_size();
    if (!size) return raise_error(size.error());
    const Py_ssize_t count = PySlice_AdjustIndices(static_cast<Py_ssize_t>(*size), &first, &last, step);
    return elements_from(view_self(self), at, *size, first, step, count);
  });
}
template <protocol Protocol>
THRIFTLENS_COLD PyObject* no_such_field(const view<Protocol>& at, PyObject* name) {
  std::string_view text;
  if (!utf8_of(name, text, errc::no_such_field, family::plain)) return nullptr;
  return raise(no_field_error(at, text), family::plain);
}
THRIFTLENS_COLD PyObject* no_such_entry(const error& reason, std::string at) {
  return raise(error(errc::absent, "no entry can have that key: " + std::string(reason.detail()),
                     error::no_offset, std::move(at)),
               family::plain);
}
PyObject* item_of(PyObject* self, PyObject* key) {
  if (PySlice_Check(key)) return slice(self, key);
  return with_view(self, [&](const auto& at) -> PyObject* {
    std::remove_cvref_t<decltype(at)> child;
    error reason;
    const stepped outcome = step(view_self(self), at, key, child, reason);
    if (outcome == stepped::raised) return nullptr;
    if (outcome == stepped::no_such_key) [[unlikely]]
      return no_such_entry(reason, at.path());
    if (child.code() == errc::no_such_field && at.type().is_struct()) [[unlikely]]
      return no_such_field(at, key);
    return give(view_self(self), child);
  });
}
PyObject* number_or_none(std::int64_t number) {
  return number < 0 ? new_reference(Py_None) : PyLong_FromLongLong(number);
}
/// The attributes `record` and `record_offset`, unless a field has that name. Null without an error for
/// others.
PyObject* record_attribute(PyObject* self, std::string_view name) {
  const record_location& location = view_self(self).data->location();
  if (name == "record") return number_or_none(location.number);
  return name == "record_offset" ? number_or_none(location.offset) : nullptr;
}
/// An attribute that is not a field.
PyObject* no_field_of(PyObject* self, PyObject* name, std::string_view text) {
  PyObject* const attribute = record_attribute(self, text);
  return attribute != nullptr
             ? attribute
             : raise_later(late::unknown_name, new_tuple(new_reference(self), new_reference(name)));
}
/// A field as an attribute. Errors for absent fields are created lazily, for the sake of hasattr and getattr.
template <protocol Protocol>
PyObject* field_of(PyObject* self, const view<Protocol>& at, PyObject* name) {
  const view_object& from = view_self(self);
  std::string_view text;
  if (!utf8_of(name, text, errc::no_such_field, family::plain)) return nullptr;
  const view<Protocol> field = field_named(from, at, text);
  if (field.code() == errc::no_such_field) [[unlikely]]
    return no_field_of(self, name, text);
  const bool is_absent =
      field.code() == errc::absent && !(from.options.writes_defaults() && field.or_default());
  return is_absent ? raise_later(late::absent, make_child(from.data, from.keys, field, from.options))
                   : about_record(self, give(from, field));
}
PyObject* plain_attribute(PyObject* self, PyObject* name) {
  const char* const text = PyUnicode_AsUTF8(name);
  PyObject* const attribute = text == nullptr ? nullptr : record_attribute(self, text);
  return attribute != nullptr || PyErr_Occurred() != nullptr ? attribute
                                                             : PyObject_GenericGetAttr(self, name);
}
/// The number of fields that iteration yields: known ones and added defaults.
template <protocol Protocol>
result<std::size_t> count_known_fields(const view_object& from, const view<Protocol>& at) {
  std::size_t count = 0;
  auto fields = at.try_fields();
  for (const auto& field : fields) count += field.info ? 1u : 0u;
  if (fields.code() != errc::ok) return fields.error();
  for (std::uint32_t next = 0; next_default(from, at, next);) ++count;
  return count;
}
/// True for a str that can be encoded as UTF-8.
bool can_be_name(PyObject* value) {
  if (!PyUnicode_Check(value)) return false;
  if (PyUnicode_AsUTF8(value) != nullptr) return true;
  PyErr_Clear();
  return false;
}
template <protocol Protocol>
int has_key(const view_object& from, const view<Protocol>& at, PyObject* key) {
  if (at.type().is_struct() && !can_be_name(key)) return 0;
  view<Protocol> child;
  error reason;
  const stepped outcome = step(from, at, key, child, reason);
  if (outcome != stepped::ok) return outcome == stepped::no_such_key ? 0 : -1;
  if (child.presence() == presence::present || is_filled_in(from, child)) return 1;
  if (is_absent(child, from.options) || child.code() == errc::no_such_field) return 0;
  raise(child.error(), family_of(child.code()), from.options);
  return -1;
}
/// 1 if they are equal, 0 if not, -1 with a Python error set.
template <protocol Protocol>
int compare_element(const view_object& from, const view<Protocol>& at, const view<Protocol>& element,
                    PyObject* value) {
  const bool frozen = shape_of(at.type()) == shape::set;
  const object item(frozen ? decode_key(*from.keys, element, from.options)
                           : decode_view(*from.keys, element, from.options));
  return item ? PyObject_RichCompareBool(item.get(), value, Py_EQ) : -1;
}
/// Calls `on_match(index)` for equal elements in [first, last) until it returns false. False with a Python
/// error set.
template <protocol Protocol, class OnMatch>
bool find_elements(const view_object& from, const view<Protocol>& at, PyObject* value, Py_ssize_t first,
                   Py_ssize_t last, OnMatch&& on_match) {
  auto elements = at.try_elements();
  Py_ssize_t index = -1;
  for (const auto& element : elements) {
    if (++index < first) continue;
    if (index >= last) return true;
    const int equal = compare_element(from, at, element, value);
    if (equal < 0) return false;
    if (equal > 0 && !on_match(index)) return true;
  }
  if (elements.code() != errc::ok) raise(elements.error(), family_of(elements.code()), from.options);
  return elements.code() == errc::ok;
}
template <protocol Protocol>
int has_element(const view_object& from, const view<Protocol>& at, PyObject* value) {
  const bool frozen = shape_of(at.type()) == shape::set;
  if (frozen && !PyAnySet_Check(value) && PyObject_Hash(value) == -1) return -1;
  bool has = false;
  const auto note = [&](Py_ssize_t) {
    has = true;
    return false;
  };
  if (!find_elements(from, at, value, 0, PY_SSIZE_T_MAX, note)) return -1;
  return has ? 1 : 0;
}
/// The list of values that a path selects.
template <protocol Protocol>
PyObject* give_all(const view_object& from, const view<Protocol>& at, const path& target) {
  object values(PyList_New(0));
  bool is_ok = static_cast<bool>(values);
  const result<std::size_t> status = at.try_for_each(target, [&](const view<Protocol>& value) {
    object item(is_ok ? give(from, value) : nullptr);
    is_ok = is_ok && item && PyList_Append(values.get(), item.get()) == 0;
  });
  if (!is_ok) return nullptr;
  return status ? values.release() : raise_error(status.error());
}
template <protocol Protocol>
PyObject* give_or(const view_object& from, const view<Protocol>& child, PyObject* fallback) {
  const bool has_default = from.options.writes_defaults() && child.or_default();
  if (has_default || !is_absent(child, from.options)) return give(from, child);
  return new_reference(fallback);
}
bool is_path(PyObject* name) {
  std::string_view text;
  return PyUnicode_Check(name) && utf8_of(name, text, errc::no_such_field, family::plain) &&
         text.find_first_of("$.[{#") != std::string_view::npos;
}
bool has_field(PyObject* self, PyObject* name) {
  return with_view(self, [&](const auto& at) {
    std::string_view text;
    if (!utf8_of(name, text, errc::no_such_field, family::plain)) return false;
    return field_named(view_self(self), at, text).code() != errc::no_such_field;
  });
}
/// False with a Python error set. Negative bounds count from the end.
bool read_bound(PyObject* value, Py_ssize_t size, Py_ssize_t& bound) {
  if (value == nullptr) return true;
  bound = PyNumber_AsSsize_t(value, nullptr);
  if (bound == -1 && PyErr_Occurred() != nullptr) return false;
  if (bound < 0) bound = bound + size < 0 ? 0 : bound + size;
  return true;
}
constexpr positional index_list[] = {{"value"}, {"start", "0"}, {"stop", "9223372036854775807"}};

}  // namespace

PyObject* about_record(PyObject* self, PyObject* result) {
  const record_location& location = view_self(self).data->location();
  return result != nullptr || location.number < 0 ? result : raise_in_record(location);
}
PyObject* subscript(PyObject* self, PyObject* key) { return about_record(self, item_of(self, key)); }
PyObject* attribute(PyObject* self, PyObject* name) {
  if (_PyType_Lookup(Py_TYPE(self), name) != nullptr || !PyUnicode_Check(name))
    return PyObject_GenericGetAttr(self, name);
  return with_view(self, [&](const auto& at) {
    return at.type().is_struct() ? field_of(self, at, name) : plain_attribute(self, name);
  });
}
Py_ssize_t length(PyObject* self) {
  return with_view(self, [&](const auto& at) -> Py_ssize_t {
    const result<std::size_t> size =
        at.type().is_struct() ? count_known_fields(view_self(self), at) : at.try_size();
    if (size) return static_cast<Py_ssize_t>(*size);
    raise_error(size.error());
    return -1;
  });
}
bool is_ordered_view(PyObject* self) {
  return with_view(self, [](const auto& at) { return is_ordered(at.type()); });
}
int contains(PyObject* self, PyObject* value) {
  const bool keyed = with_view(
      self, [](const auto& at) { return at.type().is_struct() || at.type().kind() == type_kind::map; });
  if (keyed) return with_view(self, [&](const auto& at) { return has_key(view_self(self), at, value); });
  return with_view(self, [&](const auto& at) { return has_element(view_self(self), at, value); });
}
PyObject* get_path(PyObject* self, PyObject* text, PyObject* fallback) {
  const view_object& from = view_self(self);
  return with_view(self, [&](const auto& at) -> PyObject* {
    const std::optional<path> target = paths_of(*from.keys).find(at.type(), text);
    if (!target) return nullptr;
    return target->is_single() ? give_or(from, at.at(*target), fallback) : give_all(from, at, *target);
  });
}
PyObject* get_key(PyObject* self, PyObject* key, PyObject* fallback) {
  const view_object& from = view_self(self);
  return with_view(self, [&](const auto& at) -> PyObject* {
    if (at.type().is_struct() && !can_be_name(key)) return new_reference(fallback);
    std::remove_cvref_t<decltype(at)> child;
    error reason;
    const stepped outcome = step(from, at, key, child, reason);
    if (outcome == stepped::raised) return nullptr;
    const bool is_known = outcome == stepped::ok && child.code() != errc::no_such_field;
    return is_known ? give_or(from, child, fallback) : new_reference(fallback);
  });
}
PyObject* get_field(PyObject* self, PyObject* name, PyObject* fallback) {
  if (!can_be_name(name)) return new_reference(fallback);
  return is_path(name) && !has_field(self, name) ? get_path(self, name, fallback)
                                                 : get_key(self, name, fallback);
}
const signature_of<no_options>& index_signature() { return signature_from<"index", index_list>(); }
PyObject* index_method(PyObject* self, PyObject** positionals) {
  const Py_ssize_t size = PyObject_Size(self);
  Py_ssize_t first = 0, last = size, match = -1;
  if (size < 0 || !read_bound(positionals[1], size, first) || !read_bound(positionals[2], size, last))
    return nullptr;
  const auto note = [&](Py_ssize_t index) {
    match = index;
    return false;
  };
  const bool is_complete = with_view(self, [&](const auto& at) {
    return find_elements(view_self(self), at, positionals[0], first, last, note);
  });
  if (!is_complete) return nullptr;
  return match >= 0 ? to_python(match)
                    : raise_value_error("%s is not in the list", shown(positionals[0]).c_str());
}
PyObject* count_method(PyObject* self, PyObject* value) {
  Py_ssize_t count = 0;
  const auto note = [&](Py_ssize_t) {
    ++count;
    return true;
  };
  const bool is_complete = with_view(self, [&](const auto& at) {
    return find_elements(view_self(self), at, value, 0, PY_SSIZE_T_MAX, note);
  });
  return is_complete ? PyLong_FromSsize_t(count) : nullptr;
}

}  // namespace thriftlens::python
