// translate_exceptions: entry points for CPython that turn C++ exceptions into Python errors.
#pragma once

#include <Python.h>

#include <type_traits>

namespace thriftlens::python {

/// Thrown to leave a function whose Python error is set.
struct error_is_set {};
/// Sets the Python error of the exception that is being handled.
void raise_caught() noexcept;

template <auto Function>
struct translate_exceptions;

/// translate_exceptions<f>::call is f; std::bad_alloc becomes MemoryError.
template <class Result, class... Arguments, Result (*Function)(Arguments...)>
struct translate_exceptions<Function> {
  static Result call(Arguments... arguments) noexcept {
    try {
      return Function(arguments...);
    } catch (...) {
      raise_caught();
    }
    if constexpr (std::is_pointer_v<Result>)
      return nullptr;
    else
      return -1;
  }
};

/// The arguments of a METH_FASTCALL | METH_KEYWORDS call: positional ones, then keyword arguments.
struct arguments {
  PyObject* const* values = nullptr;
  Py_ssize_t by_position = 0;
  PyObject* names = nullptr;  ///< tuple of str, or null without keyword arguments

  [[nodiscard]] Py_ssize_t by_name() const noexcept { return names == nullptr ? 0 : PyTuple_GET_SIZE(names); }
  [[nodiscard]] PyObject* name(Py_ssize_t at) const noexcept { return PyTuple_GET_ITEM(names, at); }
  /// The value of the keyword argument name(at).
  [[nodiscard]] PyObject* named(Py_ssize_t at) const noexcept { return values[by_position + at]; }
};

using fast_function = PyObject* (*)(PyObject* self, const arguments& call);

namespace internal {
template <fast_function Function>
PyObject* fast_call(PyObject* self, PyObject* const* values, Py_ssize_t by_position, PyObject* names) {
  return Function(self, {values, by_position, names});
}
}  // namespace internal

inline constexpr int fast_flags = METH_FASTCALL | METH_KEYWORDS;

/// The function for a PyMethodDef with fast_flags.
template <fast_function Function>
[[nodiscard]] PyCFunction fast_method() noexcept {
  const auto call = translate_exceptions<internal::fast_call<Function>>::call;
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(call));
}

}  // namespace thriftlens::python
