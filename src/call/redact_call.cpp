// redact_call: parses the options.
#include "call/redact_call.hpp"

#include "support/argument.hpp"
#include "support/attribute.hpp"

#include <algorithm>

namespace thriftlens::python {

bool take_text(std::string& to, const char* name, PyObject* value) {
  std::string_view text;
  if (!PyUnicode_Check(value)) return raise_wrong_type(name, "a str", value);
  if (!utf8_of(value, text, errc::path_syntax, family::plain)) return false;
  to = text;
  return true;
}

namespace {

bool append_text_pair(std::vector<std::pair<std::string, std::string>>& to, const char* name, PyObject* key,
                      PyObject* value) {
  std::string_view texts[2];
  if (!PyUnicode_Check(key) || !PyUnicode_Check(value))
    return raise_type_error("%s must be a dict of str to str", name);
  if (!utf8_of(key, texts[0], errc::path_syntax, family::plain)) return false;
  if (!utf8_of(value, texts[1], errc::path_syntax, family::plain)) return false;
  to.emplace_back(texts[0], texts[1]);
  return true;
}

}  // namespace

bool take_text_map(std::vector<std::pair<std::string, std::string>>& to, const char* name,
                   PyObject* mapping) {
  if (mapping == Py_None) return true;
  if (!has_attribute<"keys">(mapping)) return raise_wrong_type(name, "a dict of str to str", mapping);
  const object plain(
      PyObject_CallFunctionObjArgs(reinterpret_cast<PyObject*>(&PyDict_Type), mapping, nullptr));
  if (!plain) return false;
  PyObject *key = nullptr, *item = nullptr;
  Py_ssize_t at = 0;
  while (PyDict_Next(plain.get(), &at, &key, &item) != 0) {
    if (!append_text_pair(to, name, key, item)) return false;
  }
  return true;
}

bool take_key(redact_hash::secret_key& to, const char* name, PyObject* value) {
  if (!PyObject_CheckBuffer(value))
    return raise_type_error("%s must be bytes, not %.200s", name, Py_TYPE(value)->tp_name);
  const object bytes(PyBytes_FromObject(value));
  if (!bytes) return false;
  const byte_view key = bytes_in(bytes.get());
  if (key.size() > to.bytes.size())
    return raise_value_error("%s must have at most %zu bytes", name, to.bytes.size());
  std::copy(key.begin(), key.end(), to.bytes.begin());
  return true;
}

std::shared_ptr<const compiled_redaction> compile_redaction(type of, const redact_call& call) {
  std::optional<redaction> rules = value_or_raise(redaction::try_compile(of, call.rules));
  if (!rules) return nullptr;
  return std::make_shared<compiled_redaction>(
      compiled_redaction{*std::move(rules), call.protocol, call.bounds});
}

}  // namespace thriftlens::python
