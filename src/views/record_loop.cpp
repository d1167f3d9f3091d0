// record_loop: iteration over records whose positions are known.
#include "support/heap_class.hpp"
#include "support/imported.hpp"
#include "support/owned_bytes.hpp"
#include "views/view_object.hpp"

#include <structmember.h>

namespace thriftlens::python {

namespace {

struct record_loop {
  PyObject_HEAD long long record;  // number of the last record
  long long record_offset;
  long long number;  // of the next record
  long long offset;
  long long count;  // of the records returned
  long long limit;  // maximum count; negative: none
  long long base;   // offset of the data in the input
  Py_ssize_t row;   // index of the next row
  PyObject* steps;  // iterator of the records; it returns the loop itself where rows begin
  PyObject* read;   // called with the bytes of a record; null: there are no rows
  PyObject* data;   // a memoryview
  PyObject* rows;
  bool gives_views;
};
record_loop& loop_of(PyObject* self) noexcept { return *reinterpret_cast<record_loop*>(self); }

PyObject* error_class() { return imported<"thriftlens._errors", "Error">(); }

/// A copy of a short record, which takes less time than a memoryview.
PyObject* bytes_of_record(const record_loop& loop, Py_ssize_t begin, Py_ssize_t end) {
  constexpr Py_ssize_t short_record = 4096;
  if (!loop.gives_views && end - begin <= short_record)
    return PyBytes_FromStringAndSize(
        static_cast<const char*>(PyMemoryView_GET_BUFFER(loop.data)->buf) + begin, end - begin);
  return PySequence_GetSlice(loop.data, begin, end);
}
/// The position of a row whose value begins at `value` in the data.
record_location location_of_row(const record_loop& loop, PyObject* row, Py_ssize_t value) {
  return {.number = loop.number,
          .offset = PyLong_AsLongLong(PyTuple_GET_ITEM(row, 0)),
          .value = loop.base + value};
}
void count_record(record_loop& loop, const record_location& location, PyObject* size) {
  loop.record = location.number;
  loop.record_offset = location.offset;
  loop.number = location.number + 1;
  loop.offset = location.offset + PyLong_AsLongLong(size);
  ++loop.count;
}
/// The value of a row, or null with a Python error set.
PyObject* value_of_row(record_loop& loop, PyObject* row, PyObject* where) {
  const Py_ssize_t begin = PyLong_AsSsize_t(PyTuple_GET_ITEM(where, 0));
  const record_location location = location_of_row(loop, row, begin);
  const object read = object::share(loop.read);
  object bytes(bytes_of_record(loop, begin, PyLong_AsSsize_t(PyTuple_GET_ITEM(where, 1))));
  const bool is_bytes = read.get() == reinterpret_cast<PyObject*>(&PyBytes_Type);
  ++loop.row;  // before Python code runs, which may use the loop
  object value(bytes && !(is_bytes && PyBytes_CheckExact(bytes.get()))
                   ? PyObject_CallOneArg(read.get(), bytes.get())
                   : bytes.release());
  if (!value || (loop.gives_views && !set_location(value.get(), location))) return nullptr;
  count_record(loop, location, PyTuple_GET_ITEM(row, 1));
  return value.release();
}
/// The value of the next row. Null without a Python error at the end of the rows, and for a row without a
/// value in the data or with an invalid one.
PyObject* read_row(record_loop& loop) {
  if (loop.read == nullptr || loop.row >= PyList_GET_SIZE(loop.rows) || loop.count == loop.limit)
    return nullptr;
  const Py_ssize_t index = loop.row;
  const object row = object::share(PyList_GET_ITEM(loop.rows, index));
  PyObject* const where = PyTuple_GET_ITEM(row.get(), 2);
  if (PyTuple_Check(where) == 0) return nullptr;
  PyObject* const value = value_of_row(loop, row.get(), where);
  if (value == nullptr) {
    loop.row = index;
    if (PyErr_ExceptionMatches(error_class()) != 0) PyErr_Clear();
  }
  return value;
}
void drop_rows(record_loop& loop) {
  Py_CLEAR(loop.read);
  Py_CLEAR(loop.data);
  Py_CLEAR(loop.rows);
}
PyObject* next_record(PyObject* self) {
  const object_scope alone(self);
  record_loop& loop = loop_of(self);
  for (;;) {
    PyObject* const value = read_row(loop);
    if (value != nullptr || PyErr_Occurred() != nullptr) return value;
    const object steps = object::share(loop.steps);
    object step(steps ? PyIter_Next(steps.get()) : nullptr);
    if (!step) drop_rows(loop);
    if (step.get() != self) return step.release();
  }
}

PyObject* begin_rows(PyObject* self, PyObject* arguments) {
  const object_scope alone(self);
  record_loop& loop = loop_of(self);
  PyObject *read = nullptr, *data = nullptr, *rows = nullptr;
  int gives_views = 0;
  long long base = 0;
  if (PyArg_ParseTuple(arguments, "OO!O!Lp", &read, &PyMemoryView_Type, &data, &PyList_Type, &rows, &base,
                       &gives_views) == 0 ||
      error_class() == nullptr)
    return nullptr;
  Py_XSETREF(loop.read, new_reference(read));
  Py_XSETREF(loop.data, new_reference(data));
  Py_XSETREF(loop.rows, new_reference(rows));
  loop.row = 0;
  loop.base = base;
  loop.gives_views = gives_views != 0;
  return new_reference(Py_None);
}
int traverse_loop(PyObject* self, visitproc visit, void* arg) {
  const record_loop& loop = loop_of(self);
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(loop.steps);
  Py_VISIT(loop.read);
  Py_VISIT(loop.data);
  Py_VISIT(loop.rows);
  return 0;
}
int clear_loop(PyObject* self) {
  Py_CLEAR(loop_of(self).steps);
  drop_rows(loop_of(self));
  return 0;
}
void destroy_loop(PyObject* self) {
  PyObject_GC_UnTrack(self);
  clear_loop(self);
  free_instance(self);
}

PyMemberDef loop_members[] = {
    {"record", T_LONGLONG, offsetof(record_loop, record), 0, "Number of the last record."},
    {"record_offset", T_LONGLONG, offsetof(record_loop, record_offset), 0, "Its offset."},
    {"number", T_LONGLONG, offsetof(record_loop, number), 0, "Number of the next record."},
    {"offset", T_LONGLONG, offsetof(record_loop, offset), 0, "Its offset."},
    {"count", T_LONGLONG, offsetof(record_loop, count), 0, "Records returned."},
    {"_limit", T_LONGLONG, offsetof(record_loop, limit), 0, nullptr},
    {"_row", T_PYSSIZET, offsetof(record_loop, row), 0, nullptr},
    {"_steps", T_OBJECT, offsetof(record_loop, steps), 0, nullptr},
    {}};
PyMethodDef loop_methods[] = {{"_begin", begin_rows, METH_VARARGS,
                               "_begin($self, read, data, rows, base, gives_views, /)\n--\n\nBegins rows."},
                              {}};

}  // namespace

PyTypeObject* record_loop_class() {
  static shared_object cached;
  return class_once(cached, [] {
    return new_class({"thriftlens._core.RecordLoop", sizeof(record_loop),
                      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC},
                     {raw_slot(Py_tp_new, PyType_GenericNew),
                      raw_slot(Py_tp_iter, PyObject_SelfIter),
                      type_slot<next_record>(Py_tp_iternext),
                      {Py_tp_members, loop_members},
                      {Py_tp_methods, loop_methods},
                      raw_slot(Py_tp_traverse, traverse_loop),
                      raw_slot(Py_tp_clear, clear_loop),
                      raw_slot(Py_tp_dealloc, destroy_loop),
                      doc_slot("The compiled half of thriftlens.Scan.")});
  });
}

}  // namespace thriftlens::python
