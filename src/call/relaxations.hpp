// relaxations: which option of an operation accepts the input of an error.
#pragma once

#include "call/signature.hpp"

namespace thriftlens::python {

/// Sets `option` of a thriftlens.Error to (name, value), if the operation has an option that accepts the
/// input and that it was called without; value None: any larger number. Leaves other objects and errors
/// alone.
void name_option(PyObject* error, const signature& of, const void* call);
/// As above, for the Python error that is set; `given`: the arguments of the operation.
void name_option(const signature& of, const void* call);
void name_option(const signature& of, const arguments& given);

namespace detail {
template <fast_function Function, auto Signature>
PyObject* call_with_option(PyObject* self, const arguments& given) {
  PyObject* const result = Function(self, given);
  if (result == nullptr) [[unlikely]]
    name_option(Signature(), given);
  return result;
}
}  // namespace detail

/// As fast_method, of a function whose errors name an option of its signature.
template <fast_function Function, auto Signature>
[[nodiscard]] PyCFunction relaxed_method() noexcept {
  return fast_method<detail::call_with_option<Function, Signature>>();
}

}  // namespace thriftlens::python
