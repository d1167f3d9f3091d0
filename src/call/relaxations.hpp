// relaxations: finds the option of an operation that would accept rejected input.
#pragma once

#include "call/signature.hpp"

namespace thriftlens::python {

/// Sets `option` of a thriftlens.Error to (name, value) if the operation has an unused option that accepts
/// the input; value None means a larger number. Leaves other objects unchanged.
void name_option(PyObject* error, const signature& of, const void* call);
/// As above, for the Python error that is set; `given`: the arguments of the operation.
void name_option(const signature& of, const void* call);
void name_option(const signature& of, const arguments& args);

namespace internal {
template <fast_function Function, auto Signature>
PyObject* call_with_option(PyObject* self, const arguments& args) {
  PyObject* const result = Function(self, args);
  if (result == nullptr) [[unlikely]]
    name_option(Signature(), args);
  return result;
}
}  // namespace internal

/// As fast_method, of a function whose errors name an option of its signature.
template <fast_function Function, auto Signature>
[[nodiscard]] PyCFunction relaxed_method() noexcept {
  return fast_method<internal::call_with_option<Function, Signature>>();
}

}  // namespace thriftlens::python
