// surrogates: encodes a str with surrogates.
#pragma once

#include "support/to_python.hpp"

#include <thriftlens/core/leniency.hpp>

#include <string>

namespace thriftlens::python {

/// replace: a surrogate becomes U+FFFD; surrogateescape: an escaped surrogate becomes its byte. False if the
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
  text = bytes_in(bytes.get()).text();
  for (std::size_t at = 0; replaces && (at = text.find('\xed', at)) != std::string::npos; at += 3)
    if (static_cast<unsigned char>(text[at + 1]) >= 0xa0) text.replace(at, 3, "\xef\xbf\xbd");
  return true;
}

}  // namespace thriftlens::python
