// json_text: JSON that Python gives, held for the length of a call. Never copies bytes; a str keeps its
// own UTF-8.
#pragma once

#include "convert/value.hpp"
#include "support/bytes_like.hpp"

#include <string_view>

namespace thriftlens::python {

class json_text {
 public:
  /// False with a Python error set.
  [[nodiscard]] bool take(PyObject* given) {
    if (PyUnicode_Check(given)) return utf8_of(given, text_, errc::json_syntax, family::json);
    if (!bytes_.take(given)) return false;
    text_ = bytes_.bytes().text();
    return true;
  }
  [[nodiscard]] std::string_view text() const noexcept { return text_; }

 private:
  bytes_like bytes_;
  std::string_view text_;
};

}  // namespace thriftlens::python
