// gather_fields: collects the field values of a struct from a dict, a tuple of pairs or an object.
#pragma once

#include "convert/class_layout.hpp"
#include "convert/declared_fields.hpp"
#include "convert/encode_state.hpp"
#include "support/locked.hpp"

#include <thriftlens/schema/suggest.hpp>

namespace thriftlens::python {

/// Stores values in the slots of one struct, by field index. Functions return false as those that encode.
class field_gatherer {
 public:
  /// `slots` are null and stay where they are.
  field_gatherer(encode_state& state, const type_node& type, object* slots)
      : state_(state),
        type_(type),
        node_(state.schema.structs[type.first]),
        names_(state.names + node_.fields.begin),
        slots_(slots) {}

  [[nodiscard]] THRIFTLENS_INLINE bool gather(PyObject* from) {
    if (PyDict_Check(from)) return gather_dict(from);
    if (const auto layout = state_.layouts.find(layout_key(from));
        layout != nullptr && (!layout->has_unknown || state_.options.skips_unknown()))
      return gather_by_layout(*layout, from);
    if (PyTuple_Check(from) && !has_attribute<"_fields">(from)) return gather_pairs(from);
    if (!has_keys(from)) return gather_attributes(from);
    object plain(PyDict_New());
    return plain && PyDict_Update(plain.get(), from) == 0 && gather_dict(plain.get());
  }

 private:
  /// None or msgspec.UNSET.
  [[nodiscard]] static bool is_absent(PyObject* item) noexcept {
    if (item == Py_None) return true;
    const PyTypeObject* const of = Py_TYPE(item);
    return of->tp_basicsize == static_cast<Py_ssize_t>(sizeof(PyObject)) &&
           std::string_view(of->tp_name) == "msgspec.UnsetType";
  }
  THRIFTLENS_INLINE bool store(std::uint32_t at, PyObject* item) {
    if (is_absent(item)) return true;
    if (slots_[at]) [[unlikely]]
      return state_.fail_at(errc::duplicate_field, node_.fields.begin + at);
    slots_[at] = object::share(item);
    return true;
  }
  bool gather_dict(PyObject* from) {
    const object_scope alone(from);
    PyObject *key = nullptr, *item = nullptr;
    Py_ssize_t position = 0;
    std::uint32_t next = 0;
    if (state_.keeps_unknown()) [[unlikely]] {
      while (PyDict_Next(from, &position, &key, &item) != 0)
        if (!gather_in_order(key, item)) return false;
      return true;
    }
    while (PyDict_Next(from, &position, &key, &item) != 0)
      if (!gather_item(key, item, next)) return false;
    return true;
  }
  /// The decoded form of structs in map keys.
  bool gather_pairs(PyObject* from) {
    std::uint32_t next = 0;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(from); ++i) {
      PyObject* pair = PyTuple_GET_ITEM(from, i);
      if (!is_pair(pair)) return state_.mismatch(type_, from);
      PyObject *const key = PyTuple_GET_ITEM(pair, 0), *const item = PyTuple_GET_ITEM(pair, 1);
      if (!(state_.keeps_unknown() ? gather_in_order(key, item) : gather_item(key, item, next))) return false;
    }
    return true;
  }
  // Runs no Python code, so the dict cannot change during PyDict_Next.
  THRIFTLENS_INLINE bool gather_item(PyObject* key, PyObject* item, std::uint32_t& next) {
    std::uint32_t at = 0;
    if (!find_next(key, next, at)) [[unlikely]] {
      if (!find(key, at)) return false;
      if (at == image::none) return true;
    }
    next = at + 1;
    return store(at, item);
  }
  /// For structs with unknown fields: also records the order of the keys, in which all fields are written.
  bool gather_in_order(PyObject* key, PyObject* item) {
    std::int16_t id = 0;
    std::uint32_t at = 0;
    if (is_unknown_key(key, id) && !is_alias(id)) return gather_unknown(id, item);
    if (!find(key, at)) return false;
    if (at == image::none || is_absent(item)) return true;
    if (!store(at, item)) return false;
    state_.order.push_back({at, state_.fields[node_.fields.begin + at].id, {}});
    return true;
  }
  bool gather_unknown(std::int16_t id, PyObject* item) {
    const schema_image& schema = state_.schema;
    const std::uint32_t known = schema.find_field(node_, id);
    if (known != image::none)
      return state_.fail(errc::unknown_key,
                         "the IDL declares the field with id " + std::to_string(id) + ": use its name '" +
                             std::string(schema.view(schema.field_texts[known].name)) + '\'');
    if (!state_.add_unknown_id(state_.out.size(), id)) return false;
    if (item != Py_None) state_.order.push_back({image::none, id, object::share(item)});
    return true;
  }
  [[nodiscard]] bool is_alias(std::int16_t id) const {
    return state_.options.by_alias() &&
           state_.schema.find_alias(node_, detail::unknown_key(id)) != image::none;
  }
  static constexpr std::uint32_t max_absent = 8;  // fields skipped before the name is looked up
  /// Compares the key with the next names: they usually are in field order, and identical to those that
  /// decode uses.
  THRIFTLENS_INLINE bool find_next(PyObject* key, std::uint32_t next, std::uint32_t& at) const {
    const std::uint32_t end = std::min(next + max_absent, node_.fields.size);
    while (next < end && names_[next] != key) ++next;
    at = next;
    return next != end;
  }
  /// `at` is none for an unknown name that the options accept.
  THRIFTLENS_NOINLINE bool find(PyObject* key, std::uint32_t& at) const {
    at = image::none;
    if (!PyUnicode_Check(key))
      return state_.fail(errc::value_type,
                         "the keys of a struct are field names, got " + state_.name_of(key));
    std::string_view name = "\xef\xbf\xbd";
    if (!utf8_of(key, name) && !PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) return false;
    PyErr_Clear();
    const std::uint32_t index = state_.options.by_alias() ? state_.schema.find_alias(node_, name)
                                                          : state_.schema.find_field(node_, name);
    if (index == image::none) return state_.options.skips_unknown() || no_field(name);
    at = index - node_.fields.begin;
    return true;
  }
  THRIFTLENS_COLD bool no_field(std::string_view name) const {
    std::int16_t id = 0;
    const bool is_unknown = detail::parse_unknown_key(name, id);
    return state_.fail(errc::unknown_key,
                       detail::no_such_field_text(thriftlens::type(&state_.schema, node_.type), name) +
                           (is_unknown ? "; unknown=\"keep\" accepts it" : ""));
  }
  [[nodiscard]] layout_cache::key layout_key(PyObject* from) const noexcept {
    return {Py_TYPE(from), layout_cache::tag_of(Py_TYPE(from)), type_.first, state_.options.by_alias()};
  }
  /// `item` is null if the field is absent. False with a Python error set.
  THRIFTLENS_INLINE static bool read_by_layout(const object_layout::field& field, PyObject* instance,
                                               PyObject* from, PyObject* name, object& item) {
    using source = object_layout::source;
    if (field.from == source::slot)
      item = object::share(*reinterpret_cast<PyObject**>(reinterpret_cast<char*>(from) + field.at));
    else if (field.from == source::item && field.at < PyTuple_GET_SIZE(from))
      item = object::share(PyTuple_GET_ITEM(from, field.at));
    else
      return read_field(field, instance, from, name, item);
    return true;
  }
  /// Like gather_attributes, but skips attributes that the class cannot have.
  bool gather_by_layout(const object_layout& layout, PyObject* from) {
    bool fits = layout.is_declared || node_.fields.size == 0;
    object instance;
    if (layout.has_instance) {
      instance = object(PyObject_GenericGetDict(from, nullptr));
      if (!instance) return false;
      fits |= layout.names.empty() && gather_instance(layout, instance.get());
    }
    for (std::uint32_t i = 0; i < node_.fields.size; ++i) {
      if (layout.fields[i].from == object_layout::source::nowhere || slots_[i]) continue;
      if (!gather_attribute(layout, instance.get(), from, i, fits)) return false;
    }
    return fits || state_.mismatch(type_, from);
  }
  /// `fits`: set if the attribute exists.
  THRIFTLENS_INLINE bool gather_attribute(const object_layout& layout, PyObject* instance, PyObject* from,
                                          std::uint32_t at, bool& fits) {
    object item;
    PyObject* const name = layout.names.empty() ? names_[at] : layout.names[at].get();
    if (!read_by_layout(layout.fields[at], instance, from, name, item)) return false;
    fits |= static_cast<bool>(item);
    if (!item || is_absent(item.get())) return true;
    slots_[at] = std::move(item);
    return layout.names.empty() || !layout.conversions[at] || convert(layout.conversions[at].get(), at);
  }
  /// Replaces the value in a slot by that of the IDL type.
  bool convert(PyObject* conversion, std::uint32_t at) {
    const object value = std::move(slots_[at]);
    slots_[at] = object(PyObject_CallOneArg(conversion, value.get()));
    if (slots_[at]) return true;
    const std::uint32_t index = node_.fields.begin + at;
    if (PyErr_ExceptionMatches(PyExc_TypeError) || PyErr_ExceptionMatches(PyExc_ValueError))
      return state_.fail_as_raised(state_.types[state_.fields[index].type], value.get()) ||
             state_.add_field_step(index);
    return false;
  }
  /// Reads the prefix of the instance's dict that is in field order, as __init__ fills it. True if there is
  /// any.
  bool gather_instance(const object_layout& layout, PyObject* instance) {
    PyObject *key = nullptr, *item = nullptr;
    Py_ssize_t position = 0;
    std::uint32_t next = 0, at = 0;
    while (PyDict_Next(instance, &position, &key, &item) != 0 && find_next(key, next, at)) {
      if (!is_absent(item) && layout.fields[at].is_instance()) slots_[at] = object::share(item);
      next = at + 1;
    }
    return next != 0;
  }
  /// `item` is null if there is no such attribute. False with a Python error set.
  static bool read_attribute(PyObject* from, PyObject* name, object& item) {
    item = object(PyObject_GetAttr(from, name));
    if (item) return true;
    if (!PyErr_ExceptionMatches(PyExc_AttributeError)) return false;
    PyErr_Clear();
    return true;
  }
  /// Reads a field from the instance's dict, or else as an attribute. `item` is null if it is absent.
  static bool read_field(const object_layout::field& field, PyObject* instance, PyObject* from,
                         PyObject* name, object& item) {
    if (field.is_instance()) {
      item = object::share(PyDict_GetItemWithError(instance, name));
      if (item || field.from == object_layout::source::instance) return PyErr_Occurred() == nullptr;
      if (PyErr_Occurred() != nullptr) return false;
    }
    return read_attribute(from, name, item);
  }
  /// Caches the layout of a class, if its instances have a common one.
  void remember_layout(PyObject* from, std::shared_ptr<const object_layout> layout) {
    const layout_cache::key key = layout_key(from);
    if (key.tag != 0) state_.layouts.put(key, std::move(layout));
  }
  /// Reads attributes of an object. A class that declares its fields may not have unknown ones; other objects
  /// must have at least one field of the struct.
  bool gather_attributes(PyObject* from) {
    if (!has_attributes(from)) return state_.mismatch(type_, from);
    const object declared(declared_fields(from)), extra(extra_fields(from));
    const auto layout = std::make_shared<object_layout>();
    bool has_unknown_extra = false;
    if (!find_annotations(state_, node_, Py_TYPE(from), *layout)) return false;
    if (layout->names.empty() && !check_names(declared.get(), layout->has_unknown)) return false;
    if (!check_names(extra.get(), has_unknown_extra)) return false;
    layout->is_declared = static_cast<bool>(declared);
    const bool is_common = !extra && has_common_layout(from, declared.get());
    find_sources(names_, node_, from, PyTuple_Check(from) ? declared.get() : nullptr, is_common, *layout);
    if (is_common) remember_layout(from, layout);
    return gather_by_layout(*layout, from);
  }
  /// `has_unknown`: whether one of the names is unknown, if the options accept that.
  bool check_names(PyObject* names, bool& has_unknown) const {
    std::uint32_t at = 0;
    for (Py_ssize_t i = 0; names != nullptr && i < PyTuple_GET_SIZE(names); ++i) {
      if (!find(PyTuple_GET_ITEM(names, i), at)) return false;
      has_unknown |= at == image::none;
    }
    return true;
  }

  encode_state& state_;
  const type_node& type_;
  const image::struct_node& node_;
  PyObject* const* const names_;  // of the fields
  object* const slots_;
};

}  // namespace thriftlens::python
