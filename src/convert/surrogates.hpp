// surrogates: a str that has no UTF-8 as bytes.
#pragma once

#include "support/object.hpp"

#include <thriftlens/core/leniency.hpp>

#include <string>

namespace thriftlens::python {

/// replace: U+FFFD for each surrogate; surrogateescape: the bytes that surrogates stand for. False if the
/// option does not allow the text, or with a Python error set.
[[nodiscard]] inline bool bytes_of_surrogates(PyObject* from, on_invalid_utf8 option, std::string& text) {
  if (option == on_invalid_utf8::error) return false;
  const bool replaces = option == on_invalid_utf8::replace;
  const object bytes(
      PyUnicode_AsEncodedString(from, "utf-8", replaces ? "surrogatepass" : "surrogateescape"));
  if (!bytes) {
    if (PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) PyErr_Clear();
    return false;
  }
  text.assign(PyBytes_AS_STRING(bytes.get()), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes.get())));
  for (std::size_t at = 0; replaces && (at = text.find('\xed', at)) != std::string::npos; at += 3)
    if (static_cast<unsigned char>(text[at + 1]) >= 0xa0) text.replace(at, 3, "\xef\xbf\xbd");
  return true;
}

}  // namespace thriftlens::python
