// raise: converts errors of the library to exceptions of thriftlens.
#include "convert/value.hpp"
#include "support/imported.hpp"
#include "support/owned_bytes.hpp"

namespace thriftlens::python {

PyObject* raise_later(late kind, PyObject* reason) {
  static shared_object cached[2];
  static constexpr const char* names[] = {"AbsentError", "UnknownNameError"};
  object owned(reason);
  const auto which = static_cast<std::size_t>(kind);
  PyObject* of = imported(cached[which], "thriftlens._errors", names[which]);
  if (owned && of != nullptr) PyErr_SetObject(of, owned.get());
  return nullptr;
}

PyObject* raise_in_record(const record_location& location) {
  static shared_object cached, cached_class;
  PyObject *kind = nullptr, *value = nullptr, *trace = nullptr;
  PyErr_Fetch(&kind, &value, &trace);
  PyErr_NormalizeException(&kind, &value, &trace);
  PyObject* const of = imported(cached_class, "thriftlens._errors", "Error");
  PyObject* const add_location = imported(cached, "thriftlens._errors", "in_record");
  if (of != nullptr && add_location != nullptr && PyErr_GivenExceptionMatches(kind, of) != 0) {
    const auto number = static_cast<long long>(location.number),
               offset = static_cast<long long>(location.offset), at = static_cast<long long>(location.value);
    const object ignored(PyObject_CallFunction(add_location, "O(LLL)", value, number, offset, at));
  }
  PyErr_Clear();  // the original exception takes precedence
  PyErr_Restore(kind, value, trace);
  return nullptr;
}

PyObject* findings(const std::vector<diagnostic>& diagnostics) {
  object list(PyList_New(0));
  for (const diagnostic& entry : diagnostics) {
    const char* severity = entry.severity == diagnostic::level::error ? "error" : "warning";
    if (!append_new(list, Py_BuildValue("(sNNIINNI)", severity, shown_text(entry.kind),
                                        shown_text(entry.file), entry.line, entry.column,
                                        shown_text(entry.message), shown_text(entry.source), entry.caret)))
      return nullptr;
  }
  return list.release();
}

PyObject* exception_of(const error& reason, family kind) {
  static constexpr const char* names[] = {"plain", "decode", "encode", "schema", "json"};
  static shared_object cached;
  PyObject* const make = imported(cached, "thriftlens._errors", "_make");
  if (make == nullptr) return nullptr;
  object path(reason.path().empty() ? new_reference(Py_None) : shown_text(reason.path()));
  object offset(reason.offset() == error::no_offset ? new_reference(Py_None)
                                                    : PyLong_FromSize_t(reason.offset()));
  object list(findings(reason.diagnostics()));
  if (!path || !offset || !list) return nullptr;
  return PyObject_CallFunction(make, "sNsOOs(nn)Oz", names[static_cast<std::size_t>(kind)],
                               shown_text(reason.what()), to_string(reason.code()).data(), path.get(),
                               offset.get(), to_string(reason.source()).data(),
                               static_cast<Py_ssize_t>(reason.line()),
                               static_cast<Py_ssize_t>(reason.column()), list.get(), reason.option());
}

bool utf8_of(PyObject* text, std::string_view& utf8, errc code, family kind) {
  Py_ssize_t size = 0;
  const char* data = PyUnicode_AsUTF8AndSize(text, &size);
  if (data != nullptr) {
    utf8 = {data, static_cast<std::size_t>(size)};
    return true;
  }
  if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) return false;
  PyErr_Clear();
  raise(error(code, unpaired_surrogate), kind);
  return false;
}

PyObject* raise(const error& reason, family kind) {
  if (reason.code() == errc::ok)
    return raise(error(errc::internal, {}, reason.offset(), std::string(reason.path())), kind);
  object exception(exception_of(reason, kind));
  if (exception) PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.get())), exception.get());
  return nullptr;
}

}  // namespace thriftlens::python
