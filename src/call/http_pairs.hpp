// http_pairs: names and values of a Python argument, held for the length of a call. Never copies a text
// that is UTF-8 already.
#pragma once

#include "support/attribute.hpp"
#include "support/locked.hpp"

#include <thriftlens/http/message.hpp>

#include <span>
#include <string_view>
#include <vector>

namespace thriftlens::python {

/// The text of a str (surrogates stand for bytes that are not UTF-8) or of bytes.
class text_holder {
 public:
  /// False with TypeError set.
  [[nodiscard]] bool take(PyObject* given) {
    if (PyBytes_Check(given)) return hold_bytes(new_reference(given));
    if (!PyUnicode_Check(given)) {
      PyErr_Format(PyExc_TypeError, "expected str or bytes, got %.200s", Py_TYPE(given)->tp_name);
      return false;
    }
    Py_ssize_t size = 0;
    if (const char* data = PyUnicode_AsUTF8AndSize(given, &size); data != nullptr) {
      held_ = object(new_reference(given));
      text_ = {data, static_cast<std::size_t>(size)};
      return true;
    }
    PyErr_Clear();
    return hold_bytes(PyUnicode_AsEncodedString(given, "utf-8", "surrogateescape"));
  }
  [[nodiscard]] std::string_view text() const noexcept { return text_; }

 private:
  bool hold_bytes(PyObject* bytes) {
    held_ = object(bytes);
    if (bytes == nullptr) return false;
    text_ = {PyBytes_AS_STRING(bytes), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes))};
    return true;
  }

  object held_;
  std::string_view text_;
};

class http_pairs {
 public:
  /// None is none. False with a Python error set.
  [[nodiscard]] bool take(PyObject* given) {
    if (given == Py_None) return true;
    object items(PyMapping_Check(given) && has_attribute<"items">(given) ? PyMapping_Items(given)
                                                                         : PySequence_List(given));
    if (!items) return false;
    const Py_ssize_t count = PyList_GET_SIZE(items.get());
    holders_.reserve(static_cast<std::size_t>(count) * 2);
    for (Py_ssize_t i = 0; i < count; ++i)
      if (!take_pair(PyList_GET_ITEM(items.get(), i))) return false;
    return true;
  }
  [[nodiscard]] std::span<const http_pair> pairs() const noexcept { return pairs_; }

 private:
  bool take_pair(PyObject* given) {
    const object pair(fixed_sequence(given, "expected pairs of a name and a value"));
    if (!pair) return false;
    if (PySequence_Fast_GET_SIZE(pair.get()) != 2) {
      PyErr_SetString(PyExc_ValueError, "expected pairs of a name and a value");
      return false;
    }
    http_pair made;
    if (!take_text(PySequence_Fast_GET_ITEM(pair.get(), 0), made.name)) return false;
    if (!take_text(PySequence_Fast_GET_ITEM(pair.get(), 1), made.value)) return false;
    pairs_.push_back(made);
    return true;
  }
  bool take_text(PyObject* given, std::string_view& text) {
    text_holder& made = holders_.emplace_back();
    if (!made.take(given)) return false;
    text = made.text();
    return true;
  }

  std::vector<text_holder> holders_;
  std::vector<http_pair> pairs_;
};

}  // namespace thriftlens::python
