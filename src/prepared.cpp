// prepared: the cache of calls and the decorator.
#include "prepared.hpp"

#include "guarded.hpp"
#include "path_cache.hpp"
#include "type_object.hpp"

#include <structmember.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace thriftlens::python {

namespace {

/// Dicts of str to str, equal in order too: rules of a later path go before those of an earlier one.
bool same_words(PyObject* left, PyObject* right) {
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

bool same_option(PyObject* kept, PyObject* given) {
  if (Py_TYPE(kept) != Py_TYPE(given)) return false;
  if (PyDict_CheckExact(kept)) return same_words(kept, given);
  if (kept == given) return true;
  if (PyUnicode_CheckExact(kept)) return same_text(kept, given);
  if (PyBytes_CheckExact(kept)) {
    const Py_ssize_t size = PyBytes_GET_SIZE(kept);
    return size == PyBytes_GET_SIZE(given) && std::memcmp(PyBytes_AS_STRING(kept), PyBytes_AS_STRING(given),
                                                          static_cast<std::size_t>(size)) == 0;
  }
  return PyLong_CheckExact(kept) && PyObject_RichCompareBool(kept, given, Py_EQ) == 1;
}

/// A value as it can be compared later; nothing for other kinds.
object snapshot(PyObject* value) {
  if (value == Py_None || PyBool_Check(value) || PyUnicode_CheckExact(value) || PyBytes_CheckExact(value) ||
      PyLong_CheckExact(value))
    return object::share(value);
  if (!PyDict_CheckExact(value)) return object();
  PyObject *key = nullptr, *item = nullptr;
  Py_ssize_t at = 0;
  while (PyDict_Next(value, &at, &key, &item) != 0) {
    if (!PyUnicode_CheckExact(key) || !PyUnicode_CheckExact(item)) return object();
  }
  return object(PyDict_Copy(value));
}

bool same_names(PyObject* left, PyObject* right) noexcept {
  if (left == right) return true;
  if (left == nullptr || right == nullptr || PyTuple_GET_SIZE(left) != PyTuple_GET_SIZE(right)) return false;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(left); ++i) {
    if (PyTuple_GET_ITEM(left, i) != PyTuple_GET_ITEM(right, i)) return false;  // interned
  }
  return true;
}

/// A call under way in Python.
struct call {
  call* outer;
  bool noted = false;
  applied what = {};
  object rules = {};
};
thread_local call* current = nullptr;

/// The decorator: `slow` is the Python method.
struct prepared_object {
  PyObject_HEAD vectorcallfunc vectorcall;
  PyObject* slow;
  PyObject* dict;
};

PyObject* call_slow(PyObject* self, PyObject* const* arguments, std::size_t given, PyObject* names) {
  auto& method = *reinterpret_cast<prepared_object*>(self);
  call now{current};
  current = &now;
  object answer(PyObject_Vectorcall(method.slow, arguments, given, names));
  current = now.outer;
  const auto count = PyVectorcall_NARGS(given);
  if (answer && now.noted)
    cache_of(arguments[0]).put(self, names, arguments + count, std::move(now.rules), now.what);
  return answer.release();
}

PyObject* call_prepared(PyObject* self, PyObject* const* arguments, std::size_t given, PyObject* names) {
  const auto count = PyVectorcall_NARGS(given);
  if (count < 2 || !PyObject_TypeCheck(arguments[0], type_class()))
    return PyObject_Vectorcall(reinterpret_cast<prepared_object*>(self)->slow, arguments, given, names);
  const prepared_cache::entry* found = cache_of(arguments[0]).find(self, names, arguments + count);
  if (found == nullptr || found->what.run == nullptr) return call_slow(self, arguments, given, names);
  // Another thread may drop the entry meanwhile.
  const object rules = object::share(found->rules.get());
  const applied what = found->what;
  const Py_ssize_t expected = what.right_data ? 3 : 2;
  return count == expected ? what.run(what, arguments[0], arguments + 1)
                           : call_slow(self, arguments, given, names);
}

PyObject* vectorcall(PyObject* self, PyObject* const* arguments, std::size_t given, PyObject* names) {
  return guarded<call_prepared>::call(self, arguments, given, names);
}

PyObject* make(PyTypeObject* of, PyObject* arguments, PyObject*) {
  PyObject* slow = nullptr;
  if (PyArg_ParseTuple(arguments, "O", &slow) == 0) return nullptr;
  PyObject* made = of->tp_alloc(of, 0);
  if (made == nullptr) return nullptr;
  auto& self = *reinterpret_cast<prepared_object*>(made);
  self.vectorcall = vectorcall;
  self.slow = new_reference(slow);
  return made;
}

PyObject* bind(PyObject* self, PyObject* to, PyObject*) {
  return to == nullptr || to == Py_None ? new_reference(self) : PyMethod_New(self, to);
}

void destroy(PyObject* self) {
  PyTypeObject* of = Py_TYPE(self);
  Py_XDECREF(reinterpret_cast<prepared_object*>(self)->slow);
  Py_XDECREF(reinterpret_cast<prepared_object*>(self)->dict);
  of->tp_free(self);
  Py_DECREF(of);
}

}  // namespace

prepared_cache::entry* prepared_cache::find(PyObject* method, PyObject* names, PyObject* const* values) {
  for (auto each = entries_.begin(); each != entries_.end(); ++each) {
    if (each->method != method || !same_names(each->names.get(), names)) continue;
    std::size_t i = 0;
    while (i < each->values.size() && same_option(each->values[i].get(), values[i])) ++i;
    if (i != each->values.size()) continue;
    if (each != entries_.begin()) std::iter_swap(each, entries_.begin());
    return &entries_.front();
  }
  return nullptr;
}

void prepared_cache::put(PyObject* method, PyObject* names, PyObject* const* values, object rules,
                         const applied& what) {
  constexpr std::size_t most = 16;
  entry made{method, object::share(names), {}, std::move(rules), what};
  for (Py_ssize_t i = 0; names != nullptr && i < PyTuple_GET_SIZE(names); ++i) {
    made.values.push_back(snapshot(values[i]));
    if (!made.values.back()) return PyErr_Clear();
  }
  entry dropped;
  if (entries_.size() == most) {
    dropped = std::move(entries_.back());
    entries_.pop_back();
  }
  entries_.push_back(std::move(made));
}

bool is_noting() noexcept { return current != nullptr && !current->noted; }

void note(const applied& what, PyObject* rules) noexcept {
  if (!is_noting()) return;
  current->noted = true;
  current->what = what;
  current->rules = object::share(rules);
}

PyTypeObject* prepared_class() {
  static PyTypeObject* made = nullptr;
  if (made != nullptr) return made;
  static PyMemberDef members[] = {
      {"__vectorcalloffset__", T_PYSSIZET, static_cast<Py_ssize_t>(offsetof(prepared_object, vectorcall)),
       READONLY, nullptr},
      {"__dictoffset__", T_PYSSIZET, static_cast<Py_ssize_t>(offsetof(prepared_object, dict)), READONLY,
       nullptr},
      {nullptr, 0, 0, 0, nullptr}};
  static PyGetSetDef properties[] = {
      {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr, nullptr}, {}};
  static PyType_Slot slots[] = {
      {Py_tp_members, members},
      {Py_tp_getset, properties},
      {Py_tp_new, reinterpret_cast<void*>(make)},
      {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
      {Py_tp_descr_get, reinterpret_cast<void*>(bind)},
      {Py_tp_dealloc, reinterpret_cast<void*>(destroy)},
      {Py_tp_doc, const_cast<char*>("A method of Type that is found again by its options.")},
      {0, nullptr}};
  constexpr unsigned int flags =
      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR;
  static PyType_Spec spec = {"thriftlens._core.prepared", sizeof(prepared_object), 0, flags, slots};
  made = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  return made;
}

}  // namespace thriftlens::python
