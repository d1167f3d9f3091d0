// call_cache: comparing options.
#include "caches/call_cache.hpp"

#include "support/constants.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>

namespace thriftlens::python {

namespace {

/// Compares dicts of str to str, including their order: rules of a later path override those of an earlier
/// one.
bool same_words(PyObject* a, PyObject* b) {
  const object_scope alone(b);  // the caller's own
  if (PyDict_GET_SIZE(a) != PyDict_GET_SIZE(b)) return false;
  PyObject *key = nullptr, *item = nullptr, *key_b = nullptr, *item_b = nullptr;
  Py_ssize_t at = 0, at_b = 0;
  while (PyDict_Next(a, &at, &key, &item) != 0) {
    if (PyDict_Next(b, &at_b, &key_b, &item_b) == 0) return false;
    if (!PyUnicode_CheckExact(key_b) || !PyUnicode_CheckExact(item_b)) return false;
    if (!same_text(key, key_b) || !same_text(item, item_b)) return false;
  }
  return true;
}

bool same_bytes(PyObject* a, PyObject* b) noexcept {
  const Py_ssize_t size = PyBytes_GET_SIZE(a);
  return size == PyBytes_GET_SIZE(b) &&
         std::memcmp(PyBytes_AS_STRING(a), PyBytes_AS_STRING(b), static_cast<std::size_t>(size)) == 0;
}

bool same_option(PyObject* cached, PyObject* value) {
  if (cached == nullptr) return true;
  if (Py_TYPE(cached) != Py_TYPE(value)) return false;
  if (PyDict_CheckExact(cached)) return same_words(cached, value);
  if (cached == value) return true;
  if (PyUnicode_CheckExact(cached)) return same_text(cached, value);
  if (PyBytes_CheckExact(cached)) return same_bytes(cached, value);
  return PyLong_CheckExact(cached) && PyObject_RichCompareBool(cached, value, Py_EQ) == 1;
}

/// A copy of an option's value for later comparison; null if its type cannot be compared.
object snapshot(PyObject* value) {
  if (is_constant(value)) return object::share(value);
  if (!PyDict_CheckExact(value)) return object();
  object copied(PyDict_Copy(value));
  if (!copied) return copied;
  PyObject *key = nullptr, *item = nullptr;
  Py_ssize_t at = 0;
  while (PyDict_Next(copied.get(), &at, &key, &item) != 0) {
    if (!PyUnicode_CheckExact(key) || !PyUnicode_CheckExact(item)) return object();
  }
  return copied;
}

bool same_names(PyObject* a, PyObject* b) noexcept {
  if (a == b) return true;
  if (a == nullptr || b == nullptr || PyTuple_GET_SIZE(a) != PyTuple_GET_SIZE(b)) return false;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(a); ++i) {
    if (PyTuple_GET_ITEM(a, i) != PyTuple_GET_ITEM(b, i)) return false;  // interned
  }
  return true;
}

}  // namespace

bool call_cache::entry::fits(const signature& called, const arguments& args) const {
  if (of != &called || !same_names(names.get(), args.names)) return false;
  std::size_t i = 0;
  while (i < values.size() && same_option(values[i].get(), args.named(static_cast<Py_ssize_t>(i)))) ++i;
  return i == values.size();
}

bool call_cache::entry::take_values(const arguments& args) {
  for (Py_ssize_t i = 0; i < args.by_name(); ++i) {
    const option* const named = of->find(args.name(i));
    const bool is_any = named != nullptr && named->is_per_call;
    values.push_back(is_any ? object() : snapshot(args.named(i)));
    if (!is_any && !values.back()) return false;
  }
  return true;
}

std::shared_ptr<const void> call_cache::find(const signature& of, const arguments& args) {
  const std::scoped_lock alone(mutex_);
  for (auto cached = entries_.begin(); cached != entries_.end(); ++cached) {
    if (!cached->fits(of, args)) continue;
    if (cached != entries_.begin()) std::iter_swap(cached, entries_.begin());
    return entries_.front().compiled;
  }
  return nullptr;
}

void call_cache::put(const signature& of, const arguments& args, std::shared_ptr<const void> compiled) {
  constexpr std::size_t max_entries = 16;
  entry added{&of, object::share(args.names), {}, std::move(compiled)};
  if (!added.take_values(args)) return PyErr_Clear();
  entry dropped;  // destroyed after the lock: its destructors may run Python code
  const std::scoped_lock alone(mutex_);
  if (entries_.size() == max_entries) {
    dropped = std::move(entries_.back());
    entries_.pop_back();
  }
  entries_.push_back(std::move(added));
}

std::size_t call_cache::size() {
  const std::scoped_lock alone(mutex_);
  return entries_.size();
}

}  // namespace thriftlens::python
