// raise: an error of the library as an exception of thriftlens.
#include "value.hpp"

namespace thriftlens::python {

namespace {

/// Text from outside may hold anything; what is not UTF-8 is shown as U+FFFD.
PyObject* shown(std::string_view text) {
  return PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
}

/// A name of thriftlens._errors, looked up once. Borrowed; null with a Python error set.
PyObject* from_errors(PyObject*& kept, const char* name) {
  if (kept == nullptr) {
    object module(PyImport_ImportModule("thriftlens._errors"));
    if (module) kept = PyObject_GetAttrString(module.get(), name);
  }
  return kept;
}

}  // namespace

PyObject* raise_later(late kind, PyObject* reason) {
  static PyObject* kept[2] = {};
  static constexpr const char* names[] = {"AbsentError", "UnknownNameError"};
  object held(reason);
  const auto which = static_cast<std::size_t>(kind);
  PyObject* of = from_errors(kept[which], names[which]);
  if (held && of != nullptr) PyErr_SetObject(of, held.get());
  return nullptr;
}

PyObject* findings(const std::vector<diagnostic>& all) {
  object list(PyList_New(0));
  for (const diagnostic& each : all) {
    const char* severity = each.severity == diagnostic::level::error ? "error" : "warning";
    object row(Py_BuildValue("(sNNIINNI)", severity, shown(each.kind), shown(each.file), each.line,
                             each.column, shown(each.message), shown(each.source), each.caret));
    if (!list || !row || PyList_Append(list.get(), row.get()) != 0) return nullptr;
  }
  return list.release();
}

PyObject* exception_of(const error& reason, family kind) {
  static constexpr const char* names[] = {"plain", "decode", "encode", "schema", "json"};
  static PyObject* kept = nullptr;
  PyObject* const make = from_errors(kept, "_make");
  if (make == nullptr) return nullptr;
  object path(reason.path().empty() ? new_reference(Py_None) : shown(reason.path()));
  object offset(reason.offset() == error::no_offset ? new_reference(Py_None)
                                                    : PyLong_FromSize_t(reason.offset()));
  object all(findings(reason.diagnostics()));
  if (!path || !offset || !all) return nullptr;
  return PyObject_CallFunction(make, "sNsOO(nn)O", names[static_cast<std::size_t>(kind)],
                               shown(reason.what()), to_string(reason.code()).data(), path.get(),
                               offset.get(), static_cast<Py_ssize_t>(reason.line()),
                               static_cast<Py_ssize_t>(reason.column()), all.get());
}

bool utf8_of(PyObject* text, std::string_view& found, errc code, family kind) {
  Py_ssize_t size = 0;
  const char* data = PyUnicode_AsUTF8AndSize(text, &size);
  if (data != nullptr) return found = {data, static_cast<std::size_t>(size)}, true;
  if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) return false;
  PyErr_Clear();
  return raise(error(code, "a str with a lone surrogate has no UTF-8"), kind) != nullptr;
}

PyObject* raise(const error& reason, family kind) {
  if (reason.code() == errc::ok)
    return raise(error(errc::internal, {}, reason.offset(), reason.path()), kind);
  object made(exception_of(reason, kind));
  if (made) PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made.get())), made.get());
  return nullptr;
}

}  // namespace thriftlens::python
