// json_text: JSON of a Python argument (str or bytes-like), borrowed for a call.
#pragma once

#include "convert/value.hpp"
#include "support/bytes_like.hpp"

#include <string_view>

namespace thriftlens::python {

class json_text {
 public:
  /// False with a Python error set.
  [[nodiscard]] bool take(PyObject* source) {
    if (PyUnicode_Check(source)) return utf8_of(source, text_, errc::json_syntax, family::json);
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
