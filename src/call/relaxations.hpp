// relaxations: finds the option of an operation that would accept rejected input.
#pragma once

#include "call/method.hpp"

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

/// The method of a function of unparsed arguments, with errors that name an option of the signature.
template <auto Signature, fast_function Function>
[[nodiscard]] method relaxed_call(const char* doc) {
  return {Signature(), fast_method<internal::call_with_option<Function, Signature>>(), doc};
}
/// Like method_of, with errors that name an option of the signature.
template <auto Signature, auto Function>
[[nodiscard]] method relaxed_method(const char* doc) {
  return relaxed_call<Signature, of_call<Signature, Function>>(doc);
}

}  // namespace thriftlens::python
