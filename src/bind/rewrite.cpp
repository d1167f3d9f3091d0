// rewrite: rewrite of bytes and of a view.
#include "call/method.hpp"
#include "docs/edit_docs.hpp"
#include "edit/rewrite_object.hpp"
#include "schema/type_object.hpp"

namespace thriftlens::python {

namespace {

constexpr positional data_list[] = {{"data"}};
const signature_of<edit_call>& method_signature() {
  static const signature_of<edit_call> signature("rewrite", {data_list, true}, edit_table);
  return signature;
}
PyObject* rewrite_method(PyObject* self, const arguments& args) {
  positional_values positionals;
  edit_call call;
  if (!method_signature().read(args, positionals, call)) return nullptr;
  return make_rewrite(type_of(self).keys, type_of(self).of, positionals[0], call);
}

constexpr positional view_list[] = {{"view"}};
constexpr auto view_table = table(output_size_option<&edit_call::bounds>());
const signature_of<edit_call>& function_signature() {
  static const signature_of<edit_call> signature("rewrite", {view_list, true}, view_table);
  return signature;
}
PyObject* rewrite_function(PyObject*, const arguments& args) {
  positional_values positionals;
  edit_call call;
  if (!function_signature().read(args, positionals, call)) return nullptr;
  return make_rewrite(positionals[0], call.bounds.output_size);
}

}  // namespace

std::span<const method> rewrite_methods() {
  static const method methods[] = {{method_signature(), fast_method<rewrite_method>(), rewrite_doc}};
  return methods;
}
std::span<const method> rewrite_functions() {
  static const method methods[] = {{function_signature(), fast_method<rewrite_function>(), rewrite_view_doc}};
  return methods;
}

}  // namespace thriftlens::python
