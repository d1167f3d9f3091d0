// call_cache: comparing options.
#include "caches/call_cache.hpp"

#include "support/constants.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>

namespace thriftlens::python {

namespace {

/// Dicts of str to str, equal in order too: rules of a later path go before those of an earlier one.
bool same_words(PyObject* left, PyObject* right) {
  const object_scope alone(right);  // the caller's own
  if (PyDict_GET_SIZE(left) != PyDict_GET_SIZE(right)) return false;
  PyObject *key = nullptr, *item = nullptr, *other_key = nullptr, *other = nullptr;
  Py_ssize_t at = 0, other_at = 0;
  while (PyDict_Next(left, &at, &key, &item) != 0) {
    if (PyDict_Next(right, &other_at, &other_key, &other) == 0) return false;
    if (!PyUnicode_CheckExact(other_key) || !PyUnicode_CheckExact(other)) return false;
    if (!same_text(key, other_key) || !same_text(item, other)) return false;
  }
  return true;
}

bool same_bytes(PyObject* left, PyObject* right) noexcept {
  const Py_ssize_t size = PyBytes_GET_SIZE(left);
  return size == PyBytes_GET_SIZE(right) &&
         std::memcmp(PyBytes_AS_STRING(left), PyBytes_AS_STRING(right), static_cast<std::size_t>(size)) == 0;
}

bool same_option(PyObject* before, PyObject* given) {
  if (before == nullptr) return true;
  if (Py_TYPE(before) != Py_TYPE(given)) return false;
  if (PyDict_CheckExact(before)) return same_words(before, given);
  if (before == given) return true;
  if (PyUnicode_CheckExact(before)) return same_text(before, given);
  if (PyBytes_CheckExact(before)) return same_bytes(before, given);
  return PyLong_CheckExact(before) && PyObject_RichCompareBool(before, given, Py_EQ) == 1;
}

/// A value as it can be compared later; nothing for other kinds.
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

bool same_names(PyObject* left, PyObject* right) noexcept {
  if (left == right) return true;
  if (left == nullptr || right == nullptr || PyTuple_GET_SIZE(left) != PyTuple_GET_SIZE(right)) return false;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(left); ++i) {
    if (PyTuple_GET_ITEM(left, i) != PyTuple_GET_ITEM(right, i)) return false;  // interned
  }
  return true;
}

}  // namespace

bool call_cache::entry::fits(const signature& called, const arguments& given) const {
  if (of != &called || !same_names(names.get(), given.names)) return false;
  std::size_t i = 0;
  while (i < values.size() && same_option(values[i].get(), given.named(static_cast<Py_ssize_t>(i)))) ++i;
  return i == values.size();
}

std::shared_ptr<const void> call_cache::find(const signature& of, const arguments& given) {
  const std::scoped_lock alone(mutex_);
  for (auto each = entries_.begin(); each != entries_.end(); ++each) {
    if (!each->fits(of, given)) continue;
    if (each != entries_.begin()) std::iter_swap(each, entries_.begin());
    return entries_.front().compiled;
  }
  return nullptr;
}

void call_cache::put(const signature& of, const arguments& given, std::shared_ptr<const void> compiled) {
  constexpr std::size_t max_entries = 16;
  entry made{&of, object::share(given.names), {}, std::move(compiled)};
  for (Py_ssize_t i = 0; i < given.by_name(); ++i) {
    const option* const named = of.find(given.name(i));
    const bool is_any = named != nullptr && named->is_per_call;
    made.values.push_back(is_any ? object() : snapshot(given.named(i)));
    if (!is_any && !made.values.back()) return PyErr_Clear();
  }
  entry dropped;  // what it holds may run code that comes back here
  const std::scoped_lock alone(mutex_);
  if (entries_.size() == max_entries) {
    dropped = std::move(entries_.back());
    entries_.pop_back();
  }
  entries_.push_back(std::move(made));
}

std::size_t call_cache::size() {
  const std::scoped_lock alone(mutex_);
  return entries_.size();
}

}  // namespace thriftlens::python
