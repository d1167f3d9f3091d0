// locked: what threads take turns with where no GIL makes them. Never costs anything where there is a GIL.
#pragma once

#include "support/object.hpp"

#include <atomic>

namespace thriftlens::python {

#ifdef Py_GIL_DISABLED
inline constexpr bool has_no_gil = true;

/// Of a cache, for std::scoped_lock. No code of Python's may run while it is held: it could come back here.
class mutex {
 public:
  void lock() noexcept { PyMutex_Lock(&held_); }
  void unlock() noexcept { PyMutex_Unlock(&held_); }

 private:
  PyMutex held_ = {};
};

/// No other thread is in such a scope of the same object. Left and entered again where code of Python's waits
/// for something, as the GIL is.
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

/// in_turn<f>::call is f, a method of an object that threads may share: one is in it at a time.
template <auto Function>
struct in_turn;
template <class Result, class... Rest, Result (*Function)(PyObject*, Rest...)>
struct in_turn<Function> {
  static Result call(PyObject* self, Rest... rest) {
    const object_scope turn(self);
    return Function(self, rest...);
  }
};

/// An object for the life of the process, null before it is made.
using shared_object = std::atomic<PyObject*>;

/// What is in the slot, made by `make` when first asked for: of two threads that make it, one's is kept.
/// Borrowed; null with a Python error set.
template <class Make>
[[nodiscard]] PyObject* made_once(shared_object& slot, Make make) {
  PyObject* found = slot.load(std::memory_order_acquire);
  if (found != nullptr) return found;
  object made(make());
  if (made && slot.compare_exchange_strong(found, made.get(), std::memory_order_acq_rel))
    return made.release();
  return found;
}
/// The str, interned.
[[nodiscard]] inline PyObject* interned(shared_object& slot, const char* text) {
  return made_once(slot, [text] { return PyUnicode_InternFromString(text); });
}

/// PySequence_Fast of what another thread may change meanwhile: without a GIL of a list its items as a tuple.
[[nodiscard]] inline object fixed_sequence(PyObject* given, const char* message) {
  const bool is_shared = has_no_gil && PyList_Check(given);
  return object(is_shared ? PyList_AsTuple(given) : PySequence_Fast(given, message));
}
/// The dict, without a GIL a copy of it.
[[nodiscard]] inline object fixed_dict(PyObject* given) {
  return has_no_gil ? object(PyDict_Copy(given)) : object::share(given);
}

}  // namespace thriftlens::python
