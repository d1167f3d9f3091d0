// bytes_like: the buffer of a Python argument, borrowed for a call without a copy. The object cannot be
// resized, so the GIL may be released.
#pragma once

#include "support/to_python.hpp"

#include <thriftlens/core/byte_view.hpp>

namespace thriftlens::python {

class bytes_like {
 public:
  bytes_like() noexcept = default;
  bytes_like(const bytes_like&) = delete;
  bytes_like& operator=(const bytes_like&) = delete;
  ~bytes_like() {
    if (is_held_) PyBuffer_Release(&buffer_);
  }

  /// False with TypeError set for an object that is not bytes-like, BufferError for one that is not
  /// contiguous.
  [[nodiscard]] bool take(PyObject* argument) {
    if (PyBytes_CheckExact(argument)) {
      bytes_ = bytes_in(argument);
      return true;
    }
    if (PyObject_GetBuffer(argument, &buffer_, PyBUF_SIMPLE) != 0) return explain(argument);
    is_held_ = true;
    bytes_ = byte_view(buffer_.buf, static_cast<std::size_t>(buffer_.len));
    return true;
  }
  [[nodiscard]] byte_view bytes() const noexcept { return bytes_; }

 private:
  static bool explain(PyObject* argument) {
    if (PyErr_ExceptionMatches(PyExc_TypeError)) {
      PyErr_Format(PyExc_TypeError, "data must be a bytes-like object, not %.200s",
                   Py_TYPE(argument)->tp_name);
    } else if (PyErr_ExceptionMatches(PyExc_BufferError) && PyMemoryView_Check(argument)) {
      PyErr_SetString(PyExc_BufferError,
                      "data must be contiguous: this memoryview has gaps; pass bytes(view)");
    }
    return false;
  }

  Py_buffer buffer_{};
  byte_view bytes_;
  bool is_held_ = false;
};

}  // namespace thriftlens::python
