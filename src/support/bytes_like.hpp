// bytes_like: the bytes of a Python argument, held for the length of a call. Never copies; the object
// cannot be resized while it is held, so the GIL may be given up meanwhile.
#pragma once

#include "support/object.hpp"

#include <thriftlens/core/byte_view.hpp>

namespace thriftlens::python {

/// Holds the buffer of one argument.
class bytes_like {
 public:
  bytes_like() noexcept = default;
  bytes_like(const bytes_like&) = delete;
  bytes_like& operator=(const bytes_like&) = delete;
  ~bytes_like() {
    if (held_) PyBuffer_Release(&buffer_);
  }

  /// False with a Python error set: TypeError for what is not bytes, BufferError for bytes with gaps.
  [[nodiscard]] bool take(PyObject* argument) {
    if (PyBytes_CheckExact(argument)) {
      bytes_ = byte_view(PyBytes_AS_STRING(argument), static_cast<std::size_t>(PyBytes_GET_SIZE(argument)));
      return true;
    }
    if (PyObject_GetBuffer(argument, &buffer_, PyBUF_SIMPLE) != 0) return explain(argument);
    held_ = true;
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
                      "data must lie in one piece: this memoryview has gaps; pass bytes(view)");
    }
    return false;
  }

  Py_buffer buffer_{};
  byte_view bytes_;
  bool held_ = false;
};

}  // namespace thriftlens::python
