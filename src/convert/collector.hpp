// collector: pauses the cyclic garbage collector while acyclic containers are created. Call resume() before
// Python code or another thread can run.
#pragma once

#include "support/object.hpp"

#include <cstddef>

namespace thriftlens::python {

/// A collection per 700 new containers would traverse the result repeatedly. Since Python 3.12 collections
/// only run in the interpreter's loop, so not during a decode.
class collector_pause {
 public:
  /// Shorter inputs create too few containers.
  static constexpr std::size_t least = 4096;

  explicit collector_pause([[maybe_unused]] std::size_t input) noexcept {
#if PY_VERSION_HEX < 0x030C0000
    if (input >= least) stopped_ = stop();
#endif
  }
  collector_pause(const collector_pause&) = delete;
  collector_pause& operator=(const collector_pause&) = delete;
  ~collector_pause() { resume(); }

  void resume() noexcept {
#if PY_VERSION_HEX < 0x030C0000
    if (stopped_) start();
    stopped_ = false;
#endif
  }
  /// Lets other threads run, with the collector resumed.
  void yield_gil() noexcept {
#if PY_VERSION_HEX < 0x030C0000
    const bool was_stopped = stopped_;
    resume();
#endif
    PyEval_RestoreThread(PyEval_SaveThread());
#if PY_VERSION_HEX < 0x030C0000
    if (was_stopped) stopped_ = stop();
#endif
  }

 private:
#if PY_VERSION_HEX >= 0x030C0000
#elif PY_VERSION_HEX >= 0x030A0000
  static bool stop() noexcept { return PyGC_Disable() == 1; }
  static void start() noexcept { PyGC_Enable(); }
#else
  static PyObject* called(const char* name) noexcept {
    static PyObject* const module = PyImport_ImportModule("gc");
    return module == nullptr ? nullptr : PyObject_CallMethod(module, name, nullptr);
  }
  static bool stop() noexcept {
    const object is_on(called("isenabled"));
    const bool stopped = is_on.get() == Py_True && object(called("disable"));
    PyErr_Clear();
    return stopped;
  }
  /// Preserves the current Python error.
  static void start() noexcept {
    PyObject *kind = nullptr, *value = nullptr, *trace = nullptr;
    PyErr_Fetch(&kind, &value, &trace);
    const object ignored(called("enable"));
    PyErr_Restore(kind, value, trace);
  }
#endif

#if PY_VERSION_HEX < 0x030C0000
  bool stopped_ = false;
#endif
};

}  // namespace thriftlens::python
