// json_text: JSON of a Python argument (str or bytes-like), borrowed for a call.
#pragma once

#include "convert/value.hpp"
#include "support/argument.hpp"
#include "support/bytes_like.hpp"

#include <string_view>

namespace thriftlens::python {

class json_text {
 public:
  /// False with a Python error set.
  [[nodiscard]] bool take(PyObject* source) {
    if (PyUnicode_Check(source)) return utf8_of(source, text_, errc::json_syntax, family::json);
    if (PyObject_CheckBuffer(source) == 0)
      return raise_type_error("JSON text must be a str or bytes, not %.200s; to encode a value: encode()",
                              Py_TYPE(source)->tp_name);
    if (!bytes_.take(source)) return false;
    text_ = bytes_.bytes().text();
    return true;
  }
  [[nodiscard]] std::string_view text() const noexcept { return text_; }

 private:
  bytes_like bytes_;
  std::string_view text_;
};

}  // namespace thriftlens::python
