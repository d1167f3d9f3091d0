// locked: locks for free-threaded Python; they compile to nothing in builds with a GIL.
#pragma once

#include "support/object.hpp"

#include <atomic>

namespace thriftlens::python {

#ifdef Py_GIL_DISABLED
inline constexpr bool has_no_gil = true;

/// For std::scoped_lock. Python code must not run while it is locked: it could take the lock again.
class mutex {
 public:
  void lock() noexcept { PyMutex_Lock(&mutex_); }
  void unlock() noexcept { PyMutex_Unlock(&mutex_); }

 private:
  PyMutex mutex_ = {};
};

/// A critical section of an object. Like the GIL, it is released while Python code blocks.
class object_scope {
 public:
  explicit object_scope(PyObject* of) noexcept { PyCriticalSection_Begin(&section_, of); }
  object_scope(const object_scope&) = delete;
  object_scope& operator=(const object_scope&) = delete;
  ~object_scope() { PyCriticalSection_End(&section_); }

 private:
  PyCriticalSection section_;
};
#else
inline constexpr bool has_no_gil = false;

class mutex {
 public:
  void lock() noexcept {}
  void unlock() noexcept {}
};

class object_scope {
 public:
  explicit object_scope(PyObject*) noexcept {}
  object_scope(const object_scope&) = delete;
  object_scope& operator=(const object_scope&) = delete;
  ~object_scope() {}  // not trivial: it is used
};
#endif

/// in_turn<f>::call is the method f, run by one thread at a time per object.
template <auto Function>
struct in_turn;
template <class Result, class... Rest, Result (*Function)(PyObject*, Rest...)>
struct in_turn<Function> {
  static Result call(PyObject* self, Rest... rest) {
    const object_scope turn(self);
    return Function(self, rest...);
  }
};

/// An object that lives as long as the process; null until it is created.
using shared_object = std::atomic<PyObject*>;

/// The object in the slot, created by `make` on first use; if two threads race, both get the first one.
/// Borrowed; null with a Python error set.
template <class Make>
[[nodiscard]] PyObject* create_once(shared_object& slot, Make make) {
  PyObject* current = slot.load(std::memory_order_acquire);
  if (current != nullptr) return current;
  object created(make());
  if (created && slot.compare_exchange_strong(current, created.get(), std::memory_order_acq_rel))
    return created.release();
  return current;
}
/// The str, interned.
[[nodiscard]] inline PyObject* interned(shared_object& slot, const char* text) {
  return create_once(slot, [text] { return PyUnicode_InternFromString(text); });
}

/// Like PySequence_Fast; free-threaded builds copy a list, which another thread could change.
[[nodiscard]] inline object fixed_sequence(PyObject* items, const char* message) {
  const bool is_shared = has_no_gil && PyList_Check(items);
  return object(is_shared ? PyList_AsTuple(items) : PySequence_Fast(items, message));
}
/// The dict itself, or a copy in free-threaded builds.
[[nodiscard]] inline object fixed_dict(PyObject* dict) {
  return has_no_gil ? object(PyDict_Copy(dict)) : object::share(dict);
}

}  // namespace thriftlens::python
