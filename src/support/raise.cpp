// raise: an error of the library as an exception of thriftlens.
#include "convert/value.hpp"
#include "support/imported.hpp"
#include "support/owned_bytes.hpp"

namespace thriftlens::python {

PyObject* raise_later(late kind, PyObject* reason) {
  static shared_object cached[2];
  static constexpr const char* names[] = {"AbsentError", "UnknownNameError"};
  object held(reason);
  const auto which = static_cast<std::size_t>(kind);
  PyObject* of = imported(cached[which], "thriftlens._errors", names[which]);
  if (held && of != nullptr) PyErr_SetObject(of, held.get());
  return nullptr;
}

PyObject* raise_in_record(const record_place& place) {
  static shared_object cached, cached_class;
  PyObject *kind = nullptr, *value = nullptr, *trace = nullptr;
  PyErr_Fetch(&kind, &value, &trace);
  PyErr_NormalizeException(&kind, &value, &trace);
  PyObject* const of = imported(cached_class, "thriftlens._errors", "Error");
  PyObject* const say = imported(cached, "thriftlens._errors", "in_record");
  if (of != nullptr && say != nullptr && PyErr_GivenExceptionMatches(kind, of) != 0) {
    const auto number = static_cast<long long>(place.number), offset = static_cast<long long>(place.offset),
               at = static_cast<long long>(place.value);
    const object done(PyObject_CallFunction(say, "O(LLL)", value, number, offset, at));
  }
  PyErr_Clear();  // what was raised counts, whatever went wrong here
  PyErr_Restore(kind, value, trace);
  return nullptr;
}

PyObject* findings(const std::vector<diagnostic>& all) {
  object list(PyList_New(0));
  for (const diagnostic& each : all) {
    const char* severity = each.severity == diagnostic::level::error ? "error" : "warning";
    object row(Py_BuildValue("(sNNIINNI)", severity, shown_text(each.kind), shown_text(each.file), each.line,
                             each.column, shown_text(each.message), shown_text(each.source), each.caret));
    if (!list || !row || PyList_Append(list.get(), row.get()) != 0) return nullptr;
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
  object all(findings(reason.diagnostics()));
  if (!path || !offset || !all) return nullptr;
  return PyObject_CallFunction(make, "sNsOOs(nn)Oz", names[static_cast<std::size_t>(kind)],
                               shown_text(reason.what()), to_string(reason.code()).data(), path.get(),
                               offset.get(), to_string(reason.source()).data(),
                               static_cast<Py_ssize_t>(reason.line()),
                               static_cast<Py_ssize_t>(reason.column()), all.get(), reason.option());
}

bool utf8_of(PyObject* text, std::string_view& found, errc code, family kind) {
  Py_ssize_t size = 0;
  const char* data = PyUnicode_AsUTF8AndSize(text, &size);
  if (data != nullptr) {
    found = {data, static_cast<std::size_t>(size)};
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
  object made(exception_of(reason, kind));
  if (made) PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made.get())), made.get());
  return nullptr;
}

}  // namespace thriftlens::python
