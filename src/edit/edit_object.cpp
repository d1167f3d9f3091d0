// edit_object: the class Edit.
#include "edit/edit_object.hpp"

#include "docs/edit_docs.hpp"
#include "edit/change_object.hpp"

namespace thriftlens::python {

namespace {

PyObject* apply_method(PyObject* self, PyObject*) {
  change_state& at = state_of(self);
  return applied(at, [&](buffer& out, error& reason) {
    bool is_applied = false;
    with_changes(at, [&](auto& changes) {
      const auto status = changes.try_append_to(out);
      is_applied = static_cast<bool>(status);
      if (!status) reason = status.error();
    });
    return is_applied;
  });
}

}  // namespace

PyTypeObject* edit_class() {
  static PyTypeObject* cls = nullptr;
  if (cls != nullptr) return cls;
  const PyMethodDef apply = {"apply", translate_exceptions<in_turn<apply_method>::call>::call, METH_NOARGS,
                             edit_apply_doc};
  cls =
      make_change_class("thriftlens.Edit", method_table("$self", change_methods(), {apply}), edit_class_doc);
  return cls;
}

PyObject* make_edit(std::shared_ptr<schema_keys> keys, type of, PyObject* data, const edit_call& call) {
  return make_changes<edit>(edit_class(), std::move(keys), of, data, call.protocol, call.bounds);
}

}  // namespace thriftlens::python
