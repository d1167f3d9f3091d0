// edit_object: the class Edit.
#include "edit/edit_object.hpp"

#include "docs/edit_docs.hpp"
#include "edit/change_object.hpp"
#include "support/heap_class.hpp"

namespace thriftlens::python {

namespace {

PyObject* apply_method(PyObject* self, PyObject*) {
  change_state& at = state_of(self);
  return applied(at, [&](buffer& out) {
    result<void> status;
    with_changes(at, [&](auto& changes) {
      if (const auto outcome = changes.try_append_to(out); !outcome) status = outcome.error();
    });
    return status;
  });
}

}  // namespace

PyTypeObject* edit_class() {
  static shared_object cached;
  return class_once(cached, [] {
    constexpr auto apply = plain_method<in_turn<apply_method>::call>("apply", METH_NOARGS, edit_apply_doc);
    return make_change_class("thriftlens.Edit", method_table("$self", change_methods(), {apply}),
                             edit_class_doc);
  });
}

PyObject* make_edit(std::shared_ptr<schema_keys> keys, type of, PyObject* data, const edit_call& call) {
  return make_changes<edit>(edit_class(), std::move(keys), of, data, call.protocol, call.bounds);
}

}  // namespace thriftlens::python
