// method: methods and functions of the module. Their documented signatures are generated from the parsers.
#pragma once

#include "call/signature.hpp"
#include "support/locked.hpp"

#include <initializer_list>
#include <span>
#include <vector>

namespace thriftlens::python {

/// A method whose arguments are parsed by a signature.
struct method {
  const signature& takes;
  PyCFunction call;  ///< of fast_method
  const char* doc;   ///< help text below the signature
};
/// The method of a function of parsed arguments; see of_call.
template <auto Signature, auto Function>
[[nodiscard]] method method_of(const char* doc) {
  return {Signature(), fast_method<of_call<Signature, Function>>(), doc};
}
/// Like method_of, run by one thread at a time per object.
template <auto Signature, auto Function>
[[nodiscard]] method method_in_turn(const char* doc) {
  return {Signature(), fast_method<in_turn<of_call<Signature, Function>>::call>(), doc};
}
/// A method without a signature object. `flags`: METH_NOARGS, METH_O or METH_VARARGS.
template <auto Function>
[[nodiscard]] constexpr PyMethodDef plain_method(const char* name, int flags, const char* doc) {
  return {name, translate_exceptions<Function>::call, flags, doc};
}

/// A null-terminated table that lives as long as the process. `self`: "$self" or "$module". `others`: methods
/// without a signature object.
[[nodiscard]] PyMethodDef* method_table(const char* self, std::span<const method> methods,
                                        std::initializer_list<PyMethodDef> others = {});

// Methods of Type and functions of the module, from bind/<module>.cpp.
[[nodiscard]] std::span<const method> codec_methods();
[[nodiscard]] std::span<const method> json_methods();
[[nodiscard]] std::span<const method> view_methods();
[[nodiscard]] std::span<const method> edit_methods();
[[nodiscard]] std::span<const method> policy_methods();
[[nodiscard]] std::span<const method> rewrite_methods();
[[nodiscard]] std::span<const method> rewrite_functions();
[[nodiscard]] std::span<const method> compare_methods();
[[nodiscard]] std::span<const method> columns_methods();
[[nodiscard]] std::span<const method> rpc_methods();
[[nodiscard]] std::span<const method> columns_functions();
[[nodiscard]] std::span<const method> view_functions();
[[nodiscard]] std::span<const method> compare_functions();
[[nodiscard]] std::span<const method> protocol_functions();
[[nodiscard]] std::span<const method> records_functions();
[[nodiscard]] std::span<const method> parquet_functions();
/// All methods of Type.
[[nodiscard]] std::vector<method> type_methods();
/// All functions of the module.
[[nodiscard]] std::vector<method> module_functions();

}  // namespace thriftlens::python
