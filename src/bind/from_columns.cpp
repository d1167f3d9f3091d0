// from_columns: RecordColumn, on which Type.from_columns is built.
#include "arrow/arrow_capsules.hpp"
#include "arrow/columns_object.hpp"

#include "call/relaxations.hpp"
#include "call/spelling.hpp"
#include "schema/type_object.hpp"
#include "support/unlocked.hpp"

#include <thriftlens/columns/from_columns.hpp>

#include <memory>
#include <optional>
#include <utility>

namespace thriftlens::python {

namespace {

struct record_column_object {
  PyObject_HEAD record_column* records;
};
const record_column& records_of(PyObject* self) noexcept {
  return *reinterpret_cast<record_column_object*>(self)->records;
}
void destroy_records(PyObject* self) {
  delete reinterpret_cast<record_column_object*>(self)->records;
  free_instance(self);
}
Py_ssize_t size_of_records(PyObject* self) { return static_cast<Py_ssize_t>(records_of(self).size()); }
PyObject* record_at(PyObject* self, Py_ssize_t at) {
  const record_column& records = records_of(self);
  if (at < 0 || static_cast<std::size_t>(at) >= records.size()) {
    PyErr_SetString(PyExc_IndexError, "record index out of range");
    return nullptr;
  }
  const auto index = static_cast<std::size_t>(at);
  if (records.is_null(index)) return new_reference(Py_None);
  const byte_view bytes = records[index];
  return PyBytes_FromStringAndSize(bytes.text().data(), static_cast<Py_ssize_t>(bytes.size()));
}
/// (schema, array) as capsules, which own the bytes.
PyObject* export_method(PyObject* self, PyObject*) {
  auto schema = std::make_unique<ArrowSchema>();
  auto array = std::make_unique<ArrowArray>();
  record_column::export_schema(*schema);
  records_of(self).export_array(*array);
  const object schema_capsule(capsule_of(std::move(schema)));
  const object array_capsule(capsule_of(std::move(array)));
  if (!schema_capsule || !array_capsule) return nullptr;
  return Py_BuildValue("(OO)", schema_capsule.get(), array_capsule.get());
}
PyObject* schema_method(PyObject*, PyObject*) {
  auto schema = std::make_unique<ArrowSchema>();
  record_column::export_schema(*schema);
  return capsule_of(std::move(schema));
}

struct from_columns_call {
  from_columns_options options = {};
  protocol_id protocol = protocol_id::binary;
};
const signature_of<from_columns_call>& from_columns_signature() {
  static constexpr positional list[] = {{"schema"}, {"array"}, {"first"}};
  static constexpr auto options =
      table(protocol_option<&from_columns_call::protocol>(),
            choice<&from_columns_call::options, &from_columns_options::missing_required>("missing_required"),
            choice<&from_columns_call::options, &from_columns_options::unknown>("unknown"),
            choice<&from_columns_call::options, &from_columns_options::invalid_utf8>("invalid_utf8"),
            depth_option<&from_columns_call::options, &from_columns_options::limits>(),
            output_size_option<&from_columns_call::options, &from_columns_options::limits>());
  static const signature_of<from_columns_call> signature("_from_columns", {list, true}, options);
  return signature;
}
PyObject* raise_of_row(const error& reason, std::int64_t row) {
  const object exception(exception_of(reason, family::encode));
  const object number(PyLong_FromLongLong(row));
  if (!exception || !number || PyObject_SetAttrString(exception.get(), "record", number.get()) != 0)
    return nullptr;
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.get())), exception.get());
  return nullptr;
}
PyObject* object_of(record_column records) {
  PyTypeObject* const of = record_column_class();
  PyObject* const self = of == nullptr ? nullptr : of->tp_alloc(of, 0);
  if (self == nullptr) return nullptr;
  reinterpret_cast<record_column_object*>(self)->records = new record_column(std::move(records));
  return self;
}
PyObject* make_records(PyObject* self, const arguments& args) {
  positional_values positionals;
  from_columns_call call;
  if (!from_columns_signature().read(args, positionals, call)) return nullptr;
  const auto* const schema = from_capsule<ArrowSchema>(positionals[0]);
  const auto* const array = schema == nullptr ? nullptr : from_capsule<ArrowArray>(positionals[1]);
  if (array == nullptr) return nullptr;
  const std::int64_t first = PyLong_AsLongLong(positionals[2]);
  if (first == -1 && PyErr_Occurred() != nullptr) return nullptr;
  const result<arrow_rows> rows = arrow_rows::try_make(type_of(self).of, *schema, *array, call.options);
  if (!rows) return raise(rows.error(), family::encode);
  std::size_t row = 0;
  std::optional<result<record_column>> records;
  {
    const unlocked free(rows->size() >= 64 ? least_unlocked : 0);
    visit_protocol(call.protocol,
                   [&](auto tag) { records.emplace(record_column::try_make<decltype(tag)>(*rows, row)); });
  }
  if (!*records) return raise_of_row(records->error(), first + static_cast<std::int64_t>(row));
  return object_of(**std::move(records));
}

constexpr const char* from_columns_doc =
    "\n\nEncodes the rows of an Arrow struct array, by its capsules, as a RecordColumn; `first` is the "
    "number of "
    "its first row. See Type.from_columns for the options.";

}  // namespace

PyTypeObject* record_column_class() {
  static PyTypeObject* cls = nullptr;
  if (cls != nullptr) return cls;
  static PyMethodDef methods[] = {
      {"export", translate_exceptions<export_method>::call, METH_NOARGS,
       "export($self)\n--\n\nCapsules of the ArrowSchema and of the ArrowArray."},
      {"schema", translate_exceptions<schema_method>::call, METH_NOARGS | METH_STATIC,
       "schema()\n--\n\nA capsule of the ArrowSchema of every RecordColumn."},
      {nullptr, nullptr, 0, nullptr}};
  PyType_Slot slots[] = {
      {Py_tp_methods, methods},
      {Py_tp_dealloc, reinterpret_cast<void*>(destroy_records)},
      {Py_sq_length, reinterpret_cast<void*>(size_of_records)},
      {Py_sq_item, type_slot<record_at>()},
      {Py_tp_doc, const_cast<char*>("Records as an Arrow array of binary; see Type.from_columns.")},
      {0, nullptr}};
  PyType_Spec spec = {"thriftlens._core.RecordColumn", sizeof(record_column_object), 0,
                      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  cls = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  return cls;
}

method from_columns_method() {
  return {from_columns_signature(), relaxed_method<make_records, from_columns_signature>(), from_columns_doc};
}

}  // namespace thriftlens::python
