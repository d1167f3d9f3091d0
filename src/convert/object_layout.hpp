// object_layout: where instances of a class store the fields of a struct. A class is identified by its
// address and version tag, which changes with the class.
#pragma once

#include "support/locked.hpp"

#include <structmember.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <tuple>
#include <vector>

namespace thriftlens::python {

/// The sources of a struct's fields in instances of a class.
struct object_layout {
  enum class source : std::uint8_t { nowhere, slot, item, instance, instance_or_class, attribute };
  struct field {
    source from = source::nowhere;
    Py_ssize_t at = 0;  ///< slot: its offset; item: its index
    [[nodiscard]] bool is_instance() const noexcept {
      return from == source::instance || from == source::instance_or_class;
    }
  };

  std::vector<field> fields;
  /// The names of the attributes, null for a field without one, and the conversions of their values, or null;
  /// both empty if the attributes have the names of the fields and need no conversion.
  std::vector<object> names;
  std::vector<object> conversions;
  bool has_instance = false;  ///< some field may be in the instance's dict
  bool is_declared = false;   ///< the class declares its fields: a dataclass or named tuple
  bool has_unknown = false;   ///< the struct lacks a declared field
};

/// The layouts used with a schema.
class layout_cache {
 public:
  struct key {
    const PyTypeObject* of = nullptr;
    unsigned int tag = 0;
    std::uint32_t structure = 0;
    bool aliases = false;
    friend bool operator==(const key&, const key&) = default;
  };

  /// The version tag of a class; 0 if it has none, as after many changes.
  [[nodiscard]] static unsigned int tag_of(const PyTypeObject* of) noexcept {
#ifdef Py_TPFLAGS_VALID_VERSION_TAG
    if ((of->tp_flags & Py_TPFLAGS_VALID_VERSION_TAG) == 0) return 0;
#endif
    return of->tp_version_tag;
  }
  [[nodiscard]] std::shared_ptr<const object_layout> find(const key& id) const noexcept {
    const entry& cached = entries_[index_of(id)];
    return cached.id == id ? cached.layout : nullptr;
  }
  void put(const key& id, std::shared_ptr<const object_layout> layout) {
    entries_[index_of(id)] = {id, std::move(layout)};
  }

 private:
  struct entry {
    key id;
    std::shared_ptr<const object_layout> layout;
  };
  static std::size_t index_of(const key& id) noexcept {
    return (reinterpret_cast<std::uintptr_t>(id.of) / 64 + id.structure * 7 + (id.aliases ? 1u : 0u)) %
           std::tuple_size_v<decltype(entries_)>;
  }

  std::array<entry, 128> entries_;
};

/// Determines what PyObject_GetAttr does for instances of a class.
class layout_maker {
 public:
  /// Whether the class uses object's attribute lookup by slots, dicts and descriptors. False in free-threaded
  /// builds, where other threads may change the class at the same time.
  [[nodiscard]] static bool can_have_layout(PyTypeObject* of) {
    if (has_no_gil || (of->tp_flags & Py_TPFLAGS_HEAPTYPE) == 0) return false;
    if (of->tp_getattro == PyObject_GenericGetAttr) return true;
    static shared_object cached;
    PyObject* const name = interned(cached, "__getattribute__");
    return name != nullptr && _PyType_Lookup(of, name) == _PyType_Lookup(&PyBaseObject_Type, name);
  }

  explicit layout_maker(PyTypeObject* of) : of_(of) {
    static shared_object cached;
    PyObject* const hook = interned(cached, "__getattr__");
    has_hook_ = hook != nullptr && _PyType_Lookup(of, hook) != nullptr;
#ifdef Py_TPFLAGS_MANAGED_DICT
    has_dict_ = of->tp_dictoffset != 0 || (of->tp_flags & Py_TPFLAGS_MANAGED_DICT) != 0;
#else
    has_dict_ = of->tp_dictoffset != 0;
#endif
  }

  /// `item`: the index of the field in a named tuple, or -1.
  [[nodiscard]] object_layout::field field(PyObject* name, Py_ssize_t item) const {
    using source = object_layout::source;
    PyObject* const class_attribute = _PyType_Lookup(of_, name);
    if (class_attribute == nullptr) {
      if (has_dict_) return {has_hook_ ? source::instance_or_class : source::instance, 0};
      return {has_hook_ ? source::attribute : source::nowhere, 0};
    }
    if (Py_TYPE(class_attribute) == &PyMemberDescr_Type && is_plain_slot(class_attribute))
      return {source::slot, reinterpret_cast<PyMemberDescrObject*>(class_attribute)->d_member->offset};
    if (item >= 0 && is_tuple_getter(class_attribute)) return {source::item, item};
    const bool is_data = Py_TYPE(class_attribute)->tp_descr_set != nullptr;
    return {is_data || !has_dict_ ? source::attribute : source::instance_or_class, 0};
  }

 private:
  [[nodiscard]] bool is_plain_slot(PyObject* held) const {
    const auto* descriptor = reinterpret_cast<PyMemberDescrObject*>(held);
    const PyMemberDef* member = descriptor->d_member;
    return member->type == T_OBJECT_EX && member->offset > 0 && (member->flags & ~READONLY) == 0 &&
           PyType_IsSubtype(of_, descriptor->d_common.d_type) != 0;
  }
  static bool is_tuple_getter(PyObject* held) {
    return std::string_view(Py_TYPE(held)->tp_name) == "_collections._tuplegetter";
  }

  PyTypeObject* of_;
  bool has_hook_;
  bool has_dict_;
};

}  // namespace thriftlens::python
