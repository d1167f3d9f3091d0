// http_pairs: name-value pairs of a Python argument, borrowed for a call. Text in UTF-8 is not copied.
#pragma once

#include "support/attribute.hpp"
#include "support/locked.hpp"

#include <thriftlens/http/message.hpp>

#include <span>
#include <string_view>
#include <vector>

namespace thriftlens::python {

/// The text of bytes or of a str, whose surrogate escapes become the original bytes.
class text_holder {
 public:
  /// False with TypeError set.
  [[nodiscard]] bool take(PyObject* value) {
    if (PyBytes_Check(value)) return hold_bytes(new_reference(value));
    if (!PyUnicode_Check(value)) {
      PyErr_Format(PyExc_TypeError, "expected str or bytes, got %.200s", Py_TYPE(value)->tp_name);
      return false;
    }
    Py_ssize_t size = 0;
    if (const char* data = PyUnicode_AsUTF8AndSize(value, &size); data != nullptr) {
      owner_ = object(new_reference(value));
      text_ = {data, static_cast<std::size_t>(size)};
      return true;
    }
    PyErr_Clear();
    return hold_bytes(PyUnicode_AsEncodedString(value, "utf-8", "surrogateescape"));
  }
  [[nodiscard]] std::string_view text() const noexcept { return text_; }

 private:
  bool hold_bytes(PyObject* bytes) {
    owner_ = object(bytes);
    if (bytes == nullptr) return false;
    text_ = {PyBytes_AS_STRING(bytes), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes))};
    return true;
  }

  object owner_;
  std::string_view text_;
};

class http_pairs {
 public:
  /// Takes a mapping, an iterable of pairs or None. False with a Python error set.
  [[nodiscard]] bool take(PyObject* items_or_dict) {
    if (items_or_dict == Py_None) return true;
    object items(PyMapping_Check(items_or_dict) && has_attribute<"items">(items_or_dict)
                     ? PyMapping_Items(items_or_dict)
                     : PySequence_List(items_or_dict));
    if (!items) return false;
    const Py_ssize_t count = PyList_GET_SIZE(items.get());
    holders_.reserve(static_cast<std::size_t>(count) * 2);
    for (Py_ssize_t i = 0; i < count; ++i)
      if (!take_pair(PyList_GET_ITEM(items.get(), i))) return false;
    return true;
  }
  [[nodiscard]] std::span<const http_pair> pairs() const noexcept { return pairs_; }

 private:
  bool take_pair(PyObject* item) {
    const object pair(fixed_sequence(item, "expected pairs of a name and a value"));
    if (!pair) return false;
    if (PySequence_Fast_GET_SIZE(pair.get()) != 2) {
      PyErr_SetString(PyExc_ValueError, "expected pairs of a name and a value");
      return false;
    }
    http_pair added;
    if (!take_text(PySequence_Fast_GET_ITEM(pair.get(), 0), added.name)) return false;
    if (!take_text(PySequence_Fast_GET_ITEM(pair.get(), 1), added.value)) return false;
    pairs_.push_back(added);
    return true;
  }
  bool take_text(PyObject* value, std::string_view& text) {
    text_holder& holder = holders_.emplace_back();
    if (!holder.take(value)) return false;
    text = holder.text();
    return true;
  }

  std::vector<text_holder> holders_;
  std::vector<http_pair> pairs_;
};

}  // namespace thriftlens::python
