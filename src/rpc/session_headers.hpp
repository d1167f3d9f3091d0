// session_headers: the headers of a message between a dict and the library. Never loses a byte: what is
// not UTF-8 is a str with surrogate escapes, as os.fsdecode has it.
#pragma once

#include "support/object.hpp"

#include <thriftlens/transport/header_entry.hpp>

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace thriftlens::python {

/// A str of any bytes. Null with a Python error set.
[[nodiscard]] inline PyObject* escaped_text(std::string_view text) {
  return PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogateescape");
}

/// The persistent headers of a connection as objects, which the dicts of all its messages share.
class shared_headers {
 public:
  struct texts {
    std::string value;
    object key_text;
    object value_text;
  };
  /// Of an entry that persists, made when it is new or has another value. Null with a Python error set.
  [[nodiscard]] const texts* find(const header_entry& entry);

 private:
  std::map<std::string, texts, std::less<>> known_;
};

/// A new dict. Keys are str, or int where the entry has a number. Null with a Python error set.
[[nodiscard]] PyObject* dict_of(std::span<const header_entry> entries, shared_headers& shared);

/// Entries of a dict, for the length of a call.
class session_headers {
 public:
  /// False with a Python error set. `given` is a dict or None.
  [[nodiscard]] bool take(PyObject* given);
  [[nodiscard]] std::span<const header_entry> entries() const noexcept { return entries_; }

 private:
  bool take_entry(PyObject* key, PyObject* value);
  bool text_of(PyObject* given, std::string_view& text);

  std::vector<object> owners_;
  std::vector<header_entry> entries_;
};

}  // namespace thriftlens::python
