// classes: registers the classes without pybind11, the functions of the module and all signatures.
#include "arrow/columns_object.hpp"
#include "bind/bind.hpp"
#include "call/load_signature.hpp"
#include "call/method.hpp"
#include "convert/codec_object.hpp"
#include "convert/model.hpp"
#include "edit/edit_object.hpp"
#include "edit/rewrite_object.hpp"
#include "rpc/session_event_object.hpp"
#include "rpc/session_object.hpp"
#include "schema/type_object.hpp"
#include "support/named_tuple.hpp"
#include "views/view_object.hpp"

namespace thriftlens::python {

namespace {

namespace py = pybind11;

void add_class(py::module_& module, const char* name, PyTypeObject* cls) {
  if (cls == nullptr) throw py::error_already_set();
  module.attr(name) = py::reinterpret_borrow<py::object>(reinterpret_cast<PyObject*>(cls));
}

/// Options by method and name; the stubs and the command line are checked against them.
PyObject* signatures(PyObject*, PyObject*) {
  std::vector<const signature*> listed{&load_signature()};
  for (const method& row : module_functions()) listed.push_back(&row.takes);
  for (const method& row : type_methods()) listed.push_back(&row.takes);  // of two of one name the method
  object dict(PyDict_New());
  for (const signature* item : listed) {
    const object rows(item->rows());
    if (!dict || !rows || PyDict_SetItemString(dict.get(), item->name(), rows.get()) != 0) return nullptr;
  }
  return dict.release();
}

struct class_row {
  const char* name;
  PyTypeObject* (*make)();
};
constexpr class_row classes[] = {
    {"Type", type_class},
    {"Decoder", decoder_class},
    {"Encoder", encoder_class},
    {"Model", model_class},
    {"ColumnReader", column_reader_class},
    {"RecordColumn", record_column_class},
    {"RecordLoop", record_loop_class},
    {"Edit", edit_class},
    {"Rewrite", rewrite_class},
    {"Document", document_class},
    {"Session", session_class},
    {"SessionEvent", session_event_class},
};

}  // namespace

void bind_classes(py::module_& module) {
  for (named_tuple* const row : named_tuple::classes()) add_class(module, row->name(), row->create());
  for (const view_class_row& row : view_classes()) add_class(module, row.name, row.cls);
  for (const class_row& row : classes) add_class(module, row.name, row.make());
  constexpr PyMethodDef list = plain_method<signatures>(
      "signatures", METH_NOARGS,
      "signatures()\n--\n\nOptions by method and name: (words or None, default as shown, lowest, highest).");
  if (PyModule_AddFunctions(module.ptr(), method_table("$module", module_functions(), {list})) != 0)
    throw py::error_already_set();
}

}  // namespace thriftlens::python
