// raise: converts errors of the library to exceptions of thriftlens.
#include "convert/value.hpp"
#include "support/argument.hpp"
#include "support/imported.hpp"
#include "support/owned_bytes.hpp"
#include "support/translate_exceptions.hpp"

#include <new>
#include <stdexcept>

namespace thriftlens::python {

void raise_caught() noexcept {
  try {
    throw;
  } catch (const error_is_set&) {  // the Python error stays set
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::length_error&) {
    PyErr_NoMemory();
  } catch (const std::exception& thrown) {
    PyErr_SetString(PyExc_RuntimeError, thrown.what());
  }
}

PyObject* raise_later(late kind, PyObject* reason) {
  object owned(reason);
  PyObject* const of = kind == late::absent ? imported<"thriftlens._errors", "AbsentError">()
                                            : imported<"thriftlens._errors", "UnknownNameError">();
  if (owned && of != nullptr) PyErr_SetObject(of, owned.get());
  return nullptr;
}

PyObject* raise_in_record(const record_location& location) {
  with_raised([&](PyObject* exception) {
    PyObject* const of = imported<"thriftlens._errors", "Error">();
    PyObject* const add_location = imported<"thriftlens._errors", "in_record">();
    if (of == nullptr || add_location == nullptr || PyObject_IsInstance(exception, of) != 1) return;
    const object position(location_tuple(location));
    if (position)
      const object ignored(PyObject_CallFunctionObjArgs(add_location, exception, position.get(), nullptr));
  });
  return nullptr;
}
PyObject* raise_at_record(const object& exception, std::int64_t number) {
  const object record(PyLong_FromLongLong(number));
  if (!exception || !record || PyObject_SetAttrString(exception.get(), "record", record.get()) != 0)
    return nullptr;
  return raise_object(exception);
}

PyObject* findings(const std::vector<diagnostic>& diagnostics) {
  PyObject* const of = imported<"thriftlens._errors", "Diagnostic">();
  if (of == nullptr) return nullptr;
  return new_list(diagnostics, [of](const diagnostic& entry) {
    const char* severity = entry.severity == diagnostic::level::error ? "error" : "warning";
    return new_of(of, severity, entry.kind, entry.file, entry.line, entry.column, entry.message, entry.source,
                  entry.caret);
  });
}

PyObject* exception_of(const error& reason, family kind) {
  static constexpr const char* names[] = {"plain", "decode", "encode", "schema", "json"};
  PyObject* const make = imported<"thriftlens._errors", "_make">();
  if (make == nullptr) return nullptr;
  return new_of(make, names[static_cast<std::size_t>(kind)], reason.message(), reason.detail(),
                to_string(reason.code()), reason.path().empty() ? new_none() : shown_text(reason.path()),
                offset_or_none(reason), to_string(reason.source()), new_tuple(reason.line(), reason.column()),
                findings(reason.diagnostics()), reason.option(), record_or_none(reason),
                hint_or_none(reason));
}

bool utf8_of(PyObject* text, std::string_view& utf8, errc code, family kind) {
  if (utf8_of(text, utf8)) return true;
  if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) return false;
  PyErr_Clear();
  raise(error(code, unpaired_surrogate), kind);
  return false;
}

PyObject* raise(const error& reason, family kind) {
  if (reason.code() == errc::ok)
    return raise(error(errc::internal, {}, reason.offset(), std::string(reason.path())), kind);
  if (reason.code() == errc::no_memory) return PyErr_NoMemory();
  return raise_object(object(exception_of(reason, kind)));
}

}  // namespace thriftlens::python
