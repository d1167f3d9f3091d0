// keywords: keyword-only options of the hot methods, read without a dictionary.
// In: the arguments of a METH_FASTCALL | METH_KEYWORDS call. Out: one small number an option.
// Never allocates where no option is given.
#pragma once

#include "object.hpp"

#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

namespace thriftlens::python {

/// One option: a word out of up to four (the first is the default), or, without words, a number.
struct keyword {
  const char* name;
  const char* words[4];
  std::uint32_t preset = 0;   ///< default of a number
  std::uint32_t highest = 0;  ///< largest number allowed
  std::uint32_t on = 1;       ///< what True means as a number
  bool any = false;           ///< takes any object, which read() gives as it is
};

/// The options of one method, names interned.
class keyword_table {
 public:
  template <std::size_t Count>
  explicit keyword_table(const char* method, const keyword (&list)[Count])
      : method_(method), list_(list), count_(Count) {
    for (const keyword& each : list) {
      names_.push_back(PyUnicode_InternFromString(each.name));
      for (const char* word : each.words)
        words_.push_back(word == nullptr ? nullptr : PyUnicode_InternFromString(word));
    }
  }

  /// Checks that `least` to `most` positional arguments were given and puts the options into `chosen` (index
  /// of the word, or the number). `any` becomes the object of the one option that takes any, where it is
  /// given. False with TypeError or ValueError set.
  [[nodiscard]] bool read(PyObject* const* arguments, Py_ssize_t given, PyObject* names, Py_ssize_t least,
                          Py_ssize_t most, std::uint32_t* chosen, PyObject** any = nullptr) const {
    if (given < least || given > most) return miscounted(given, least, most);
    for (std::size_t i = 0; i < count_; ++i) chosen[i] = list_[i].preset;
    if (names == nullptr) return true;
    std::size_t at = count_ - 1;
    for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(names); ++k) {
      at = find(PyTuple_GET_ITEM(names, k), at);
      if (at == count_) return unknown(PyTuple_GET_ITEM(names, k));
      if (list_[at].any) {
        *any = arguments[given + k];
        continue;
      }
      if (!value(at, arguments[given + k], chosen[at])) return false;
    }
    return true;
  }

 private:
  bool miscounted(Py_ssize_t given, Py_ssize_t least, Py_ssize_t most) const {
    if (least == most)
      PyErr_Format(PyExc_TypeError, "%s() takes %zd positional argument%s, %zd given", method_, most,
                   most == 1 ? "" : "s", given);
    else
      PyErr_Format(PyExc_TypeError, "%s() takes %zd to %zd positional arguments, %zd given", method_, least,
                   most, given);
    return false;
  }
  /// Callers name options in the documented order more often than not: begins behind the one named before.
  [[nodiscard]] std::size_t find(PyObject* name, std::size_t before) const {
    std::size_t at = before;
    for (std::size_t i = 0; i < count_; ++i) {
      at = at + 1 < count_ ? at + 1 : 0;
      if (names_[at] == name) return at;
    }
    for (at = 0; at < count_ && PyUnicode_Compare(names_[at], name) != 0;) ++at;
    return at;
  }
  bool unknown(PyObject* name) const {
    PyErr_Format(PyExc_TypeError, "%s() got an unexpected keyword argument '%U'", method_, name);
    return false;
  }
  bool value(std::size_t at, PyObject* given, std::uint32_t& chosen) const {
    const keyword& option = list_[at];
    if (option.words[0] == nullptr) return number(option, given, chosen);
    // Words in a program's text are interned.
    for (std::uint32_t i = 0; i < std::size(option.words); ++i) {
      if (words_[at * std::size(option.words) + i] == given) return chosen = i, true;
    }
    if (PyUnicode_Check(given)) {
      for (std::uint32_t i = 0; i < 4 && option.words[i] != nullptr; ++i) {
        if (PyUnicode_CompareWithASCIIString(given, option.words[i]) == 0) return chosen = i, true;
      }
    }
    std::string allowed = "'";
    allowed += option.words[0];
    for (std::uint32_t i = 1; i < 4 && option.words[i] != nullptr; ++i) {
      const bool last = i == 3 || option.words[i + 1] == nullptr;
      allowed += last ? "' or '" : "', '";
      allowed += option.words[i];
    }
    allowed += '\'';
    PyErr_Format(PyExc_ValueError, "%s must be %s, not %R", option.name, allowed.c_str(), given);
    return false;
  }
  static bool number(const keyword& option, PyObject* given, std::uint32_t& chosen) {
    if (given == Py_True) return chosen = option.on, true;
    const long found = PyLong_AsLong(given);
    if (found == -1 && PyErr_Occurred() != nullptr) {
      if (PyErr_ExceptionMatches(PyExc_TypeError)) {
        return PyErr_Format(PyExc_TypeError, "%s must be a number from 0 to %u, not %R", option.name,
                            option.highest, given),
               false;
      }
      if (!PyErr_ExceptionMatches(PyExc_OverflowError)) return false;
      PyErr_Clear();
    } else if (found >= 0 && static_cast<unsigned long>(found) <= option.highest) {
      chosen = static_cast<std::uint32_t>(found);
      return true;
    }
    PyErr_Format(PyExc_ValueError, "%s must be from 0 to %u, not %R", option.name, option.highest, given);
    return false;
  }

  const char* method_;
  const keyword* list_;
  std::size_t count_;
  std::vector<PyObject*> names_;  // for the life of the process, as the next
  std::vector<PyObject*> words_;  // those of all options, four each
};

}  // namespace thriftlens::python
