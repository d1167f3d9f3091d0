// guarded: what CPython calls directly, with no C++ exception let through.
// In: a function of CPython's. Out: the same; what it throws is a Python error.
// Never costs anything where nothing is thrown.
#pragma once

#include <Python.h>

#include <exception>
#include <new>
#include <stdexcept>
#include <type_traits>

namespace thriftlens::python {

template <auto Function>
struct guarded;

/// guarded<f>::call is f; memory that is short is a MemoryError, as everywhere in Python.
template <class Result, class... Arguments, Result (*Function)(Arguments...)>
struct guarded<Function> {
  static Result call(Arguments... arguments) noexcept {
    try {
      return Function(arguments...);
    } catch (const std::bad_alloc&) {
      PyErr_NoMemory();
    } catch (const std::length_error&) {
      PyErr_NoMemory();
    } catch (const std::exception& thrown) {
      PyErr_SetString(PyExc_RuntimeError, thrown.what());
    }
    if constexpr (std::is_pointer_v<Result>)
      return nullptr;
    else
      return -1;
  }
};

}  // namespace thriftlens::python
