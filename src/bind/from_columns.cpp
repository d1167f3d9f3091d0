// from_columns: RecordColumn, on which Type.from_columns is built.
#include "arrow/arrow_capsules.hpp"
#include "arrow/columns_object.hpp"

#include "call/common_options.hpp"
#include "call/relaxations.hpp"
#include "schema/type_object.hpp"
#include "support/argument.hpp"
#include "support/heap_class.hpp"
#include "support/unlocked.hpp"

#include <thriftlens/columns/from_columns.hpp>

#include <memory>
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
  if (at < 0 || static_cast<std::size_t>(at) >= records.size())
    return raise_as(PyExc_IndexError, "record index out of range");
  const auto index = static_cast<std::size_t>(at);
  if (records.is_null(index)) return new_reference(Py_None);
  return to_python(records[index]);
}
/// (schema, array) as capsules, which own the bytes.
PyObject* export_method(PyObject* self, PyObject*) {
  auto schema = std::make_unique<ArrowSchema>();
  auto array = std::make_unique<ArrowArray>();
  record_column::export_schema(*schema);
  records_of(self).export_array(*array);
  return capsules_of(std::move(schema), std::move(array));
}
PyObject* records_schema_method(PyObject*, PyObject*) {
  auto schema = std::make_unique<ArrowSchema>();
  record_column::export_schema(*schema);
  return capsule_of(std::move(schema));
}

struct from_columns_call {
  from_columns_options options = {};
  protocol_id protocol = protocol_id::binary;
};
constexpr auto from_columns_table =
    table(protocol_option<&from_columns_call::protocol>(),
          choice<&from_columns_call::options, &from_columns_options::missing_required>("missing_required"),
          choice<&from_columns_call::options, &from_columns_options::unknown>("unknown"),
          choice<&from_columns_call::options, &from_columns_options::invalid_utf8>("invalid_utf8"),
          depth_option<&from_columns_call::options, &from_columns_options::limits>(),
          output_size_option<&from_columns_call::options, &from_columns_options::limits>());
constexpr auto from_columns_signature =
    named_signature<"_from_columns", from_columns_table, "schema", "array", "first">;
PyObject* object_of(record_column records) {
  PyObject* const self = new_instance(record_column_class());
  if (self == nullptr) return nullptr;
  reinterpret_cast<record_column_object*>(self)->records = new record_column(std::move(records));
  return self;
}
/// Encodes rows; `first` is the number of the first one.
PyObject* encode_rows(const arrow_rows& rows, protocol_id protocol, std::int64_t first) {
  std::size_t row = 0;
  result<record_column> records = without_gil(rows.size() >= 64 ? least_unlocked : 0, [&] {
    return visit_protocol(protocol,
                          [&](auto tag) { return record_column::try_make<decltype(tag)>(rows, row); });
  });
  if (records) return object_of(*std::move(records));
  return raise_at_record(object(exception_of(records.error(), family::encode)),
                         first + static_cast<std::int64_t>(row));
}
PyObject* make_records(PyObject* self, PyObject** positionals, const from_columns_call& call) {
  array_parts parts;
  if (!parts.take(positionals[0], positionals[1])) return nullptr;
  const std::int64_t first = PyLong_AsLongLong(positionals[2]);
  if (first == -1 && PyErr_Occurred() != nullptr) return nullptr;
  const result<arrow_rows> rows =
      arrow_rows::try_make(type_of(self).of, *parts.schema, *parts.array, call.options);
  return rows ? encode_rows(*rows, call.protocol, first) : raise(rows.error(), family::encode);
}

constexpr const char* from_columns_doc =
    "\n\nEncodes the rows of an Arrow struct array, by its capsules, as a RecordColumn; `first` is the "
    "number of its first row. See Type.from_columns for the options.";

PyMethodDef records_methods[] = {
    plain_method<export_method>("export", METH_NOARGS,
                                "export($self)\n--\n\nCapsules of the ArrowSchema and of the ArrowArray."),
    plain_method<records_schema_method>(
        "schema", METH_NOARGS | METH_STATIC,
        "schema()\n--\n\nA capsule of the ArrowSchema of every RecordColumn."),
    {}};

}  // namespace

PyTypeObject* record_column_class() {
  static shared_object cached;
  return class_once(cached, [] {
    return new_class({"thriftlens._core.RecordColumn", sizeof(record_column_object)},
                     {{Py_tp_methods, records_methods},
                      raw_slot(Py_tp_dealloc, destroy_records),
                      raw_slot(Py_sq_length, size_of_records),
                      type_slot<record_at>(Py_sq_item),
                      doc_slot("Records as an Arrow array of binary; see Type.from_columns.")});
  });
}

method from_columns_method() {
  return relaxed_method<from_columns_signature, make_records>(from_columns_doc);
}

}  // namespace thriftlens::python
