// session_headers: converts message headers from and to a dict. Bytes that are not UTF-8 become surrogate
// escapes, as in os.fsdecode.
#pragma once

#include "support/to_python.hpp"

#include <thriftlens/transport/header_entry.hpp>

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace thriftlens::python {

/// The persistent headers of a connection as Python objects, shared by the dicts of its messages.
class shared_headers {
 public:
  struct texts {
    std::string value;
    object key_text;
    object value_text;
  };
  /// The objects of a persistent entry, updated if its value is new. Null with a Python error set.
  [[nodiscard]] const texts* find(const header_entry& entry);

 private:
  std::map<std::string, texts, std::less<>> known_;
};

/// A new dict. Keys are str, or int for numbered entries. Null with a Python error set.
[[nodiscard]] PyObject* dict_of(std::span<const header_entry> entries, shared_headers& shared);

/// The entries of a dict, for the duration of a call.
class session_headers {
 public:
  /// False with a Python error set. `given` is a dict or None.
  [[nodiscard]] bool take(PyObject* headers);
  [[nodiscard]] std::span<const header_entry> entries() const noexcept { return entries_; }

 private:
  bool take_entry(PyObject* key, PyObject* value);
  bool text_of(PyObject* value, std::string_view& text);

  std::vector<object> owners_;
  std::vector<header_entry> entries_;
};

}  // namespace thriftlens::python
