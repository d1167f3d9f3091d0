// redact_call: reading the options.
#include "call/redact_call.hpp"

#include "support/attribute.hpp"

#include <algorithm>

namespace thriftlens::python {

bool take_text(std::string& to, const char* name, PyObject* given) {
  std::string_view text;
  if (!PyUnicode_Check(given)) {
    PyErr_Format(PyExc_TypeError, "%s must be a str, not %R", name, given);
    return false;
  }
  if (!utf8_of(given, text, errc::path_syntax, family::plain)) return false;
  to = text;
  return true;
}

namespace {

bool append_words(std::vector<std::pair<std::string, std::string>>& to, const char* name, PyObject* left,
                  PyObject* right) {
  std::string_view texts[2];
  if (!PyUnicode_Check(left) || !PyUnicode_Check(right)) {
    PyErr_Format(PyExc_TypeError, "%s map str to str", name);
    return false;
  }
  if (!utf8_of(left, texts[0], errc::path_syntax, family::plain)) return false;
  if (!utf8_of(right, texts[1], errc::path_syntax, family::plain)) return false;
  to.emplace_back(texts[0], texts[1]);
  return true;
}

}  // namespace

bool take_words(std::vector<std::pair<std::string, std::string>>& to, const char* name, PyObject* given) {
  if (given == Py_None) return true;
  if (!has_attribute<"keys">(given)) {
    PyErr_Format(PyExc_TypeError, "%s map str to str: give a dict, not %.200s", name,
                 Py_TYPE(given)->tp_name);
    return false;
  }
  const object plain(PyObject_CallFunctionObjArgs(reinterpret_cast<PyObject*>(&PyDict_Type), given, nullptr));
  if (!plain) return false;
  PyObject *key = nullptr, *item = nullptr;
  Py_ssize_t at = 0;
  while (PyDict_Next(plain.get(), &at, &key, &item) != 0) {
    if (!append_words(to, name, key, item)) return false;
  }
  return true;
}

bool take_key(redact_hash::key_bytes& to, const char* name, PyObject* given) {
  if (!PyObject_CheckBuffer(given)) {
    PyErr_Format(PyExc_TypeError, "%s is bytes, not %.200s", name, Py_TYPE(given)->tp_name);
    return false;
  }
  const object view(PyMemoryView_FromObject(given));
  const object bytes(view ? PyBytes_FromObject(view.get()) : nullptr);
  if (!bytes) return false;
  const std::string_view held(PyBytes_AS_STRING(bytes.get()),
                              static_cast<std::size_t>(PyBytes_GET_SIZE(bytes.get())));
  if (held.size() > to.size()) {
    PyErr_Format(PyExc_ValueError, "%s has at most %zu bytes", name, to.size());
    return false;
  }
  std::copy(held.begin(), held.end(), to.begin());
  return true;
}

std::shared_ptr<const compiled_redaction> compile_redaction(type of, const redact_call& call) {
  std::optional<redaction> rules = value_or_raise(redaction::try_compile(of, call.rules));
  if (!rules) return nullptr;
  return std::make_shared<compiled_redaction>(
      compiled_redaction{*std::move(rules), call.protocol, call.bounds});
}

}  // namespace thriftlens::python
