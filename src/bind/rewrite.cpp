// rewrite: rewrite of bytes and of a view.
#include "call/method.hpp"
#include "docs/edit_docs.hpp"
#include "edit/rewrite_object.hpp"
#include "schema/type_object.hpp"

namespace thriftlens::python {

namespace {

constexpr auto method_signature = named_signature<"rewrite", edit_table, "data">;
PyObject* rewrite_method(PyObject* self, PyObject** positionals, const edit_call& call) {
  return make_rewrite(type_of(self).keys, type_of(self).of, positionals[0], call);
}

constexpr auto view_table = table(output_size_option<&edit_call::bounds>());
constexpr auto function_signature = named_signature<"rewrite", view_table, "view">;
PyObject* rewrite_function(PyObject*, PyObject** positionals, const edit_call& call) {
  return make_rewrite(positionals[0], call.bounds.output_size);
}

}  // namespace

std::span<const method> rewrite_methods() {
  static const method methods[] = {method_of<method_signature, rewrite_method>(rewrite_doc)};
  return methods;
}
std::span<const method> rewrite_functions() {
  static const method methods[] = {method_of<function_signature, rewrite_function>(rewrite_view_doc)};
  return methods;
}

}  // namespace thriftlens::python
